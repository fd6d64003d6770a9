"""What `run tune` asks a device: for each constant of src/gpu/ that was chosen without one, copies around it.

Nothing of the library is changed for it. Where a constant decides between two ways, both are done at every size: the
one that the library does not take is put together from what it offers, such as a plan for the device's memory that is
executed with the address of pinned memory. Where it does not, the library's own speed is told on both sides.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import strideview as sv
from tune_tools import SIDES, START, one_after_another, side_of

LIBSV = "libsv"
PIECES = 64  # of a batch
BLOCK = 1 << 20  # bytes of pinned memory that is freed
GAP, ODD_GAP = 64, 4  # bytes between rows
SMALLEST_SLOT = 4096  # bytes


class Question(NamedTuple):
    name: str
    constant: str  # as the file has it; "" where there is none yet
    file: str
    value: int
    unit: str  # of what is varied
    text: str  # below the constant the first way is taken, from it on the second
    trials: Callable  # of Tools: (what is varied, bytes that are copied, {way: function, or ns that it has measured})


# What cannot be asked from outside.
NOT_ASKED = """\
Not asked, since the library has to be built anew for it: BAND (src/gpu/launch_tile.c) of 1, 4 and 8 tiles; MOST_TILES
(src/gpu/launch_box.c); the blocks of a multiprocessor that kernels are compiled for (__launch_bounds__). Not asked,
since it takes a profiler: bytes of the memory's traffic at odd pitches (ncu --metrics dram__bytes.sum bin/cuda)."""


# --- one kernel or another --------------------------------------------------------


def dense_copies(tools):
    """The same bytes as two runs with a gap between them are a kernel's."""
    for nbytes in tools.sizes():
        half = nbytes // 8
        rows = (2, half), (half + GAP // 4, 1), (half + GAP // 4, 1)
        yield nbytes, nbytes, {"line_16": tools.on_device(*rows), "the driver's copy": tools.dense(nbytes)}


def row_widths(gap):
    def trials(tools):
        for width in (64, 128, 256, 512, 1024, 1536, 2032, 2048, 3072, 4096, 8192):
            count, items = max(2, tools.most // (width + gap)), width // 4
            yield width, count * width, {LIBSV: tools.on_device((count, items), (items, 1), (items + gap // 4, 1))}

    return trials


def short_rows(tools):
    for width in (16, 32, 48, 60, 64, 80, 96, 128):
        count, items = tools.most // (width + ODD_GAP), width // 4
        yield width, count * width, {LIBSV: tools.on_device((count, items), (items, 1), (items + ODD_GAP // 4, 1))}


def transposes(tools):
    for nbytes in tools.sizes(sorted((1024, 2048, 8192, 15876, *SIDES))):
        side = side_of(nbytes)
        yield nbytes, side * side * 4, {LIBSV: tools.on_device((side, side), (side, 1), (1, side))}


def short_runs(tools):
    for items in (2, 3, 4, 8, 12, 15, 16, 24, 32, 64):
        other = tools.most // (4 * items)
        yield 4 * items, 4 * items * other, {LIBSV: tools.on_device((other, items), (items, 1), (1, other))}


def short_repeats(tools):
    for width in (32, 48, 60, 64, 96, 128, 256, 512, 1024, 4096, 8192):
        items, count = width // 4, tools.most // width
        yield width, count * width, {"repeated": tools.on_device((count, items), (items, 1), (1, 0)),
                                     "reversed": tools.on_device((count, items), (items, 1), (items, -1),
                                                                 offsets=(0, width - 4))}


def odd_pitches(tools):
    """Which side costs: loads from an odd pitch, stores to one, both; beside even ones."""
    for itemsize, dtype in ((1, "uint8"), (2, "uint16"), (4, "float32"), (8, "float64")):
        side = int((tools.most / itemsize) ** 0.5) // 128 * 128 or 64
        even = (side, side), (side, 1), (1, side)
        ways = {"aligned": tools.on_device(*even, dtype=dtype)}
        for name, to, of in (("source odd", 0, 1), ("destination odd", 1, 0), ("both odd", 1, 1)):
            ways[name] = tools.on_device((side, side), (side + to, 1), (1, side + of), dtype=dtype)
        yield itemsize, side * side * itemsize, ways


def bytes_in_steps(tools):
    for step in (1, 2, 3, 4, 8):
        count = tools.most // 4
        yield step, count, {LIBSV: tools.on_device((count // 64, 64), (64, 1), (64 * step, step), dtype="uint8")}


def boxes(tools):
    """Many axes of two items: more and more tiles, first one for each block, then up to 16."""
    for nbytes in tools.sizes():
        outer = nbytes // 4 // 64
        shape, inner = (outer, 2, 2, 2, 2, 2, 2), (1, 2, 4, 8, 16, 32)
        yield nbytes, outer * 256, {LIBSV: tools.on_device(shape, None, (64, *inner))}


# --- over the link ------------------------------------------------------------------


def to_device(tools):
    """A transpose from pinned memory: by a kernel that reads it, or in two steps."""
    dst, src, scratch = tools.buffer("dst", "device"), tools.buffer("src", "pinned"), tools.buffer("src", "device")
    for nbytes in tools.sizes():
        side = side_of(nbytes)
        turned = (side, side), (side, 1), (1, side)
        move = tools.machine.copy

        def bring(nbytes=side * side * 4):
            move(scratch.handle + START, src.handle + START, nbytes, tools.stream)

        yield nbytes, side * side * 4, {"mapped": tools.mapped(dst, src, *turned),
                                        "staged": one_after_another(bring, tools.planned(dst, scratch, *turned)),
                                        LIBSV: tools.planned(dst, src, *turned)}


def from_device(tools):
    """The other way round."""
    dst, src, scratch = tools.buffer("dst", "pinned"), tools.buffer("src", "device"), tools.buffer("dst", "device")
    for nbytes in tools.sizes():
        side = side_of(nbytes)
        turned = (side, side), (side, 1), (1, side)
        move = tools.machine.copy

        def take(nbytes=side * side * 4):
            move(dst.handle + START, scratch.handle + START, nbytes, tools.stream)

        yield nbytes, side * side * 4, {"mapped": tools.mapped(dst, src, *turned),
                                        "staged": one_after_another(tools.planned(scratch, src, *turned), take),
                                        LIBSV: tools.planned(dst, src, *turned)}


def pinned_rows(tools):
    """Rows from pinned memory: by a kernel that reads it, or by the copy engine."""
    dst, src = tools.buffer("dst", "device"), tools.buffer("src", "pinned")
    for width in (64, 128, 256, 384, 512, 768, 1024, 2048, 4096):
        items, count = width // 4, tools.most // (width + GAP)
        rows, pitch = ((count, items), (items, 1), (items + GAP // 4, 1)), width + GAP

        def engine(width=width, count=count, pitch=pitch):
            tools.machine.copy_rows(dst.handle + START, width, src.handle + START, pitch, width, count, tools.stream)

        yield width, width * count, {"mapped": tools.mapped(dst, src, *rows), "pitched": engine,
                                     LIBSV: tools.planned(dst, src, *rows)}


def batch_pieces(kind):
    """Many dense copies of a size: one launch of a kernel, or a call of the driver for each."""
    def trials(tools):
        dst, src = tools.buffer("dst", "device"), tools.buffer("src", kind)
        for nbytes in tools.sizes((512, 2048, 8192, 32768, 65536, 131072, 524288, 1048576)):
            count = min(PIECES, tools.most // nbytes)
            pairs = [[buffer.view("uint8", (nbytes,), None, offset=START + k * nbytes) for k in range(count)]
                     for buffer in (dst, src)]

            def each(nbytes=nbytes, count=count):
                for k in range(count):
                    place = START + k * nbytes
                    tools.machine.copy(dst.handle + place, src.handle + place, nbytes, tools.stream)

            yield nbytes, count * nbytes, {"one launch": lambda pairs=pairs: sv.copy_batch(*pairs, stream=tools.stream),
                                           "a call each": each}

    return trials


def rings(slots):
    """Ordinary memory to the device through slots of pinned memory, a stream for each: sizes of a slot."""
    def trials(tools):
        nbytes, machine = tools.most, tools.machine
        dst, src, ring = tools.buffer("dst", "device"), tools.buffer("src", "host"), tools.buffer("src", "pinned")
        streams = [machine.new_stream() for _ in range(slots)]
        of_libsv = tools.planned(dst, src, (nbytes // 512, 64), (64, 1), (128, 2))
        for chunk in (nbytes >> k for k in range(8, 2, -1)):  # of 64 MiB: 256 KiB to 8 MiB
            if chunk < SMALLEST_SLOT:
                continue
            items = chunk // 4
            views = [(ring.view("float32", (items // 64, 64), None, offset=k % slots * chunk),
                      src.view("float32", (items // 64, 64), (128, 2), offset=START + 2 * k * chunk))
                     for k in range(nbytes // 2 // chunk)]

            def run(views=views, chunk=chunk):
                for k, (slot, part) in enumerate(views):
                    stream = streams[k % slots]
                    machine.wait(stream)
                    sv.copy(slot, part)
                    machine.copy(dst.handle + START + k * chunk, slot.ptr, chunk, stream)
                for stream in streams:
                    machine.wait(stream)

            yield chunk, nbytes // 2, {f"{slots} slots": run, LIBSV: of_libsv}
        for stream in streams:
            machine.end_stream(stream)

    return trials


def freeing(tools):
    """How long the host takes to free pinned memory that nothing uses, while a stream copies and while none does."""
    work, machine = tools.dense(tools.most), tools.machine
    for calls in (0, 100):
        free = machine.pinned_block(BLOCK)
        machine.wait(tools.stream)
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        given = time.perf_counter()
        free()
        freed = time.perf_counter()
        machine.wait(tools.stream)
        ns = {"free": (freed - given) * 1e9, "until all is done": (time.perf_counter() - begin) * 1e9}
        yield calls, calls * tools.most, ns


QUESTIONS = [
    Question("dense copies", "", "src/gpu/kernel_copy.c", 0, "bytes",
             "from which size the driver's copy is as fast as a kernel", dense_copies),
    Question("aligned rows", "LONG_ROW", "src/gpu/launch_line.c", 2048, "bytes of a row",
             "rows below go by rows or flat, others by line", row_widths(GAP)),
    Question("unaligned rows", "", "src/gpu/launch_line.c", 0, "bytes of a row", "the same, for any alignment",
             row_widths(ODD_GAP)),
    Question("short unaligned rows", "SHORT_ROW", "src/gpu/launch_line.c", 64, "bytes of a row",
             "rows below go item by item, as do those whose words have four bytes", short_rows),
    Question("repeated and reversed rows", "SHORTEST_ROW", "src/gpu/launch_row.c", 64, "bytes of a row",
             "rows below go item by item", short_repeats),
    Question("small transposes", "LEAST", "src/gpu/launch_box.c", 4096, "bytes",
             "below by flat; from it on by the family that launch_cost.h estimates to be the fastest", transposes),
    Question("transposes with short runs", "SHORTEST_RUN", "src/gpu/launch_tile.c", 64, "bytes of the shorter run",
             "below by channels or permute, others by tile where the estimate says so", short_runs),
    Question("many tiles of short axes", "BLOCKS", "src/gpu/launch_permute.c", 528, "bytes",
             "a block has more tiles than one only where there are more than so many blocks", boxes),
    Question("odd pitches", "", "src/gpu/cuda/kernels/tile.cu", 0, "bytes of an item",
             "whether partial sectors merge in the second-level cache: stores to odd pitches near aligned ones",
             odd_pitches),
    Question("bytes in steps", "", "src/gpu/cuda/kernels/permute.cu", 0, "step", "whole sectors by vectors, once",
             bytes_in_steps),
    Question("small transposes from pinned memory", "svi_gpu_chunk_nbytes", "src/gpu/ring.c", 4194304, "bytes",
             "mapped below, staged from it on", to_device),
    Question("small transposes to pinned memory", "svi_gpu_chunk_nbytes", "src/gpu/ring.c", 4194304, "bytes",
             "mapped below, staged from it on", from_device),
    Question("rows from pinned memory", "SHORTEST_ROW", "src/gpu/pitched.c", 512, "bytes of a row",
             "mapped below, by the copy engine from it on", pinned_rows),
    Question("batches within a device", "MOST", "src/gpu/batched_copy.c", 1048576, "bytes of a copy",
             "by one launch up to it, one by one above", batch_pieces("device")),
    Question("batches from pinned memory", "MOST_MAPPED", "src/gpu/batched_copy.c", 65536, "bytes of a copy",
             "by one launch up to it, one by one above", batch_pieces("pinned")),
    Question("freeing pinned memory", "", "src/memory/deferred.c", 0, "copies under way",
             "whether a free waits for other work, as is assumed", freeing),
    Question("a ring of two slots", "SVI_GPU_SLOTS", "src/gpu/ring.h", 4, "bytes of a slot", "fewer slots", rings(2)),
    Question("a ring of four slots", "svi_gpu_chunk_nbytes", "src/gpu/ring.c", 4194304, "bytes of a slot",
             "libsv's own, beside smaller and larger ones", rings(4)),
    Question("a ring of eight slots", "SVI_GPU_SLOTS", "src/gpu/ring.h", 4, "bytes of a slot", "more slots",
             rings(8)),
]
