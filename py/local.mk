## --- made from the header, and the Python package -----------------------------

## Every other declaration of the API, derived from include/sv.h and include/sv/. The files are committed.
bindings:
	$(PYTHON) $(srcdir)/py/gen_bindings.py
.PHONY: bindings

## All of the headers in one file, for a program that carries a copy of libsv with it.
sv-single.h: include/single.awk include/sv.h $(topics_HEADERS)
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/single.awk $(srcdir)/include/sv.h >$@.tmp && mv $@.tmp $@
CLEANFILES += sv-single.h

## The Python package, linked with this tree's libsv. Installing it is pip's job.
PYTHON_FILES = \
	include/strideview.h \
	include/sv_kernel.hpp \
	py/src/allocate.c \
	py/src/api.c \
	py/src/arguments.c \
	py/src/assign.c \
	py/src/ask.c \
	py/src/batch.c \
	py/src/buffer.c \
	py/src/buffer_copy.c \
	py/src/buffer_end.c \
	py/src/buffer_export.c \
	py/src/buffer_facts.c \
	py/src/buffer_hint.c \
	py/src/buffer_make.c \
	py/src/buffer_object.c \
	py/src/buffer_size.c \
	py/src/buffer_type.c \
	py/src/buffer_view.c \
	py/src/buffer_work.c \
	py/src/buffers.h \
	py/src/call.c \
	py/src/casting.c \
	py/src/clone.c \
	py/src/collect.c \
	py/src/copy.c \
	py/src/deallocate.c \
	py/src/dlpack.c \
	py/src/dtype.c \
	py/src/errors.c \
	py/src/exchange.c \
	py/src/facts.c \
	py/src/fields.c \
	py/src/fill.c \
	py/src/held.c \
	py/src/helper.c \
	py/src/import.c \
	py/src/index.c \
	py/src/interface.c \
	py/src/kernel_arg.c \
	py/src/kind.c \
	py/src/layout.c \
	py/src/layout_object.c \
	py/src/memory.c \
	py/src/module.c \
	py/src/ndarray.c \
	py/src/opaque.c \
	py/src/owner.c \
	py/src/pairs.c \
	py/src/picture.c \
	py/src/pieces.c \
	py/src/place.c \
	py/src/plan.c \
	py/src/protocols.h \
	py/src/rearrange.c \
	py/src/regroup.c \
	py/src/resource.c \
	py/src/resource_facts.c \
	py/src/resource_make.c \
	py/src/resource_object.c \
	py/src/resource_stats.c \
	py/src/scalar.c \
	py/src/scaled.c \
	py/src/source.c \
	py/src/state.c \
	py/src/state.h \
	py/src/stream.c \
	py/src/svpy.h \
	py/src/sycl.c \
	py/src/thread_stream.c \
	py/src/threads.c \
	py/src/view.c \
	py/src/view_as.c \
	py/src/view_facts.c \
	py/src/view_object.c \
	py/src/wrapper.c \
	py/strideview/__init__.py \
	py/strideview/__init__.pyi \
	py/strideview/__main__.py \
	py/strideview/_arguments.py \
	py/strideview/_buffer_pickle.py \
	py/strideview/_build.py \
	py/strideview/_bytes.py \
	py/strideview/_cdef.h \
	py/strideview/_counts.py \
	py/strideview/_create.py \
	py/strideview/_ctypes_items.py \
	py/strideview/_device_buffer.py \
	py/strideview/_devices.py \
	py/strideview/_draw.py \
	py/strideview/_dtype.py \
	py/strideview/_explain.py \
	py/strideview/_extension.py \
	py/strideview/_formats.py \
	py/strideview/_interface.py \
	py/strideview/_items.py \
	py/strideview/_ndarray.py \
	py/strideview/_pickle.py \
	py/strideview/_rearrange.py \
	py/strideview/_recording.py \
	py/strideview/_records.py \
	py/strideview/_report.py \
	py/strideview/_foreign.py \
	py/strideview/_resources.py \
	py/strideview/_timeline.py \
	py/strideview/_usm.py \
	py/strideview/api.pxd \
	py/strideview/memory.py \
	py/strideview/py.typed \
	py/strideview/sv.pxd \
	py/strideview/sv_ctypes.py \
	pyproject.toml \
	setup.py

py-build/stamp: libsv.la strideview.pc $(PYTHON_FILES)
	$(AM_V_GEN)cd $(srcdir) && SV_BUILD_DIR='$(abs_builddir)' SV_DLPACK='$(DLPACK_DIR)' $(PACKAGE_FLAGS) \
	SV_EXTENSION_CFLAGS='$(EXTENSION_CFLAGS)' \
	PYTHONPYCACHEPREFIX='$(abs_builddir)/py-build/cache' $(PYTHON) setup.py -q build \
	    --build-base='$(abs_builddir)/py-build/temp' --build-lib='$(abs_builddir)/py-build'
	@touch $@

## The same package with the fake CUDA runtime (tests/fake) under it, for tests: its objects are linked once more.
if HAVE_CUDA
FAKE_LIBRARY = tests/fake/.libs/libfake.a
py-fake/stamp: py-build/stamp tests/fake/libfake.la
	$(AM_V_GEN)rm -rf py-fake && $(MKDIR_P) py-fake && cp -R py-build/strideview py-fake && \
	objects=`cd $(srcdir)/py/src && ls *.c | $(SED) 's/c$$/o/'` && \
	$(CC) $(CFLAGS) $(SV_CFLAGS) -shared -Wl,-Bsymbolic -o py-fake/strideview/_strideview.*.so \
	    `for o in $$objects; do ls py-build/temp/*/py/src/$$o; done` \
	    `find py-build/temp -name strideview._strideview.o` \
	    -Wl,--whole-archive $(FAKE_LIBRARY) -Wl,--no-whole-archive .libs/libsvcore.a $(CUDA_LIBS)
	@touch $@
endif

EXTRA_DIST += \
	$(PYTHON_FILES) \
	py/gen_bindings.py \
	py/read_header.py
