## libsv_mpi: strided arrays between the processes of an MPI program. libsv itself knows nothing of it.

MPI_FILES = \
	mpi/src/agree.c \
	mpi/src/agree.h \
	mpi/src/arguments.c \
	mpi/src/arguments.h \
	mpi/src/assignment.c \
	mpi/src/assignment.h \
	mpi/src/block.c \
	mpi/src/block.h \
	mpi/src/box.c \
	mpi/src/box.h \
	mpi/src/broadcast.c \
	mpi/src/chunks.c \
	mpi/src/chunks.h \
	mpi/src/comm.c \
	mpi/src/comm.h \
	mpi/src/distribution.c \
	mpi/src/distribution.h \
	mpi/src/duplicate.c \
	mpi/src/duplicate.h \
	mpi/src/elements.c \
	mpi/src/elements.h \
	mpi/src/execution.c \
	mpi/src/execution.h \
	mpi/src/failure.c \
	mpi/src/failure.h \
	mpi/src/grow.c \
	mpi/src/grow.h \
	mpi/src/halo.c \
	mpi/src/halo.h \
	mpi/src/halo_exchange.c \
	mpi/src/halo_near.c \
	mpi/src/halo_pieces.c \
	mpi/src/halo_pieces.h \
	mpi/src/listener.c \
	mpi/src/listener.h \
	mpi/src/margins.c \
	mpi/src/margins.h \
	mpi/src/memory.c \
	mpi/src/memory.h \
	mpi/src/messages.c \
	mpi/src/messages.h \
	mpi/src/near.c \
	mpi/src/near.h \
	mpi/src/parts.c \
	mpi/src/parts.h \
	mpi/src/pause.c \
	mpi/src/pause.h \
	mpi/src/plan.c \
	mpi/src/plan.h \
	mpi/src/probe.c \
	mpi/src/probe.h \
	mpi/src/reading.c \
	mpi/src/reading.h \
	mpi/src/relabel.c \
	mpi/src/request.c \
	mpi/src/request.h \
	mpi/src/runs.c \
	mpi/src/runs.h \
	mpi/src/shares.c \
	mpi/src/shares.h \
	mpi/src/signals.c \
	mpi/src/signals.h \
	mpi/src/traffic.c \
	mpi/src/traffic.h \
	mpi/src/transfer.c \
	mpi/src/type.c \
	mpi/src/vote.c \
	mpi/src/vote.h

EXTRA_DIST += \
	examples/mpi/stencil.c \
	examples/mpi/stencil.py \
	examples/mpi/transpose.c \
	examples/mpi/transpose.py \
	$(MPI_FILES) \
	mpi/README.md \
	mpi/include/sv_mpi.h \
	tests/mpi/copy_files.py \
	tests/mpi/devices.c \
	tests/mpi/failing.h \
	tests/mpi/faults.c \
	tests/mpi/halo.c \
	tests/mpi/halo_faults.c \
	tests/mpi/halo_refusals.c \
	tests/mpi/halo_speed.c \
	tests/mpi/large.c \
	tests/mpi/machines.h \
	tests/mpi/messages.c \
	tests/mpi/model.py \
	tests/mpi/mpi.py \
	tests/mpi/network.py \
	tests/mpi/package.py \
	tests/mpi/pairs.h \
	tests/mpi/peers.py \
	tests/mpi/ranks.h \
	tests/mpi/reading.c \
	tests/mpi/redistribute.c \
	tests/mpi/refusals.c \
	tests/mpi/relabel.c \
	tests/mpi/relabelled.c \
	tests/mpi/scaling.c \
	tests/mpi/scaling.txt \
	tests/mpi/speed.c \
	tests/mpi/yield.c

if HAVE_MPI
include_HEADERS += mpi/include/sv_mpi.h
PC_FILES += strideview-mpi.pc
lib_LTLIBRARIES += libsv_mpi.la
libsv_mpi_la_SOURCES = $(MPI_FILES)
libsv_mpi_la_CPPFLAGS = -I$(srcdir)/include -I$(srcdir)/mpi/include $(MPI_CPPFLAGS)
## Not libsv.la: libtool links again, when it is installed, what depends on another library of the tree, and refuses then
## another prefix than that of configure.
## Never unloaded: MPI calls it when a communicator is freed, and when it ends.
libsv_mpi_la_LDFLAGS = -no-undefined -Wl,-z,nodelete -version-info $(SV_LIBTOOL_VERSION) -export-symbols-regex '^sv_mpi_' \
	-Wl,--push-state,--no-as-needed,-L.libs,-lsv,--pop-state
libsv_mpi_la_LIBADD = $(MPI_LIBS)
libsv_mpi_la_DEPENDENCIES = libsv.la
endif
