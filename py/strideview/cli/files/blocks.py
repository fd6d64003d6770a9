"""Which blocks a copy between files goes by: plan_blocks().

A block is a box of the result: it is read, rearranged and written. Long runs of the source want a box that is long along
one axis, long runs of the target one along another, and both buffers together must not take more than a limit. What a
box costs depends on the lengths of its runs alone, that is on which axes are full from the one with the smallest step
on, and how much of the next axis there is. So the best box is the union of one such box of the source and one of the
target; all pairs are tried, and the best is then grown along single axes while that still saves something.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from ..errors import FAILED, CommandError
from ..quantities import human
from .sides import ChunkSide, FileSide, Side

TARGET_BUFFERS = 2  # one is written while the next is filled


@dataclass(frozen=True)
class Blocks:
    """Boxes that together are an array, each element in one of them."""

    shape: tuple[int, ...]
    extents: tuple[int, ...]  # of a box; those at the ends may be smaller
    order: tuple[int, ...]  # axes, the slowest first
    source_bytes: int
    target_bytes: int  # of one buffer

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(-(-whole // extent) for whole, extent in zip(self.shape, self.extents))

    @property
    def number(self) -> int:
        return prod(self.counts)

    @property
    def nbytes(self) -> int:
        """Of all buffers."""
        return self.source_bytes + self.target_bytes * min(self.number, TARGET_BUFFERS)

    def __iter__(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """(first index, extents) of each block."""
        for numbers in product(*(range(self.counts[axis]) for axis in self.order)):
            begin = [0] * len(self.shape)
            for axis, number in zip(self.order, numbers):
                begin[axis] = number * self.extents[axis]
            yield tuple(begin), tuple(min(extent, whole - first) for extent, whole, first in zip(self.extents, self.shape, begin))


class Search:
    """Boxes compared by what they cost, of those that fit into memory."""

    def __init__(self, shape: tuple[int, ...], source: Side, target: Side, limit: int) -> None:
        self.shape, self.source, self.target, self.limit = shape, source, target, limit
        chunks = target.chunks if isinstance(target, ChunkSide) else (1,) * len(shape)
        self.unit = tuple(min(chunk, extent) for chunk, extent in zip(chunks, shape))

    def memory(self, extents: tuple[int, ...]) -> int:
        buffers = 1 if extents == self.shape else TARGET_BUFFERS
        return self.source.nbytes(extents) + buffers * self.target.nbytes(extents)

    def cost(self, extents: tuple[int, ...]) -> tuple[float, int]:
        """Of two boxes with equal costs the larger one is better, for there are fewer of them."""
        both = self.source.cost(extents, self.shape) + self.target.cost(extents, self.shape)
        return both, prod(-(-whole // extent) for whole, extent in zip(self.shape, extents))

    def whole_units(self, extents: tuple[int, ...]) -> tuple[int, ...]:
        """No chunk of the target is written in two parts."""
        return tuple(min(-(-extent // unit) * unit, whole) for extent, unit, whole in zip(extents, self.unit, self.shape))

    def best_pair(self) -> tuple[int, ...]:
        found, least = self.unit, self.cost(self.unit)
        targets = self.target.fronts(self.shape, self.unit)
        for one in self.source.fronts(self.shape, self.unit):
            if self.memory(one) > self.limit and one != self.unit:
                continue
            for other in targets:
                union = self.whole_units(tuple(map(max, one, other)))
                if self.memory(union) <= self.limit and self.cost(union) < least:
                    found, least = union, self.cost(union)
        return found

    def larger(self, box: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The box with one fewer, half as many, or one part along one of the axes."""
        for axis, extent in enumerate(box):
            count = -(-self.shape[axis] // extent)
            for fewer in {1, count - 1, count // 2} & set(range(1, count)):
                yield self.whole_units((*box[:axis], -(-self.shape[axis] // fewer), *box[axis + 1:]))

    def grown(self, box: tuple[int, ...]) -> tuple[int, ...]:
        while True:
            fitting = [other for other in self.larger(box) if self.memory(other) <= self.limit]
            best = min(fitting, key=self.cost, default=box)
            if self.cost(best) >= self.cost(box):
                return box
            box = best


def plan_blocks(shape: tuple[int, ...], source: Side, target: Side, limit: int) -> Blocks:
    """The boxes in which an array is copied with no more than limit bytes of memory, with the least cost for both sides."""
    search = Search(shape, source, target, limit)
    least = search.memory(search.unit)
    if least > limit:
        what = "one chunk of the output" if isinstance(target, ChunkSide) else "one element"
        raise CommandError(f"--memory-limit: {what} needs {human(least)}", FAILED)
    box = search.grown(search.best_pair())
    leader = source if isinstance(source, FileSide) else target
    nearest = leader.order if isinstance(leader, FileSide) else range(len(shape))[::-1]
    return Blocks(shape, box, tuple(nearest)[::-1], source.nbytes(box), target.nbytes(box))
