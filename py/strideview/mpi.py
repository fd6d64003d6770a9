"""Arrays that are divided over the processes of an MPI program: libsv_mpi, with the communicators of mpi4py.

    from mpi4py import MPI
    import strideview as sv
    from strideview import mpi

    comm = MPI.COMM_WORLD
    rows = mpi.Distribution((1000, 700), grid=(comm.size, 1))
    columns = mpi.Distribution((1000, 700), grid=(1, comm.size))
    mine = sv.zeros(rows.local_shape(comm.rank), "float64")
    divided = sv.zeros(columns.local_shape(comm.rank), "float64")
    with mpi.Plan(comm, columns, rows, divided, mine) as plan:
        plan.execute(divided, mine)

strideview.distributed does the same in one call.

libsv_mpi is a library of its own, made by "./configure --with-mpi=MPICC" for one MPI, which has to be that of mpi4py.
It is looked for by the environment variable LIBSV_MPI, or as libsv_mpi.so.0 where the loader finds it. Doc/mpi.md tells
what redistributions cost, sv_mpi.h what each function needs. Functions named collective are called by all ranks.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from typing import Any, Self
from weakref import WeakSet

from . import StridedMemoryView, empty, ffi, lib, view

__all__ = ["Distribution", "Halo", "MPIError", "Plan", "Request", "bcast", "ibcast", "irecv", "isend", "recv", "send",
           "shared_empty"]

SONAME = "libsv_mpi.so.0"
FLAGS = {"no": 0, "safe": 8, "same_kind": 8, "unsafe": 16}  # SV_COPY_CAST, SV_COPY_CAST_UNSAFE
INDEX, DTYPE, UNSUPPORTED, MEMORY, CUDA, STATE, MPI_FAILED = -3, -6, -14, -15, -16, -17, -100


class MPIError(RuntimeError):
    """MPI refused, or another rank refused what it was given."""


EXCEPTIONS: dict[int, type[Exception]] = {
    INDEX: IndexError, DTYPE: TypeError, UNSUPPORTED: NotImplementedError, MEMORY: MemoryError, CUDA: RuntimeError,
    STATE: MPIError, MPI_FAILED: MPIError,
}


# --- the library ----------------------------------------------------------------

@cache
def library() -> ctypes.CDLL:
    """libsv_mpi, whose own libsv is found through it."""
    name = os.environ.get("LIBSV_MPI") or SONAME
    try:
        loaded = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"{name} is not there ({error}): build libsv with --with-mpi, or name it by LIBSV_MPI") from None
    for function in ("sv_mpi_last_message", "sv_last_message"):
        getattr(loaded, function).restype = ctypes.c_char_p
    for function in ("sv_mpi_distribution_release", "sv_mpi_halo_free", "sv_mpi_plan_free", "sv_view_release",
                     "sv_layout_release", "sv_allocator_release", "sv_buffer_release"):
        getattr(loaded, function).restype = None
    loaded.sv_buffer_data.restype = ctypes.c_void_p
    if loaded.sv_abi_version() != lib.sv_abi_version():
        raise ImportError(f"{name} has another ABI version than this package")
    return loaded


def check(status: int, message: str = "sv_mpi_last_message") -> None:
    if status != 0:
        raise EXCEPTIONS.get(status, ValueError)(getattr(library(), message)().decode())


def numbers(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


def handle_of(comm: Any) -> Any:
    """A communicator as C has it: an address, or an int."""
    from mpi4py import MPI
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"a communicator of mpi4py is needed, not {type(comm).__name__}")
    value = MPI._handleof(comm)
    return ctypes.c_uint64(value) if MPI._sizeof(MPI.Comm) == 8 else ctypes.c_int32(value)


LOWEST, HIGHEST = -1 << 63, (1 << 63) - 1  # of bytes around an address, where no limit is known


class Here:
    """The view of an array as libsv_mpi's libsv has it; a handle must not cross from one copy of libsv to another."""

    def __init__(self, array: Any) -> None:
        self.array = array if isinstance(array, StridedMemoryView) else view(array)
        self.handle = ctypes.c_void_p()

    def __enter__(self) -> ctypes.c_void_p:
        own, layout = ffi.cast("sv_view *", self.array.handle), ctypes.c_void_p()
        shape, strides = self.array.shape, self.array.layout.strides_in_bytes
        flags = 1 if self.array.readonly else 0  # SV_READ_ONLY
        check(library().sv_layout_new_bytes(len(shape), numbers(shape), numbers(strides), ctypes.c_int64(self.array.itemsize),
                                            ctypes.byref(layout)), "sv_last_message")
        status = library().sv_view_new(
            layout, ctypes.c_uint32(lib.sv_view_dtype(own)), ctypes.c_void_p(self.array.ptr), ctypes.c_int64(LOWEST),
            ctypes.c_int64(HIGHEST), lib.sv_view_device_type(own), lib.sv_view_device_id(own), ctypes.c_uint32(flags), None, None,
            ctypes.byref(self.handle))
        library().sv_layout_release(layout)
        check(status, "sv_last_message")
        return self.handle

    def __exit__(self, *_: object) -> None:
        library().sv_view_release(self.handle)


def collective(call: Any, *arrays: Any, failure: Exception | None = None, kept: list[Here] | None = None) -> None:
    """A call by all ranks. Where something is wrong here, the others learn of it by NULL, and it is raised then. What
    has the memory of the arrays is put into `kept`."""
    with ExitStack() as stack:
        handles: list[Any] = []
        for array in arrays:
            try:
                here = Here(array) if failure is None else None
                handles.append(stack.enter_context(here) if here is not None else None)
                if kept is not None and here is not None:
                    kept.append(here)
            except Exception as error:
                failure = error
                handles.append(None)
        status = call(*handles)
        if failure is not None:
            raise failure
        check(status)


# --- what is under way ----------------------------------------------------------

UNDER_WAY: set[Request] = set()  # their arrays stay: MPI reads and writes them even where nobody waits


class Request:
    """A message, a broadcast, an execution or an exchange that is under way. It keeps its arrays.

    It goes on in wait() and test() alone. Of a broadcast and an execution wait() is collective, as these are: all ranks
    wait for theirs, in the same order where there are several, or test them until they are done.
    """

    def __init__(self, call: Any, *arrays: Any) -> None:
        self.handle = ctypes.c_void_p()
        self.failure: Exception | None = None
        self.kept: list[Here] = []

        def begin(*views: Any) -> int:
            return int(call(*views, ctypes.byref(self.handle)))
        try:
            collective(begin, *arrays, kept=self.kept)
        except Exception as error:
            if not self.handle:
                raise
            self.failure = error  # other ranks learn of it when they wait, as this one does
        UNDER_WAY.add(self)

    def end(self, status: int) -> None:
        self.handle, self.kept = ctypes.c_void_p(), []
        UNDER_WAY.discard(self)
        if self.failure is not None:
            raise self.failure
        check(status)

    def wait(self) -> None:
        """Wait until it is done; what went wrong is raised. Nothing is left to wait for then."""
        if self.handle:
            self.end(library().sv_mpi_wait(self.handle, None))

    def test(self) -> bool:
        """Go on, as far as nothing has to be waited for; whether it is done. What went wrong is raised."""
        if not self.handle:
            return True
        done = ctypes.c_int32()
        status = library().sv_mpi_test(self.handle, ctypes.byref(done), None)
        if done.value:
            self.end(status)
        return bool(done.value)


# --- memory ---------------------------------------------------------------------

BLOCKS: WeakSet[Block] = WeakSet()


class Block:
    """Memory of sv_mpi_allocator_shared()."""

    def __init__(self, nbytes: int) -> None:
        self.handle, allocator = ctypes.c_void_p(), ctypes.c_void_p()
        check(library().sv_mpi_allocator_shared(ctypes.byref(allocator)))
        status = library().sv_buffer_new(allocator, ctypes.c_int64(nbytes), ctypes.c_int64(0), ctypes.c_uint32(0),
                                         ctypes.c_void_p(), ctypes.byref(self.handle))
        library().sv_allocator_release(allocator)
        check(status, "sv_last_message")
        self.address, self.nbytes = int(library().sv_buffer_data(self.handle)), nbytes
        BLOCKS.add(self)

    def __del__(self) -> None:
        library().sv_buffer_release(self.handle)


def is_shared(address: int) -> bool:
    """Whether memory at an address is of shared_empty()."""
    return any(block.address <= address < block.address + block.nbytes for block in list(BLOCKS))


def shared_empty(shape: Sequence[int], dtype: Any = "float64") -> StridedMemoryView:
    """An array in memory that the other ranks of this machine can read; its elements can be anything.

    A Plan that is made of such a source copies straight from it, where ranks of one machine else pack and unpack. Any view
    of it will do, of any library. Not collective. MemoryError: the system has none.
    """
    nbytes = math.prod(shape) * empty((0,), dtype).layout.itemsize
    if nbytes <= 0:
        return empty(shape, dtype)
    block = Block(nbytes)
    memory = (ctypes.c_char * nbytes).from_address(block.address)
    memory.block = block  # type: ignore[attr-defined]  # views keep the memory, which keeps the block
    return StridedMemoryView.from_buffer(memory, shape, dtype=dtype)


# --- distributions --------------------------------------------------------------

class Distribution:
    """How the elements of an array are divided over ranks: blocks of each axis, dealt out in turn along a grid.

    shape: of the whole array. grid: processes along each axis; ranks are its indices in C order. block: extent of the
    blocks along each axis, 0 or None: one block for each process. ValueError, OverflowError: as sv_mpi_distribution_new().
    key: equal for distributions that were made alike.
    """

    def __init__(self, shape: Sequence[int], grid: Sequence[int], block: Sequence[int] | None = None) -> None:
        if len(grid) != len(shape) or block is not None and len(block) != len(shape):
            raise ValueError(f"shape has {len(shape)} axes: as many as grid and block need")
        self.shape = tuple(shape)
        self.key: tuple[Any, ...] = (self.shape, tuple(grid), None if block is None else tuple(block))
        self.handle = ctypes.c_void_p()
        check(library().sv_mpi_distribution_new(len(shape), numbers(shape), numbers(grid), None if block is None else numbers(block),
                                                ctypes.byref(self.handle)))

    @classmethod
    def on_rank(cls, shape: Sequence[int], rank: int) -> Distribution:
        """All of an array on one rank: a redistribution from it scatters, one to it gathers."""
        made = cls.__new__(cls)
        made.shape, made.key, made.handle = tuple(shape), (tuple(shape), rank), ctypes.c_void_p()
        check(library().sv_mpi_distribution_on_rank(len(shape), numbers(shape), rank, ctypes.byref(made.handle)))
        return made

    def __del__(self) -> None:
        handle = getattr(self, "handle", None)
        if handle is not None and handle.value is not None:
            library().sv_mpi_distribution_release(handle)

    @property
    def ranks(self) -> int:
        """The number behind the last rank that may have elements."""
        return int(library().sv_mpi_distribution_ranks(self.handle))

    def local_shape(self, rank: int) -> tuple[int, ...]:
        """The shape of what a rank has; extents of 0 outside the grid."""
        shape = numbers(self.shape)
        check(library().sv_mpi_distribution_local_shape(self.handle, rank, shape))
        return tuple(shape)

    def place(self, index: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        """(the rank that has an element, its index there). IndexError: it is outside the array."""
        if len(index) != len(self.shape):
            raise IndexError(f"{len(index)} indices for {len(self.shape)} axes")
        rank, local = ctypes.c_int32(), numbers(index)
        check(library().sv_mpi_distribution_place(self.handle, numbers(index), ctypes.byref(rank), local))
        return rank.value, tuple(local)

    def index(self, rank: int, local: Sequence[int]) -> tuple[int, ...]:
        """Which element of the array a rank has at an index of its own. IndexError: it has none there."""
        if len(local) != len(self.shape):
            raise IndexError(f"{len(local)} indices for {len(self.shape)} axes")
        index = numbers(local)
        check(library().sv_mpi_distribution_index(self.handle, rank, numbers(local), index))
        return tuple(index)

    def relabel(self, from_: Distribution, axes: Sequence[int] | None = None) -> Distribution:
        """The same parts on other ranks, each on one that has much of it in from_ already, so that fewer elements move.

        axes: axis k of this one is axis axes[k] of from_. The ranks that have parts stay the same. ValueError, IndexError,
        NotImplementedError: as sv_mpi_distribution_relabel(), which tells the price too.
        """
        if axes is not None and len(axes) != len(self.shape):
            raise ValueError(f"axes names {len(axes)} axes of {len(self.shape)}")
        order = None if axes is None else (ctypes.c_int32 * len(axes))(*axes)
        made = type(self).__new__(type(self))
        made.shape, made.handle = self.shape, ctypes.c_void_p()
        made.key = self.key, from_.key, None if axes is None else tuple(axes)
        check(library().sv_mpi_distribution_relabel(self.handle, from_.handle, order, ctypes.byref(made.handle)))
        return made


# --- redistributions ------------------------------------------------------------

class Collective:
    """What all ranks make together, and end together: the end of a block does."""

    handle: ctypes.c_void_p
    free: str  # the function that ends it

    def close(self) -> None:
        """End it; what is under way ends with its request. Whoever forgets it leaves a communicator behind: only all
        ranks together can free it."""
        handle, self.handle = self.handle, ctypes.c_void_p()
        getattr(library(), self.free)(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Plan(Collective):
    """A redistribution that is made once and executed often. Making, executing and close() are collective.

    to, from_: how the result and the source are distributed. dst, src: arrays like those of the executions: what this
    rank gets and has. axes: axis k of the result is axis axes[k] of the source. casting: "no", "same_kind" or "unsafe",
    where the dtypes differ. chunk: largest message in bytes, 0: chosen. Arrays of devices: what writes them has ended.
    """

    free = "sv_mpi_plan_free"

    def __init__(self, comm: Any, to: Distribution, from_: Distribution, dst: Any, src: Any, *, axes: Sequence[int] | None = None,
                 casting: str = "no", chunk: int = 0) -> None:
        self.handle = ctypes.c_void_p()
        order = None if axes is None else (ctypes.c_int32 * max(len(axes), len(to.shape)))(*axes)
        failure = None
        if casting not in FLAGS:
            failure = ValueError(f"casting is one of {', '.join(FLAGS)}, not {casting!r}")
        if axes is not None and len(axes) != len(to.shape):
            failure = ValueError(f"axes names {len(axes)} axes of {len(to.shape)}")
        where, flags = handle_of(comm), ctypes.c_uint32(FLAGS.get(casting, 0))
        collective(lambda target, source: library().sv_mpi_plan_new(
            where, to.handle, from_.handle, order, target, source, flags, ctypes.c_int64(chunk), ctypes.byref(self.handle)),
            dst, src, failure=failure)

    def execute(self, dst: Any, src: Any) -> None:
        """Redistribute. The arrays are as those that the plan was made of, with any memory."""
        collective(lambda target, source: library().sv_mpi_plan_execute(self.handle, target, source), dst, src)

    def start(self, dst: Any, src: Any) -> Request:
        """Begin to redistribute. src must not change, and dst not be used, until the request is done, which also tells
        what was refused. MPIError: so is a second execution, until the request of the first is done."""
        return Request(lambda target, source, out: library().sv_mpi_plan_start(self.handle, target, source, out), dst, src)

    @property
    def nbytes(self) -> tuple[int, int]:
        """(bytes that an execution sends to other ranks, bytes of the memory that messages take)"""
        sent, buffers = ctypes.c_int64(), ctypes.c_int64()
        check(library().sv_mpi_plan_bytes(self.handle, ctypes.byref(sent), ctypes.byref(buffers)))
        return sent.value, buffers.value


# --- halos ----------------------------------------------------------------------

def widths_of(width: int | Sequence[int | tuple[int, int]], ndim: int) -> tuple[list[int], list[int]]:
    """The margins before and behind the part, for each axis."""
    each = [width] * ndim if isinstance(width, int) else list(width)
    if len(each) != ndim:
        raise ValueError(f"width has {len(each)} axes, the array has {ndim}")
    pairs = [(one, one) if isinstance(one, int) else tuple(one) for one in each]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("width is a number, or for each axis a number or a pair (before, behind)")
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


class Halo(Collective):
    """The exchange of the margins of one array, made once and started often. Making and close() are collective.

    distribution: how the whole array is divided, in one block at most for each process along each axis. array: the part
    of this rank with its margins, which is kept; of any producer and strides. width: elements before and behind the part,
    one number, or for each axis a number or a pair (before, behind). periodic: whether the ends of the axes meet, or of
    each of them. faces: edges and corners are left as they are. ValueError, NotImplementedError, MPIError: as
    sv_mpi_halo_new(). Start it, compute what needs no margin, and wait:

        array = sv.zeros([extent + 2 for extent in rows.local_shape(comm.rank)], "float64")
        with mpi.Halo(comm, rows, array, 1) as halo:
            halo.start().wait()
    """

    free = "sv_mpi_halo_free"

    def __init__(self, comm: Any, distribution: Distribution, array: Any, width: int | Sequence[int | tuple[int, int]], *,
                 periodic: bool | Sequence[bool] = False, faces: bool = False) -> None:
        self.handle = ctypes.c_void_p()
        self.array: StridedMemoryView | None = None
        where = handle_of(comm)
        given: list[Any] = [None] * 4  # what other ranks learn of, where something is wrong here
        failure: Exception | None = None
        try:
            ndim = len(distribution.shape)
            low, high = widths_of(width, ndim)
            meets = [periodic] * ndim if isinstance(periodic, bool) else list(periodic)
            if len(meets) != ndim:
                raise ValueError(f"periodic has {len(meets)} axes, the array has {ndim}")
            given = [distribution.handle, numbers(low), numbers(high), (ctypes.c_int32 * ndim)(*map(bool, meets))]
            self.array = array if isinstance(array, StridedMemoryView) else view(array)
        except Exception as error:
            failure = error
        flags = ctypes.c_uint32(bool(faces))  # SV_MPI_HALO_FACES
        collective(lambda part: library().sv_mpi_halo_new(where, *given, part, flags, ctypes.byref(self.handle)), self.array,
                   failure=failure)

    def start(self) -> Request:
        """Begin to fill the margins. Until the request is done, they are not used, and the part is read at most."""
        request = Request(lambda out: library().sv_mpi_halo_start(self.handle, out))
        request.kept.append(Here(self.array))
        return request

    @property
    def nbytes(self) -> tuple[int, int, int]:
        """(messages of an exchange to other ranks, their bytes, bytes of the memory that they are packed in)"""
        counts = ctypes.c_int64(), ctypes.c_int64(), ctypes.c_int64()
        check(library().sv_mpi_halo_bytes(self.handle, *map(ctypes.byref, counts)))
        return counts[0].value, counts[1].value, counts[2].value


# --- messages -------------------------------------------------------------------

def send(array: Any, dest: int, tag: int = 0, *, comm: Any) -> None:
    """Send the elements of an array of any strides; recv() of as many bytes, of any strides, takes them."""
    with Here(array) as source:
        check(library().sv_mpi_send(source, dest, tag, handle_of(comm)))


def recv(array: Any, source: int, tag: int = 0, *, comm: Any) -> None:
    """Receive the elements of an array. ValueError: it is read-only, or fewer bytes came."""
    with Here(array) as target:
        check(library().sv_mpi_recv(target, source, tag, handle_of(comm), None))


def isend(array: Any, dest: int, tag: int = 0, *, comm: Any) -> Request:
    """Begin to send. The array must not change until the request is done."""
    where = handle_of(comm)
    return Request(lambda source, out: library().sv_mpi_isend(source, dest, tag, where, out), array)


def irecv(array: Any, source: int, tag: int = 0, *, comm: Any) -> Request:
    """Begin to receive. The elements are there when the request is done. ValueError: the array is read-only."""
    where = handle_of(comm)
    return Request(lambda target, out: library().sv_mpi_irecv(target, source, tag, where, out), array)


def bcast(array: Any, root: int = 0, *, comm: Any) -> None:
    """Give every rank the elements that the array of one rank has. Collective."""
    where = handle_of(comm)
    collective(lambda whole: library().sv_mpi_bcast(whole, root, where), array)


def ibcast(array: Any, root: int = 0, *, comm: Any) -> Request:
    """Begin to broadcast. Collective; what is refused is raised on all ranks when the request is done."""
    where = handle_of(comm)
    return Request(lambda whole, out: library().sv_mpi_ibcast(whole, root, where, out), array)
