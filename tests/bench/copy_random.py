"""Random copies in the form of copy_cases.txt: axes in any order, some short, with gaps, steps, reversed or repeated.

    python copy_random.py [--seed N] [--count N] [--least BYTES] [--most BYTES] FILE

The same numbers give the same cases. Sizes are spread evenly by their logarithm.
"""

import argparse
import math
import random
from pathlib import Path

ITEMSIZES = {"uint8": 1, "uint16": 2, "float32": 4, "float64": 8, "complex128": 16}
COMMON = (3, 2, 4, 3, 1)  # how often each dtype comes
AXES = (1, 3, 4, 3, 1, 1)  # and how often 1 to 6 axes
SHORT = (2, 3, 4, 5, 8)
LONGEST_NAME = 47  # of struct bench_case

# How often an axis of the source has a gap behind it, a step, is reversed or repeated; and an axis of the destination.
NONE, SOURCE, DESTINATION = (0, 0, 0, 0), (0.2, 0.12, 0.08, 0.07), (0.3, 0.2, 0, 0)


def shape_of(rng, ndim, elements):
    """About so many elements."""
    weights = [rng.random() ** 2 + 0.05 for _ in range(ndim)]
    shape = [max(1, round(elements ** (weight / sum(weights)))) for weight in weights]
    if rng.random() < 0.3:
        shape = [2 ** round(math.log2(n)) for n in shape]
    shape = [rng.choice(SHORT) if n > max(SHORT) and rng.random() < 0.25 else n for n in shape]
    axis = rng.randrange(ndim)
    shape[axis] = max(1, round(shape[axis] * elements / math.prod(shape)))
    return shape


def memory_of(rng, shape, order, odds):
    """Strides and the first element's place, in elements; order: the axes, that of the least stride last."""
    gap, step, reverse, repeat = odds
    strides, first, pitch = [0] * len(shape), 0, 1
    for axis in reversed(order):
        if rng.random() < repeat:
            continue
        stride = pitch * (rng.randint(2, 4) if rng.random() < step else 1)
        reserved = shape[axis] * stride // pitch
        if rng.random() < gap:
            more = rng.choice((1, 2, 3, 8, 16, reserved))
            first += rng.randrange(more + 1) * pitch
            reserved += more
        if rng.random() < reverse:
            first += stride * (shape[axis] - 1)
            stride = -stride
        strides[axis] = stride
        pitch *= reserved
    return strides, first, pitch


def orders(rng, ndim):
    """The axes of the destination and of the source, that of the largest stride first."""
    dst = list(range(ndim))
    src = dst[:]
    chance = rng.random()
    if chance < 0.45:
        rng.shuffle(src)
    elif chance < 0.65:  # rows stay rows
        src = rng.sample(src[:-1], ndim - 1) + src[-1:]
    if rng.random() < 0.1:
        rng.shuffle(dst)
    return dst, src


def tuple_text(numbers):
    return f"({', '.join(map(str, numbers))}{',' if len(numbers) == 1 else ''})"


def layout_text(shape, strides, first, itemsize):
    return f"{tuple_text(shape)}:{tuple_text(strides)}*{itemsize}" + (f"+{first}" if first else "")


def side(rng, shape, order, odds, itemsize):
    """A layout's text, and the bytes that it is part of. Half of all begin 16 bytes behind a line, as malloc()'s do."""
    strides, first, elements = memory_of(rng, shape, order, odds)
    begin = first * itemsize + rng.choice((0, 16))
    return layout_text(shape, strides, begin, itemsize), elements * itemsize


def case(rng, name, least, most):
    """A line of the list."""
    dtype = rng.choices(list(ITEMSIZES), COMMON)[0]
    itemsize = ITEMSIZES[dtype]
    ndim = 1 + rng.choices(range(len(AXES)), AXES)[0]
    elements = math.exp(rng.uniform(math.log(least), math.log(most))) / itemsize
    shape = shape_of(rng, ndim, max(1, elements))
    plain = rng.random() < 0.4
    dst_order, src_order = orders(rng, ndim)
    src, src_bytes = side(rng, shape, src_order, NONE if plain else SOURCE, itemsize)
    dst, dst_bytes = side(rng, shape, dst_order, NONE if plain else DESTINATION, itemsize)
    if max(src_bytes, dst_bytes) > 3 * most:
        return case(rng, name, least, most)
    title = f"{name} {dtype} {'x'.join(map(str, shape))}"
    return f"random | {title[:LONGEST_NAME]} | {dtype} | {dst} | {src} | copy | | any"


def cases(seed, count, least, most):
    rng = random.Random(seed)
    return [case(rng, f"{seed}-{k}", least, most) for k in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="where the cases are written")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--least", type=int, default=256, help="bytes of a copy")
    parser.add_argument("--most", type=int, default=1 << 25)
    options = parser.parse_args()
    options.file.write_text("\n".join(cases(options.seed, options.count, options.least, options.most)) + "\n")


if __name__ == "__main__":
    main()
