"""Random copies in the form of copy_cases.txt: axes in any order, some short, with gaps, steps, reversed or repeated;
extents that people use and others; pixels of three; memory that begins at a cache line, 16 bytes behind one or anywhere.

    python copy_random.py [--seed N] [--count N] [--least BYTES] [--most BYTES] [--conversions SHARE] FILE

The same numbers give the same cases. Sizes are spread evenly by their logarithm.
"""

import argparse
import math
import random
from pathlib import Path

ITEMSIZES = {"uint8": 1, "int8": 1, "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "float32": 4, "int64": 8,
             "float64": 8, "complex128": 16}
PLAIN = {"uint8": 3, "uint16": 2, "float32": 4, "float64": 3, "complex128": 1}  # how often each dtype comes
CONVERSIONS = (("float32", "float16"), ("float16", "float32"), ("float32", "bfloat16"), ("bfloat16", "float32"),
               ("uint8", "float32"), ("float32", "uint8"), ("float64", "float32"), ("float32", "float64"),
               ("uint8", "int32"), ("int32", "float64"), ("int64", "int32"), ("uint8", "float16"))
AXES = (1, 5, 6, 4, 2, 1)  # how often 1 to 6 axes come
COMMON = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64, 80, 96, 100, 112, 120, 127, 128, 129, 192,
          224, 256, 320, 384, 500, 512, 640, 720, 768, 1000, 1024, 1080, 1280, 1920, 2048, 3000, 4096)
TINY, MANY = (2, 3, 4, 5, 8), (5, 10)  # extents of many axes, and how many these are
LONGEST_NAME = 47  # of struct bench_case

# How often an axis of the source has a gap behind it, a step, is reversed or repeated; and an axis of the destination.
NONE, SOURCE, DESTINATION = (0, 0, 0, 0), (0.15, 0.12, 0.08, 0.05), (0.15, 0.06, 0, 0)


def extent_of(rng):
    """One that people use, or any."""
    return rng.choice(COMMON) if rng.random() < 0.75 else round(math.exp(rng.uniform(0.7, 8)))


def shape_of(rng, ndim, elements):
    """About so many elements: one axis has as many as the others leave."""
    shape = [rng.choice(TINY) if ndim > len(AXES) else extent_of(rng) for _ in range(ndim)]
    axis = rng.randrange(ndim)
    rest = math.prod(shape) // shape[axis]
    while rest > elements:  # the longest of the others are too long
        longest = max((k for k in range(ndim) if k != axis), key=lambda k: shape[k])
        rest //= shape[longest]
        shape[longest] = min(shape[longest] // 2, extent_of(rng)) or 1
        rest *= shape[longest]
    shape[axis] = max(1, round(elements / rest))
    if shape[axis] > 64 and rng.random() < 0.4:
        shape[axis] = shape[axis] // 64 * 64
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
    if chance < 0.35:
        rng.shuffle(src)
    elif chance < 0.7:  # one axis comes last
        axis = rng.randrange(ndim)
        src = [k for k in dst if k != axis] + [axis]
    elif chance < 0.85:  # rows stay rows
        src = rng.sample(src[:-1], ndim - 1) + src[-1:]
    if rng.random() < 0.1:
        rng.shuffle(dst)
    return dst, src


def tuple_text(numbers):
    return f"({', '.join(map(str, numbers))}{',' if len(numbers) == 1 else ''})"


def layout_text(shape, strides, first, itemsize):
    return f"{tuple_text(shape)}:{tuple_text(strides)}*{itemsize}" + (f"+{first}" if first else "")


def begin_of(rng, itemsize):
    """Bytes behind a line: malloc()'s and NumPy's memory begins 16 behind one, PyTorch's and libsv's at one."""
    chance = rng.random()
    return 0 if chance < 0.45 else 16 if chance < 0.9 else rng.randrange(64 // math.gcd(itemsize, 64)) * itemsize


def side(rng, shape, order, odds, itemsize, begin):
    """A layout's text, and the bytes that it is part of."""
    strides, first, elements = memory_of(rng, shape, order, odds)
    return layout_text(shape, strides, first * itemsize + begin, itemsize), elements * itemsize


def with_units(rng, shape, orders):
    """Pixels of three: an axis that is the last one on both sides."""
    ndim = len(shape)
    return [*shape, 3], [[*order, ndim] for order in orders]


def case(rng, name, least, most, converts):
    """A line of the list."""
    if converts:
        src_dtype, dtype = rng.choice(CONVERSIONS)
    else:
        src_dtype = dtype = rng.choices(list(PLAIN), list(PLAIN.values()))[0]
    ndim = rng.randint(*MANY) if rng.random() < 0.07 else 1 + rng.choices(range(len(AXES)), AXES)[0]
    units = rng.random() < 0.12
    itemsize = ITEMSIZES[dtype]
    elements = math.exp(rng.uniform(math.log(least), math.log(most))) / itemsize
    shape = shape_of(rng, ndim, max(1, elements // 3 if units else elements))
    both = orders(rng, ndim)
    if units:
        shape, both = with_units(rng, shape, both)
    plain = rng.random() < 0.55
    src, src_bytes = side(rng, shape, both[1], NONE if plain else SOURCE, ITEMSIZES[src_dtype],
                          begin_of(rng, ITEMSIZES[src_dtype]))
    dst, dst_bytes = side(rng, shape, both[0], NONE if plain else DESTINATION, itemsize, begin_of(rng, itemsize))
    if max(src_bytes, dst_bytes) > 3 * most:
        return case(rng, name, least, most, converts)
    dtypes = f"{src_dtype}->{dtype}" if converts else dtype
    title = f"{name} {dtypes} {'x'.join(map(str, shape))}"
    return f"random | {title[:LONGEST_NAME]} | {dtypes} | {dst} | {src} | copy | | any"


def cases(seed, count, least, most, conversions=0.0):
    rng = random.Random(seed)
    return [case(rng, f"{seed}-{k}", least, most, rng.random() < conversions) for k in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="where the cases are written")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--least", type=int, default=256, help="bytes of a copy")
    parser.add_argument("--most", type=int, default=1 << 25)
    parser.add_argument("--conversions", type=float, default=0.0, help="share of copies that convert")
    options = parser.parse_args()
    lines = cases(options.seed, options.count, options.least, options.most, options.conversions)
    options.file.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
