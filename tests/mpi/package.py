"""TAP of strideview.mpi, which all ranks run: mpiexec -n 3 python package.py."""

import os
import sys

import numpy as np
from mpi4py import MPI

import strideview as sv
from strideview import distributed, mpi

comm = MPI.COMM_WORLD
count = 0


def ok(good, name):
    """A line is good where it is on every rank."""
    global count
    count += 1
    good = comm.allreduce(bool(good), MPI.LAND)
    if comm.rank == 0:
        print(f"{'ok' if good else 'not ok'} {count} - {name}, {comm.size} ranks", flush=True)


def raises(exception, words, call):
    try:
        call()
    except exception as error:
        return words in str(error)
    return False


def part_of(whole, distribution):
    """What this rank has of an array, found element by element."""
    local = np.zeros(distribution.local_shape(comm.rank), whole.dtype)
    for index in np.ndindex(*whole.shape):
        rank, place = distribution.place(index)
        if rank == comm.rank:
            local[place] = whole[index]
    return local


whole = np.arange(12 * 10, dtype="f8").reshape(12, 10)
rows = mpi.Distribution((12, 10), (comm.size, 1))
columns = mpi.Distribution((12, 10), (1, comm.size), (0, 2))
turned = mpi.Distribution((10, 12), (comm.size, 1))
mine = part_of(whole, rows)

ok(np.array_equal(distributed.redistribute(mine, rows, columns, comm), part_of(whole, columns)), "rows to columns")
ok(np.array_equal(distributed.redistribute(sv.view(mine), rows, turned, comm, axes=(1, 0), dtype="float32"), part_of(whole.T, turned)),
   "transposed and converted")
times = whole.astype("i8").view("M8[s]")
came = distributed.redistribute(part_of(times, rows), rows, columns, comm)
ok(came.dtype == times.dtype and np.array_equal(came, part_of(times, columns)), "times, whose dtype is NumPy's alone")
records = np.array([(1, 2.5), (3, 4.5)], [("a", "<i4"), ("b", "<f8")])
came = records[::-1] if comm.rank == 0 else np.zeros_like(records)
mpi.bcast(came, 0, comm=comm)
ok(np.array_equal(came, records[::-1]), "records")
gathered = distributed.redistribute(mine, rows, mpi.Distribution.on_rank((12, 10), comm.size - 1), comm)
ok(comm.rank != comm.size - 1 or np.array_equal(gathered, whole), "gathered")
lent = mpi.shared_empty(mine.shape)
np.asarray(lent)[...] = mine
came = [distributed.redistribute(each, rows, turned, comm, axes=(1, 0)) for each in (lent, np.asarray(lent)[:, ::-1])]
ok(np.array_equal(came[0], part_of(whole.T, turned)) and np.array_equal(came[1], part_of(whole[:, ::-1].T, turned)),
   "a source in memory that others read")
del lent, came
made = [mpi.shared_empty((3, 5), "int16") for _ in range(50)]  # each is alive, and none is the other
for number, each in enumerate(made):
    np.asarray(each)[...] = number
ok(all(np.all(np.asarray(each) == number) for number, each in enumerate(made)) and mpi.shared_empty((0, 3)).shape == (0, 3),
   "arrays that are shared")
before = len(os.listdir("/proc/self/fd"))
del made, each
ok(len(os.listdir("/proc/self/fd")) <= before - 50, "blocks are freed")
ok(raises((ValueError, OverflowError), "", lambda: mpi.shared_empty((-1, 3))) and raises(MemoryError, "", lambda: mpi.shared_empty((1 << 50,)))
   and raises((TypeError, ValueError), "", lambda: mpi.shared_empty((3,), "no type")), "what is refused to be shared")
relabelled = turned.relabel(rows, (1, 0))
ok(np.array_equal(distributed.redistribute(mine, rows, relabelled, comm, axes=(1, 0)), part_of(whole.T, relabelled)), "relabelled parts")
grid = mpi.Distribution((4, 4), (2, 2))
ok([grid.relabel(grid, (1, 0)).place(index)[0] for index in ((0, 0), (0, 2), (2, 0), (2, 2))] == [0, 2, 1, 3]
   and grid.relabel(grid).index(1, (1, 0)) == (1, 2), "each part on the rank that has it")
ok(raises(ValueError, "axes", lambda: grid.relabel(grid, (1,))) and raises(ValueError, "twice", lambda: grid.relabel(grid, (1, 1)))
   and raises(ValueError, "axes", lambda: grid.relabel(mpi.Distribution((3,), (1,))))
   and raises(IndexError, "not in", lambda: grid.index(0, (2, 0))) and raises(IndexError, "1 indices", lambda: grid.index(0, (1,))),
   "what relabel() and index() refuse")
strided = np.zeros((24, 30))[::2, ::-3][:mine.shape[0]]
strided[...] = mine
target = np.zeros((2, *columns.local_shape(comm.rank)))[1]
with mpi.Plan(comm, columns, rows, target, strided) as plan:
    plan.execute(target, strided)
    plan.execute(target, strided)
    sent, buffers = plan.nbytes
ok(np.array_equal(target, part_of(whole, columns)) and 0 <= sent <= mine.nbytes and buffers >= 0, "a plan, strided")

with mpi.Plan(comm, columns, rows, target, strided) as plan:
    target[...] = 0
    first = plan.start(target, strided)
    second = plan.start(target, strided) if comm.rank == 0 else None  # too early here; all learn of it
    first.wait()
    second = second or plan.start(target, strided)
    ok(raises(mpi.MPIError, "under way" if comm.rank == 0 else "rank 0 refused", second.wait) and first.test() and first.wait() is None,
       "a plan that is under way")
    ok(np.array_equal(target, part_of(whole, columns)), "what was started first")
    target[...] = 0
    third = plan.start(target, strided)
    while not third.test():
        pass
    ok(np.array_equal(target, part_of(whole, columns)), "an execution that is tested")
    wrong = plan.start(target, strided if comm.rank else object())
    ok(raises((TypeError, mpi.MPIError), "" if comm.rank == 0 else "rank 0 refused", wrong.wait), "no array to start with")
    ok(not mpi.UNDER_WAY, "nothing is kept")
    last = plan.start(target, strided)
last.wait()  # the plan was closed meanwhile


def margins_of(whole, distribution, low, high, periodic, faces):
    """What a part with its margins has in the end, 0 where nothing is put, found element by element."""
    shape = distribution.local_shape(comm.rank)
    found = np.zeros([low + extent + high for extent in shape], whole.dtype)
    owned = [index for index in np.ndindex(*whole.shape) if distribution.place(index)[0] == comm.rank]
    for place in np.ndindex(*found.shape) if owned else ():
        index = [at - low + first for at, first in zip(place, owned[0], strict=True)]
        beyond = sum(not 0 <= at - low < extent for at, extent in zip(place, shape, strict=True))
        index = [at % extent if ends else at for at, extent, ends in zip(index, whole.shape, periodic, strict=True)]
        if all(0 <= at < extent for at, extent in zip(index, whole.shape, strict=True)) and not (faces and beyond > 1):
            found[place] = whole[tuple(index)]
    return found


for distribution, order in (rows, "C"), (mpi.Distribution((12, 10), (1, comm.size)), "F"):
    for width, low, high in (1, 1, 1), ([(2, 3)] * 2, 2, 3), ([0, (0, 0)], 0, 0):
        for periodic in False, [True, False], True:
            for faces in False, True:
                array = np.zeros([low + extent + high for extent in distribution.local_shape(comm.rank)], order=order)
                part = array[tuple(slice(low, low + extent) for extent in distribution.local_shape(comm.rank))]
                part[...] = part_of(whole, distribution)
                with mpi.Halo(comm, distribution, array, width, periodic=periodic, faces=faces) as halo:
                    request = halo.start()
                    if high == 3:
                        request.wait()
                    while not request.test():
                        pass
                    messages, sent, buffers = halo.nbytes
                ends = periodic if isinstance(periodic, list) else [periodic] * 2
                ok(np.array_equal(array, margins_of(whole, distribution, low, high, ends, faces)) and 0 <= 8 * messages <= sent
                   and buffers >= 0, f"a halo of width {width}, {order} order, periodic {periodic}, {'faces' if faces else 'all'}")

shared = np.full((4, 6), comm.rank, "i4")[:, ::2] if comm.rank else np.arange(12, dtype="i4").reshape(4, 3)
mpi.bcast(shared, comm=comm)
ok(np.array_equal(shared, np.arange(12).reshape(4, 3)), "a broadcast")
shared[...] = comm.rank
request = mpi.ibcast(shared, comm.size - 1, comm=comm)
other = mpi.ibcast(None if comm.rank == 0 else shared.copy(), comm=comm)
comm.Barrier()
request.wait()
ok(np.all(shared == comm.size - 1) and raises((TypeError, mpi.MPIError), "", other.wait), "broadcasts under way")
ring = np.zeros((5, 7))[:, ::2]
came = mpi.irecv(ring, (comm.rank - 1) % comm.size, 9, comm=comm)
gone = mpi.isend(np.full((5, 4), comm.rank, "f8")[::-1], (comm.rank + 1) % comm.size, 9, comm=comm)
came.wait()
gone.wait()
ok(np.all(ring == (comm.rank - 1) % comm.size), "messages under way")
shared[...] = np.arange(12).reshape(4, 3)
if comm.size > 1 and comm.rank < 2:
    if comm.rank == 0:
        mpi.send(whole.T, 1, 5, comm=comm)
    else:
        came = np.zeros((10, 12))
        mpi.recv(came, 0, 5, comm=comm)
        shared = came
ok(comm.rank != 1 or np.array_equal(shared, whole.T), "a message")

ok(raises(ValueError, "of dst has", lambda: mpi.Plan(comm, columns, rows, np.zeros((77, 1)), mine)), "a shape that is wrong")
wrong = mine if comm.rank else mine.astype("f4")
ok(raises((TypeError, mpi.MPIError), "", lambda: mpi.Plan(comm, columns, rows, target, wrong)), "a dtype that one rank has")
ok(raises((TypeError, mpi.MPIError), "", lambda: mpi.Plan(comm, columns, rows, target, mine if comm.rank else object())),
   "what is no array on one rank")
ok(raises((ValueError, mpi.MPIError), "", lambda: mpi.Plan(comm, columns, rows, target, mine, axes=None if comm.rank else (0,))),
   "axes that one rank has too few of")
ok(raises((TypeError, mpi.MPIError), "", lambda: mpi.bcast(None if comm.rank == 0 else shared, comm=comm)), "no array to broadcast")
around = np.zeros([extent + 2 for extent in rows.local_shape(comm.rank)])
ok(raises(ValueError, "width has 1 axes", lambda: mpi.Halo(comm, rows, around, [1])), "widths of too few axes")
ok(raises(ValueError, "a pair", lambda: mpi.Halo(comm, rows, around, [(1, 1, 1), 1])), "a width that is no pair")
ok(raises((ValueError, mpi.MPIError), "", lambda: mpi.Halo(comm, rows, around, 1, periodic=[True] if comm.rank == 0 else True)),
   "ends that one rank has too few of")
ok(raises((TypeError, mpi.MPIError), "", lambda: mpi.Halo(comm, rows, around, 1.5 if comm.rank == 0 else 1)), "a width that is no integer")
ok(raises((TypeError, mpi.MPIError), "", lambda: mpi.Halo(comm, rows, object() if comm.rank == 0 else around, 1)),
   "what is no array on one rank, with margins")
ok(raises(ValueError, "its margins have", lambda: mpi.Halo(comm, rows, mine, 1)), "an array without margins")
ok(comm.size == 1 or raises(NotImplementedError, "cyclic", lambda: mpi.Halo(
    comm, mpi.Distribution((12, 10), (1, comm.size), (0, 1)), np.zeros((14, columns.local_shape(comm.rank)[1] + 2)), 1)), "a cyclic axis")
with mpi.Halo(comm, rows, around, 1) as halo:
    request = halo.start()
    ok(raises(mpi.MPIError, "under way", halo.start), "a halo that is under way")
    request.wait()
    request.wait()
ok(raises((TypeError, mpi.MPIError), "", lambda: distributed.redistribute(object() if comm.rank == 0 else mine, rows, columns, comm)),
   "no array to redistribute on one rank")


class Counted(mpi.Plan):
    made = closed = 0

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        Counted.made += 1

    def close(self):
        Counted.closed += 1
        super().close()


def again(array, made, kept, **options):
    """Whether a call is right, after which so many plans were made and are kept."""
    came = distributed.redistribute(array, mpi.Distribution((12, 10), (comm.size, 1)), columns, own, **options)
    right = np.array_equal(came, part_of(whole, columns).astype(came.dtype))
    return right and (Counted.made, Counted.made - Counted.closed, len(distributed.plans_of(own).kept)) == (made, kept, kept)


plan_class, mpi.Plan, own = mpi.Plan, Counted, comm.Dup()
strided = np.repeat(mine, 2, axis=1)[:, ::2]
ok(all(again(mine, 1, 1) for _ in range(3)), "a plan that is kept")
strides = strided if comm.rank == 0 else mine
ok(again(strides, 2, 2), "another one for strides of a rank")
ok(all(again(each, 2, 2) for each in (mine, strides, strides, mine)), "both are found again")
ok(raises((TypeError, mpi.MPIError), "", lambda: again(object() if comm.rank == 0 else mine, 0, 0)), "no array on one rank, with kept plans")
before = Counted.made
for dtype in ("f4", "f8", "c8", "c16") * 2:
    for casting in "same_kind", "unsafe":
        came = distributed.redistribute(mine, rows, columns, own, dtype=dtype, casting=casting)
        ok(np.array_equal(came, part_of(whole, columns).astype(dtype)), f"{dtype}, {casting}, by plans that are kept")
ok(Counted.made - before == 7 and len(distributed.plans_of(own).kept) == 8, "eight plans are kept")
limit, distributed.MOST_BYTES = distributed.MOST_BYTES, -1
made = Counted.made
ok(all(np.array_equal(distributed.redistribute(mine, rows, turned, own, axes=(1, 0)), part_of(whole.T, turned)) for _ in range(2)) and
   Counted.made == made + 2 and len(distributed.plans_of(own).kept) == 8, "plans that are too large to be kept")
distributed.MOST_BYTES = limit
own.Free()
ok(Counted.made == Counted.closed, "plans end with their communicator")
mpi.Plan = plan_class
ok(raises(Exception, "", lambda: distributed.redistribute(mine, rows, columns, MPI.COMM_NULL)), "no communicator at all")
ok(raises(IndexError, "not in", lambda: rows.place((12, 0))) and raises(IndexError, "1 indices", lambda: rows.place((1,))),
   "an index outside")
ok(raises(TypeError, "mpi4py", lambda: mpi.bcast(mine, comm=3)), "no communicator")
ok(raises(ValueError, "casting", lambda: mpi.Plan(comm, columns, rows, target, mine, casting="any")), "no casting")
ok(raises(ValueError, "axes", lambda: mpi.Distribution((3, 4), (1,))), "a grid of another number of axes")
if comm.rank == 0:
    print(f"1..{count}")
sys.stdout.flush()
