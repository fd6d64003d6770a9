"""Random layouts, rearranged and copied by libsv and by NumPy: no difference.

Some thousand cases, as rounds.py gives them time, each of them a round. A failure
tells what was done, and its copy as python -m strideview takes it.
"""

import random

import numpy as np
import pytest

import strideview as sv
from peers import address
from rounds import rounds_within, seed_of
from strideview import StridedLayout

BATCHES = 50
SECONDS = 0.15  # of each batch
# Types that both sides know; other sizes are opaque here and void there.
TYPES = {1: ["uint8", "int8"], 2: ["int16", "uint16"], 4: ["uint32", "int32"], 8: ["int64", "uint64"], 16: []}
NOISE = np.random.default_rng(1).integers(0, 256, 1 << 20, np.uint8)


def noise(size):
    return NOISE[:size].copy() if size <= NOISE.size else np.resize(NOISE, size)


class Case:
    """One array, as libsv and as NumPy see it, and what was done to it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.log = []

    # --- making arrays ------------------------------------------------------

    def shape(self, most=6):
        ndim = self.random.choice((0, 1, 2, 2, 3, 3, 4, most))
        return tuple(0 if self.random.random() < .01 else self.random.choice((1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 7))
                     for _ in range(ndim))

    def type(self):
        """(item size, dtype of NumPy, dtype of libsv)"""
        itemsize = self.random.choice((1, 2, 4, 8, self.random.randint(1, 24)))
        names = TYPES.get(itemsize, [])
        if names and self.random.random() < .6:
            name = self.random.choice(names)
            return itemsize, name, name
        return itemsize, f"V{itemsize}", "opaque"

    def dense_strides(self, shape, itemsize):
        """Byte strides of a layout whose elements do not overlap: axes in some order, with gaps, in both directions."""
        strides, step = [0] * len(shape), itemsize
        for axis in self.random.sample(range(len(shape)), len(shape)):
            if self.random.random() < .15:
                step += itemsize * self.random.randint(1, 2)
            if self.random.random() < .05:
                step += self.random.randint(1, itemsize)
            strides[axis] = step * self.random.choice((1, 1, 1, -1))
            step *= max(shape[axis], 1)
        return tuple(strides)

    def any_strides(self, shape, itemsize):
        """Byte strides of any kind: repeated, overlapping, not divisible."""
        kind = self.random.random()
        if kind < .5:
            return self.dense_strides(shape, itemsize)
        if kind < .75:
            return tuple(itemsize * self.random.randint(-4, 8) for _ in shape)
        if kind < .9:
            return tuple(s if self.random.random() < .6 else 0 for s in self.dense_strides(shape, itemsize))
        return tuple(self.random.randint(-40, 40) for _ in shape)

    def array(self, buffer, place, shape, strides, types):
        """(array, view) of the bytes around buffer[place]."""
        itemsize, theirs, ours = types
        array = np.ndarray(shape, theirs, buffer, place, strides)
        whole = np.ndarray((place + 1, len(buffer) - place), "u1", buffer, place, (-1, 1))  # every byte, from place on
        return array, sv.view(whole).view(StridedLayout.from_byte_strides(shape, strides, itemsize), ours)

    @staticmethod
    def bounds(shape, strides, itemsize):
        """The bytes that elements occupy, relative to the first: [lower, upper)."""
        if 0 in shape:
            return 0, itemsize
        lower = sum(min(0, (extent - 1) * stride) for extent, stride in zip(shape, strides))
        upper = sum(max(0, (extent - 1) * stride) for extent, stride in zip(shape, strides))
        return lower, upper + itemsize

    def text(self, shape, strides, itemsize):
        """A layout as strideview reads it, with its lowest byte at 0."""
        lower = self.bounds(shape, strides, itemsize)[0]
        return f"{StridedLayout.from_byte_strides(shape, strides, itemsize)}{-lower:+}"

    def place(self, shape, strides, itemsize):
        """(size of a buffer with room to spare, place of the first element in it)"""
        lower, upper = self.bounds(shape, strides, itemsize)
        before, after = self.random.randint(0, 9), self.random.randint(0, 9)
        return before + upper - lower + after, before - lower

    # --- rearranging --------------------------------------------------------

    def key(self, shape):
        """An index of NumPy's basic kind that is sometimes out of range."""
        items = []
        for extent in shape[:self.random.randint(0, len(shape))]:
            kind = self.random.random()
            if kind < .25:
                items.append(self.random.randint(-extent - (kind < .01), max(extent - 1, 0)))
            else:
                ends = [None if self.random.random() < .6 else self.random.randint(-extent - 2, extent + 2)
                        for _ in range(2)]
                items.append(slice(*ends, self.random.choice((None, 1, 1, 2, -1, -1, -2, 3))))
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            items.insert(self.random.randint(0, len(items)), None)
        if self.random.random() < .25:
            items.insert(self.random.randint(0, len(items)), Ellipsis)
        return items[0] if len(items) == 1 and self.random.random() < .5 else tuple(items)

    def other_shape(self, shape):
        """Another shape for as many elements, mostly: neighbours merged, extents split, ones added, a -1."""
        new = list(shape)
        for _ in range(self.random.randint(1, 3)):
            if len(new) > 1 and self.random.random() < .5:
                i = self.random.randrange(len(new) - 1)
                new[i:i + 2] = [new[i] * new[i + 1]]
            elif new and self.random.random() < .6:
                i = self.random.randrange(len(new))
                divisors = [d for d in range(1, new[i] + 1) if new[i] % d == 0] or [1]
                part = self.random.choice(divisors)
                new[i:i + 1] = [part, new[i] // part]
            else:
                new.insert(self.random.randint(0, len(new)), 1)
        if new and 0 not in new and self.random.random() < .3:
            new[self.random.randrange(len(new))] = -1
        if new and self.random.random() < .02:
            new[0] += 1
        return tuple(new)

    def wider_shape(self, shape):
        wide = [self.random.choice((0, *[1, 2, 3] * 7)) if extent == 1 and self.random.random() < .6 else extent
                for extent in shape]
        if wide and self.random.random() < .03:
            wide[-1] += 1
        return tuple([self.random.randint(1, 3) for _ in range(self.random.choice((0, 0, 1, 2)))] + wide)

    def step(self, array):
        """(name, what NumPy does, what libsv does)"""
        name = self.random.choice(("index", "index", "index", "permute", "reshape", "reshape", "broadcast", "squeeze",
                                   "unsqueeze", "T"))
        if name == "index":
            key = self.key(array.shape)
            full = key if isinstance(key, tuple) else (key,)
            if Ellipsis not in full:
                full += (Ellipsis,)  # NumPy gives a number, not an array, for a full index
            return f"[{key}]", lambda a: a[full], lambda v: v[key]
        if name == "permute":
            axes = self.random.sample(range(-array.ndim, 0), array.ndim)
            return f"permute({axes})", lambda a: a.transpose(axes), lambda v: v.permute(axes)
        if name == "reshape":
            shape = self.other_shape(array.shape)
            return f"reshape{shape}", lambda a: a.reshape(shape, copy=False), lambda v: v.reshape(shape)
        if name == "broadcast":
            shape = self.wider_shape(array.shape)
            return f"broadcast_to{shape}", lambda a: np.broadcast_to(a, shape), lambda v: v.broadcast_to(shape)
        if name == "squeeze":
            axes = tuple(i for i, extent in enumerate(array.shape) if extent == 1 and self.random.random() < .7)
            return f"squeeze({axes})", lambda a: a.squeeze(axes), lambda v: v.squeeze(axes)
        if name == "unsqueeze":
            count = self.random.randint(0, 2)
            axes = tuple(self.random.sample(range(array.ndim + count), count))
            return f"unsqueeze({axes})", lambda a: np.expand_dims(a, axes), lambda v: v.unsqueeze(axes)
        return "T", lambda a: a.T, lambda v: v.T

    def rearrange(self, array, view):
        for _ in range(self.random.choice((0, 1, 1, 2, 3, 5))):
            name, theirs, ours = self.step(array)
            self.log.append(name)
            try:
                expected = theirs(array)
            except (ValueError, IndexError):
                with pytest.raises((ValueError, IndexError)):
                    ours(view)
                continue
            array, view = expected, ours(view)
            assert_same(array, view)
            if array.ndim > 8 or array.size > 4000:
                break
        return array, view

    # --- the case -----------------------------------------------------------

    def source(self):
        types = self.type()
        shape = self.shape()
        strides = self.any_strides(shape, types[0])
        size, place = self.place(shape, strides, types[0])
        buffer = noise(size)
        self.log.append(f"shape {shape}, byte strides {strides}, {types}")
        return types, buffer, *self.array(buffer, place, shape, strides, types)

    def target(self, shape, types, buffer):
        """A destination for shape: memory of its own, or now and then that of the source."""
        strides = self.dense_strides(shape, types[0])
        size, place = self.place(shape, strides, types[0])
        if size <= len(buffer) and self.random.random() < .3:
            room = len(buffer) - size
            place += self.random.randint(0, room)
        else:
            buffer = ~noise(size)
        self.log.append(f"into shape {shape}, byte strides {strides}, byte {place}")
        return buffer, place, strides

    def run(self):
        types, buffer, array, view = self.source()
        assert_same(array, view)
        array, view = self.rearrange(array, view)

        shape = self.wider_shape(array.shape)
        memory, place, strides = self.target(shape, types, buffer)
        self.log.append(f"python -m strideview explain '{self.text(shape, strides, types[0])}' "
                        f"'{self.text(array.shape, array.strides, types[0])}'")
        expected = np.ndarray(shape, types[1], memory.copy(), place, strides)
        try:
            np.copyto(expected, array, casting="no")
        except ValueError:
            with pytest.raises(ValueError):
                sv.copy(self.array(memory, place, shape, strides, types)[1], view)
            return
        sv.copy(self.array(memory, place, shape, strides, types)[1], view)
        assert np.array_equal(memory, expected.base)  # the elements, and not a byte more


def assert_same(array, view):
    assert view.shape == array.shape and view.itemsize == array.itemsize
    layout = view.layout
    flags = array.flags
    assert (layout.is_contiguous_c, layout.is_contiguous_f) == (flags.c_contiguous, flags.f_contiguous)
    if array.size:
        assert view.ptr == address(array)
        for extent, ours, theirs in zip(array.shape, layout.strides_in_bytes, array.strides):
            assert extent == 1 or ours == theirs


def run_case(number):
    case = Case(seed_of(number))
    try:
        case.run()
    except BaseException as error:
        error.add_note("\n".join(case.log))
        raise


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_difference(batch):
    for number in rounds_within(SECONDS, batch, BATCHES):
        run_case(number)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
