## The main job: on a photograph, in Python and in C, and what the README says of it.
examples_allocators_LDADD = libsv.la
examples_copy_LDADD = libsv.la
examples_first_LDADD = libsv.la
examples_first_cpp_SOURCES = examples/first.cpp
examples_first_cpp_CXXFLAGS = -std=c++17 -Wall -Wextra $(SV_CFLAGS)
examples_first_cpp_LDADD = libsv.la
examples_threads_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
examples_threads_LDADD = libsv.la -lpthread

if HAVE_PACKAGE
demo: examples/copy py-build/stamp
	@PYTHONPATH='$(abs_builddir)/py-build' PYTHONDONTWRITEBYTECODE=1 $(PYTHON) $(srcdir)/examples/demo.py demo
	@examples/copy demo/photo.ppm demo/planes-by-c.pgm
	@cmp demo/planes.pgm demo/planes-by-c.pgm && echo '  examples/copy, the same without Python, wrote the same bytes'
else
demo: examples/copy
	@echo 'make demo shows the Python package, which is off without Python 3.11 and: $(sv_python_missing)' >&2
	@echo 'examples/copy is the same job in C: examples/copy photo.ppm planes.pgm' >&2
	@exit 1
endif
.PHONY: demo

EXTRA_DIST += \
	examples/c/main.c \
	examples/collate.py \
	examples/cpp/main.cpp \
	examples/demo.py \
	examples/device_batch.py \
	examples/extensions/plain.c \
	examples/extensions/with_cython.pyx \
	examples/extensions/with_nanobind.cpp \
	examples/extensions/with_pybind11.cpp \
	examples/fortran/main.f90 \
	examples/go/main.go \
	examples/image_loader.py \
	examples/julia/main.jl \
	examples/kernels/saxpy.cu \
	examples/luajit/main.lua \
	examples/memory/device_buffer.py \
	examples/memory/managed_vector.py \
	examples/memory/pinned.c \
	examples/memory/pinned.py \
	examples/memory/tensor.py \
	examples/memory/usm.py \
	examples/python/main.py \
	examples/rust/main.rs
