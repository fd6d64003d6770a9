## The ABI and the documents: derived files, header, names, layers, bindings, examples.
## They read sources or symbols, which are the same in each configuration: tests/builds.sh leaves them out.
ABI_TESTS = \
	tests/abi/bindings.py \
	tests/abi/capabilities.py \
	tests/abi/exports.py \
	tests/abi/generated.py \
	tests/abi/header.py \
	tests/abi/julia.py \
	tests/abi/kernel_code.py \
	tests/abi/kernel_figures.py \
	tests/abi/kernels.py \
	tests/abi/languages.py \
	tests/abi/layers.py \
	tests/abi/man_pages.py \
	tests/abi/reasons.py \
	tests/abi/release.py \
	tests/abi/rules.py \
	tests/abi/rust_crates.py \
	tests/abi/sealed.py \
	tests/abi/uses.py
if TEST_ABI
TESTS += $(ABI_TESTS)
ARCHIVE_TESTS += $(ABI_TESTS)
TESTS += \
	tests/docs/allocators_example.py \
	tests/docs/copy_example.py \
	tests/docs/first_example.py \
	tests/docs/threads_example.py
endif

## The figures of doc/internals/cuda.md.
kernel-figures: tests/emulated/counted
	PYTHONDONTWRITEBYTECODE=1 srcdir='$(srcdir)' $(PYTHON) $(srcdir)/tests/abi/kernel_figures.py --write
.PHONY: kernel-figures

## libsv.so beside that of the newest release, or of OLD=COMMIT.
check-abi: libsv.la
	@$(SHELL) $(srcdir)/tests/abi/abidiff.sh '$(srcdir)' '$(OLD)' $(DLPACK_FLAGS) PYTHON='$(PYTHON)'
.PHONY: check-abi

EXTRA_DIST += \
	tests/abi/0.1.h \
	tests/abi/0.1.table \
	tests/abi/abidiff.sh \
	tests/abi/bindings.py \
	tests/abi/capabilities.py \
	tests/abi/circles.py \
	tests/abi/exports.py \
	tests/abi/generated.py \
	tests/abi/header.py \
	tests/abi/julia.py \
	tests/abi/kernel_code.py \
	tests/abi/kernel_code.txt \
	tests/abi/kernel_figures.py \
	tests/abi/kernel_table.py \
	tests/abi/kernels.py \
	tests/abi/languages.py \
	tests/abi/layers.py \
	tests/abi/man_pages.py \
	tests/abi/reasons.py \
	tests/abi/release.py \
	tests/abi/rules.py \
	tests/abi/rust_crates.py \
	tests/abi/sass.py \
	tests/abi/sealed.py \
	tests/abi/tap.py \
	tests/abi/uses.py \
	tests/abi/writable.txt \
	tests/docs/allocators_example.py \
	tests/docs/copy_example.py \
	tests/docs/first_example.py \
	tests/docs/pages.py \
	tests/docs/readme.py \
	tests/docs/threads_example.py \
	tests/site/browser.py \
	tests/site/check.sh \
	tests/site/notebook_page.py
