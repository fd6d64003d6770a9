## A CUDA runtime made of host memory. It needs the toolkit's header and no device.
if HAVE_CUDA
check_LTLIBRARIES += tests/fake/libfake.la
tests_fake_libfake_la_SOURCES = \
	tests/fake/call.c \
	tests/fake/capture.c \
	tests/fake/copy.c \
	tests/fake/device.c \
	tests/fake/entry.c \
	tests/fake/event.c \
	tests/fake/failure.c \
	tests/fake/fake.c \
	tests/fake/fake.h \
	tests/fake/ipc.c \
	tests/fake/kernel.c \
	tests/fake/launched.c \
	tests/fake/managed.c \
	tests/fake/memory.c \
	tests/fake/operation.c \
	tests/fake/pages.c \
	tests/fake/plant.c \
	tests/fake/pointer.c \
	tests/fake/pool.c \
	tests/fake/race.c \
	tests/fake/region.c \
	tests/fake/runtime.h \
	tests/fake/stream.c
endif
