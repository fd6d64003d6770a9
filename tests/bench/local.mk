## The benchmarks do each row once and look at the result.
check_PROGRAMS += tests/bench/builds tests/bench/copy tests/bench/layouts tests/bench/memory tests/bench/regret \
	tests/bench/tune
if HAVE_CUDA
check_PROGRAMS += tests/gpu/device_launch tests/gpu/device_launch_fake
tests_gpu_device_launch_SOURCES = tests/bench/timing.c tests/gpu/device_launch.c
tests_gpu_device_launch_LDADD = $(RUN_LDADD)
tests_gpu_device_launch_fake_SOURCES = $(tests_gpu_device_launch_SOURCES)
tests_gpu_device_launch_fake_CPPFLAGS = $(AM_CPPFLAGS) -DSV_FAKE
tests_gpu_device_launch_fake_LDADD = tests/fake/libfake.la $(RUN_LDADD)
endif
BENCH_FIELD = \
	tests/bench/contiguous.c \
	tests/bench/copy_cases.c \
	tests/bench/copy_field.c \
	tests/bench/copy_pattern.c \
	tests/bench/copy_peers.c \
	tests/bench/parallel.c \
	tests/bench/peer.c \
	tests/bench/peer_blas.c \
	tests/bench/peer_fftw.c \
	tests/bench/peer_hptt.c \
	tests/bench/peer_libxsmm.c \
	tests/bench/peer_onednn.c \
	tests/bench/race.c
tests_bench_copy_SOURCES = tests/bench/copy.c $(BENCH_FIELD)
tests_bench_builds_SOURCES = tests/bench/builds.c $(BENCH_FIELD)
tests_bench_builds_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CASES='"$(abs_top_srcdir)/tests/bench/copy_cases.txt"' \
	-DSV_LIBRARY='"$(abs_builddir)/.libs/libsv.so"'
tests_bench_builds_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_bench_builds_LDADD = $(RUN_LDADD) $(DLOPEN_LIBS) -lm
tests_bench_copy_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CASES='"$(abs_top_srcdir)/tests/bench/copy_cases.txt"'
tests_bench_copy_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_bench_copy_LDADD = $(RUN_LDADD) $(DLOPEN_LIBS)
tests_bench_layouts_SOURCES = tests/bench/layouts.c tests/bench/timing.c
tests_bench_layouts_LDADD = $(RUN_LDADD)
tests_bench_memory_SOURCES = tests/bench/memory.c tests/bench/timing.c
tests_bench_memory_LDADD = $(RUN_LDADD)
tests_bench_regret_SOURCES = tests/bench/copy_cases.c tests/bench/copy_pattern.c tests/bench/race.c tests/bench/regret.c
tests_bench_regret_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CASES='"$(abs_top_srcdir)/tests/bench/copy_cases.txt"'
tests_bench_regret_LDADD = $(RUN_LDADD) -lm
tests_bench_tune_SOURCES = tests/bench/copy_cases.c tests/bench/race.c tests/bench/tune.c
tests_bench_tune_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CASES='"$(abs_top_srcdir)/tests/bench/copy_cases.txt"'
tests_bench_tune_LDADD = $(RUN_LDADD) -lm
check_LTLIBRARIES += tests/bench/parallel.la tests/bench/tables.la
## What a script loads; -rpath makes it a shared library.
tests_bench_parallel_la_SOURCES = tests/bench/parallel.c
tests_bench_parallel_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) -fvisibility=default
tests_bench_parallel_la_LDFLAGS = -module -avoid-version -rpath $(abs_builddir)
tests_bench_parallel_la_LIBADD =
tests_bench_tables_la_SOURCES = tests/bench/tables.c
tests_bench_tables_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
tests_bench_tables_la_LDFLAGS = -module -avoid-version -rpath $(abs_builddir)
tests_bench_tables_la_LIBADD =

## Medians of batches that take turns, beside those peers that are installed. Nothing here is part of a test.
SCRIPT = PYTHONPATH='$(abs_builddir)/py-build' $(PYTHON) -B $(srcdir)/tests/bench

bench: bench-layouts bench-memory bench-copies

bench-layouts: tests/bench/layouts tests/bench/tables.la py-build/stamp
	@$(MKDIR_P) bench
	tests/bench/layouts bench/c.json
	$(SCRIPT)/layouts.py bench/python.json
	$(SCRIPT)/interchange.py bench/interchange.json

bench-memory: tests/bench/memory py-build/stamp
	@$(MKDIR_P) bench
	tests/bench/memory bench/memory.json
	$(SCRIPT)/memory.py
	$(SCRIPT)/loader.py

## Copies of 128 to 256 MiB beside everybody else's, by one thread and by two: an hour, and 2 GiB of memory.
## HPTT=DIR is where HPTT is built, PEERS=FILE[:FILE] are libraries beside those of Python's environment and the system.
HPTT =
PEERS =
BESIDE = -p `$(SCRIPT)/copy_libraries.py '$(PEERS)'`
BENCH_THREADS = 1 2
bench-copies: tests/bench/copy tests/bench/parallel.la py-build/stamp
	@$(MKDIR_P) bench
	hptt=; if test -n '$(HPTT)'; then \
	    $(CXX) -std=c++17 -O2 -fopenmp -shared -fPIC -I'$(HPTT)/include' -o bench/hptt.so $(srcdir)/tests/bench/hptt.cpp \
	        -L'$(HPTT)/lib' -Wl,-rpath,'$(HPTT)/lib' -lhptt && hptt='-h bench/hptt.so' || exit 1; fi; \
	rm -f bench/copies-*.json; for t in $(BENCH_THREADS); do \
	    tests/bench/copy -t $$t -m $(BESIDE) $$hptt bench/copies-$$t.json && \
	    $(SCRIPT)/copy_peers.py -t $$t bench/copies-$$t-peers.json || exit 1; \
	done
	$(SCRIPT)/copy_report.py --plot bench/copy.svg bench/copies-*.json

## The first three of each kind: a few minutes.
bench-quick: tests/bench/copy tests/bench/parallel.la py-build/stamp
	@$(MKDIR_P) bench
	tests/bench/copy $(BESIDE) -n 3 -r 3 bench/quick.json
	$(SCRIPT)/copy_peers.py -n 3 -r 3 bench/quick-peers.json
	$(SCRIPT)/copy_report.py --plot bench/quick.svg bench/quick.json bench/quick-peers.json

## Random copies, half a minute for 100: RANDOM="--seed 2 --count 200", what copy_random.py takes.
RANDOM =
bench-random: tests/bench/copy tests/bench/parallel.la py-build/stamp
	@$(MKDIR_P) bench
	$(SCRIPT)/copy_random.py $(RANDOM) bench/random.txt
	tests/bench/copy $(BESIDE) -r 3 -c bench/random.txt bench/random.json
	$(SCRIPT)/copy_peers.py -r 3 -c bench/random.txt bench/random-peers.json
	$(SCRIPT)/copy_report.py --spread bench/random.json bench/random-peers.json

## Every loop that can do a copy does it: chosen / best, by pairs of loops. REGRET="--seed 2", what copy_random.py takes;
## SECONDS_GIVEN: at most so long.
REGRET = --count 2000 --least 30000 --most 60000000
SECONDS_GIVEN = 300
bench-regret: tests/bench/regret
	@$(MKDIR_P) bench
	$(PYTHON) -B $(srcdir)/tests/bench/copy_random.py $(REGRET) bench/regret.txt
	tests/bench/regret bench/regret.txt $(SECONDS_GIVEN) bench/regret.tsv

## This library and that of another commit in turns: the time of the old one by the new one's, by groups. OLD: the
## commit; RACE="-g transpose", what tests/bench/builds takes. What is raced here is added to tests/bench/races.txt.
OLD =
RACE =
bench-race: tests/bench/builds libsv.la
	@test -n '$(OLD)' || { echo "make bench-race OLD=COMMIT"; exit 2; }
	@rm -rf bench/old; $(MKDIR_P) bench/old; set -ex; \
	old=`git -C $(srcdir) rev-parse --short '$(OLD)'`; new=`git -C $(srcdir) describe --always --dirty`; \
	git -C $(srcdir) archive $$old | tar -x -C bench/old; \
	( cd bench/old && ./bootstrap --no-install && ./configure -q $(DLPACK_FLAGS) PYTHON='$(PYTHON)' --with-cuda=no \
	    --with-criterion=no && $(MAKE) -s libsv.la ) >bench/old.log 2>&1; \
	tests/bench/builds $(RACE) bench/old/.libs/libsv.so .libs/libsv.so $(srcdir)/tests/bench/races.txt "$$old | $$new"

## Random copies by plans and by measured plans: MEASURED="--seed 2 --count 200", what measured.py takes.
MEASURED =
bench-measured: py-build/stamp
	$(SCRIPT)/measured.py $(MEASURED)

## The tuning of this machine, for SV_HOST_TUNING, by random copies and those of the benchmark, with what the choice of
## loops costs before and after. FIELDS="block_rows ..." are measured alone. TUNE="--seed 2", what copy_random.py takes.
FIELDS =
TUNE = --count 400 --least 30000 --most 60000000 --conversions 0.2
tune: tests/bench/tune tests/bench/regret
	@$(MKDIR_P) bench
	$(PYTHON) -B $(srcdir)/tests/bench/copy_random.py $(TUNE) bench/tune.txt
	tests/bench/regret bench/tune.txt $(SECONDS_GIVEN) | head -n 1
	tests/bench/tune bench/tuning.txt bench/tune.txt $(FIELDS)
	SV_HOST_TUNING=bench/tuning.txt tests/bench/regret bench/tune.txt $(SECONDS_GIVEN) | head -n 1
	@grep '^[a-z]' bench/tuning.txt

## libsv alone: five minutes. tests/bench/copy has options.
bench-copy: tests/bench/copy
	@$(MKDIR_P) bench
	tests/bench/copy bench/copy-alone.json

bench-report: bench
	$(SCRIPT)/report.py $(srcdir)/doc/benchmarks.md bench/c.json bench/python.json bench/interchange.json
	$(SCRIPT)/copy_report.py --document $(srcdir)/doc/copy_benchmarks.md --plot $(srcdir)/doc/copy.svg \
	    bench/copies-*.json

EXTRA_DIST += \
	tests/bench/copy_cases.txt \
	tests/bench/copy_libraries.py \
	tests/bench/copy_list.py \
	tests/bench/copy_peers.py \
	tests/bench/copy_race.py \
	tests/bench/copy_random.py \
	tests/bench/copy_report.py \
	tests/bench/copy_sides.py \
	tests/bench/fake_blas.c \
	tests/bench/fake_onednn.c \
	tests/bench/fake_peer.h \
	tests/bench/hptt.cpp \
	tests/bench/images.py \
	tests/bench/interchange.py \
	tests/bench/layouts.py \
	tests/bench/loader.py \
	tests/bench/measured.py \
	tests/bench/memory.py \
	tests/bench/races.txt \
	tests/bench/rechunk.py \
	tests/bench/report.py \
	tests/bench/scaled.py
