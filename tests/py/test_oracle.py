"""Each operation on random layouts, beside what NumPy makes of the same: no difference.

Some thousand cases of each family, as rounds.py gives them time. A failure names
its seed, and FAMILIES[name](Random(seed)) does it again. Where only one of the two refuses,
the family says which and why.
"""

import numpy as np
import pytest

from arrays import BASE, MIDDLE, Random, difference, occupied
from rounds import rounds_within, seed_of
from strideview import StridedLayout

SECONDS = 0.5  # of each family
MOST_WORK = 10**6


class Different(AssertionError):
    pass


def compare(array, layout, theirs, ours, *arguments):
    """Both do it, or both refuse with an error of the same kind."""
    try:
        expected = theirs(array, *arguments)
    except (ValueError, IndexError) as error:
        expected = error
    try:
        found = ours(layout, *arguments)
    except (ValueError, IndexError) as error:
        found = error
    if isinstance(expected, Exception) or isinstance(found, Exception):
        wrong = None if isinstance(expected, Exception) and isinstance(found, Exception) else "only one refuses"
        if wrong is None and isinstance(expected, IndexError) and not isinstance(found, IndexError):
            # More than 64 axes are a value out of range, here and in other operations of NumPy's.
            wrong = None if "number of dimensions" in str(expected) else "no IndexError"
    else:
        wrong = difference(expected, found)
    if wrong:
        raise Different(f"{layout!r} {arguments}: {wrong}; NumPy: {told(expected)}; libsv: {found!r}")
    return found


def told(array):
    if isinstance(array, np.ndarray):
        return f"shape {array.shape}, strides {array.strides}, byte {array.__array_interface__['data'][0] - BASE}"
    return repr(array)


# --- arguments ---------------------------------------------------------------

def some_axes(rng, ndim, wrong=.03):
    """Distinct axes from either end, now and then one too many or one outside."""
    axes = [axis - ndim if rng.bits(2) == 0 else axis for axis in rng.order(ndim)[:rng.between(0, ndim)]]
    if rng.random() < wrong:
        axes.append(rng.between(-ndim - 2, ndim + 1))
    return tuple(axes)


def an_axis(rng, ndim, wrong=.03):
    spare = 2 if rng.random() < wrong else 0
    return rng.between(-ndim - spare, max(ndim - 1, 0) + spare)


def index_for(rng, shape):
    """A basic index: integers, slices, Ellipsis and None, sometimes out of range or too long."""
    items = []
    for extent in shape[:rng.between(0, len(shape))]:
        kind = rng.random()
        if kind < .25:
            items.append(rng.between(-extent, extent - 1) if kind > .003 and extent else rng.between(-9, 9))
            continue
        start, stop = (None if rng.bits(2) < 2 else rng.between(-extent - 2, extent + 2) for _ in range(2))
        step = (None, None, 1, 2, -1, -1, -2, 3, 2**40, -2**62)[rng.below(8 if kind < .97 else 10)]
        items.append(slice(start, stop, step))
    if rng.bits(2) == 0:
        for _ in range(rng.between(1, 2)):
            items.insert(rng.between(0, len(items)), None)
    if rng.bits(2) == 0:
        items.insert(rng.between(0, len(items)), Ellipsis)
    elif rng.bits(8) == 0:
        items += [0] * rng.between(1, 7)
    return tuple(items) if len(items) != 1 or rng.bits(1) else items[0]


def other_shape(rng, shape):
    """Neighbours merged, extents split, ones put in, a -1; rarely another number of elements."""
    new = list(shape)
    for _ in range(rng.between(1, 3)):
        kind = rng.below(5)
        if kind < 2 and len(new) > 1:
            i = rng.below(len(new) - 1)
            new[i:i + 2] = [new[i] * new[i + 1]]
        elif kind < 4 and new:
            i = rng.below(len(new))
            part = rng.choice([d for d in range(1, new[i] + 1) if new[i] % d == 0] or [0, 1, 3])
            new[i:i + 1] = [part, new[i] // part if part else rng.between(0, 3)]
        elif len(new) < 64:
            new.insert(rng.between(0, len(new)), 1)
    if new and rng.bits(2) == 0:
        new[rng.below(len(new))] = -1
    if new and rng.bits(6) == 0:
        i = rng.below(len(new))
        new[i] = max(new[i] + rng.between(-2, 2), -1)  # below -1 libsv refuses what NumPy takes for -1
    return tuple(new)


def wider_shape(rng, shape):
    wide = [rng.between(0, 4) if extent == 1 and rng.bits(1) else extent for extent in shape]
    if wide and rng.bits(5) == 0:
        wide[rng.below(len(wide))] += rng.between(-2, 2)
    return tuple([rng.between(1, 3) for _ in range(rng.choice((0, 0, 1, 2)))] + wide)


# --- families ----------------------------------------------------------------

def permute(rng):
    array, layout = rng.layout()
    axes = [axis - array.ndim if rng.bits(2) == 0 else axis for axis in rng.order(array.ndim)]
    if axes and rng.bits(5) == 0:
        axes[rng.below(len(axes))] = rng.between(-array.ndim - 1, array.ndim)
    compare(array, layout, np.ndarray.transpose, StridedLayout.permuted, axes)
    if difference(array.T, layout.T):
        raise Different(f"{layout!r}.T: {layout.T!r}")


def slicing(rng):
    array, layout = rng.layout()
    for _ in range(rng.between(1, 2)):
        key = index_for(rng, array.shape)
        full = key if isinstance(key, tuple) else (key,)
        full = full if Ellipsis in full else (*full, Ellipsis)  # else a full index gives NumPy's scalar
        layout = compare(array, layout, lambda a, _: a[full], lambda l, k: l[k], key)
        if not isinstance(layout, StridedLayout):
            return
        array = array[full]


def reshape(rng):
    array, layout = rng.layout()
    shape = other_shape(rng, array.shape)
    compare(array, layout, lambda a, s: a.reshape(s, copy=False), StridedLayout.reshaped, shape)


def broadcast(rng):
    array, layout = rng.layout(256)
    compare(array, layout, np.broadcast_to, StridedLayout.broadcast_to, wider_shape(rng, array.shape))


def unsqueeze(rng):
    array, layout = rng.layout()
    ndim = array.ndim + (count := rng.between(0, 3))
    axes = tuple(axis - ndim if rng.bits(1) else axis for axis in rng.order(ndim)[:count])
    if axes and rng.bits(5) == 0:
        axes = (rng.between(-ndim - 1, ndim), *axes[1:])
    compare(array, layout, np.expand_dims, StridedLayout.unsqueezed, axes)


def squeeze(rng):
    array, layout = rng.layout()
    axes = tuple(i for i, extent in enumerate(array.shape) if extent == 1 and rng.bits(2) or rng.bits(6) == 0)
    compare(array, layout, np.ndarray.squeeze, StridedLayout.squeezed, axes)
    compare(array, layout, np.ndarray.squeeze, StridedLayout.squeezed)


def move_axes(rng):
    array, layout = rng.layout()
    axes = some_axes(rng, array.ndim)
    places = rng.order(max(array.ndim, len(axes)))[:len(axes)]
    places = tuple(place - array.ndim if rng.bits(1) else place for place in places)
    compare(array, layout, np.moveaxis, StridedLayout.moveaxis, axes, places)


def swap_axes(rng):
    array, layout = rng.layout()
    compare(array, layout, np.ndarray.swapaxes, StridedLayout.swapaxes, an_axis(rng, array.ndim),
            an_axis(rng, array.ndim))


def flip(rng):
    array, layout = rng.layout()
    axes = some_axes(rng, array.ndim)
    compare(array, layout, lambda a, axes: np.flip(a, axes) if a.ndim or axes else a, StridedLayout.flip, axes)


def window(rng):
    array, layout = rng.layout(512, rng.below(5))
    axes = some_axes(rng, array.ndim, 0) if rng.bits(4) else (an_axis(rng, array.ndim, 1),)
    if axes and rng.bits(3) == 0:
        axes += axes[:1]
    lower = 0 if all(-array.ndim <= axis < array.ndim for axis in axes) else 1  # one mistake at a time
    extents = tuple(rng.between(lower if rng.bits(4) else lower - 1, 3) for _ in axes)
    compare(array, layout, np.lib.stride_tricks.sliding_window_view, StridedLayout.sliding_window, extents, axes)


def diagonal(rng):
    array, layout = rng.layout(4096, rng.between(1, 6))
    compare(array, layout, np.ndarray.diagonal, StridedLayout.diagonal, rng.between(-6, 6), an_axis(rng, array.ndim),
            an_axis(rng, array.ndim))


def dense_copies(rng):
    """The strides of a new array are exact, those of axes that never move included."""
    array, layout = rng.layout(2048)
    for order in "CFK":
        expected, found = np.empty_like(array, order=order), layout.to_dense(order)
        same = array.size == 0 or expected.strides == found.strides_in_bytes
        if found.shape != array.shape or found.slice_offset or not same:
            raise Different(f"{layout!r} to {order}: {expected.strides}, not {found.strides_in_bytes}")


def contiguity(rng):
    array, layout = rng.layout()
    flags, ours = array.flags, (layout.is_contiguous_c, layout.is_contiguous_f)
    if ours != (flags.c_contiguous, flags.f_contiguous):
        raise Different(f"{layout!r}: {ours}")
    ordered = array.transpose(layout.stride_order)
    if layout.is_contiguous_any != ordered.flags.c_contiguous:
        raise Different(f"{layout!r}: contiguous in some order: {layout.is_contiguous_any}")


def byte_bounds(rng):
    array, layout = rng.layout()
    if array.ndim and rng.bits(1):
        array, layout = array[1:], layout[1:]
    if array.size == 0:
        if layout.offset_bounds != (0, -1):
            raise Different(f"{layout!r}: {layout.offset_bounds}")
        return
    lower, upper = (bound - BASE for bound in np.lib.array_utils.byte_bounds(array))
    if lower < 0:
        with pytest.raises(ValueError):
            layout.required_size_in_bytes()
    elif layout.required_size_in_bytes() != upper:
        raise Different(f"{layout!r}: {layout.required_size_in_bytes()}, not {upper}")
    if lower % layout.itemsize == 0 and upper % layout.itemsize == 0:
        elements = lower // layout.itemsize, upper // layout.itemsize - 1
        if layout.offset_bounds != elements:
            raise Different(f"{layout!r}: {layout.offset_bounds}, not {elements}")


def flatten(rng):
    """NumPy can give the new shape without a copy, and no two neighbours that are left can be merged."""
    array, layout = rng.layout()
    start, end = 0, array.ndim - 1
    if rng.bits(1) and array.ndim:
        start, end = sorted((rng.below(array.ndim), rng.below(array.ndim)))
    flat = layout.flattened(start, end)
    compare(array, layout, lambda a, s: a.reshape(s, copy=False), lambda *_: flat, flat.shape)
    behind = array.ndim - 1 - end
    ends = flat.shape[:start], flat.shape[flat.ndim - behind:]
    if ends != (array.shape[:start], array.shape[array.ndim - behind:]):
        raise Different(f"{layout!r} from {start} to {end}: {flat!r}")
    for i in range(start, flat.ndim - behind - 1):
        shape = *flat.shape[:i], flat.shape[i] * flat.shape[i + 1], *flat.shape[i + 2:]
        try:
            array.reshape(shape, copy=False)
        except ValueError:
            continue
        raise Different(f"{layout!r}: axes {i} and {i + 1} of {flat!r} are one")
    if flat.flattened(start, max(flat.ndim - 1 - behind, start) if flat.ndim else -1) != flat:
        raise Different(f"{flat!r} is not flat")


def merge_and_split(rng):
    """What merges is what NumPy reshapes without a copy; splitting undoes it."""
    array, layout = rng.layout(4096, rng.between(1, 6))
    start, end = sorted((rng.below(array.ndim), rng.below(array.ndim)))
    extents = array.shape[start:end + 1]
    shape = *array.shape[:start], int(np.prod(extents)), *array.shape[end + 1:]
    merged = compare(array, layout, lambda a, _: a.reshape(shape, copy=False),
                     lambda l, _: l.merge_axes(start, end), (start, end))
    if isinstance(merged, StridedLayout):
        compare(array, merged, lambda a, _: a, lambda l, s: l.split_axis(start, s), extents)


def repack(rng):
    """The dtype of NumPy's view, along the last axis. libsv also wants offset and strides to divide."""
    array, layout = rng.layout()
    if array.ndim and rng.bits(1):
        array, layout = array[1:], layout[1:]
    sizes = [size for size in range(1, 97) if size % layout.itemsize == 0 or layout.itemsize % size == 0]
    itemsize = rng.choice(sizes)
    try:
        expected = array.view(f"V{itemsize}")
    except ValueError:
        expected = None
    try:
        found = layout.repacked(itemsize)
    except ValueError:
        found = None
    if found is None and expected is not None:
        moving = [step for extent, step in zip(array.shape[:-1], array.strides) if extent > 1]
        if itemsize == layout.itemsize or all(step % itemsize == 0 for step in (*moving, layout.slice_offset_in_bytes)):
            raise Different(f"{layout!r} refused as items of {itemsize}")
    elif found is not None and (expected is None or difference(expected, found)):
        if array.ndim and array.size == 0 or array.shape[-1:] == (1,):
            return  # where nothing moves libsv looks at no stride
        raise Different(f"{layout!r} as items of {itemsize}: {told(expected)}, not {found!r}")


def unique(rng):
    """By marking every byte."""
    _, layout = rng.layout(512)
    bits, count = occupied(layout, 1 << 15)
    expected, found = bits.bit_count() == count, layout.is_unique
    if found != expected:
        raise Different(f"{layout!r}: unique: {expected}, not {found}")


def overlap(rng):
    """By marking every byte of both, and as NumPy's search says where it comes to an end."""
    array, layout = rng.layout(256)
    shape, itemsize = rng.shape(rng.below(5), 256), rng.itemsize()
    strides, place = rng.strides(shape, itemsize), rng.between(-300, 300)
    other = rng.array(shape, strides, itemsize, MIDDLE + place)
    other_layout = StridedLayout.from_byte_strides(shape, strides, itemsize)
    here, there = occupied(layout, 1 << 15)[0], occupied(other_layout, (1 << 15) + place)[0]
    found = layout.overlaps(other_layout, BASE, BASE + place)
    try:
        by_numpy = np.shares_memory(array, other, MOST_WORK)
    except np.exceptions.TooHardError:
        by_numpy = found
    by_bytes = here & there != 0
    if not found == by_bytes == by_numpy:
        raise Different(f"{layout!r} and {other_layout!r} at {place:+}: {by_bytes}, NumPy {by_numpy}, not {found}")


FAMILIES = {family.__name__: family for family in (
    permute, slicing, reshape, broadcast, unsqueeze, squeeze, move_axes, swap_axes, flip, window, diagonal,
    dense_copies, contiguity, byte_bounds, flatten, merge_and_split, repack, unique, overlap)}


@pytest.mark.parametrize("name", FAMILIES)
def test_no_difference(name):
    family = FAMILIES[name]
    for number in rounds_within(SECONDS):
        family(Random(seed_of(number)))


if __name__ == "__main__":
    import tap
    tap.main(__file__)
