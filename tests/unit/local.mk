## Unit tests: one program for each source file, named after it. They reach hidden names in libsvcore.
## Each test ends with the question whether libsv still owns memory: tests/balance.h.
LDADD = $(UNIT_LIBS) libsvcore.la $(CUDA_LIBS) $(CRITERION_LIBS)
if FORKS
UNIT_LIBS = tests/forks/libforks.la
else
UNIT_LIBS = tests/libbalanced.la
AM_LDFLAGS = -Wl,--wrap=criterion_internal_test_main,--wrap=criterion_abort_test,--wrap=criterion_continue_test
endif
noinst_HEADERS = \
	tests/balance.h \
	tests/bench/contiguous.h \
	tests/bench/copy_cases.h \
	tests/bench/copy_field.h \
	tests/bench/copy_pattern.h \
	tests/bench/copy_peers.h \
	tests/bench/parallel.h \
	tests/bench/peer.h \
	tests/bench/race.h \
	tests/bench/timing.h \
	tests/failure.h \
	tests/forks/criterion/criterion.h \
	tests/fuzz/fuzz.h \
	tests/support/arena.h \
	tests/support/buffer_sources.h \
	tests/support/cells.h \
	tests/support/compare.h \
	tests/support/fake_sides.h \
	tests/support/foreign.h \
	tests/support/layouts.h \
	tests/support/no_memory.h \
	tests/support/numbers.h \
	tests/support/ordinary.h \
	tests/support/pairs.h \
	tests/support/rounds.h \
	tests/support/routes.h \
	tests/support/scaled.h \
	tests/support/tasks.h \
	tests/support/views.h \
	tests/tap.h \
	tests/two_threads.h \
	tests/unit/gpu/cuda_operations.h \
	tests/unit/memory/ipc.h \
	tests/unit/view/dlpack_constants.h \
	tests/unit/view/exact.h

if HAVE_CRITERION
## Kernels on one thread have no races, and take longer than all else under ThreadSanitizer.
if !THREAD_SANITIZER
check_PROGRAMS += \
	tests/unit/host/host \
	tests/unit/host/host_affine \
	tests/unit/host/host_braid \
	tests/unit/host/host_candidates \
	tests/unit/host/host_cast \
	tests/unit/host/host_differential \
	tests/unit/host/host_explain \
	tests/unit/host/host_isa \
	tests/unit/host/host_relay \
	tests/unit/host/host_transpose
endif
check_PROGRAMS += \
	tests/unit/backend/device \
	tests/unit/backend/memory \
	tests/unit/backend/placement \
	tests/unit/base/alloc \
	tests/unit/base/own_pages \
	tests/unit/base/status \
	tests/unit/copy/batch \
	tests/unit/copy/buffer_size \
	tests/unit/copy/bytes \
	tests/unit/copy/copy \
	tests/unit/copy/copy_scaled \
	tests/unit/copy/device_fill \
	tests/unit/copy/fill \
	tests/unit/copy/measure \
	tests/unit/copy/non_temporal \
	tests/unit/copy/parallel \
	tests/unit/copy/placement \
	tests/unit/copy/plan_handle \
	tests/unit/copy/plan_measure \
	tests/unit/copy/plan_scaled \
	tests/unit/copy/plan_table \
	tests/unit/copy/stack \
	tests/unit/copy/temporary \
	tests/unit/device/backends \
	tests/unit/device/pointer \
	tests/unit/device/stream \
	tests/unit/dtype/can_cast \
	tests/unit/dtype/chain \
	tests/unit/dtype/dtype \
	tests/unit/dtype/dtypes \
	tests/unit/dtype/format \
	tests/unit/gpu/launch_shape \
	tests/unit/host/host_random \
	tests/unit/host/host_tuning \
	tests/unit/host/host_work \
	tests/unit/layout/axes \
	tests/unit/layout/geometry \
	tests/unit/layout/index \
	tests/unit/layout/layout \
	tests/unit/layout/layout_builder \
	tests/unit/layout/layout_common \
	tests/unit/layout/layout_ops \
	tests/unit/layout/layout_query \
	tests/unit/layout/layout_text \
	tests/unit/layout/merge \
	tests/unit/layout/order \
	tests/unit/layout/repack \
	tests/unit/layout/reshape \
	tests/unit/layout/slice \
	tests/unit/memory/adapter \
	tests/unit/memory/allocator \
	tests/unit/memory/allocator_callbacks \
	tests/unit/memory/allocator_wrappers \
	tests/unit/memory/buffer \
	tests/unit/memory/families \
	tests/unit/memory/memory_cases \
	tests/unit/memory/new_memory \
	tests/unit/overlap/canonical \
	tests/unit/overlap/diophantine \
	tests/unit/overlap/layout_pair \
	tests/unit/overlap/overlap \
	tests/unit/plan/affine \
	tests/unit/plan/detour \
	tests/unit/plan/in_place \
	tests/unit/plan/plan \
	tests/unit/plan/rules \
	tests/unit/plan/split \
	tests/unit/plan/traffic \
	tests/unit/view/dlpack_packed \
	tests/unit/view/dlpack_refused \
	tests/unit/view/empty \
	tests/unit/view/view \
	tests/unit/view/view_buffer \
	tests/unit/view/view_dlpack \
	tests/unit/view/view_interface \
	tests/unit/view/view_kernel \
	tests/unit/view/view_ops \
	tests/unit/view/view_query
tests_unit_gpu_launch_shape_SOURCES = tests/emulated/shapes.c tests/unit/gpu/launch_shape.c tests/unit/gpu/launch_walk.c \
	tests/unit/gpu/launch_walk.h
tests_unit_memory_families_SOURCES = $(SECOND_FILES) tests/unit/memory/families.c
tests_unit_host_host_tuning_CPPFLAGS = $(AM_CPPFLAGS) -DSV_TUNING='"$(abs_top_srcdir)/doc/tuning.md"'
tests_unit_gpu_launch_shape_CPPFLAGS = $(AM_CPPFLAGS)
tests_unit_gpu_launch_shape_LDADD = $(LAUNCH_LIBS) $(LDADD)
if HAVE_CUDA
check_PROGRAMS += \
	tests/run/memory_soak_cuda \
	tests/unit/copy/batch_cuda \
	tests/unit/copy/batch_numbers_cuda \
	tests/unit/copy/buffer_size_cuda \
	tests/unit/copy/placement_cuda \
	tests/unit/copy/plan_table_cuda \
	tests/unit/copy/scaled_cuda \
	tests/unit/device/thread_stream \
	tests/unit/gpu/cuda \
	tests/unit/gpu/cuda_bytes \
	tests/unit/gpu/cuda_conversions \
	tests/unit/gpu/cuda_copy \
	tests/unit/gpu/cuda_launches \
	tests/unit/gpu/cuda_managed \
	tests/unit/gpu/cuda_memory \
	tests/unit/gpu/cuda_ordinary \
	tests/unit/gpu/cuda_planted \
	tests/unit/gpu/cuda_pointer \
	tests/unit/gpu/cuda_process \
	tests/unit/gpu/cuda_routes \
	tests/unit/gpu/cuda_scratch \
	tests/unit/gpu/cuda_stream \
	tests/unit/gpu/fake_capture \
	tests/unit/gpu/fake_managed \
	tests/unit/gpu/fake_memory \
	tests/unit/gpu/fake_ring \
	tests/unit/gpu/fake_stream \
	tests/unit/memory/allocator_cuda \
	tests/unit/memory/buffer_cuda \
	tests/unit/memory/buffer_cuda_faults \
	tests/unit/memory/buffer_hint \
	tests/unit/memory/buffer_register \
	tests/unit/memory/cached_cuda \
	tests/unit/memory/families_cuda \
	tests/unit/memory/ipc \
	tests/unit/memory/ipc_blob \
	tests/unit/memory/memory_cases_cuda
FAKE_LDADD = tests/fake/libfake.la $(LDADD)
tests_unit_memory_allocator_cuda_LDADD = $(FAKE_LDADD)
tests_unit_copy_batch_cuda_LDADD = $(FAKE_LDADD)
tests_unit_copy_batch_numbers_cuda_LDADD = $(FAKE_LDADD)
tests_unit_memory_buffer_cuda_LDADD = $(FAKE_LDADD)
tests_unit_memory_buffer_cuda_faults_LDADD = $(FAKE_LDADD)
tests_unit_memory_cached_cuda_LDADD = $(FAKE_LDADD)
tests_unit_copy_buffer_size_cuda_LDADD = $(FAKE_LDADD)
tests_unit_copy_placement_cuda_LDADD = $(FAKE_LDADD)
tests_unit_copy_plan_table_cuda_LDADD = $(FAKE_LDADD)
tests_unit_copy_scaled_cuda_LDADD = $(FAKE_LDADD)
tests_unit_memory_buffer_hint_LDADD = $(FAKE_LDADD)
tests_unit_memory_buffer_register_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_bytes_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_conversions_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_copy_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_launches_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_memory_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_ordinary_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_pointer_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_planted_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_process_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_routes_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_scratch_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_managed_LDADD = $(FAKE_LDADD)
tests_unit_gpu_cuda_stream_LDADD = $(FAKE_LDADD)
tests_unit_gpu_fake_capture_LDADD = $(FAKE_LDADD)
tests_unit_gpu_fake_managed_LDADD = $(FAKE_LDADD)
tests_unit_gpu_fake_memory_LDADD = $(FAKE_LDADD)
tests_unit_gpu_fake_ring_LDADD = $(FAKE_LDADD)
tests_run_memory_soak_cuda_SOURCES = tests/run/memory_soak.c
tests_run_memory_soak_cuda_CPPFLAGS = $(AM_CPPFLAGS) -DSV_FAKE
tests_run_memory_soak_cuda_LDADD = tests/fake/libfake.la $(RUN_LDADD)
tests_unit_memory_families_cuda_SOURCES = $(SECOND_FILES) tests/unit/memory/families_cuda.c
tests_unit_memory_families_cuda_LDADD = $(FAKE_LDADD)
tests_unit_memory_memory_cases_cuda_SOURCES = tests/unit/memory/memory_cases.c
tests_unit_memory_memory_cases_cuda_CPPFLAGS = $(AM_CPPFLAGS) -DSV_FAKE
tests_unit_memory_memory_cases_cuda_LDADD = $(FAKE_LDADD)
tests_unit_gpu_fake_stream_LDADD = $(FAKE_LDADD)
tests_unit_memory_ipc_LDADD = $(FAKE_LDADD)
tests_unit_memory_ipc_blob_LDADD = $(FAKE_LDADD)
tests_unit_device_thread_stream_LDADD = $(FAKE_LDADD)
endif
endif

if !HAVE_CUDA
check_LTLIBRARIES += tests/liblaunch.la
LAUNCH_LIBS = tests/liblaunch.la
tests_liblaunch_la_SOURCES = $(LAUNCH_FILES)
endif
if FORKS
check_LTLIBRARIES += tests/forks/libforks.la
else
if HAVE_CRITERION
check_LTLIBRARIES += tests/libbalanced.la
endif
endif
tests_libbalanced_la_SOURCES = tests/balance.c tests/balanced_criterion.c
tests_forks_libforks_la_SOURCES = tests/forks/forks.c
tests_forks_libforks_la_LIBADD = tests/libtap.la
