## The site of all documents and references, and its test in a browser; ./bootstrap --site installs what they need.
if HAVE_PACKAGE
site: py-build/stamp
	@sh $(srcdir)/doc/site/build.sh $(srcdir) py-build
check-site: py-build/stamp
	@sh $(srcdir)/tests/site/check.sh $(srcdir) py-build
else
site check-site:
	@echo 'make $@ needs the Python package, which is off without Python 3.11 and: $(sv_python_missing)' >&2; exit 1
endif
.PHONY: check-site site

EXTRA_DIST += \
	doc/README.md \
	doc/abi.md \
	doc/benchmarks.md \
	doc/c.md \
	doc/casts.md \
	doc/command_line.md \
	doc/coming_from.md \
	doc/concepts.md \
	doc/concepts_repeated.svg \
	doc/concepts_reversed.svg \
	doc/concepts_rows.svg \
	doc/concepts_slice.svg \
	doc/concepts_transposed.svg \
	doc/concepts_windows.svg \
	doc/copy.svg \
	doc/copy_benchmarks.md \
	doc/copy_benchmarks_intel.md \
	doc/copy_intel.svg \
	doc/cuda.md \
	doc/cuda_benchmarks.md \
	doc/extensions.md \
	doc/interchange.md \
	doc/internals/README.md \
	doc/internals/architecture.md \
	doc/internals/copy.md \
	doc/internals/copy_experiments.md \
	doc/internals/cuda.md \
	doc/kernels.md \
	doc/layout_cases.md \
	doc/linking.md \
	doc/memory.md \
	doc/memory.svg \
	doc/memory_buffers.svg \
	doc/memory_cases.md \
	doc/python.md \
	doc/quick_start.md \
	doc/recipes.md \
	doc/rust.md \
	doc/site/Doxyfile \
	doc/site/build.sh \
	doc/site/c/index.rst \
	doc/site/conf.py \
	doc/site/contents.md \
	doc/site/headers.py \
	doc/site/python/copies.rst \
	doc/site/python/index.rst \
	doc/site/python/layouts.rst \
	doc/site/python/memory.rst \
	doc/site/python/package.rst \
	doc/site/python/views.rst \
	doc/site/requirements.txt \
	doc/site/stage.py \
	doc/site/static/icon.svg \
	doc/site/static/site.css \
	doc/site/stub.py \
	doc/tuning.md
