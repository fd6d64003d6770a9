"""Stages of a copy: straight from one file to the other, or by way of a raw file between them.

Chunks that are long along one axis and chunks that are long along another have no box in common that is small: by the
blocks of a copy in bounded memory, each chunk of the source would be read again and again. A raw file, whose runs are
read and written at any place, meets both halfway: each chunk is read once, and written once. It takes as much space as
the array, beside the output, and is removed at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, permutations
from math import inf, prod
from typing import NamedTuple

import strideview as sv

from ..errors import CommandError
from .blocks import Blocks, Search
from .ends import FileReader, FileWriter, InputFile, Reader, Writer
from .items import Items
from .sides import READ_CALL, WRITE_CALL, FileSide, Side
from .target import Target
from .transfer import Change, Stage

MOST_AXES = 4  # of which all orders are tried; else that of C and that of Fortran
Shape = tuple[int, ...]
Plan = Callable[[Shape, Side, Side, int], Blocks]  # plan_blocks(), or what an engine has in its place


class Between(NamedTuple):
    """A raw file that is to be between two ends: byte strides, and the blocks of both halves."""

    side: FileSide  # as it is read
    cost: float
    first: Blocks
    second: Blocks


def cost_of(blocks: Blocks, source: Side, target: Side) -> float:
    return Search(blocks.shape, source, target, 0).cost(blocks.extents)[0]


def strides_of(shape: Shape, order: Shape, itemsize: int) -> tuple[int, ...]:
    """Byte strides of a dense array whose axes lie in an order, the slowest first."""
    steps = accumulate((shape[axis] for axis in order[:0:-1]), lambda a, b: a * b, initial=itemsize)
    found = dict(zip(order[::-1], steps))
    return tuple(found[axis] for axis in range(len(shape)))


def orders(count: int) -> list[Shape]:
    axes = tuple(range(count))
    return list(permutations(axes)) if count <= MOST_AXES else [axes, axes[::-1]]


def between(shape: Shape, source: Side, target: Side, itemsize: int, limit: int, plan: Plan) -> Between | None:
    """The best raw file of items of that size; None: the blocks of none keep to the limit."""
    found: list[Between] = []
    for order in orders(len(shape)):
        strides = strides_of(shape, order, itemsize)
        into = FileSide(strides, itemsize, WRITE_CALL, 0)
        for bridge in READ_CALL, 0:  # without gaps that are read as well a block takes less memory
            out_of = FileSide(strides, itemsize, READ_CALL, bridge)
            try:
                first, second = plan(shape, source, into, limit), plan(shape, out_of, target, limit)
            except CommandError:
                continue
            found.append(Between(out_of, cost_of(first, source, into) + cost_of(second, out_of, target), first, second))
    return min(found, key=lambda each: each.cost, default=None)


def stages(reader: Reader, writer: Writer, shape: Shape, change: Change, limit: int, plan: Plan,
           new_target: Callable[[], Target]) -> list[Stage]:
    """One stage, or two with a file of new_target() between them, where these cost less, or where one block alone would take
    more than the limit. limit: of the buffers' bytes."""
    least = prod(shape) * (reader.items.itemsize + writer.items.itemsize)
    refusal, straight, cost = None, [], inf
    try:
        straight = [Stage(reader, writer, plan(shape, reader.side, writer.side, limit), change)]
        cost = cost_of(straight[0].blocks, reader.side, writer.side)
    except CommandError as error:
        refusal = error
    if cost < 2 * least:  # a file between would be written and read, too
        return straight
    narrows = writer.items.itemsize < reader.items.itemsize
    items = writer.items if narrows else reader.items
    best = between(shape, reader.side, writer.side, items.itemsize, limit, plan)
    if best is not None and best.cost < cost:
        return [*by_file(reader, writer, shape, change, narrows, best, items, new_target())]
    if refusal is not None:
        raise refusal
    return straight


def by_file(reader: Reader, writer: Writer, shape: Shape, change: Change, narrows: bool, best: Between, items: Items,
            target: Target) -> tuple[Stage, Stage]:
    """The elements are converted where that makes them smaller, else from the file on."""
    file = target.make(prod(shape) * items.itemsize)
    layout = sv.StridedLayout.from_byte_strides(shape, best.side.strides, items.itemsize)
    moved = Change("no")
    back = FileReader(InputFile(target.temporary), file.path, 0, layout, items)
    back.side = best.side
    return (
        Stage(reader, FileWriter(file, 0, layout, items), best.first, change if narrows else moved),
        Stage(back, writer, best.second, moved if narrows else change),
    )
