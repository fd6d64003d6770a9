"""TAP of strideview copy --mpi, which all ranks run: mpiexec -n 3 python copy_files.py FOLDER. With "killed" behind it
rank 1 is killed while a file is copied."""

import contextlib
import io
import itertools
import json
import os
import random
import signal
import sys

import numpy as np
from mpi4py import MPI

from strideview.cli import main as program
from strideview.cli import ranks
from strideview.cli.files.sides import ChunkSide, FileSide

comm = MPI.COMM_WORLD
folder = sys.argv[1]
count = itertools.count(1)


def ok(good, name):
    """A line is good where it is on every rank."""
    good = comm.allreduce(bool(good), MPI.LAND)
    if comm.rank == 0:
        print(f"{'ok' if good else 'not ok'} {next(count)} - {name}, {comm.size} ranks", flush=True)


def run(*arguments):
    """(the exit code of this rank, what it printed, what it said of an error)"""
    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            program.main([str(word) for word in arguments] + ["--mpi"])
        except SystemExit as ended:
            code = ended.code
    comm.barrier()
    return code, out.getvalue(), err.getvalue()


def save(name, array, chunks):
    if comm.rank == 0 and name.endswith("zarr"):
        import zarr
        zarr.create_array(store=f"{folder}/{name}", shape=array.shape, chunks=chunks, dtype=array.dtype, overwrite=True)[...] = array
    elif comm.rank == 0:
        np.save(f"{folder}/{name}", array)
    comm.barrier()


def load(name):
    if name.endswith("zarr"):
        import zarr
        return zarr.open_array(f"{folder}/{name}", mode="r")[...]
    return np.load(f"{folder}/{name}")


def left():
    return sorted(os.listdir(folder))


def copied(name, source, out, words, wanted, limit):
    """Whether a copy gives what NumPy does, each chunk written once, and nothing else is left."""
    code, told, said = run("copy", f"{folder}/{source}", f"{folder}/{out}", *words, "--memory-limit", limit, "--json", "--force")
    good = code == 0 and said == "" and left() == sorted({source, out})
    if comm.rank == 0 and good:
        counts = json.loads(told)
        found = load(out)
        good = found.shape == wanted.shape and np.array_equal(found, wanted) and counts["processes"] == comm.size
        good = good and (counts["stages"] == 2 or counts["bytes_written"] == wanted.nbytes)
    if comm.rank == 0 and not good:
        print(f"# {code} {told} {said} {left()}")
    ok(good, f"{name}, {limit}")
    comm.barrier()


def clear():
    if comm.rank == 0:
        import shutil
        for name in os.listdir(folder):
            path = f"{folder}/{name}"
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    comm.barrier()


def files():
    array = np.random.default_rng(0).integers(0, 100, (20, 30, 12)).astype("f4")
    cases = {
        "permuted": (["--permute", "2,0,1"], array.transpose(2, 0, 1)),
        "converted": (["--dtype", "float16", "--flip", "1"], array[:, ::-1].astype("f2")),
        "scaled along an axis": (["--dtype", "float64", "--scale", ",".join(map(str, range(12))), "--scale-axis", "2"],
                                 array.astype("f8") * np.arange(12)),
        "the other byte order": (["--dtype", ">f8"], array.astype(">f8")),
        "nothing": (["--slice", "3:3"], array[3:3]),
    }
    save("in.npy", array, None)
    for name, (words, wanted) in cases.items():
        for limit in "20K", "1M":
            copied(name, "in.npy", "out.npy", words, wanted, limit)
    clear()
    try:
        import zarr  # noqa: F401
    except ImportError:
        return
    save("in.zarr", array, (2, 30, 12))
    for limit in "60K", "4M":
        copied("chunks to chunks", "in.zarr", "out.zarr", ["--permute", "2,1,0", "--chunks", "5,7,20"], array.T, limit)
    clear()


def errors():
    save("in.npy", np.arange(6000, dtype="f4").reshape(60, 100), None)
    code, _, said = run("copy", f"{folder}/none.npy", f"{folder}/out.npy")
    ok((code, said.count("\n")) == ((3, 1) if comm.rank == 0 else (0, 0)), "no input")
    code, _, said = run("copy", f"{folder}/in.npy", f"{folder}/out.npy", "--memory-limit", "10")
    ok((code, "memory-limit" in said) == ((1, True) if comm.rank == 0 else (0, False)), "too little memory")

    def fails(self, begin, extents):
        raise OSError(5, "the disk of the last rank is broken")

    before = ranks.Part.steps
    if comm.rank == comm.size - 1:
        ranks.Part.steps = lambda self, begin, extents: [lambda: fails(self, begin, extents), *before(self, begin, extents)[1:]]
    code, _, said = run("copy", f"{folder}/in.npy", f"{folder}/out.npy", "--memory-limit", "4K")
    ranks.Part.steps = before
    ok((code, "last rank is broken" in said) == ((1, True) if comm.rank == 0 else (0, False)) and left() == ["in.npy"],
       "a rank that cannot read")

    if comm.rank == comm.size - 1:
        def signalled(self, begin, extents):
            os.kill(os.getpid(), signal.SIGTERM)
            return before(self, begin, extents)
        ranks.Part.steps = signalled
    code, _, said = run("copy", f"{folder}/in.npy", f"{folder}/out.npy", "--memory-limit", "4K")
    ranks.Part.steps = before
    ok(code == (143 if comm.rank == comm.size - 1 else 1 if comm.rank == 0 else 0) and left() == ["in.npy"], "a rank that a signal ends")
    clear()


def divisions():
    """Parts of blocks: each element on one rank, whole chunks."""
    pick, good = random.Random(comm.size), True
    for _ in range(200):
        shape = tuple(pick.randint(1, 9) for _ in range(pick.randint(1, 3)))
        chunks = tuple(pick.randint(1, 4) for _ in shape)
        strides = tuple(4 * int(np.prod(shape[axis + 1:], dtype=int)) for axis in range(len(shape)))
        for side in ChunkSide(chunks, 4, (0,) * len(shape)), FileSide(strides, 4):
            number, met = pick.randint(1, 5), np.zeros(shape, int)
            share = ranks.divide(side, shape, number)
            for rank in range(number):
                begin, extents = share.part((0,) * len(shape), shape, rank)
                met[tuple(slice(first, first + extent) for first, extent in zip(begin, extents))] += 1
                good &= not isinstance(side, ChunkSide) or 0 in extents or begin[share.axis] % chunks[share.axis] == 0
            good &= bool((met == 1).all())
    ok(good, "blocks are divided by whole chunks")


def killed():
    """What is copied when rank 1 is killed in its third block; mpiexec ends the others."""
    save("in.npy", np.zeros((60, 100), "f4"), None)
    before, blocks = ranks.Part.steps, itertools.count()

    def steps(self, begin, extents):
        if comm.rank == 1 and next(blocks) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return before(self, begin, extents)

    ranks.Part.steps = steps
    run("copy", f"{folder}/in.npy", f"{folder}/out.npy", "--permute", "1,0", "--memory-limit", "2K")


if sys.argv[2:] == ["killed"]:
    killed()
else:
    files()
    errors()
    divisions()
    if comm.rank == 0:
        print(f"1..{next(count) - 1}", flush=True)
