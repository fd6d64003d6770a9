## What checks and measures the library on a machine that has a GPU, its driver and Python, and nothing to compile with.
BUNDLE_FILES = \
	tests/gpu/README \
	tests/gpu/allocations.py \
	tests/gpu/bundle.py \
	tests/gpu/cccl_copy.cu \
	tests/gpu/check_cases.py \
	tests/gpu/commands.py \
	tests/gpu/compare.py \
	tests/gpu/device_cases.txt \
	tests/gpu/device_peers.py \
	tests/gpu/device_report.py \
	tests/gpu/driver_stub.c \
	tests/gpu/fake_machine.py \
	tests/gpu/kept_memory.py \
	tests/gpu/machine.py \
	tests/gpu/measure.py \
	tests/gpu/pickles.py \
	tests/gpu/random_search.py \
	tests/gpu/run \
	tests/gpu/suites.py \
	tests/gpu/torch_graphs.py \
	tests/gpu/tune.py \
	tests/gpu/tune_cases.py \
	tests/gpu/tune_tools.py
BUNDLE_SUITES = \
	tests/gpu/device_launch \
	tests/run/allocator_device \
	tests/run/allocator_threads \
	tests/run/buffer_states \
	tests/run/cuda \
	tests/run/memory_device \
	tests/run/memory_soak \
	tests/run/null_arguments \
	tests/run/threads
## CCCL=DIR is where CCCL's headers are that have cuda::copy() of mdspans, if not in the toolkit or in Python's packages.
CCCL =
## BUNDLE_PYTHONS="python3.12 python3.13": the package for these too.
BUNDLE_PYTHONS =
if HAVE_CUDA
if HAVE_PACKAGE
gpu-bundle: libsv.la py-build/stamp $(BUNDLE_SUITES)
	@CC='$(CC)' STRIP='$(STRIP)' SV_DLPACK='$(DLPACK_DIR)' NVCC='$(NVCC)' NVCC_FLAGS='$(NVCC_FLAGS)' CUDA_DIR='$(CUDA_DIR)' \
	    CCCL='$(CCCL)' $(PYTHON) -B $(srcdir)/tests/gpu/bundle.py \
	    `for python in $(BUNDLE_PYTHONS); do echo "--python $$python"; done` gpu-bundle
else
gpu-bundle:
	@echo 'make gpu-bundle has the Python package in it, which is off without: $(sv_python_missing)' >&2; exit 1
endif
else
gpu-bundle:
	@echo 'make gpu-bundle needs CUDA, which is off: $(SV_CUDA_MISSING)' >&2; exit 1
endif
.PHONY: gpu-bundle

EXTRA_DIST += \
	$(BUNDLE_FILES)
