## Fuzz targets: make check gives them their corpus, small changes of it and random bytes; make fuzz lets libFuzzer look.
FUZZ_TARGETS = dlpack fields parse plan repack reshape slice
check_PROGRAMS += \
	tests/fuzz/dlpack \
	tests/fuzz/fields \
	tests/fuzz/parse \
	tests/fuzz/plan \
	tests/fuzz/repack \
	tests/fuzz/reshape \
	tests/fuzz/slice
check_LTLIBRARIES += tests/fuzz/libdriver.la

tests_fuzz_libdriver_la_SOURCES = tests/fuzz/driver.c tests/fuzz/input.c
tests_fuzz_libdriver_la_CPPFLAGS = $(AM_CPPFLAGS) -DSV_CORPUS='"$(abs_top_srcdir)/tests/fuzz/corpus"'
FUZZ_LDADD = tests/fuzz/libdriver.la $(RUN_LDADD)
tests_fuzz_dlpack_LDADD = $(FUZZ_LDADD)
tests_fuzz_fields_LDADD = $(FUZZ_LDADD)
tests_fuzz_parse_LDADD = $(FUZZ_LDADD)
tests_fuzz_plan_LDADD = $(FUZZ_LDADD)
tests_fuzz_repack_LDADD = $(FUZZ_LDADD)
tests_fuzz_reshape_LDADD = $(FUZZ_LDADD)
tests_fuzz_slice_LDADD = $(FUZZ_LDADD)

## FUZZ_SECONDS for each target, with sanitizers. What is found is left in fuzz/, and so is the corpus that grows.
FUZZ_SECONDS = 60
CLANG = clang
fuzz:
	@$(MKDIR_P) fuzz; sources=$(srcdir)/src/gpu/cuda/cuda_absent.c; for file in $(libsvcore_la_SOURCES); do \
	    case $$file in src/gpu/*) ;; *.c) sources="$$sources $(srcdir)/$$file" ;; esac; done; \
	for target in $(FUZZ_TARGETS); do \
	    echo "== $$target"; $(MKDIR_P) fuzz/$$target; \
	    $(CLANG) -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined $(DEFS) $(AM_CPPFLAGS) \
	        -DSVI_CHECKS -o fuzz/fuzz-$$target $(srcdir)/tests/fuzz/$$target.c $(srcdir)/tests/fuzz/input.c $$sources && \
	    fuzz/fuzz-$$target -max_len=512 -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
	        -artifact_prefix=fuzz/$$target- fuzz/$$target $(srcdir)/tests/fuzz/corpus/$$target || exit 1; \
	done
