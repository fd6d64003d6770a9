EXTRA_DIST += \
	doc/README.md \
	doc/benchmarks.md \
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
	doc/layout_cases.md \
	doc/linking.md \
	doc/memory.md \
	doc/memory.svg \
	doc/memory_buffers.svg \
	doc/memory_cases.md \
	doc/rust.md \
	doc/tuning.md
