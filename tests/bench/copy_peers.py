"""How fast NumPy, PyTorch and JAX copy what tests/bench/copy copies, beside libsv and memcpy in the same process.

    python copy_peers.py FILE [PART]     measure the cases whose name has PART in it, print a table and write FILE
"""

import argparse
import ctypes
import json
import math
import os
import statistics
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import numpy as np

import strideview as sv
from copy_race import OURS, ahead, is_close, race
from copy_sides import CASES, Sides, filled, in_huge_pages, libc, read_cases

MEMCPY, NUMPY, TORCH, JAX = "memcpy", "NumPy", "PyTorch", "JAX"
MOST_ROUNDS = 31
PARALLEL = Path("tests/bench/.libs/parallel.so")  # where make builds it
SHARED = 1 << 20  # bytes moved from which a user would give threads to sv.copy(), which else only reads more arguments
CAPSULE = b"sv_parallel_callback"
OUR_THREADS = {}  # what sv.copy() is told; filled by set_threads()


# --- who copies ---------------------------------------------------------------
# Each makes a function without arguments; or None where it has no way to say what is copied. That function returns
# nothing when it has written to dst, else what it made.


def by_libsv(sides):
    dst, src, options = sv.view(sides.dst), sv.view(sides.src), {"casting": "unsafe"} if sides.converts else {}
    if sum(sv.Plan(dst, src, **options).traffic) >= SHARED:
        options.update(OUR_THREADS)
    if options:
        return lambda: sv.copy(dst, src, **options)
    return lambda: sv.copy(dst, src)


def by_memcpy(sides):
    dst, src = filled(sides.nbytes, 0), filled(sides.nbytes, 1)
    to, of, nbytes, kept = dst.ctypes.data, src.ctypes.data, sides.nbytes, (dst, src)
    return lambda kept=kept: libc.memcpy(to, of, nbytes) and None


def by_numpy(sides):
    dst, src, copyto = sides.dst, sides.src, np.copyto
    return lambda: copyto(dst, src, casting="unsafe")


def by_torch(sides):
    import torch

    if any(stride < 0 for side in (sides.dst, sides.src) for stride in side.strides):
        return None

    def tensor(side):
        layout, memory, dtype = sides.case[side], *sides.side(side)
        strides = [stride // dtype.itemsize for stride in layout.strides_in_bytes]
        flat = torch.from_numpy(memory[: memory.size // dtype.itemsize * dtype.itemsize]).view(getattr(torch, dtype.name))
        return flat.as_strided(layout.shape, strides, layout.slice_offset_in_bytes // dtype.itemsize)

    dst, src = tensor("dst"), tensor("src")
    return lambda: dst.copy_(src) is None or None


def dense_source(src):
    """How the layout comes from a dense array by transposing, slicing, reversing and broadcasting: the array's extents,
    and for each axis of the copy (axis of the array or None, step). None where it does not."""
    inner, offset = src.itemsize, src.slice_offset_in_bytes
    moving = [k for k in range(src.ndim) if src.strides_in_bytes[k] != 0]
    order = sorted(moving, key=lambda k: (abs(src.strides_in_bytes[k]), src.shape[k]), reverse=True)
    extents, steps = [], {}
    for k in reversed(order):
        stride, extent = src.strides_in_bytes[k], src.shape[k]
        if stride % inner and extent > 1:
            return None
        step = max(1, abs(stride) // inner)
        if stride < 0:
            offset += stride * (extent - 1)
        extents.insert(0, extent * step)
        steps[k] = -step if stride < 0 else step
        inner *= extent * step
    if offset:
        return None
    return extents, [(order.index(k) if k in steps else None, steps.get(k, 0)) for k in range(src.ndim)]


def expressed(xp, x, axes, shape):
    """A copy of dense_source() in the words of NumPy or of what has its functions."""
    moving = sorted((axis, step) for axis, step in axes if axis is not None)
    x = x[tuple(slice(None, None, abs(step)) for _, step in moving)]
    x = xp.flip(x, [axis for axis, step in moving if step < 0])
    x = xp.transpose(x, [axis for axis, _ in axes if axis is not None])
    x = xp.expand_dims(x, [k for k, (axis, _) in enumerate(axes) if axis is None])
    return xp.broadcast_to(x, shape)


def by_jax(sides):
    import jax
    import jax.numpy as jnp

    found, shape = dense_source(sides.case["src"]), sides.case["dst"].shape
    if not found or not sides.dst.flags.c_contiguous:
        return None
    extents, axes = found
    nbytes = math.prod(extents) * sides.src_dtype.itemsize
    whole = filled(nbytes, 0)
    whole[: min(nbytes, sides.src_bytes.size)] = sides.src_bytes[:nbytes]
    source = jnp.asarray(whole.view(sides.src_dtype).reshape(extents))

    # The memory of the last result is where the next one goes, so that none is allocated.
    run = jax.jit(lambda x, out: expressed(jnp, x, axes, shape).astype(sides.dtype), donate_argnums=1, keep_unused=True)
    kept = [run(source, jnp.zeros(shape, sides.dtype))]
    for array in (source, kept[0]):
        in_huge_pages(array.unsafe_buffer_pointer(), array.nbytes)

    def once():
        kept[0] = run(source, kept[0])
        kept[0].block_until_ready()
        return kept[0]

    return once


WAYS = {OURS: by_libsv, MEMCPY: by_memcpy, NUMPY: by_numpy, TORCH: by_torch, JAX: by_jax}


def openmp(count):
    """OpenMP's parallel-for as a capsule: a ThreadPoolExecutor takes 0.1 ms and more to share a copy."""
    library, api = ctypes.CDLL(PARALLEL.resolve()), ctypes.pythonapi
    if library.bench_parallel_most() < count:
        sys.exit(f"{count} threads, but {PARALLEL} was compiled without OpenMP")
    api.PyCapsule_New.restype, api.PyCapsule_New.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    api.PyCapsule_SetContext.argtypes = ctypes.py_object, ctypes.c_void_p
    capsule = api.PyCapsule_New(ctypes.cast(library.bench_parallel, ctypes.c_void_p), CAPSULE, None)
    api.PyCapsule_SetContext(capsule, count)
    return capsule


def set_threads(count, who):
    """Before PyTorch or JAX are imported. Returns those that are installed."""
    os.environ["NPROC"] = str(count)
    os.environ["JAX_PLATFORMS"] = "cpu"
    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cpus[:count])
    if count > 1:
        OUR_THREADS.update(executor=openmp(count), threads=count)
    found = {}
    for name, module in ((TORCH, "torch"), (JAX, "jax")):
        if name in who:
            try:
                found[name] = __import__(module)
            except ImportError:
                continue
    if TORCH in found:
        found[TORCH].set_num_threads(count)
    if JAX in found:
        found[JAX].config.update("jax_enable_x64", True)
    return [name for name in who if name not in (TORCH, JAX) or name in found]


# --- a race ---------------------------------------------------------------------


def runs_of(sides, who):
    """Those that can copy the case, each result verified against NumPy's."""
    sides.dst_bytes[:] = 0
    np.copyto(sides.dst, sides.src, casting="unsafe")
    expected = sides.dst_bytes.copy()
    runs = {}
    for name in who:
        run = WAYS[name](sides)
        if run is None:
            continue
        sides.dst_bytes[:] = 0
        if not sides.is_right(expected, run()) and name != MEMCPY:
            raise AssertionError(f"{sides.case['name']}: {name} copies something else")
        runs[name] = run
    return runs


def measure(case, who, rounds):
    sides = Sides(case)
    runs = runs_of(sides, who)
    times = {name: [] for name in runs}
    race(runs, rounds, times)
    if is_close(times, [MEMCPY]):
        race(runs, MOST_ROUNDS - rounds, times)
    row = {"name": case["name"], "nbytes": sides.nbytes}
    row["ns"] = {name: statistics.median(values) * 1e9 for name, values in times.items()}
    row["ahead"] = ahead(times)
    return row


def versions(who):
    names = {NUMPY: "numpy", TORCH: "torch", JAX: "jax"}
    return {name: version(names[name]) for name in who if name in names}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", help="where the result is written, as JSON")
    parser.add_argument("part", nargs="?", default="", help="of a case's name")
    parser.add_argument("-g", "--group", default="", help="what a case's group begins with")
    parser.add_argument("-c", "--cases", type=Path, default=CASES, help="another list")
    parser.add_argument("-n", "--first", type=int, default=sys.maxsize, help="so many of each group")
    parser.add_argument("-r", "--rounds", type=int, default=9)
    parser.add_argument("-t", "--threads", type=int, default=1)
    parser.add_argument("-w", "--without", action="append", default=[], choices=[NUMPY, TORCH, JAX])
    options = parser.parse_args()
    who = set_threads(options.threads, [name for name in WAYS if name not in options.without])
    missing = [name for name in WAYS if name not in who and name not in options.without]
    behind, out = Counter(), {"versions": versions(who), "missing": missing, "threads": options.threads, "rows": []}
    for case in read_cases(options.cases):
        behind[case["group"]] += 1
        wanted = options.part in case["name"] and case["group"].startswith(options.group)
        if wanted and behind[case["group"]] <= options.first:
            out["rows"].append(row := measure(case, who, options.rounds))
            ahead = "".join(f"  {name} {value:.2f}" for name, value in row["ahead"].items())
            print(f"{case['name']:<36} {row['ns'][OURS]:11.0f}{ahead}", flush=True)
            Path(options.file).write_text(json.dumps(out, indent=1))  # complete after each case


if __name__ == "__main__":
    main()
