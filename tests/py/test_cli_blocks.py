"""The blocks of strideview copy: each element once, within the limit, at about the least cost; against brute force."""

import random
from itertools import accumulate, product
from math import prod

import numpy as np
import pytest

from strideview.cli.errors import CommandError
from strideview.cli.files.blocks import Search, plan_blocks
from strideview.cli.files.sides import ChunkSide, FileSide, parts


def file_side(pick, shape, itemsize, bridge):
    """A file whose axes lie in any order, backwards too, with or without gaps."""
    order = pick.sample(range(len(shape)), len(shape))
    gaps = [pick.choice([1, 1, 1, 2, 3]) for _ in shape]
    steps = list(accumulate((shape[axis] * gap for axis, gap in zip(order, gaps)), lambda a, b: a * b, initial=itemsize))
    strides = [0] * len(shape)
    for axis, step in zip(order, steps):
        strides[axis] = step * pick.choice([1, 1, -1])
    return FileSide(tuple(strides), itemsize, pick.choice([1, 64, 4096]), bridge)


def chunk_side(pick, shape, itemsize):
    return ChunkSide(tuple(pick.choice([1, 2, 4, extent]) for extent in shape), itemsize, (0,) * len(shape))


def random_sides(seed):
    pick = random.Random(seed)
    shape = tuple(pick.choice([1, 2, 3, 5, 8, 12]) for _ in range(pick.randint(0, 4)))
    itemsize = pick.choice([1, 2, 4, 8])
    source = file_side(pick, shape, itemsize, pick.choice([0, 64, 4096])) if pick.random() < 0.7 else chunk_side(pick, shape, itemsize)
    target = file_side(pick, shape, itemsize, 0) if pick.random() < 0.7 else chunk_side(pick, shape, itemsize)
    return pick, shape, source, target


@pytest.mark.parametrize("seed", range(200))
def test_each_element_once_within_the_limit(seed):
    pick, shape, source, target = random_sides(seed)
    least = Search(shape, source, target, 0)
    limit = least.memory(least.unit) + pick.choice([0, 10, 300, 5000, 1 << 20])
    blocks = plan_blocks(shape, source, target, limit)
    assert blocks.nbytes <= limit
    met = np.zeros(shape, int)
    for begin, extents in blocks:
        assert source.nbytes(extents) <= blocks.source_bytes and target.nbytes(extents) <= blocks.target_bytes
        met[tuple(slice(first, first + extent) for first, extent in zip(begin, extents))] += 1
        if isinstance(target, ChunkSide):  # whole chunks only
            assert all(first % chunk == 0 for first, chunk in zip(begin, target.chunks))
            assert all(extent % chunk == 0 or first + extent == whole
                       for first, extent, chunk, whole in zip(begin, extents, target.chunks, shape))
    assert (met == 1).all() and sum(1 for _ in blocks) == blocks.number


def cost_ratio(seed):
    """What the blocks cost, over the least that any boxes cost; 1 where one element is too much."""
    pick, shape, source, target = random_sides(seed)
    limit = Search(shape, source, target, 0).memory((1,) * len(shape)) + pick.choice([1000, 5000, 20000])
    search = Search(shape, source, target, limit)
    if search.memory(search.unit) > limit:
        return 1
    found = search.cost(plan_blocks(shape, source, target, limit).extents)[0]
    boxes = {search.whole_units(box) for box in product(*(range(1, extent + 1) for extent in shape))}
    return found / min(search.cost(box)[0] for box in boxes if search.memory(box) <= limit)


def test_cost_beside_all_boxes():
    """The search looks at few boxes; in arrays of few elements, where one more matters, some other may cost less."""
    ratios = [cost_ratio(seed) for seed in range(1000, 1060)]
    assert min(ratios) == 1 and max(ratios) <= 1.5 and sum(ratios) / len(ratios) < 1.05


@pytest.mark.parametrize("seed", range(60))
def test_runs_of_a_box_are_its_elements(seed):
    """What the runs move to memory is found there by the strides of the box."""
    pick = random.Random(seed)
    shape = tuple(pick.choice([1, 2, 3, 7]) for _ in range(pick.randint(0, 4)))
    side = file_side(pick, shape, pick.choice([1, 4]), pick.choice([0, 8, 4096]))
    extents = tuple(pick.randint(1, extent) for extent in shape)
    box = side.box(extents)
    there = {}  # byte of memory: byte of the file
    for numbers in product(*map(range, box.extents)):
        at = sum(number * pitch for number, pitch in zip(numbers, box.pitches))
        of = box.low + sum(number * step for number, step in zip(numbers, box.steps))
        there |= {at + k: of + k for k in range(box.run)}
    assert max(there) < box.nbytes == side.nbytes(extents) and len(set(there.values())) == len(there) == prod(box.extents) * box.run
    for index in product(*map(range, extents)):
        at = box.first + sum(number * stride for number, stride in zip(index, box.strides))
        assert [there[at + k] for k in range(side.itemsize)] == [side.start(index) + k for k in range(side.itemsize)]


@pytest.mark.parametrize("seed", range(50))
def test_chunks_that_boxes_meet(seed):
    pick = random.Random(seed)
    for _ in range(200):
        chunk, whole = pick.randint(1, 12), pick.randint(1, 40)
        start, extent = pick.randrange(chunk), pick.randint(1, whole)
        met = [(start + begin, start + min(begin + extent, whole)) for begin in range(0, whole, extent)]
        wanted = sum((end - 1) // chunk - begin // chunk + 1 for begin, end in met)
        assert ChunkSide((chunk,), 4, (start,)).touched(0, extent, whole) == wanted, (chunk, start, extent, whole)


def test_long_runs_on_both_sides():
    """A transposition of 64 MiB in 4 MiB: runs of a page and more each way, not of one element."""
    shape = (4096, 4096)
    source, target = FileSide((4, 16384), 4), FileSide((16384, 4), 4, bridge=0)
    blocks = plan_blocks(shape, source, target, 4 << 20)
    assert min(blocks.extents) * 4 >= 1024 and blocks.nbytes <= 4 << 20


def test_limits_that_are_too_small():
    side = FileSide((8,), 8, bridge=0)
    with pytest.raises(CommandError, match="one element needs"):
        plan_blocks((100,), side, side, 23)
    with pytest.raises(CommandError, match="one chunk of the output"):
        plan_blocks((100,), side, ChunkSide((10,), 8, (0,)), 100)


@pytest.mark.parametrize("extent", [1, 2, 16, 17, 1000, 1 << 40])
def test_parts_of_an_axis(extent):
    found = parts(extent)
    assert found == sorted(set(found)) and found[0] == 1 and found[-1] == extent and len(found) < 100


if __name__ == "__main__":
    import tap

    tap.main(__file__)
