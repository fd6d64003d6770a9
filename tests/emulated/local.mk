## The CUDA kernels on this machine: what nvcc compiles is compiled by a C++ compiler, with a hook on every access.
if HAVE_EMULATION
EMULATED_TESTS = tests/emulated/batched tests/emulated/choices tests/emulated/counted tests/emulated/detectors tests/emulated/far \
	tests/emulated/kernel_arg \
	tests/emulated/planted tests/emulated/random
check_LTLIBRARIES += tests/emulated/libfaulty.la tests/emulated/libsaxpy.la tests/emulated/libkernels.la tests/emulated/libemulator.la
tests_emulated_libkernels_la_SOURCES = \
	tests/emulated/device.h \
	tests/emulated/kernels.cc \
	tests/emulated/kernels.h \
	tests/emulated/planted.h
tests_emulated_libkernels_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/emulated -include tests/emulated/device.h
tests_emulated_libkernels_la_CXXFLAGS = $(SV_EMULATED_CXXFLAGS) -Werror=switch -Wno-unknown-pragmas
tests_emulated_libfaulty_la_SOURCES = tests/emulated/faulty.cc tests/emulated/faulty.h
tests_emulated_libfaulty_la_CPPFLAGS = $(tests_emulated_libkernels_la_CPPFLAGS)
tests_emulated_libfaulty_la_CXXFLAGS = $(tests_emulated_libkernels_la_CXXFLAGS)
tests_emulated_libsaxpy_la_SOURCES = tests/emulated/saxpy.cc tests/emulated/saxpy.h
tests_emulated_libsaxpy_la_CPPFLAGS = $(tests_emulated_libkernels_la_CPPFLAGS)
tests_emulated_libsaxpy_la_CXXFLAGS = $(tests_emulated_libkernels_la_CXXFLAGS)
tests_emulated_libemulator_la_SOURCES = \
	tests/emulated/copies.c \
	tests/emulated/copies.h \
	tests/emulated/emulator.cc \
	tests/emulated/emulator.h \
	tests/emulated/fiber.cc \
	tests/emulated/fiber.h \
	tests/emulated/shapes.c \
	tests/emulated/shapes.h \
	tests/emulated/traffic.cc \
	tests/emulated/traffic.h
tests_emulated_libemulator_la_CXXFLAGS = -std=c++17 -O2 -Wall -Wextra
tests_emulated_libemulator_la_LIBADD = tests/emulated/libkernels.la $(LAUNCH_LIBS)
$(tests_emulated_libkernels_la_OBJECTS): $(KERNEL_FILES) src/gpu/cuda/kernels.cu
EMULATED_LDADD = tests/emulated/libemulator.la $(RUN_LDADD)
## A source in C++, of which there is none, makes the linker that of C++.
nodist_EXTRA_tests_emulated_batched_SOURCES = none.cc
nodist_EXTRA_tests_emulated_choices_SOURCES = none.cc
nodist_EXTRA_tests_emulated_counted_SOURCES = none.cc
nodist_EXTRA_tests_emulated_detectors_SOURCES = none.cc
nodist_EXTRA_tests_emulated_far_SOURCES = none.cc
nodist_EXTRA_tests_emulated_kernel_arg_SOURCES = none.cc
nodist_EXTRA_tests_emulated_planted_SOURCES = none.cc
nodist_EXTRA_tests_emulated_random_SOURCES = none.cc
tests_emulated_batched_LDADD = $(EMULATED_LDADD)
tests_emulated_choices_LDADD = $(EMULATED_LDADD)
tests_emulated_counted_LDADD = $(EMULATED_LDADD)
tests_emulated_detectors_LDADD = tests/emulated/libfaulty.la $(EMULATED_LDADD)
tests_emulated_far_LDADD = $(EMULATED_LDADD)
tests_emulated_kernel_arg_LDADD = tests/emulated/libsaxpy.la $(EMULATED_LDADD)
tests_emulated_planted_LDADD = $(EMULATED_LDADD)
tests_emulated_random_LDADD = $(EMULATED_LDADD)
if HAVE_CUDA
EMULATED_TESTS += tests/emulated/launches
nodist_EXTRA_tests_emulated_launches_SOURCES = none.cc
tests_emulated_launches_LDADD = tests/emulated/libemulator.la tests/fake/libfake.la $(RUN_LDADD)
endif
else
EMULATED_TESTS = tests/emulated/absent
tests_emulated_absent_CPPFLAGS = $(AM_CPPFLAGS) -DREASON='"$(SV_EMULATION_MISSING)"'
tests_emulated_absent_LDADD = $(RUN_LDADD)
endif
check_PROGRAMS += $(EMULATED_TESTS)
