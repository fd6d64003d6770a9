## --- tests: which ------------------------------------------------------------

check_LTLIBRARIES = tests/libtap.la
check_DATA = sv-single.h
check_PROGRAMS =
## The programs of libsv_mpi take longest, and so are first.
MPI_TESTS = tests/mpi/mpi.py
TESTS =
if TEST_ABI
TESTS += $(MPI_TESTS)
endif
TESTS += $(check_PROGRAMS)

## A part of make check, which shows that an archive is whole: make distcheck check_PROGRAMS='$(ARCHIVE_C_TESTS)'
## TESTS='$(ARCHIVE_C_TESTS) $(ARCHIVE_TESTS)'.
ARCHIVE_C_TESTS = tests/run/conditions tests/run/fault tests/run/null_arguments
ARCHIVE_TESTS =

include tests/second/local.mk
include tests/unit/local.mk

## Programs that do not fork, for sanitizers, valgrind and devices.
check_PROGRAMS += \
	tests/run/allocator_device \
	tests/run/allocator_threads \
	tests/run/buffer_states \
	tests/run/conditions \
	tests/run/cuda \
	tests/run/dead_handles \
	tests/run/fault \
	tests/run/forks \
	tests/run/loops \
	tests/run/memory_device \
	tests/run/memory_soak \
	tests/run/null_arguments \
	tests/run/placements \
	tests/run/rounds \
	tests/run/stack \
	tests/run/threads

## sv.hpp in C++.
if HAVE_CXX17
check_PROGRAMS += tests/run/hpp
endif

## All kernels once more: see memory_hints.c. Sanitizers would find in them what they do elsewhere.
if !SANITIZERS
check_PROGRAMS += tests/run/memory_hints
endif

RUN_LDADD = tests/libtap.la libsvcore.la $(CUDA_LIBS) -lpthread
tests_libtap_la_SOURCES = tests/balance.c tests/tap.c

tests_run_allocator_device_LDADD = $(RUN_LDADD)
tests_run_allocator_threads_LDADD = $(RUN_LDADD)
tests_run_forks_LDADD = $(RUN_LDADD)
tests_run_buffer_states_LDADD = $(RUN_LDADD)
tests_run_cuda_CPPFLAGS = $(AM_CPPFLAGS) -DMACHINE='"without CUDA: $(SV_CUDA_MISSING)"'
tests_run_cuda_LDADD = $(RUN_LDADD)
tests_run_fault_SOURCES = \
	tests/run/fault.c \
	tests/run/fault.h \
	tests/run/fault_buffer.c \
	tests/run/fault_copy.c \
	tests/run/fault_ground.c \
	tests/run/fault_inputs.c \
	tests/run/fault_layout.c \
	tests/run/fault_layout_builder.c \
	tests/run/fault_layout_ops.c \
	tests/run/fault_memory.c \
	tests/run/fault_view.c
tests_run_fault_CPPFLAGS = $(AM_CPPFLAGS) -DSV_SYMBOLS='"$(abs_top_srcdir)/bindings/libsv.sym"'
tests_run_fault_LDADD = $(RUN_LDADD)
tests_run_conditions_SOURCES = tests/bench/copy_cases.c tests/run/conditions.c tests/run/played.c tests/run/played.h
tests_run_conditions_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CASES='"$(abs_top_srcdir)/tests/bench/copy_cases.txt"'
tests_run_conditions_LDADD = $(RUN_LDADD)
tests_run_hpp_SOURCES = tests/run/hpp.cpp tests/run/hpp.h tests/run/hpp_other.cpp
tests_run_hpp_CXXFLAGS = -std=c++17 -Wall -Wextra -Wpedantic $(SV_CFLAGS)
tests_run_hpp_LDADD = $(RUN_LDADD)
tests_run_loops_SOURCES = tests/bench/copy_cases.c tests/run/loops.c tests/run/played.c tests/run/played.h
tests_run_loops_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CASES='"$(abs_top_srcdir)/tests/bench/copy_cases.txt"' \
	-DSV_LOOPS='"$(abs_top_srcdir)/tests/run/loops.txt"' -DSV_DOCUMENT='"$(abs_top_srcdir)/doc/internals/copy.md"'
tests_run_loops_LDADD = $(RUN_LDADD)
tests_run_memory_device_LDADD = $(RUN_LDADD)
tests_run_placements_CPPFLAGS = $(AM_CPPFLAGS) -DSV_HEADER='"$(abs_top_srcdir)/include/sv/copy.h"'
tests_run_placements_LDADD = $(RUN_LDADD)
## Calls at each prefetch and non-temporal store; -O1 -g0 compiles the kernels in a third of the time.
tests_run_memory_hints_SOURCES = \
	$(HOST_FILES) \
	tests/bench/copy_cases.c \
	tests/run/memory_hints.c \
	tests/run/memory_trace.c \
	tests/run/memory_trace.h
tests_run_memory_hints_CPPFLAGS = $(AM_CPPFLAGS) -DSVI_TRACE -DSV_CASES='"$(abs_top_srcdir)/tests/run/memory_hints.txt"'
tests_run_memory_hints_LDADD = $(RUN_LDADD)
$(tests_run_memory_hints_OBJECTS): CFLAGS += -O1 -g0
## A call of each function of the headers. Archives have it, so that they are tested without Python.
tests/run/null_table.h: include/sv.h $(topics_HEADERS) py/gen_bindings.py py/read_header.py
	@test -n '$(PYTHON)' || { echo 'tests/run/null_table.h is made by Python with pycparser' >&2; exit 1; }
	$(AM_V_GEN)$(MKDIR_P) tests/run && $(PYTHON) $(srcdir)/py/gen_bindings.py --calls $@.tmp && mv $@.tmp $@
tests/run/calls.$(OBJEXT): tests/run/null_table.h
MAINTAINERCLEANFILES = tests/run/null_table.h

tests_run_dead_handles_SOURCES = tests/run/calls.c tests/run/calls.h tests/run/dead_handles.c
tests_run_dead_handles_LDADD = $(RUN_LDADD)
tests_run_memory_soak_LDADD = $(RUN_LDADD)
tests_run_null_arguments_SOURCES = tests/run/calls.c tests/run/calls.h tests/run/null_arguments.c
tests_run_null_arguments_LDADD = $(RUN_LDADD)
tests_run_rounds_LDADD = $(RUN_LDADD)
tests_run_stack_SOURCES = \
	tests/bench/copy_cases.c \
	tests/run/stack.c \
	tests/run/stack_calls.c \
	tests/run/stack_calls.h
tests_run_stack_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CASES='"$(abs_top_srcdir)/tests/bench/copy_cases.txt"'
tests_run_stack_LDADD = $(RUN_LDADD)
tests_run_threads_LDADD = $(RUN_LDADD)

include tests/fuzz/local.mk
include tests/emulated/local.mk
include tests/fake/local.mk
include tests/bench/local.mk
include tests/gpu/local.mk
include tests/abi/local.mk
include tests/py/local.mk

## --- tests: how --------------------------------------------------------------
## Every test speaks TAP. SV_TEST_SCALE (full, long) in the environment asks for more cases.

TEST_EXTENSIONS = .sh .py
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh --ignore-exit
SH_LOG_DRIVER = $(LOG_DRIVER)
PY_LOG_DRIVER = $(LOG_DRIVER)
PY_LOG_COMPILER = $(PY_SANITIZERS) $(PYTHON) $(srcdir)/tests/py/tap.py
LOG_COMPILER = $(EMULATOR)
AM_TESTS_ENVIRONMENT = \
	CRITERION_OUTPUTS=tap:-; export CRITERION_OUTPUTS; \
	SV_EMULATOR='$(EMULATOR)'; export SV_EMULATOR; \
	PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE; \
	HYPOTHESIS_STORAGE_DIRECTORY='$(abs_builddir)/py-build/hypothesis'; export HYPOTHESIS_STORAGE_DIRECTORY; \
	PYTHONPATH='$(abs_builddir)/py-build'; export PYTHONPATH; \
	SV_DLPACK='$(DLPACK_DIR)'; export SV_DLPACK; CC='$(CC)'; export CC; CXX='$(CXX)'; export CXX; NM='$(NM)'; export NM; \
	NVCC='$(NVCC)'; export NVCC; CUDA_DIR='$(CUDA_DIR)'; export CUDA_DIR; \
	CUDA_CPPFLAGS='$(CUDA_CPPFLAGS)'; export CUDA_CPPFLAGS; CUDA_LIBS='$(CUDA_LIBS)'; export CUDA_LIBS;
## The runtimes come before Python, which does not give back all it has, and asks for more than there is.
PACKAGE_FLAGS =
PY_SANITIZERS =
if SANITIZERS
PACKAGE_FLAGS += CC='$(CC)' CFLAGS='$(CFLAGS) $(SV_CFLAGS)' LDFLAGS='$(SV_CFLAGS)'
PY_SANITIZERS += env LD_PRELOAD='$(SV_PRELOAD)' ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
endif
if THREAD_SANITIZER
AM_TESTS_ENVIRONMENT += TSAN_OPTIONS=log_path=$(abs_builddir)/sanitizer/report:allocator_may_return_null=1; export TSAN_OPTIONS;
endif
if SANITIZERS
## Criterion lets a test pass that leaks: count.sh looks at the reports.
AM_TESTS_ENVIRONMENT += \
	ASAN_OPTIONS=log_path=$(abs_builddir)/sanitizer/report:allocator_may_return_null=1; export ASAN_OPTIONS; \
	LSAN_OPTIONS=suppressions=$(abs_srcdir)/tests/lsan.supp:print_suppressions=0; export LSAN_OPTIONS;
endif

## In the place of Automake's own rule: the last line, failures or not, counts every test of every suite.
check-TESTS: $(check_PROGRAMS) $(check_DATA)
	@rm -rf sanitizer $(TEST_LOGS) $(TEST_LOGS:.log=.trs) $(TEST_SUITE_LOG); mkdir sanitizer; status=0; \
	$(MAKE) $(AM_MAKEFLAGS) $(TEST_SUITE_LOG) || status=1; \
	$(SHELL) $(srcdir)/tests/count.sh $(TEST_LOGS:.log=.trs) || status=1; exit $$status

## More cases, and builds of other kinds.
check-full:
	@status=0; SV_TEST_SCALE=full $(MAKE) $(AM_MAKEFLAGS) check || status=1; \
	COUNTS=check.count $(MAKE) $(AM_MAKEFLAGS) check-builds || status=1; exit $$status

## Builds of what make dist would pack: BUILDS="clang musl" for these alone. Two makes at a time need a folder each.
BUILDS_DIR = full
check-builds:
	@rm -rf $(BUILDS_DIR); mkdir $(BUILDS_DIR); \
	$(MAKE) $(AM_MAKEFLAGS) distdir distdir=$(BUILDS_DIR)/src >/dev/null || exit 1; \
	MAKE='$(MAKE)' $(SHELL) $(BUILDS_DIR)/src/tests/builds.sh $(BUILDS_DIR)/src $(AM_DISTCHECK_CONFIGURE_FLAGS)

check-long:
	SV_TEST_SCALE=long $(MAKE) $(AM_MAKEFLAGS) check

EXTRA_DIST += \
	tests/bare.sh \
	tests/builds.sh \
	tests/capabilities.txt \
	tests/cases/README.md \
	tests/cases/layout_cases.json \
	tests/count.sh \
	tests/fuzz/corpus \
	tests/lsan.supp \
	tests/mutants.py \
	tests/mutate.sh \
	tests/run/loops.txt \
	tests/run/memory_hints.txt \
	tests/run/null_table.h
