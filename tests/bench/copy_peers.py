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
import timeit
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import ml_dtypes
import numpy as np

import strideview as sv

CASES = Path(__file__).with_name("copy_cases.txt")
OURS, MEMCPY, NUMPY, TORCH, JAX = "libsv", "memcpy", "NumPy", "PyTorch", "JAX"
BATCH = 1e-3  # seconds that short copies are repeated for
HUGE, MADV_COLLAPSE = 2 << 20, 25
SLOW, SLOW_ROUNDS = 0.15, 3  # a copy of more seconds runs in so many rounds only

libc = ctypes.CDLL(None)
for name in ("memcpy", "memcmp"):
    getattr(libc, name).argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


# --- cases ------------------------------------------------------------------


def dtype_of(name):
    """ml_dtypes has those that NumPy lacks."""
    return np.dtype(getattr(ml_dtypes, name, name))


def read_cases(path=CASES):
    """Every line of the list; dst and src are layouts, and src_dtype is a field of its own."""
    fields = ("group", "name", "dtype", "dst", "src", "unit", "target", "kind", "kernel")
    found = []
    for line in Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            case = dict(zip(fields, (text.strip() for text in line.split("|")), strict=True))
            src_dtype, arrow, dtype = case["dtype"].partition("->")
            case["src_dtype"], case["dtype"] = dtype_of(src_dtype), dtype_of(dtype if arrow else src_dtype)
            case["dst"], case["src"] = (sv.StridedLayout.parse(case[side]) for side in ("dst", "src"))
            found.append(case)
    return found


def span(layout):
    """Bytes from the address that a layout counts from to the end of its last element."""
    forward = sum((n - 1) * stride for n, stride in zip(layout.shape, layout.strides_in_bytes) if stride > 0)
    return layout.slice_offset_in_bytes + forward + layout.itemsize


def filled(nbytes, value):
    """Bytes from the start of a huge page: NumPy's own begin 16 bytes behind the start of a page."""
    memory = np.empty(nbytes + HUGE, np.uint8)
    begin = -memory.ctypes.data % HUGE
    memory[:] = value
    return memory[begin : begin + nbytes]


def in_huge_pages(address, nbytes):
    """Other memory, where the system can still do that."""
    begin, end = -(-address // HUGE) * HUGE, (address + nbytes) // HUGE * HUGE
    if end > begin:
        libc.madvise(begin, end - begin, MADV_COLLAPSE)


class Sides:
    """Memory for a case: bytes of both sides, and NumPy's views of them."""

    def __init__(self, case):
        self.case, self.dtype, self.src_dtype = case, case["dtype"], case["src_dtype"]
        self.converts = self.dtype != self.src_dtype
        self.dst_bytes, self.src_bytes = (self.allocate(span(case[side])) for side in ("dst", "src"))
        self.nbytes = math.prod(case["dst"].shape) * (self.dtype.itemsize + self.src_dtype.itemsize) // 2
        self.fill()
        self.dst, self.src = self.view("dst"), self.view("src")

    def allocate(self, nbytes):
        return filled(-(-nbytes // 64) * 64, 0)

    def fill(self):
        """Numbers without rule; floats between 1 and 2; 0 to 63 where the copy converts."""
        if self.converts:
            numbers = self.src_bytes.view(self.src_dtype)
            numbers[:] = np.arange(numbers.size, dtype=np.uint32) * np.uint32(0x9E3779B1) >> np.uint32(26)
            return
        words = self.src_bytes.view(np.uint32)
        words[:] = np.arange(words.size, dtype=np.uint32)
        words *= np.uint32(0x9E3779B1)
        words ^= words >> np.uint32(15)
        kind = self.dtype.kind
        if kind in "fc":
            part = {2: np.uint16, 4: np.uint32, 8: np.uint64}[self.dtype.itemsize // (2 if kind == "c" else 1)]
            one = np.ones(1, f"f{np.dtype(part).itemsize}")
            parts = self.src_bytes.view(part)
            parts &= np.array([(1 << np.finfo(one.dtype).nmant) - 1], part)
            parts |= one.view(part)

    def view(self, side):
        layout, memory, dtype = self.case[side], *self.side(side)
        return np.ndarray(layout.shape, dtype, memory, layout.slice_offset_in_bytes, layout.strides_in_bytes)

    def side(self, side):
        return (self.dst_bytes, self.dtype) if side == "dst" else (self.src_bytes, self.src_dtype)

    def is_right(self, expected, result=None):
        """Whether the destination, or an array that was made instead, has these bytes of a destination."""
        if result is None:
            return libc.memcmp(self.dst_bytes.ctypes.data, expected.ctypes.data, expected.nbytes) == 0
        result = np.asarray(result)
        begin = self.case["dst"].slice_offset_in_bytes
        return libc.memcmp(result.ctypes.data, expected[begin:].ctypes.data, result.nbytes) == 0


# --- who copies ---------------------------------------------------------------
# Each makes a function without arguments; or None where it has no way to say what is copied. That function returns
# nothing when it has written to dst, else what it made.


def by_libsv(sides):
    dst, src = sv.view(sides.dst), sv.view(sides.src)
    if sides.converts:
        return lambda: sv.copy(dst, src, casting="unsafe")
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
    item, inner, offset = src.itemsize, src.itemsize, src.slice_offset_in_bytes
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


def set_threads(count, who):
    """Before PyTorch or JAX are imported. Returns those that are installed."""
    os.environ["NPROC"] = str(count)
    os.environ["JAX_ENABLE_X64"] = "1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cpus[:count])
    found = {}
    for name, module in ((TORCH, "torch"), (JAX, "jax")):
        if name in who:
            try:
                found[name] = __import__(module)
            except ImportError:
                continue
    if TORCH in found:
        found[TORCH].set_num_threads(count)
    return [name for name in who if name not in (TORCH, JAX) or name in found]


# --- a race ---------------------------------------------------------------------


def seconds_of(run):
    once = timeit.timeit(run, number=1)
    if once >= BATCH:
        return once
    calls = max(1, int(BATCH / (once + 1e-7)))
    return timeit.timeit(run, number=calls) / calls


def race(runs, rounds):
    """Seconds of each run in each round, in turns."""
    times = {name: [] for name in runs}
    for k in range(rounds):
        for name, run in runs.items():
            if k < SLOW_ROUNDS or times[name][-1] < SLOW:
                times[name].append(seconds_of(run))
    return times


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
    times = race(runs_of(sides, who), rounds)
    row = {"name": case["name"], "nbytes": sides.nbytes}
    row["ns"] = {name: statistics.median(values) * 1e9 for name, values in times.items()}
    row["ahead"] = {name: statistics.median(a / b for a, b in zip(values, times[OURS]))
                    for name, values in times.items() if name != OURS}
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
    behind, out = Counter(), {"versions": versions(who), "threads": options.threads, "rows": []}
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
