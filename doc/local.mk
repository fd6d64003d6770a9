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

EXTRA_DIST += \
	doc/README.md \
	doc/benchmarks.md \
	doc/c.md \
	doc/casts.md \
	doc/command_line.md \
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
	doc/python.md \
	doc/rust.md \
	doc/tuning.md \
	man3/links
