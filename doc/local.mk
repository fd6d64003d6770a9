## Man pages of section 3, made of the comments in the headers: a file a page, and "links", with other names of pages, which
## is written last. Archives have them, so that they are installed without Python.
man3/links: ChangeLog include/sv.h $(topics_HEADERS) py/gen_man.py py/read_header.py py/read_topics.py \
		py/roff.py
	@test -n '$(PYTHON)' || { echo 'man pages are made by Python with pycparser' >&2; exit 1; }
	$(AM_V_GEN)$(PYTHON) $(srcdir)/py/gen_man.py man3
man: man3/links

PAGES = `test -f man3/links || echo $(srcdir)/`man3
man3dir = $(mandir)/man3
if HAVE_PAGES
all-local: man3/links
INSTALL_PAGES = install-pages
UNINSTALL_PAGES = uninstall-pages
endif
install-pages: man3/links
	$(MKDIR_P) '$(DESTDIR)$(man3dir)'
	@pages=$(PAGES); $(INSTALL_DATA) $$pages/*.3 '$(DESTDIR)$(man3dir)' && \
	while read name page; do \
	    ( cd '$(DESTDIR)$(man3dir)' && rm -f $$name.3 && $(LN_S) $$page.3 $$name.3 ) || exit 1; \
	done <$$pages/links
uninstall-pages:
	@pages=$(PAGES); for page in $$pages/*.3; do rm -f '$(DESTDIR)$(man3dir)'/$${page##*/}; done; \
	while read name page; do rm -f '$(DESTDIR)$(man3dir)'/$$name.3; done <$$pages/links
dist-hook:
	pages=$(PAGES); cp -p $$pages/*.3 '$(distdir)/man3'
maintainer-clean-local:
	rm -rf man3
.PHONY: install-pages man uninstall-pages

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
	doc/clusters.md \
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
	doc/languages.md \
	doc/layout_cases.md \
	doc/linking.md \
	doc/memory.md \
	doc/memory.svg \
	doc/memory_buffers.svg \
	doc/memory_cases.md \
	doc/mpi.md \
	doc/mpi_scaling.md \
	doc/mpi_scaling.svg \
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
	doc/tuning.md \
	man3/links
