"""Redistributions by libsv_mpi and by other libraries, which take turns in one run and have to agree on every element.

    mpiexec -n 2 python tests/mpi/peers.py [--rounds N] [--small]

Beside strideview.mpi: MPI_Alltoallw with derived types, mpi4py-fft (its Transfer), dtFFT (the wheel dtfft-openmpi or
dtfft-mpich, planned with its own search for the best way) and ScaLAPACK (pdgemr2d and psgemr2d of Debian's
libscalapack-openmpi or -mpich). Who is not there is told and left out; a cell without a time is what a library cannot do.
A time is that of the slowest rank, the median of the rounds. Rank 0 prints two tables in Markdown: times,
and geometric means of ratios over the arrays that a library can do. libsv_mpi takes part twice: with a source of NumPy's,
and with one of shared_empty().
"""

import argparse
import ctypes
import math
import statistics
import sys
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from mpi4py import MPI

from strideview import mpi

comm = MPI.COMM_WORLD
# Name, dtype, shape, divided axis, order of the result's axes, its divided axis, blocks that are dealt out (0: one a rank).
CASES = [
    ("float64, 512 x 256 x 256, axis 0 to 1", "f8", (512, 256, 256), 0, (0, 1, 2), 1, (0, 0)),
    ("the same, axis 1 to 0", "f8", (512, 256, 256), 1, (0, 1, 2), 0, (0, 0)),
    ("the same, axis 0 to 2", "f8", (512, 256, 256), 0, (0, 1, 2), 2, (0, 0)),
    ("float32, 512 x 512 x 256, axis 0 to 1", "f4", (512, 512, 256), 0, (0, 1, 2), 1, (0, 0)),
    ("float64, 64 x 64 x 64, axis 0 to 1", "f8", (64, 64, 64), 0, (0, 1, 2), 1, (0, 0)),
    ("float64, 4096 x 4096, rows by 64 to columns by 128", "f8", (4096, 4096), 0, (0, 1), 1, (64, 128)),
    ("float64, 4096 x 4096, transposed", "f8", (4096, 4096), 0, (1, 0), 0, (0, 0)),
    ("float32, 4096 x 8192, transposed", "f4", (4096, 8192), 0, (1, 0), 0, (0, 0)),
    ("float64, 512 x 256 x 256, order 1, 2, 0", "f8", (512, 256, 256), 0, (1, 2, 0), 0, (0, 0)),
    ("float32, 512 x 512 x 256, order 1, 2, 0", "f4", (512, 512, 256), 0, (1, 2, 0), 0, (0, 0)),
]
SMALL = [1 / 16, 1 / 16, 1 / 4]  # of each axis, where a run only shows that all agree


def flavour():
    """As packages name the MPI of this run."""
    return "openmpi" if MPI.get_vendor()[0] == "Open MPI" else "mpich"


class Case:
    """An array on its way: the shapes of both sides, and what this rank has of them."""

    def __init__(self, row, is_small):
        self.name, dtype, shape, self.from_axis, self.axes, self.to_axis, self.blocks = row
        if is_small:
            shape = tuple(max(2 * comm.size * max(self.blocks) or 4 * comm.size, int(n * part)) for n, part in zip(shape, SMALL))
        self.dtype, self.shape = np.dtype(dtype), shape
        self.result = tuple(shape[axis] for axis in self.axes)
        self.from_ = self.distribution(shape, self.from_axis, self.blocks[0])
        self.to = self.distribution(self.result, self.to_axis, self.blocks[1])
        self.src = np.empty(self.from_.local_shape(comm.rank), dtype)
        self.src[...] = np.random.default_rng(comm.rank).random(self.src.shape)
        self.dst = np.zeros(self.to.local_shape(comm.rank), dtype)

    @staticmethod
    def distribution(shape, axis, block):
        return mpi.Distribution(shape, [comm.size if k == axis else 1 for k in range(len(shape))],
                                [block if k == axis else 0 for k in range(len(shape))])

    @property
    def has_same_order(self):
        return self.axes == tuple(range(len(self.axes)))


# --- who takes part -------------------------------------------------------------------
# Each makes of a case a function that redistributes its src into its dst, or None where it cannot; `close` ends it.

class Ours:
    name = "libsv_mpi"

    def prepare(self, case):
        return self.plan_of(case, case.src)

    def plan_of(self, case, src):
        self.plan = mpi.Plan(comm, case.to, case.from_, case.dst, src, axes=case.axes)
        return lambda: self.plan.execute(case.dst, src)

    def close(self):
        self.plan.close()


class Shared(Ours):
    """With the source in memory that others read."""

    name = "its shared source"

    def prepare(self, case):
        source = mpi.shared_empty(case.src.shape, str(case.dtype))
        np.asarray(source)[...] = case.src
        return self.plan_of(case, source)


class Alltoallw:
    """As a program without a library writes it: subarrays; vectors of vectors where axes change their order or blocks
    are dealt out."""

    name = "Alltoallw"

    def prepare(self, case):
        element = MPI._typedict[case.dtype.char]
        self.types = [self.sent(case, rank, element) for rank in range(comm.size)]
        self.types += [self.received(case, rank, element) for rank in range(comm.size)]
        ones = [1] * comm.size
        send = [case.src, ones, [at for _, at in self.types[:comm.size]], [kind for kind, _ in self.types[:comm.size]]]
        recv = [case.dst, ones, [at for _, at in self.types[comm.size:]], [kind for kind, _ in self.types[comm.size:]]]
        return lambda: comm.Alltoallw(send, recv)

    @staticmethod
    def vectors(axes, element):
        """Of (extent, stride in bytes), the last one innermost."""
        kind = element.Dup()
        for extent, stride in reversed(axes):
            is_run = kind.size == stride == element.size  # as a subarray has it
            kind, inner = kind.Create_contiguous(extent) if is_run else kind.Create_hvector(extent, 1, stride), kind
            inner.Free()
        return kind.Commit()

    @staticmethod
    def blocks(extent, stride, rank, block):
        """The axes that select what a rank has of a whole axis of this memory, and where that begins."""
        if block == 0:
            block = extent // comm.size
        return [(extent // (block * comm.size), block * comm.size * stride), (block, stride)], rank * block * stride

    def sent(self, case, rank, element):
        axes, begin = [], 0
        for k, axis in enumerate(case.axes):
            extent, stride = case.src.shape[axis], case.src.strides[axis]
            if k == case.to_axis and axis != case.from_axis:
                more, begin = self.blocks(extent, stride, rank, case.blocks[1])
                axes += more
            else:
                axes.append((extent, stride))
        return self.vectors(axes, element), begin

    def received(self, case, rank, element):
        axes, begin = [], 0
        for k, axis in enumerate(case.axes):
            extent, stride = case.dst.shape[k], case.dst.strides[k]
            if axis == case.from_axis:
                more, begin = self.blocks(extent, stride, rank, case.blocks[0])
                axes += more
            else:
                axes.append((extent, stride))
        return self.vectors(axes, element), begin

    def close(self):
        for kind, _ in self.types:
            kind.Free()


class Mpi4pyFft:
    name = "mpi4py-fft"

    def __init__(self):
        from mpi4py_fft.pencil import Pencil, Subcomm
        self.Pencil, self.Subcomm = Pencil, Subcomm

    def prepare(self, case):
        if not case.has_same_order or any(case.blocks):
            return None
        dims = [comm.size if k == case.from_axis else 1 for k in range(len(case.shape))]
        self.subcomms = self.Subcomm(comm, dims)
        pencil = self.Pencil(self.subcomms, case.shape, axis=case.to_axis)
        self.transfer = pencil.transfer(pencil.pencil(case.from_axis), case.dtype)
        return lambda: self.transfer.forward(case.src, case.dst)

    def close(self):
        self.transfer.destroy()
        self.subcomms.destroy()


class DtFft:
    name = "dtFFT"

    def __init__(self):
        wheel = f"dtfft-{flavour()}"
        try:
            version(wheel)  # a wheel for another MPI would load that one too
        except PackageNotFoundError:
            raise ImportError(f"{wheel} is not installed") from None
        import dtfft
        self.dtfft = dtfft

    def prepare(self, case):
        dt = self.dtfft
        ways = {(1, 0): dt.Transpose.X_TO_Y, (1, 2, 0): dt.Transpose.X_TO_Z}
        if case.axes not in ways:
            return None
        precision = dt.Precision.DOUBLE if case.dtype == np.float64 else dt.Precision.SINGLE
        self.plan = dt.PlanR2R(list(case.shape[::-1]), None, comm, precision, dt.Effort.PATIENT, dt.Executor.NONE)
        layout = dt.Layout.Y_PENCILS if len(case.shape) == 2 else dt.Layout.Z_PENCILS
        assert tuple(self.plan.get_pencil(layout).counts[::-1]) == case.dst.shape
        aux = np.empty(self.plan.aux_bytes // case.dtype.itemsize + 1, case.dtype)
        return lambda: self.plan.transpose(case.src, case.dst, ways[case.axes], aux)

    def close(self):
        self.plan.destroy()


class ScaLapack:
    """A matrix in column-major order: the last axes of ours are its rows, the first one its columns."""

    name = "ScaLAPACK"

    def __init__(self):
        self.library = ctypes.CDLL(f"libscalapack-{flavour()}.so.2.2", ctypes.RTLD_GLOBAL)
        self.grids = {}

    def context(self, rows, columns):
        if (rows, columns) not in self.grids:
            made = ctypes.c_int()
            self.library.Cblacs_get(0, 0, ctypes.byref(made))
            self.library.Cblacs_gridinit(ctypes.byref(made), b"Row", rows, columns)
            self.grids[rows, columns] = made.value
        return self.grids[rows, columns]

    def descriptor(self, shape, axis, block):
        rows, columns = math.prod(shape[1:]), shape[0]
        block = block or shape[axis] // comm.size
        if axis == 0:
            return (ctypes.c_int * 9)(1, self.context(1, comm.size), rows, columns, rows, block, 0, 0, rows)
        block *= math.prod(shape[axis + 1:])
        return (ctypes.c_int * 9)(1, self.context(comm.size, 1), rows, columns, block, columns, 0, 0, rows // comm.size)

    def prepare(self, case):
        if not case.has_same_order:
            return None
        move = self.library.Cpdgemr2d if case.dtype == np.float64 else self.library.Cpsgemr2d
        source = self.descriptor(case.shape, case.from_axis, case.blocks[0])
        target = self.descriptor(case.result, case.to_axis, case.blocks[1])
        rows, columns, grid = math.prod(case.shape[1:]), case.shape[0], self.context(1, comm.size)
        src, dst = (ctypes.c_void_p(array.ctypes.data) for array in (case.src, case.dst))
        return lambda: move(rows, columns, src, 1, 1, source, dst, 1, 1, target, grid)

    def close(self):
        pass


# --- a run ----------------------------------------------------------------------------

def those_here():
    """All of them that every rank could load; rank 0 tells about the others."""
    made = []
    for kind in (Ours, Shared, Alltoallw, Mpi4pyFft, DtFft, ScaLapack):
        reason, way = "", None
        try:
            way = kind()
        except (ImportError, OSError) as error:
            reason = str(error).splitlines()[0]
        reasons = [each for each in comm.allgather(reason) if each]
        if reasons and comm.rank == 0:
            print(f"# {kind.name} is not here: {reasons[0]}")
        if not reasons:
            made.append(way)
    return made


def time_case(case, ways, rounds):
    """Milliseconds of each way, None where it cannot; the names of those whose result differs from ours."""
    calls = [way.prepare(case) for way in ways]
    times, wrong, expected = [[] for _ in ways], [], None
    for turn in range(-1, rounds):
        for n in range(len(ways)):
            k = n if turn < 0 else (n + turn) % len(ways)  # the first turn compares
            if calls[k] is None:
                continue
            if turn < 0:
                case.dst[...] = -1
            comm.Barrier()
            begin = MPI.Wtime()
            calls[k]()
            passed = comm.allreduce(MPI.Wtime() - begin, MPI.MAX)
            if turn >= 0:
                times[k].append(passed * 1e3)
            elif expected is None:
                expected = case.dst.copy()
            if turn < 0 and not comm.allreduce(bool(np.array_equal(case.dst, expected)), MPI.LAND):
                wrong.append(ways[k].name)
    for way, call in zip(ways, calls):
        if call is not None:
            way.close()
    return [statistics.median(each) if each else None for each in times], wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--small", action="store_true", help="small arrays, which only show that all agree")
    words = parser.parse_args()
    ways, ratios, faults = those_here(), {}, []
    if comm.rank == 0:
        print(f"\n| ms, {comm.size} ranks, {' '.join(map(str, [MPI.get_vendor()[0], *MPI.get_vendor()[1]]))} | "
              + " | ".join(way.name for way in ways) + " |")
        print("|---|" + "--:|" * len(ways))
    for row in CASES:
        case = Case(row, words.small)
        times, wrong = time_case(case, ways, words.rounds)
        faults += [f"{name}: {case.name}" for name in wrong]
        best = min(each for each in times[2:] if each is not None)
        for name, each in [*((way.name, each) for way, each in zip(ways, times)), ("the best of the others", best)]:
            if each is not None:
                ratios.setdefault(name, []).append((each / times[0], each / times[1]))
        if comm.rank == 0:
            print(f"| {case.name} | " + " | ".join("" if each is None else f"{each:.3g}" for each in times) + " |", flush=True)
    if comm.rank == 0:
        print("\n| time divided by that of | libsv_mpi | it with a shared source | arrays |\n|---|--:|--:|--:|")
        for name, each in ratios.items():
            print(f"| {name} | " + " | ".join(f"{statistics.geometric_mean(one):.2f}" for one in zip(*each)) + f" | {len(each)} |")
        print()
        print("\n".join(f"wrong: {fault}" for fault in faults) if faults else "all agree")
    sys.stdout.flush()
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
