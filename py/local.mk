## --- made from the header, and the Python package -----------------------------

## Every other declaration of the API, derived from include/sv.h and include/sv/: bindings/README.md.
bindings:
	$(PYTHON) $(srcdir)/py/gen_bindings.py
.PHONY: bindings

## All of the headers in one file, for a program that carries a copy of libsv with it.
sv-single.h: include/single.awk include/sv.h $(topics_HEADERS)
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/single.awk $(srcdir)/include/sv.h >$@.tmp && mv $@.tmp $@
CLEANFILES += sv-single.h

## The Python package, linked with this tree's libsv. Installing it is pip's job.
PYTHON_FILES = \
	bindings/_cdef.h \
	bindings/api.pxd \
	bindings/sv.pxd \
	bindings/sv_ctypes.py \
	include/strideview.h \
	include/sv_kernel.hpp \
	py/src/arrays/README.md \
	py/src/arrays/assign.c \
	py/src/arrays/assign.h \
	py/src/arrays/clone.c \
	py/src/arrays/clone.h \
	py/src/arrays/compare.c \
	py/src/arrays/compare.h \
	py/src/arrays/index.c \
	py/src/arrays/index.h \
	py/src/arrays/kernel_arg.c \
	py/src/arrays/kernel_arg.h \
	py/src/arrays/layout.c \
	py/src/arrays/layout.h \
	py/src/arrays/layout_attributes.c \
	py/src/arrays/layout_attributes.h \
	py/src/arrays/layout_pair.c \
	py/src/arrays/layout_pair.h \
	py/src/arrays/move.c \
	py/src/arrays/move.h \
	py/src/arrays/notebook.c \
	py/src/arrays/notebook.h \
	py/src/arrays/rearrange.c \
	py/src/arrays/rearrange.h \
	py/src/arrays/reshape.c \
	py/src/arrays/reshape.h \
	py/src/arrays/scalar.c \
	py/src/arrays/scalar.h \
	py/src/arrays/view.c \
	py/src/arrays/view.h \
	py/src/arrays/view_as.c \
	py/src/arrays/view_as.h \
	py/src/arrays/view_attributes.c \
	py/src/arrays/view_attributes.h \
	py/src/base/README.md \
	py/src/base/arguments.c \
	py/src/base/arguments.h \
	py/src/base/attribute.c \
	py/src/base/attribute.h \
	py/src/base/dtype.c \
	py/src/base/dtype.h \
	py/src/base/errors.c \
	py/src/base/errors.h \
	py/src/base/helper.c \
	py/src/base/helper.h \
	py/src/base/hint.c \
	py/src/base/hint.h \
	py/src/base/hints.def \
	py/src/base/options.c \
	py/src/base/options.def \
	py/src/base/options.h \
	py/src/base/python.h \
	py/src/base/signature.c \
	py/src/base/signature.h \
	py/src/base/state.c \
	py/src/base/state.h \
	py/src/copies/README.md \
	py/src/copies/batch.c \
	py/src/copies/batch.h \
	py/src/copies/byteorder.c \
	py/src/copies/byteorder.h \
	py/src/copies/casting.c \
	py/src/copies/casting.h \
	py/src/copies/copy.c \
	py/src/copies/copy.h \
	py/src/copies/factors.c \
	py/src/copies/factors.h \
	py/src/copies/fill.c \
	py/src/copies/fill.h \
	py/src/copies/opaque.c \
	py/src/copies/opaque.h \
	py/src/copies/order.c \
	py/src/copies/order.h \
	py/src/copies/placement.c \
	py/src/copies/placement.h \
	py/src/copies/plan.c \
	py/src/copies/plan.h \
	py/src/copies/scaled.c \
	py/src/copies/scaled.h \
	py/src/copies/table.c \
	py/src/copies/table.h \
	py/src/execution/README.md \
	py/src/execution/call.c \
	py/src/execution/call.h \
	py/src/execution/interruptible.c \
	py/src/execution/interruptible.h \
	py/src/execution/progress.c \
	py/src/execution/progress.h \
	py/src/execution/release.c \
	py/src/execution/release.h \
	py/src/execution/stream.c \
	py/src/execution/stream.h \
	py/src/execution/thread_stream.c \
	py/src/execution/thread_stream.h \
	py/src/execution/threads.c \
	py/src/execution/threads.h \
	py/src/memory/README.md \
	py/src/memory/buffer_access.c \
	py/src/memory/buffer_access.h \
	py/src/memory/buffer_attributes.c \
	py/src/memory/buffer_attributes.h \
	py/src/memory/buffer_close.c \
	py/src/memory/buffer_close.h \
	py/src/memory/buffer_copy.c \
	py/src/memory/buffer_copy.h \
	py/src/memory/buffer_create.c \
	py/src/memory/buffer_create.h \
	py/src/memory/buffer_hint.c \
	py/src/memory/buffer_hint.h \
	py/src/memory/buffer_size.c \
	py/src/memory/buffer_size.h \
	py/src/memory/buffer_type.c \
	py/src/memory/buffer_type.h \
	py/src/memory/buffer_view.c \
	py/src/memory/buffer_view.h \
	py/src/memory/collect.c \
	py/src/memory/collect.h \
	py/src/memory/resource.c \
	py/src/memory/resource.h \
	py/src/memory/resource_attributes.c \
	py/src/memory/resource_attributes.h \
	py/src/memory/resource_create.c \
	py/src/memory/resource_create.h \
	py/src/memory/resource_stats.c \
	py/src/memory/resource_stats.h \
	py/src/memory/resource_wrapper.c \
	py/src/memory/resource_wrapper.h \
	py/src/module/README.md \
	py/src/module/api.c \
	py/src/module/api.h \
	py/src/module/functions.c \
	py/src/module/functions.h \
	py/src/module/module.c \
	py/src/objects/README.md \
	py/src/objects/allocate.c \
	py/src/objects/allocate.h \
	py/src/objects/array_memory.c \
	py/src/objects/array_memory.h \
	py/src/objects/buffer_object.c \
	py/src/objects/buffer_object.h \
	py/src/objects/buffer_stream.c \
	py/src/objects/buffer_stream.h \
	py/src/objects/buffer_struct.h \
	py/src/objects/deallocate.c \
	py/src/objects/deallocate.h \
	py/src/objects/kept_dtype.c \
	py/src/objects/kept_dtype.h \
	py/src/objects/layout_object.c \
	py/src/objects/layout_object.h \
	py/src/objects/layout_struct.h \
	py/src/objects/lending.c \
	py/src/objects/lending.h \
	py/src/objects/place.c \
	py/src/objects/place.h \
	py/src/objects/python_allocator.c \
	py/src/objects/python_allocator.h \
	py/src/objects/resource_object.c \
	py/src/objects/resource_object.h \
	py/src/objects/resource_struct.h \
	py/src/objects/view_object.c \
	py/src/objects/view_object.h \
	py/src/objects/view_stream.c \
	py/src/objects/view_stream.h \
	py/src/objects/view_struct.h \
	py/src/objects/work.c \
	py/src/objects/work.h \
	py/src/protocols/README.md \
	py/src/protocols/array.c \
	py/src/protocols/array.h \
	py/src/protocols/arrow.c \
	py/src/protocols/arrow.h \
	py/src/protocols/arrow_abi.h \
	py/src/protocols/arrow_export.c \
	py/src/protocols/arrow_export.h \
	py/src/protocols/arrow_formats.h \
	py/src/protocols/buffer.c \
	py/src/protocols/buffer.h \
	py/src/protocols/buffer_export.c \
	py/src/protocols/buffer_export.h \
	py/src/protocols/current.c \
	py/src/protocols/current.h \
	py/src/protocols/dlpack.c \
	py/src/protocols/dlpack.h \
	py/src/protocols/exchange.c \
	py/src/protocols/exchange.h \
	py/src/protocols/exchange_export.c \
	py/src/protocols/exchange_export.h \
	py/src/protocols/failures.c \
	py/src/protocols/failures.h \
	py/src/protocols/from_buffer.c \
	py/src/protocols/from_buffer.h \
	py/src/protocols/import.c \
	py/src/protocols/import.h \
	py/src/protocols/interface.c \
	py/src/protocols/interface.h \
	py/src/protocols/interface_dict.c \
	py/src/protocols/interface_dict.h \
	py/src/protocols/ndarray.c \
	py/src/protocols/ndarray.h \
	py/src/protocols/sycl.c \
	py/src/protocols/sycl.h \
	py/src/protocols/type_cache.c \
	py/src/protocols/type_cache.h \
	py/strideview/__init__.py \
	py/strideview/__init__.pyi \
	py/strideview/__main__.py \
	py/strideview/_advice.py \
	py/strideview/_arguments.py \
	py/strideview/_array_protocol.py \
	py/strideview/_arrow.py \
	py/strideview/_asarray.py \
	py/strideview/_axes.py \
	py/strideview/_buffer_pickle.py \
	py/strideview/_build.py \
	py/strideview/_byteorder.py \
	py/strideview/_bytes.py \
	py/strideview/_counts.py \
	py/strideview/_create.py \
	py/strideview/_ctypes_items.py \
	py/strideview/_device_buffer.py \
	py/strideview/_devices.py \
	py/strideview/_draw.py \
	py/strideview/_dtype.py \
	py/strideview/_explain.py \
	py/strideview/_extension.py \
	py/strideview/_foreign.py \
	py/strideview/_formats.py \
	py/strideview/_interface.py \
	py/strideview/_items.py \
	py/strideview/_move.py \
	py/strideview/_native.py \
	py/strideview/_ndarray.py \
	py/strideview/_paths.py \
	py/strideview/_pickle.py \
	py/strideview/_rearrange.py \
	py/strideview/_recording.py \
	py/strideview/_records.py \
	py/strideview/_repeat.py \
	py/strideview/_report.py \
	py/strideview/_resources.py \
	py/strideview/_stack.py \
	py/strideview/_timeline.py \
	py/strideview/_usm.py \
	py/strideview/memory.py \
	py/strideview/py.typed \
	pyproject.toml \
	setup.py

py-build/stamp: libsv.la strideview.pc strideview-config.cmake $(PYTHON_FILES)
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
	objects=`cd $(srcdir) && find py/src -name '*.c' | LC_ALL=C sort | $(SED) 's/c$$/o/'` && \
	$(CC) $(CFLAGS) $(SV_CFLAGS) -shared -Wl,-Bsymbolic -o py-fake/strideview/_strideview.*.so \
	    `for o in $$objects; do ls py-build/temp/*/$$o; done` \
	    `find py-build/temp -name strideview._strideview.o` \
	    -Wl,--whole-archive $(FAKE_LIBRARY) -Wl,--no-whole-archive .libs/libsvcore.a $(CUDA_LIBS)
	@touch $@
endif

EXTRA_DIST += \
	$(PYTHON_FILES) \
	bindings/README.md \
	bindings/StrideView.jl \
	bindings/libsv.sym \
	bindings/sv.lua \
	bindings/sv.map \
	bindings/sv_sys.rs \
	py/gen_bindings.py \
	py/read_dtypes.py \
	py/read_header.py
