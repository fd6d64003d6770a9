## --- the library ---------------------------------------------------------
## libsvcore is all of it with hidden names in reach, for the unit tests.

include_HEADERS = include/sv.h include/sv.hpp include/sv_kernel.hpp include/sv_mdspan.hpp
topicsdir = $(includedir)/sv
topics_HEADERS = \
	include/sv/base.h \
	include/sv/copy.h \
	include/sv/device.h \
	include/sv/dtype.h \
	include/sv/layout.h \
	include/sv/memory.h \
	include/sv/view.h
lib_LTLIBRARIES = libsv.la
noinst_PROGRAMS = examples/allocators examples/copy examples/first examples/threads
if HAVE_CXX17
noinst_PROGRAMS += examples/first_cpp
endif
noinst_LTLIBRARIES = libsvcore.la
## The host's loops, which tests/run/memory_hints has compiled once more.
HOST_FILES = \
	src/host/base/buffer.h \
	src/host/base/elements.h \
	src/host/base/isa.h \
	src/host/base/kernels.h \
	src/host/base/memory_hints.h \
	src/host/base/odometer.h \
	src/host/base/tuning.c \
	src/host/base/tuning.h \
	src/host/base/untouched.c \
	src/host/base/untouched.h \
	src/host/compound/cast.c \
	src/host/compound/cast.h \
	src/host/compound/cast_blocks.c \
	src/host/compound/cast_blocks.h \
	src/host/compound/cast_repeated.c \
	src/host/compound/cast_repeated.h \
	src/host/compound/cast_small.c \
	src/host/compound/cast_small.h \
	src/host/compound/cast_transpose.c \
	src/host/compound/cast_transpose.h \
	src/host/compound/exchange.c \
	src/host/compound/exchange.h \
	src/host/compound/two_pass.c \
	src/host/compound/two_pass.h \
	src/host/convert/cast_job.h \
	src/host/convert/convert.c \
	src/host/convert/convert.h \
	src/host/convert/scaled.c \
	src/host/convert/scaled.h \
	src/host/dispatch/dispatch.c \
	src/host/dispatch/dispatch.h \
	src/host/dispatch/loops.h \
	src/host/front/candidates.c \
	src/host/front/candidates.h \
	src/host/front/compound.c \
	src/host/front/compound.h \
	src/host/front/host.c \
	src/host/front/host.h \
	src/host/interleave/few_channels.c \
	src/host/interleave/few_channels.h \
	src/host/interleave/few_units.c \
	src/host/interleave/few_units.h \
	src/host/interleave/run.c \
	src/host/interleave/run.h \
	src/host/isa/avx2.c \
	src/host/isa/avx2.h \
	src/host/isa/avx512.c \
	src/host/isa/avx512.h \
	src/host/isa/baseline.c \
	src/host/isa/baseline.h \
	src/host/isa/cast_streams.h \
	src/host/isa/channels.h \
	src/host/isa/convert_avx2.c \
	src/host/isa/convert_avx2.h \
	src/host/isa/convert_avx512.c \
	src/host/isa/convert_avx512.h \
	src/host/isa/convert_loops.h \
	src/host/isa/convert_numbers.h \
	src/host/isa/convert_vectors.h \
	src/host/isa/lanes.h \
	src/host/isa/permute_lines.h \
	src/host/isa/pixels.h \
	src/host/isa/rows_cached.h \
	src/host/isa/rows_nt.h \
	src/host/isa/source_order.h \
	src/host/isa/stepped.h \
	src/host/isa/stepped_vbmi.h \
	src/host/isa/strided.h \
	src/host/isa/unaligned.h \
	src/host/isa/vectors.h \
	src/host/isa/whole_thirds.h \
	src/host/loop/crowding.h \
	src/host/loop/facts.h \
	src/host/loop/loop.h \
	src/host/machine/machine.c \
	src/host/machine/machine.h \
	src/host/machine/tuning_file.c \
	src/host/machine/tuning_file.h \
	src/host/permute/permute.c \
	src/host/permute/permute.h \
	src/host/permute/permute_loops.c \
	src/host/rows/padded_rows.c \
	src/host/rows/padded_rows.h \
	src/host/rows/rows_cached.c \
	src/host/rows/rows_cached.h \
	src/host/rows/rows_nt.c \
	src/host/rows/rows_nt.h \
	src/host/rows/rows_turned.c \
	src/host/strided/element_loop.c \
	src/host/strided/fill_runs.c \
	src/host/strided/strided_runs.c \
	src/host/strided/strided_runs.h \
	src/host/strided/via_buffer.c \
	src/host/transpose/block_run.c \
	src/host/transpose/block_run.h \
	src/host/transpose/blocking.c \
	src/host/transpose/blocking.h \
	src/host/transpose/blocks.c \
	src/host/transpose/blocks.h \
	src/host/transpose/blocks_nt.c \
	src/host/transpose/blocks_nt.h \
	src/host/transpose/cached.c \
	src/host/transpose/cached.h \
	src/host/transpose/element_tiles.c \
	src/host/transpose/element_tiles.h \
	src/host/transpose/packed_tiles.c \
	src/host/transpose/planes.c \
	src/host/transpose/register_tiles.c \
	src/host/transpose/register_tiles.h \
	src/host/transpose/source_order.c \
	src/host/transpose/transpose.c \
	src/host/transpose/transpose.h \
	src/host/transpose/two_pass_plans.c \
	src/host/transpose/two_pass_plans.h \
	src/host/transpose/unaligned.c

## Callers' stacks may be small.
libsvcore_la_CFLAGS = $(AM_CFLAGS) $(FRAME_CFLAGS)
src/host/isa/libsvcore_la-avx2.lo src/host/isa/libsvcore_la-avx512.lo: CFLAGS += $(KERNEL_CFLAGS)
libsvcore_la_SOURCES = \
	$(HOST_FILES) \
	include/sv.h \
	src/backend/backend.h \
	src/backend/device.c \
	src/backend/device.h \
	src/backend/memory.c \
	src/backend/memory.h \
	src/backend/placement.c \
	src/backend/placement.h \
	src/backend/tasks.c \
	src/backend/tasks.h \
	src/base/alloc.c \
	src/base/alloc.h \
	src/base/checked.h \
	src/base/clock.c \
	src/base/clock.h \
	src/base/handle.c \
	src/base/handle.h \
	src/base/inline.h \
	src/base/lock.c \
	src/base/lock.h \
	src/base/own_pages.c \
	src/base/own_pages.h \
	src/base/read_file.c \
	src/base/read_file.h \
	src/base/status.c \
	src/base/status.h \
	src/base/system_memory.c \
	src/base/system_memory.h \
	src/base/text.c \
	src/base/text.h \
	src/base/version.c \
	src/copy/batched.c \
	src/copy/batched.h \
	src/copy/buffer_copy.c \
	src/copy/buffer_migrate.c \
	src/copy/buffer_migrate.h \
	src/copy/buffer_size.c \
	src/copy/bytes.c \
	src/copy/bytes.h \
	src/copy/copy.c \
	src/copy/copy_batch.c \
	src/copy/copy_placement.c \
	src/copy/copy_placement.h \
	src/copy/copy_stack.c \
	src/copy/device_fill.c \
	src/copy/device_fill.h \
	src/copy/explain.c \
	src/copy/explain.h \
	src/copy/job.c \
	src/copy/job.h \
	src/copy/job_run.c \
	src/copy/job_run.h \
	src/copy/measure.c \
	src/copy/measure.h \
	src/copy/parallel.c \
	src/copy/parallel.h \
	src/copy/plan_handle.c \
	src/copy/plan_handle.h \
	src/copy/plan_measure.c \
	src/copy/plan_query.c \
	src/copy/plan_table.c \
	src/copy/scaled_job.c \
	src/copy/scaled_job.h \
	src/copy/scratch_source.c \
	src/copy/scratch_source.h \
	src/copy/stacked.c \
	src/copy/stacked.h \
	src/copy/temporary.c \
	src/copy/temporary.h \
	src/device/backend_list.c \
	src/device/backend_list.h \
	src/device/backends.c \
	src/device/backends.h \
	src/device/pointer.c \
	src/device/pointer.h \
	src/device/probe.c \
	src/device/stream.c \
	src/device/thread_stream.c \
	src/device/thread_stream.h \
	src/dtype/can_cast.c \
	src/dtype/chain.c \
	src/dtype/chain.h \
	src/dtype/dtype.c \
	src/dtype/dtype.h \
	src/dtype/dtypes.def \
	src/dtype/format.c \
	src/dtype/format.h \
	src/dtype/format_names.c \
	src/dtype/format_names.h \
	src/dtype/numbers.h \
	src/dtype/types.h \
	src/layout/axes.c \
	src/layout/axes.h \
	src/layout/geometry.c \
	src/layout/geometry.h \
	src/layout/layout.c \
	src/layout/layout.h \
	src/layout/layout_builder.c \
	src/layout/layout_builder.h \
	src/layout/layout_ops.c \
	src/layout/layout_query.c \
	src/layout/layout_text.c \
	src/layout/merge.c \
	src/layout/merge.h \
	src/layout/order.c \
	src/layout/order.h \
	src/layout/repack.c \
	src/layout/repack.h \
	src/layout/reshape.c \
	src/layout/reshape.h \
	src/layout/slice.c \
	src/layout/slice.h \
	src/memory/adapter.c \
	src/memory/adapter_torch.c \
	src/memory/allocator.c \
	src/memory/allocator.h \
	src/memory/block_cache.c \
	src/memory/block_cache.h \
	src/memory/block_list.c \
	src/memory/block_list.h \
	src/memory/buffer.c \
	src/memory/buffer.h \
	src/memory/buffer_adopt.c \
	src/memory/buffer_adopt.h \
	src/memory/buffer_end.c \
	src/memory/buffer_hint.c \
	src/memory/buffer_make.c \
	src/memory/buffer_make.h \
	src/memory/buffer_query.c \
	src/memory/buffer_state.h \
	src/memory/buffer_stats.c \
	src/memory/buffer_stats.h \
	src/memory/cache_list.c \
	src/memory/cache_list.h \
	src/memory/collect.c \
	src/memory/deferred.c \
	src/memory/deferred.h \
	src/memory/failure.c \
	src/memory/failure.h \
	src/memory/ipc.c \
	src/memory/ipc_blob.c \
	src/memory/ipc_blob.h \
	src/memory/process.c \
	src/memory/process.h \
	src/memory/shared_list.c \
	src/memory/shared_list.h \
	src/memory/source_cached.c \
	src/memory/source_cached.h \
	src/memory/source_callbacks.c \
	src/memory/source_driver.c \
	src/memory/source_driver.h \
	src/memory/source_host.c \
	src/memory/source_host.h \
	src/memory/source_limited.c \
	src/memory/source_logged.c \
	src/memory/source_pool.c \
	src/memory/source_pool.h \
	src/memory/source_retrying.c \
	src/memory/source_tracked.c \
	src/memory/storage.c \
	src/memory/storage.h \
	src/memory/storage_work.c \
	src/memory/storage_work.h \
	src/memory/uses.c \
	src/memory/uses.h \
	src/overlap/canonical.c \
	src/overlap/canonical.h \
	src/overlap/diophantine.c \
	src/overlap/diophantine.h \
	src/overlap/diophantine_solve.c \
	src/overlap/diophantine_solve.h \
	src/overlap/lattice_basis.c \
	src/overlap/lattice_basis.h \
	src/overlap/layout_pair.c \
	src/overlap/lenstra.c \
	src/overlap/lenstra.h \
	src/overlap/overlap.c \
	src/overlap/overlap.h \
	src/plan/affine.c \
	src/plan/affine.h \
	src/plan/class.c \
	src/plan/class.h \
	src/plan/detour.c \
	src/plan/detour.h \
	src/plan/in_place.c \
	src/plan/in_place.h \
	src/plan/part.c \
	src/plan/part.h \
	src/plan/plan.c \
	src/plan/plan.h \
	src/plan/split.c \
	src/plan/split.h \
	src/plan/traffic.c \
	src/plan/traffic.h \
	src/view/empty.c \
	src/view/view.c \
	src/view/view.h \
	src/view/view_buffer.c \
	src/view/view_buffer.h \
	src/view/view_dlpack.c \
	src/view/view_interface.c \
	src/view/view_kernel.c \
	src/view/view_ops.c \
	src/view/view_query.c \
	src/view/view_query.h

## Which kernel copies what: without a header of CUDA. Where CUDA is not built, only tests have it.
LAUNCH_FILES = \
	src/gpu/kernel_list.c \
	src/gpu/kernel_list.h \
	src/gpu/launch.c \
	src/gpu/launch.h \
	src/gpu/launch_batched.c \
	src/gpu/launch_batched.h \
	src/gpu/launch_box.c \
	src/gpu/launch_box.h \
	src/gpu/launch_cast.c \
	src/gpu/launch_cast.h \
	src/gpu/launch_channels.c \
	src/gpu/launch_channels.h \
	src/gpu/launch_cost.c \
	src/gpu/launch_cost.h \
	src/gpu/launch_families.h \
	src/gpu/launch_fill.c \
	src/gpu/launch_fill.h \
	src/gpu/launch_flat.c \
	src/gpu/launch_flat.h \
	src/gpu/launch_line.c \
	src/gpu/launch_line.h \
	src/gpu/launch_parts.c \
	src/gpu/launch_parts.h \
	src/gpu/launch_permute.c \
	src/gpu/launch_permute.h \
	src/gpu/launch_row.c \
	src/gpu/launch_row.h \
	src/gpu/launch_scaled.c \
	src/gpu/launch_scaled.h \
	src/gpu/launch_shape.c \
	src/gpu/launch_shape.h \
	src/gpu/launch_tile.c \
	src/gpu/launch_tile.h \
	src/gpu/permute_tile.c \
	src/gpu/permute_tile.h

if HAVE_CUDA
libsvcore_la_SOURCES += \
	$(LAUNCH_FILES) \
	src/gpu/batched_copy.c \
	src/gpu/batched_copy.h \
	src/gpu/batched_ring.c \
	src/gpu/batched_ring.h \
	src/gpu/calls.h \
	src/gpu/cuda/api.c \
	src/gpu/cuda/api.h \
	src/gpu/cuda/calls_cuda.c \
	src/gpu/cuda/calls_cuda.h \
	src/gpu/cuda/cuda.c \
	src/gpu/cuda/cuda.h \
	src/gpu/cuda/driver.c \
	src/gpu/cuda/driver.h \
	src/gpu/cuda/error.c \
	src/gpu/cuda/error.h \
	src/gpu/cuda/event.c \
	src/gpu/cuda/event.h \
	src/gpu/cuda/fatbin.S \
	src/gpu/cuda/find.c \
	src/gpu/cuda/find.h \
	src/gpu/cuda/hint.c \
	src/gpu/cuda/hint.h \
	src/gpu/cuda/ipc_cuda.c \
	src/gpu/cuda/ipc_cuda.h \
	src/gpu/cuda/library.c \
	src/gpu/cuda/library.h \
	src/gpu/cuda/memory_cuda.c \
	src/gpu/cuda/memory_cuda.h \
	src/gpu/cuda/pages.c \
	src/gpu/cuda/pages.h \
	src/gpu/cuda/pointer_cuda.c \
	src/gpu/cuda/pointer_cuda.h \
	src/gpu/cuda/pool.c \
	src/gpu/cuda/pool.h \
	src/gpu/cuda/property.c \
	src/gpu/cuda/property.h \
	src/gpu/cuda/scope.c \
	src/gpu/cuda/scope.h \
	src/gpu/cuda/scratch_pool.c \
	src/gpu/cuda/scratch_pool.h \
	src/gpu/device_scratch.c \
	src/gpu/device_scratch.h \
	src/gpu/enqueue.c \
	src/gpu/enqueue.h \
	src/gpu/host_part.c \
	src/gpu/host_part.h \
	src/gpu/kernel_copy.c \
	src/gpu/kernel_copy.h \
	src/gpu/launch_count.c \
	src/gpu/launch_count.h \
	src/gpu/mapped.c \
	src/gpu/mapped.h \
	src/gpu/packed.c \
	src/gpu/packed.h \
	src/gpu/pitched.c \
	src/gpu/pitched.h \
	src/gpu/ring.c \
	src/gpu/ring.h \
	src/gpu/ringed.c \
	src/gpu/ringed.h \
	src/gpu/route.c \
	src/gpu/route.h \
	src/gpu/staged.c \
	src/gpu/staged.h \
	src/gpu/table_copy.c \
	src/gpu/table_copy.h
else
libsvcore_la_SOURCES += src/gpu/cuda/cuda_absent.c
endif

## Device code of all generations in one file, which fatbin.S embeds. Nothing of it may spill to local memory.
KERNEL_FILES = \
	src/gpu/cuda/kernels/batched.cu \
	src/gpu/cuda/kernels/box.cu \
	src/gpu/cuda/kernels/box_cast.cu \
	src/gpu/cuda/kernels/cast.cu \
	src/gpu/cuda/kernels/channels.cu \
	src/gpu/cuda/kernels/convert.cu \
	src/gpu/cuda/kernels/fill.cu \
	src/gpu/cuda/kernels/flat.cu \
	src/gpu/cuda/kernels/kernel.cuh \
	src/gpu/cuda/kernels/line.cu \
	src/gpu/cuda/kernels/numbers.cuh \
	src/gpu/cuda/kernels/permute.cu \
	src/gpu/cuda/kernels/row.cu \
	src/gpu/cuda/kernels/scaled.cu \
	src/gpu/cuda/kernels/tile.cu
SUFFIXES = .cu .fatbin
AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@ "(a quarter of a minute for each generation of devices)";
.cu.fatbin:
	@$(MKDIR_P) $(@D)
	$(AM_V_NVCC)$(NVCC) -fatbin $(NVCC_FLAGS) -Xptxas -warn-spills,-warn-lmem-usage,-Werror $(NVCC_GENCODE) -I$(srcdir)/src -o $@ $<
src/gpu/cuda/kernels.fatbin: $(KERNEL_FILES) src/gpu/kernel_list.h src/gpu/launch.h src/dtype/chain.h \
	src/dtype/dtypes.def src/dtype/numbers.h src/dtype/types.h src/base/inline.h
src/gpu/cuda/fatbin.lo: src/gpu/cuda/kernels.fatbin
CLEANFILES = src/gpu/cuda/kernels.fatbin tests/gpu/libcccl_copy.so

libsv_la_SOURCES =
libsv_la_LIBTOOLFLAGS =
libsv_la_LIBADD = libsvcore.la $(SV_PRIVATE_LIBS)
libsv_la_LDFLAGS = -no-undefined -version-info $(SV_LIBTOOL_VERSION) $(SV_EXPORTS) $(SV_SYMBOLIC)
libsv_la_DEPENDENCIES = libsvcore.la bindings/sv.map

## Declarations for other languages, which pkg-config --variable=bindingsdir strideview finds.
bindingsdir = $(datadir)/strideview
dist_bindings_DATA = \
	bindings/StrideView.jl \
	bindings/strideview.f90 \
	bindings/sv.lua \
	bindings/sv_ctypes.py \
	bindings/sv_sys.rs

## Written when they are installed, since "make install prefix=DIR" says then where everything is. libsv.la tells which name
## of the shared library programs look for; it is empty with --disable-shared.
pkgconfigdir = $(libdir)/pkgconfig
cmakedir = $(libdir)/cmake/strideview
PC_FILES = strideview.pc
install-data-local: $(INSTALL_PAGES) libsv.la $(PC_FILES) strideview-config.cmake strideview-config-version.cmake
	$(MKDIR_P) '$(DESTDIR)$(pkgconfigdir)' '$(DESTDIR)$(cmakedir)'
	for file in $(PC_FILES); do \
	    $(SED) -e 's|^prefix=.*|prefix=$(prefix)|' -e 's|^exec_prefix=.*|exec_prefix=$(exec_prefix)|' \
	    -e 's|^libdir=.*|libdir=$(libdir)|' -e 's|^includedir=.*|includedir=$(includedir)|' \
	    -e 's|^datarootdir=.*|datarootdir=$(datarootdir)|' -e 's|^datadir=.*|datadir=$(datadir)|' \
	    $$file >'$(DESTDIR)$(pkgconfigdir)'/$$file || exit 1; \
	done
	shared=`$(SED) -n "s/^dlname='\(.*\)'/\1/p" libsv.la`; \
	$(SED) -e 's|^\(set(_strideview_libdir\) .*|\1 "$(libdir)")|' \
	    -e 's|^\(set(_strideview_includedir\) .*|\1 "$(includedir)")|' \
	    -e "s|^\(set(_strideview_shared\) .*|\1 $${shared:-libsv.so})|" \
	    strideview-config.cmake >'$(DESTDIR)$(cmakedir)/strideview-config.cmake'
	$(INSTALL_DATA) strideview-config-version.cmake '$(DESTDIR)$(cmakedir)'
uninstall-local: $(UNINSTALL_PAGES)
	for file in $(PC_FILES); do rm -f '$(DESTDIR)$(pkgconfigdir)'/$$file; done
	rm -f '$(DESTDIR)$(cmakedir)/strideview-config.cmake' \
	    '$(DESTDIR)$(cmakedir)/strideview-config-version.cmake'

EXTRA_DIST += \
	$(KERNEL_FILES) \
	include/single.awk \
	src/backend/README.md \
	src/base/README.md \
	src/copy/README.md \
	src/device/README.md \
	src/dtype/README.md \
	src/gpu/README.md \
	src/gpu/cuda/README.md \
	src/gpu/cuda/kernels.cu \
	src/host/README.md \
	src/layout/README.md \
	src/memory/README.md \
	src/overlap/README.md \
	src/plan/README.md \
	src/view/README.md
