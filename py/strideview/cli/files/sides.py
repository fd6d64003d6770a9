"""The two sides of a copy by blocks: what a box of elements takes in memory, and what it costs to read or to write it.

A box has an extent for each axis of the result. A side by strides is a file: a box of it is a number of equal runs of
bytes. A side by chunks is read and written by a library, as whole chunks.
"""

from __future__ import annotations

from itertools import accumulate
from math import gcd, prod
from typing import NamedTuple

ALIGNMENT = 64  # of runs in memory, which vectors load
# What one more call costs, in bytes that could be moved meanwhile. Measured: a read of the page cache takes about as long
# as 4 KiB more of it, a write about twice as long.
READ_CALL, WRITE_CALL = 4096, 8192
CHUNK_CALL = 1 << 16  # of a library


class Box(NamedTuple):
    """The runs of a box, and how they lie in memory one after another."""

    run: int  # bytes of each
    low: int  # of the first run in the file, from the element [0, ..., 0]
    extents: tuple[int, ...]  # how many runs there are, from the axis that steps farthest to the nearest
    steps: tuple[int, ...]  # between runs in the file
    pitches: tuple[int, ...]  # between runs in memory
    strides: tuple[int, ...]  # in memory, of each axis of the box
    first: int  # of the element [0, ..., 0] in memory
    nbytes: int  # of memory


class FileSide(NamedTuple):
    """Elements in a file, by byte strides that may be negative; no two elements share a byte."""

    strides: tuple[int, ...]
    itemsize: int
    call: int = READ_CALL
    bridge: int = READ_CALL  # gaps of fewer bytes are read as well: a call for each run costs more. 0: of a target

    @property
    def order(self) -> list[int]:
        """Axes from the one with the smallest step on."""
        return sorted(range(len(self.strides)), key=lambda axis: abs(self.strides[axis]))

    def joined(self, extents: tuple[int, ...]) -> tuple[int, set[int]]:
        """(bytes of a run, the axes that lie within it)"""
        span, within = self.itemsize, set()
        for axis in self.order:
            if extents[axis] == 1:
                continue
            gap = abs(self.strides[axis]) - span
            if gap > 0 and gap >= self.bridge:
                break
            span += (extents[axis] - 1) * abs(self.strides[axis])
            within.add(axis)
        return span, within

    def nbytes(self, extents: tuple[int, ...]) -> int:
        span, within = self.joined(extents)
        runs = prod(extent for axis, extent in enumerate(extents) if axis not in within)
        return span if runs == 1 else runs * (-(-span // ALIGNMENT) * ALIGNMENT)

    def cost(self, extents: tuple[int, ...], shape: tuple[int, ...]) -> float:
        """Of all boxes with these extents together."""
        span, within = self.joined(extents)
        runs = prod(-(-shape[axis] // extents[axis]) if axis in within else shape[axis] for axis in range(len(shape)))
        return runs * (self.call + span)

    def box(self, extents: tuple[int, ...]) -> Box:
        span, within = self.joined(extents)
        outer = [axis for axis in reversed(self.order) if axis not in within and extents[axis] > 1]
        counts = tuple(extents[axis] for axis in outer)
        pitch = -(-span // ALIGNMENT) * ALIGNMENT if outer else span
        pitches = tuple(accumulate(counts[:0:-1], lambda a, b: a * b, initial=pitch))[::-1] if outer else ()
        strides = list(self.strides)
        for axis, length in zip(outer, pitches):
            strides[axis] = length if strides[axis] > 0 else -length
        backwards = [axis for axis, stride in enumerate(self.strides) if stride < 0]
        low = sum((extents[axis] - 1) * self.strides[axis] for axis in backwards)
        first = sum((extents[axis] - 1) * -strides[axis] for axis in backwards)
        steps = tuple(abs(self.strides[axis]) for axis in outer)
        return Box(span, low, counts, steps, pitches, tuple(strides), first, self.nbytes(extents))

    def start(self, begin: tuple[int, ...]) -> int:
        """Where an element is, from the element [0, ..., 0]."""
        return sum(index * stride for index, stride in zip(begin, self.strides))

    def fronts(self, shape: tuple[int, ...], unit: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The boxes among which runs become longer: axes are full in the order of their steps, one of them in part."""
        found, box = [unit], list(unit)
        for axis in self.order:
            for extent in parts(shape[axis]):
                box[axis] = max(extent, unit[axis])
                found.append(tuple(box))
            box[axis] = shape[axis]
        return list(dict.fromkeys(found))


class ChunkSide(NamedTuple):
    """Chunks along each axis of the result, of which a library reads or writes whole ones."""

    chunks: tuple[int, ...]
    itemsize: int
    starts: tuple[int, ...]  # of the result, within the first chunk
    copies: int = 1  # how many blocks the library itself keeps

    def nbytes(self, extents: tuple[int, ...]) -> int:
        return prod(extents) * self.itemsize * self.copies

    def touched(self, axis: int, extent: int, whole: int) -> int:
        """Chunks that the boxes meet along an axis, those that two boxes meet counted twice."""
        chunk, start = self.chunks[axis], self.starts[axis]
        inner = -(-whole // extent) - 1  # where one box ends and the next begins
        step = gcd(extent, chunk)
        at_both = 0  # a chunk, too, ends there: start + k * extent is a multiple of chunk, for k from 1 to inner
        if start % step == 0:
            period = chunk // step
            first = -start // step * pow(extent // step, -1, period) % period
            at_both = (inner - first) // period + (first > 0) if inner >= first else 0
        return (start + whole - 1) // chunk - start // chunk + 1 + inner - at_both

    def cost(self, extents: tuple[int, ...], shape: tuple[int, ...]) -> float:
        chunks = prod(self.touched(axis, extent, whole) for axis, (extent, whole) in enumerate(zip(extents, shape)))
        calls = prod(-(-whole // extent) for extent, whole in zip(extents, shape))
        return chunks * prod(self.chunks) * self.itemsize + calls * CHUNK_CALL

    def fronts(self, shape: tuple[int, ...], unit: tuple[int, ...]) -> list[tuple[int, ...]]:
        whole = tuple(min(max(chunk, least), extent) for chunk, least, extent in zip(self.chunks, unit, shape))
        return list(dict.fromkeys([unit, whole]))


Side = FileSide | ChunkSide


def parts(extent: int) -> list[int]:
    """Extents of a part of an axis that are worth a try: all that make another number of equal parts, or of powers of 2."""
    if extent <= 16:
        return sorted({-(-extent // count) for count in range(1, extent + 1)})
    powers = [1 << k for k in range(extent.bit_length()) if 1 << k < extent]
    return sorted({-(-extent // -(-extent // power)) for power in powers} | {extent})
