"""Random layouts, as libsv and as NumPy have them, and slow answers that are surely right."""

import random

import numpy as np

from strideview import StridedLayout

# Steps stay inside it, so that NumPy knows every byte. Nothing is written there.
MEMORY = np.zeros(1 << 24, "u1")
MIDDLE = 1 << 23
VOID = {itemsize: np.dtype(f"V{itemsize}") for itemsize in range(1, 97)}
EXTENTS = (0, *[1] * 18, *[2] * 24, *[3] * 18, *[4] * 10, 5, 5, 6, 7, 8, 9)


class Random:
    """A source of layouts and of arguments for them; seeds make it say the same again."""

    def __init__(self, seed):
        source = random.Random(seed)
        self.random, self.bits, self.choice = source.random, source.getrandbits, source.choice

    def below(self, n):
        return int(self.random() * n)

    def between(self, lower, upper):
        """An integer from lower to upper, both included."""
        return lower + int(self.random() * (upper - lower + 1))

    def order(self, n):
        """A permutation."""
        left = list(range(n))
        return [left.pop(int(self.random() * len(left))) for _ in range(n)]

    def ndim(self):
        chance = self.random()
        if chance > .985:
            return self.between(7, 64)
        return int(chance * 7.1)

    def shape(self, ndim, most=4096):
        if ndim > 6:
            return self.long_shape(ndim)
        shape, size = [], 1
        for _ in range(ndim):
            extent = EXTENTS[int(self.random() * len(EXTENTS))]
            extent = extent if size * extent <= most else 1
            size *= max(extent, 1)
            shape.append(extent)
        return tuple(shape)

    def long_shape(self, ndim):
        shape = [1] * ndim
        for _ in range(self.between(0, 9)):
            shape[self.below(ndim)] = 2
        if self.random() < .05:
            shape[self.below(ndim)] = 0
        return tuple(shape)

    def strides(self, shape, itemsize):
        """Byte strides: packed in any order with gaps and turns, repeated, overlapping, not divisible."""
        kind = self.random()
        if kind < .15:
            return tuple(self.between(-40, 40) for _ in shape)
        if kind < .3:
            return tuple(itemsize * self.between(-6, 12) for _ in shape)
        strides, step = [0] * len(shape), itemsize
        in_order = kind < .6
        for axis in range(len(shape) - 1, -1, -1) if in_order else self.order(len(shape)):
            chance = self.bits(6)
            if chance == 0:
                step += itemsize * self.between(1, 3)
            elif chance == 1:
                step += self.between(1, itemsize)
            strides[axis] = -step if chance > 57 else 0 if chance < 4 else step
            step *= shape[axis] or 1
        if kind > .95:  # where nothing moves, any stride will do
            strides = [self.between(-99, 99) if extent < 2 else step for extent, step in zip(shape, strides)]
        return tuple(strides)

    def itemsize(self):
        return (1, 2, 4, 4, 8, 8, 16, self.between(1, 24))[self.bits(3)]

    def layout(self, most=4096, ndim=None):
        """(array, layout) of the same bytes; offset 0 of the layout is MIDDLE of MEMORY."""
        itemsize = self.itemsize()
        shape = self.shape(self.ndim() if ndim is None else ndim, most)
        strides = self.strides(shape, itemsize)
        return self.array(shape, strides, itemsize), StridedLayout.from_byte_strides(shape, strides, itemsize)

    @staticmethod
    def array(shape, strides, itemsize, place=MIDDLE):
        return np.ndarray(shape, VOID[itemsize], MEMORY, place, strides)


BASE = MEMORY.__array_interface__["data"][0] + MIDDLE


def difference(array, layout):
    """What array and layout do not agree upon, or None. Strides count where something moves."""
    shape, strides = array.shape, array.strides
    if layout.shape != shape:
        return f"shape {layout.shape}, not {shape}"
    if layout.itemsize != array.itemsize:
        return f"items of {layout.itemsize} bytes, not {array.itemsize}"
    if 0 in shape:
        return None
    ours = layout.strides_in_bytes
    if ours != strides:
        for i, extent in enumerate(shape):
            if extent > 1 and ours[i] != strides[i]:
                return f"strides {ours}, not {strides}"
    at = array.__array_interface__["data"][0] - BASE
    if layout.slice_offset_in_bytes != at:
        return f"offset {layout.slice_offset_in_bytes}, not {at}"
    return None


def occupied(layout, place=0):
    """(the set of bytes as bits of an int, how often elements come there) by going through every axis.

    Bit 0 is byte -place from the base. Each axis repeats what there is so far.
    """
    lower = sum(min(0, (extent - 1) * step) for extent, step in zip(layout.shape, layout.strides_in_bytes))
    if layout.size == 0:
        return 0, 0
    bits = (1 << layout.itemsize) - 1
    for extent, step in zip(layout.shape, layout.strides_in_bytes):
        one, step = bits, abs(step)
        for i in range(1, extent):
            bits |= one << i * step
    return bits << place + layout.slice_offset_in_bytes + lower, layout.size * layout.itemsize
