## --- the library ---------------------------------------------------------
## libsvcore is all of it with hidden names in reach, for the unit tests.

include_HEADERS = include/sv.h include/sv_kernel.hpp
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
noinst_PROGRAMS = examples/allocators examples/copy examples/threads
noinst_LTLIBRARIES = libsvcore.la
## The host's loops, which tests/run/memory_hints has compiled once more.
HOST_FILES = \
	src/host/base/buffer.h \
	src/host/base/elements.h \
	src/host/base/isa.h \
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
libsvcore_la_SOURCES = \
	$(HOST_FILES) \
	include/sv.h \
	src/backend/backend.h \
	src/backend/device.c \
	src/backend/device.h \
	src/backend/memory.c \
	src/backend/memory.h \
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
	src/base/read_file.c \
	src/base/read_file.h \
	src/base/status.c \
	src/base/status.h \
	src/base/system_memory.c \
	src/base/system_memory.h \
	src/base/text.c \
	src/base/text.h \
	src/base/version.c \
	src/copy/batch.c \
	src/copy/batch.h \
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
	src/copy/copy_scaled.c \
	src/copy/device_fill.c \
	src/copy/device_fill.h \
	src/copy/explain.c \
	src/copy/explain.h \
	src/copy/fill.c \
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
	src/copy/scratch_source.c \
	src/copy/scratch_source.h \
	src/copy/temporary.c \
	src/copy/temporary.h \
	src/device/backends.c \
	src/device/backends.h \
	src/device/pointer.c \
	src/device/probe.c \
	src/device/stream.c \
	src/device/thread_stream.c \
	src/device/thread_stream.h \
	src/dtype/chain.c \
	src/dtype/chain.h \
	src/dtype/dtype.c \
	src/dtype/dtype.h \
	src/dtype/format.c \
	src/dtype/format.h \
	src/dtype/format_names.c \
	src/dtype/format_names.h \
	src/dtype/numbers.h \
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
	src/memory/block_list.c \
	src/memory/block_list.h \
	src/memory/buffer.c \
	src/memory/buffer.h \
	src/memory/buffer_adopt.c \
	src/memory/buffer_end.c \
	src/memory/buffer_hint.c \
	src/memory/buffer_query.c \
	src/memory/buffer_register.c \
	src/memory/buffer_slice.c \
	src/memory/buffer_state.h \
	src/memory/buffer_stats.c \
	src/memory/buffer_stats.h \
	src/memory/buffer_use.c \
	src/memory/collect.c \
	src/memory/deferred.c \
	src/memory/deferred.h \
	src/memory/ipc.c \
	src/memory/ipc_blob.c \
	src/memory/ipc_blob.h \
	src/memory/process.c \
	src/memory/process.h \
	src/memory/shared_list.c \
	src/memory/shared_list.h \
	src/memory/source_callbacks.c \
	src/memory/source_driver.c \
	src/memory/source_driver.h \
	src/memory/source_host.c \
	src/memory/source_host.h \
	src/memory/source_limited.c \
	src/memory/source_logged.c \
	src/memory/source_pool.c \
	src/memory/source_retrying.c \
	src/memory/source_tracked.c \
	src/memory/storage.c \
	src/memory/storage.h \
	src/memory/storage_work.c \
	src/memory/storage_work.h \
	src/memory/uses.c \
	src/memory/uses.h \
	src/overlap/basis.c \
	src/overlap/basis.h \
	src/overlap/canon.c \
	src/overlap/canon.h \
	src/overlap/equation.c \
	src/overlap/equation.h \
	src/overlap/lattice.c \
	src/overlap/lattice.h \
	src/overlap/layout_pair.c \
	src/overlap/overlap.c \
	src/overlap/overlap.h \
	src/overlap/search.c \
	src/overlap/search.h \
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
	src/cuda/kernel_list.c \
	src/cuda/kernel_list.h \
	src/cuda/launch.c \
	src/cuda/launch.h \
	src/cuda/launch_batched.c \
	src/cuda/launch_batched.h \
	src/cuda/launch_box.c \
	src/cuda/launch_box.h \
	src/cuda/launch_cast.c \
	src/cuda/launch_cast.h \
	src/cuda/launch_channels.c \
	src/cuda/launch_channels.h \
	src/cuda/launch_families.h \
	src/cuda/launch_fill.c \
	src/cuda/launch_fill.h \
	src/cuda/launch_flat.c \
	src/cuda/launch_flat.h \
	src/cuda/launch_line.c \
	src/cuda/launch_line.h \
	src/cuda/launch_parts.c \
	src/cuda/launch_parts.h \
	src/cuda/launch_row.c \
	src/cuda/launch_row.h \
	src/cuda/launch_shape.c \
	src/cuda/launch_shape.h \
	src/cuda/launch_tile.c \
	src/cuda/launch_tile.h

if HAVE_CUDA
libsvcore_la_SOURCES += \
	$(LAUNCH_FILES) \
	src/cuda/api.c \
	src/cuda/api.h \
	src/cuda/batched_copy.c \
	src/cuda/batched_copy.h \
	src/cuda/batched_ring.c \
	src/cuda/batched_ring.h \
	src/cuda/cuda.c \
	src/cuda/cuda.h \
	src/cuda/device_scratch.c \
	src/cuda/device_scratch.h \
	src/cuda/driver.c \
	src/cuda/driver.h \
	src/cuda/error.c \
	src/cuda/error.h \
	src/cuda/event.c \
	src/cuda/event.h \
	src/cuda/fatbin.S \
	src/cuda/find.c \
	src/cuda/find.h \
	src/cuda/hint.c \
	src/cuda/hint.h \
	src/cuda/ipc_cuda.c \
	src/cuda/ipc_cuda.h \
	src/cuda/kernel_copy.c \
	src/cuda/kernel_copy.h \
	src/cuda/launch_count.c \
	src/cuda/launch_count.h \
	src/cuda/library.c \
	src/cuda/library.h \
	src/cuda/mapped.c \
	src/cuda/mapped.h \
	src/cuda/memory_cuda.c \
	src/cuda/memory_cuda.h \
	src/cuda/packed.c \
	src/cuda/packed.h \
	src/cuda/pages.c \
	src/cuda/pages.h \
	src/cuda/pitched.c \
	src/cuda/pitched.h \
	src/cuda/pointer_cuda.c \
	src/cuda/pointer_cuda.h \
	src/cuda/pool.c \
	src/cuda/pool.h \
	src/cuda/property.c \
	src/cuda/property.h \
	src/cuda/ring.c \
	src/cuda/ring.h \
	src/cuda/ringed.c \
	src/cuda/ringed.h \
	src/cuda/route.c \
	src/cuda/route.h \
	src/cuda/scope.c \
	src/cuda/scope.h \
	src/cuda/staged.c \
	src/cuda/staged.h
else
libsvcore_la_SOURCES += src/cuda/cuda_absent.c
endif

## Device code of all generations in one file, which fatbin.S embeds. Nothing of it may spill to local memory.
KERNEL_FILES = \
	src/cuda/kernels/batched.cu \
	src/cuda/kernels/box.cu \
	src/cuda/kernels/box_cast.cu \
	src/cuda/kernels/cast.cu \
	src/cuda/kernels/channels.cu \
	src/cuda/kernels/fill.cu \
	src/cuda/kernels/flat.cu \
	src/cuda/kernels/kernel.cuh \
	src/cuda/kernels/line.cu \
	src/cuda/kernels/numbers.cuh \
	src/cuda/kernels/row.cu \
	src/cuda/kernels/tile.cu
SUFFIXES = .cu .fatbin
AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@ "(a quarter of a minute for each generation of devices)";
.cu.fatbin:
	@$(MKDIR_P) $(@D)
	$(AM_V_NVCC)$(NVCC) -fatbin $(NVCC_FLAGS) -Xptxas -warn-spills,-warn-lmem-usage,-Werror $(NVCC_GENCODE) -I$(srcdir)/src -o $@ $<
src/cuda/kernels.fatbin: $(KERNEL_FILES) src/cuda/kernel_list.h src/cuda/launch.h src/dtype/chain.h \
	src/base/inline.h src/dtype/numbers.h
src/cuda/fatbin.lo: src/cuda/kernels.fatbin
CLEANFILES = src/cuda/kernels.fatbin tests/gpu/libcccl_copy.so

libsv_la_SOURCES =
libsv_la_LIBTOOLFLAGS =
libsv_la_LIBADD = libsvcore.la $(CUDA_LIBS)
libsv_la_LDFLAGS = -no-undefined -version-info $(SV_LIBTOOL_VERSION) $(SV_EXPORTS)
libsv_la_DEPENDENCIES = libsvcore.la src/sv.map

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = strideview.pc

EXTRA_DIST += \
	$(KERNEL_FILES) \
	include/libsv.sym \
	include/single.awk \
	src/backend/README.md \
	src/base/README.md \
	src/copy/README.md \
	src/cuda/README.md \
	src/cuda/kernels.cu \
	src/device/README.md \
	src/dtype/README.md \
	src/host/README.md \
	src/layout/README.md \
	src/memory/README.md \
	src/overlap/README.md \
	src/plan/README.md \
	src/sv.map \
	src/view/README.md
