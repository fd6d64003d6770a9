## The Python package, and the README's example of it. The first takes longest at full scale.
PYTHON_TESTS = \
	tests/py/test_properties.py \
	tests/bench/test_bench.py \
	tests/bench/test_peers.py \
	tests/py/test_again.py \
	tests/py/test_arguments.py \
	tests/py/test_array_api.py \
	tests/py/test_array_interface.py \
	tests/py/test_array_memory.py \
	tests/py/test_arrow.py \
	tests/py/test_bad_input.py \
	tests/py/test_buffer.py \
	tests/py/test_buffer_cycles.py \
	tests/py/test_buffer_object.py \
	tests/py/test_byteorder.py \
	tests/py/test_can_cast.py \
	tests/py/test_cases.py \
	tests/py/test_cast.py \
	tests/py/test_cli.py \
	tests/py/test_cli_blocks.py \
	tests/py/test_cli_copy.py \
	tests/py/test_cli_engines.py \
	tests/py/test_clusters.py \
	tests/py/test_coming_from.py \
	tests/py/test_copy.py \
	tests/py/test_ctypes.py \
	tests/py/test_ctypes_items.py \
	tests/py/test_cuda_core.py \
	tests/py/test_cycles.py \
	tests/py/test_devices.py \
	tests/py/test_dlpack.py \
	tests/py/test_dpctl.py \
	tests/py/test_draw.py \
	tests/py/test_exchange.py \
	tests/py/test_explain.py \
	tests/py/test_extensions.py \
	tests/py/test_fill.py \
	tests/py/test_first_tries.py \
	tests/py/test_formats.py \
	tests/py/test_frombuffer.py \
	tests/py/test_habits.py \
	tests/py/test_hints.py \
	tests/py/test_hostile.py \
	tests/py/test_image_loader.py \
	tests/py/test_import.py \
	tests/py/test_import_buffer.py \
	tests/py/test_installed.py \
	tests/py/test_interrupts.py \
	tests/py/test_kernel_arg.py \
	tests/py/test_layout.py \
	tests/py/test_layout_questions.py \
	tests/py/test_lifetime.py \
	tests/py/test_made.py \
	tests/py/test_matrix.py \
	tests/py/test_memory.py \
	tests/py/test_memory_classes.py \
	tests/py/test_memory_examples.py \
	tests/py/test_modules.py \
	tests/py/test_names.py \
	tests/py/test_no_memory.py \
	tests/py/test_no_search_memory.py \
	tests/py/test_notebook.py \
	tests/py/test_objects.py \
	tests/py/test_opaque.py \
	tests/py/test_options.py \
	tests/py/test_oracle.py \
	tests/py/test_package.py \
	tests/py/test_peer_bugs.py \
	tests/py/test_peer_warnings.py \
	tests/py/test_plan_measure.py \
	tests/py/test_progress.py \
	tests/py/test_random.py \
	tests/py/test_rearrange.py \
	tests/py/test_records.py \
	tests/py/test_reentrant.py \
	tests/py/test_resource.py \
	tests/py/test_scale.py \
	tests/py/test_stack.py \
	tests/py/test_streams.py \
	tests/py/test_subclasses.py \
	tests/py/test_sycl.py \
	tests/py/test_tampered.py \
	tests/py/test_table.py \
	tests/py/test_tap.py \
	tests/py/test_threads.py \
	tests/py/test_torch_allocator.py \
	tests/py/test_view.py \
	tests/py/test_wheel.py
## Of the package on the fake CUDA runtime, which is there only if CUDA is built.
FAKE_PYTHON_TESTS = \
	tests/gpu/test_device.py \
	tests/gpu/test_driver.py \
	tests/gpu/test_tune.py \
	tests/py/test_fake.py \
	tests/py/test_fake_buffers.py \
	tests/py/test_fake_cached.py \
	tests/py/test_fake_capture.py \
	tests/py/test_fake_clusters.py \
	tests/py/test_fake_copy.py \
	tests/py/test_fake_current.py \
	tests/py/test_fake_move.py \
	tests/py/test_fake_order.py \
	tests/py/test_fake_process.py \
	tests/py/test_fake_scale.py \
	tests/py/test_fake_table.py \
	tests/py/test_fake_thread_stream.py \
	tests/py/test_foreign_allocator.py
## Of the folder for machines with a GPU, which has no sanitizers' runtimes.
BUNDLE_TESTS = tests/gpu/test_bundle.py

if TEST_PACKAGE
check_DATA += py-build/stamp
ARCHIVE_TESTS += tests/py/test_installed.py
if HAVE_CUDA
check_DATA += py-fake/stamp
TESTS += $(FAKE_PYTHON_TESTS)
if !SANITIZERS
TESTS += $(BUNDLE_TESTS)
endif
endif
TESTS += $(PYTHON_TESTS) tests/docs/pages.py tests/docs/readme.py
endif

EXTRA_DIST += \
	$(BUNDLE_TESTS) \
	$(FAKE_PYTHON_TESTS) \
	$(PYTHON_TESTS) \
	tests/py/access.c \
	tests/py/apart.py \
	tests/py/arrays.py \
	tests/py/dtypes.py \
	tests/py/extensions.py \
	tests/py/fake.py \
	tests/py/install.sh \
	tests/py/kinds.py \
	tests/py/matrix.py \
	tests/py/peers.py \
	tests/py/resources.py \
	tests/py/rounds.py \
	tests/py/tap.py \
	tests/py/together.py
