"""Copies that a device does, compared bit for bit with the host engine's: the memory around the destination, too.

Each suite is a generator of (group, name, function), and the function tells what is wrong, or "".
"""

import itertools
import random
import tempfile
from array import array
from functools import partial
from pathlib import Path

import check_cases
import copy_random
from copy_list import read_lines, span

import strideview as sv

GUARD = 64  # bytes on both sides of the memory of a copy
ROOM = 16 << 20
BATCH = 150  # copies, more than one launch does


class Ground:
    """Memory of every kind for both sides, allocated once: bytes of each buffer, and in front of what is copied."""

    def __init__(self, room=ROOM, guard=GUARD):
        self.room, self.guard, self.buffers, self.random = room, guard, {}, random.Random(1)

    def buffer(self, side, kind):
        if (side, kind) not in self.buffers:
            self.buffers[side, kind] = getattr(sv.MemoryResource, kind)().allocate(self.room)
        return self.buffers[side, kind]

    def views(self, kinds, case):
        """Views of the layouts of a case in memory of these kinds."""
        return [self.buffer(side, kind).view(dtype, layout, offset=self.guard)
                for side, kind, dtype, layout in zip(("dst", "src"), kinds, (case["dtype"], case["src_dtype"]),
                                                     (case["dst"], case["src"]))]

    def contents(self, case):
        """Bytes for both sides: any, but numbers of 0 to 127 where the copy converts integers, or to integers."""
        sizes = [span(case[side]) + 2 * GUARD for side in ("dst", "src")]
        found = [self.random.randbytes(size) for size in sizes]
        dtypes = {case["dtype"], case["src_dtype"]}
        if len(dtypes) == 2 and not dtypes <= set(check_cases.FLOATING):
            count = sizes[1] // case["src"].itemsize + 1
            numbers = sv.empty((count,), case["src_dtype"])
            small = bytes(byte & 127 for byte in self.random.randbytes(count))
            sv.copy(numbers, sv.view(small), casting="unsafe")
            found[1] = (bytes(GUARD) + numbers.tobytes())[: sizes[1]]  # the first number lies behind the guard
        return found

    def bytes_after(self, kinds, case, contents, do):
        """Bytes of the destination, all of its surroundings included, when do(dst, src) has copied."""
        for side, kind, data in zip(("dst", "src"), kinds, contents):
            self.buffer(side, kind).write(data)
        do(*self.views(kinds, case))
        return self.buffer("dst", kinds[0]).read(0, len(contents[0]))

    def fault(self, kinds, case, do):
        """What is wrong with a copy; ""."""
        options = options_of(case)
        contents = self.contents(case)
        expected = self.bytes_after(("host", "host"), case, contents, lambda dst, src: sv.copy(dst, src, **options))
        try:
            found = self.bytes_after(kinds, case, contents, lambda dst, src: do(dst, src, **options))
        except (BufferError, MemoryError, OSError, RuntimeError, TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
        if found == expected:
            return ""
        wrong = [k for k in range(len(found)) if found[k] != expected[k]]
        return f"{len(wrong)} bytes differ, the first at {wrong[0] - GUARD}"


def options_of(case):
    """Those of copy() that do a case."""
    converts = case["dtype"] != case["src_dtype"]
    return {**({"casting": "unsafe"} if converts else {}), **case.get("options", {})}


def words(kinds):
    return f"{kinds[0]} from {kinds[1]}"


def ways(machine, stream):
    """Ways to copy, which take turns: by the legacy default stream and by one of its own, with and without waiting."""
    def later(dst, src, **options):
        sv.copy(dst, src, stream=stream, blocking=False, **options)
        machine.wait(stream)

    def planned(dst, src, **options):
        sv.Plan(dst, src, **options).execute(dst, src, stream=stream)
        machine.wait(stream)

    return [lambda dst, src, **options: sv.copy(dst, src, blocking=True, **options), later, planned]


def layouts(ground, machine):
    """Layouts x sizes of items x directions."""
    with machine.stream() as stream:
        todo = itertools.cycle(ways(machine, stream))
        for name, dst, src in check_cases.pairs():
            for itemsize, dtype in check_cases.ITEMSIZES.items():
                case = {"dtype": dtype, "src_dtype": dtype, "dst": check_cases.layout_of(dst, itemsize),
                        "src": check_cases.layout_of(src, itemsize)}
                for kinds in check_cases.DIRECTIONS:
                    yield words(kinds), f"{name}, items of {itemsize}", partial(ground.fault, kinds, case, next(todo))


def conversions(ground, machine):
    """Pairs of dtypes x layouts x directions."""
    texts = {name: sides for name, *sides in check_cases.pairs()}
    for dtype, src_dtype in check_cases.CONVERSIONS:
        sizes = [sv.empty((1,), name).itemsize for name in (dtype, src_dtype)]
        for name in check_cases.CONVERTED:
            dst, src = (check_cases.layout_of(text, size) for text, size in zip(texts[name], sizes))
            case = {"dtype": dtype, "src_dtype": src_dtype, "dst": dst, "src": src}
            for kinds in check_cases.DIRECTIONS:
                yield (f"conversions, {words(kinds)}", f"{name}, {src_dtype} to {dtype}",
                       partial(ground.fault, kinds, case, partial(sv.copy, blocking=True)))


def scales(ground, machine):
    """Dtypes x layouts x directions, with a scale and a bias for each index of an axis, or one of each."""
    texts = {name: sides for name, *sides in check_cases.pairs()}
    for dtype, src_dtype in check_cases.SCALES:
        sizes = [sv.empty((1,), name).itemsize for name in (dtype, src_dtype)]
        for number, name in enumerate(check_cases.CONVERTED):
            dst, src = (check_cases.layout_of(text, size) for text, size in zip(texts[name], sizes))
            axis = number % dst.ndim
            values = [(k % 17 - 8) / 16 for k in range(dst.shape[axis])]
            options = [{"scale": 1 / 255, "bias": -0.5}, {"scale": values, "axis": axis},
                       {"scale": 3, "bias": values, "axis": axis}][number % 3]
            case = {"dtype": dtype, "src_dtype": src_dtype, "dst": dst, "src": src, "options": options}
            for kinds in check_cases.DIRECTIONS:
                yield (f"scales, {words(kinds)}", f"{name}, {src_dtype} to {dtype}",
                       partial(ground.fault, kinds, case, partial(sv.copy, blocking=True)))


def random_copies(ground, machine, count=200, seed=1, most=1 << 20):
    """Those of tests/bench/copy_random.py, with memory of kinds that take turns."""
    with tempfile.TemporaryDirectory() as folder, machine.stream() as stream:
        path = Path(folder, "random.txt")
        path.write_text("\n".join(copy_random.cases(seed=seed, count=count, least=64, most=most)))
        todo = ways(machine, stream)
        for k, case in enumerate(read_lines(path)):
            kinds = check_cases.DIRECTIONS[k % len(check_cases.DIRECTIONS)]
            yield ("random copies", f"{case['name']}, {words(kinds)}",
                   partial(ground.fault, kinds, case, todo[k % len(todo)]))


def addresses_of(dst, src):
    """Two arrays of the host, or of the device where both sides are of one."""
    arrays = [sv.view(array("q", [view.ptr for view in side])) for side in (dst, src)]
    return [each.to(memory="device") for each in arrays] if dst[0].device[0] == src[0].device[0] == 2 else arrays


def in_batch(by, machine):
    """Copies each row of the views by a batch."""
    def do(dst, src, **options):
        pairs = [dst[k] for k in range(BATCH)], [src[k] for k in range(BATCH)]
        if by == "plan":
            sv.Plan(pairs[0][0], pairs[1][0], **options).execute_batch(*pairs)
        elif by == "table":
            with machine.stream() as stream:
                sv.Plan(pairs[0][0], pairs[1][0], **options).execute_table(*addresses_of(*pairs), stream)
                machine.wait(stream)
        else:
            sv.copy_batch(*pairs, blocking=True, **options)

    return do


def batched_numbers():
    """(name, case) of batches that convert or scale, by a number or by one for each index of the last axis."""
    sides = [check_cases.layout_of(text, size) for text, size in ((f"({BATCH}, 9, 8)*S", 4), (f"({BATCH}, 9, 8):(72, 1, 9)*S", 1))]
    for name, options in (("converted", {}), ("scaled", {"scale": 1 / 3, "bias": -0.5}),
                          ("scaled along an axis", {"scale": [k / 7 for k in range(8)], "axis": -1})):
        yield name, {"dtype": "float32", "src_dtype": "uint8", "dst": sides[0], "src": sides[1], "options": options}


def batches(ground, machine):
    """Many small copies in one call, dense, transposed, converted and scaled."""
    for name, case in batched_numbers():
        for kinds in check_cases.DIRECTIONS:
            for by in ("views", "plan", "table"):
                yield "batches", f"{name}, {words(kinds)}, by {by}", partial(ground.fault, kinds, case, in_batch(by, machine))
    for itemsize, dtype in check_cases.ITEMSIZES.items():
        for name, src in (("dense", f"({BATCH}, 9, 8)*S"), ("transposed", f"({BATCH}, 9, 8):(72, 1, 9)*S")):
            case = {"dtype": dtype, "src_dtype": dtype, "dst": check_cases.layout_of(f"({BATCH}, 9, 8)*S", itemsize),
                    "src": check_cases.layout_of(src, itemsize)}
            for kinds in check_cases.DIRECTIONS:
                for by in ("views", "plan", "table"):
                    yield ("batches", f"{name}, items of {itemsize}, {words(kinds)}, by {by}",
                           partial(ground.fault, kinds, case, in_batch(by, machine)))


def captured(machine, stream):
    """Copies by the launch of a graph: the capture itself moves nothing."""
    def do(dst, src):
        with machine.graph(stream, lambda: sv.copy(dst, src, stream=stream, blocking=False)) as graph:
            for _ in range(2):
                machine.launch_graph(graph, stream)

    return do


def captures(ground, machine):
    """Copies within a device, and with pinned memory, recorded and launched twice."""
    with machine.stream() as stream:
        for name, dst, src in check_cases.pairs():
            for kinds in (("device", "device"), ("device", "pinned"), ("pinned", "device")):
                case = {"dtype": "float32", "src_dtype": "float32", "dst": check_cases.layout_of(dst, 4),
                        "src": check_cases.layout_of(src, 4)}
                yield ("captures", f"{name}, {words(kinds)}",
                       partial(ground.fault, kinds, case, captured(machine, stream)))


SUITES = [layouts, conversions, scales, random_copies, batches, captures]
