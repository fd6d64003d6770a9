"""Laws that layouts keep, on those that hypothesis comes up with."""

import os
import pickle
from math import prod

import pytest

from arrays import occupied
from strideview import StridedLayout

hypothesis = pytest.importorskip("hypothesis")
given, st = hypothesis.given, hypothesis.strategies

EXAMPLES = {"": 100, "full": 1_000, "long": 10_000}[os.environ.get("SV_TEST_SCALE", "")]
# The same examples each time but in make check-long, and nothing that depends on how fast they come.
hypothesis.settings.register_profile("sv", max_examples=EXAMPLES, deadline=None, database=None,
                                     derandomize=EXAMPLES < 10_000,
                                     suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("sv")

INT64 = st.integers(-2**63, 2**63 - 1)


@st.composite
def layouts(draw, extents=st.integers(0, 5), strides=st.integers(-50, 50), most=5):
    """Any layout, sliced or not, whose strides are elements or any number of bytes."""
    shape = draw(st.lists(extents, max_size=most))
    itemsize = draw(st.integers(1, 24))
    make = draw(st.sampled_from((StridedLayout, StridedLayout.from_byte_strides)))
    steps = [draw(strides) for _ in shape]
    try:
        layout = make(shape, steps, itemsize)
        return layout[draw(indices(layout.shape))] if draw(st.booleans()) else layout
    except OverflowError:
        hypothesis.reject()


@st.composite
def indices(draw, shape):
    items = []
    for extent in shape[:draw(st.integers(0, len(shape)))]:
        ends = st.none() | st.integers(-extent - 2, extent + 2)
        slices = st.builds(slice, ends, ends, st.none() | st.integers(-3, 3).filter(bool))
        items.append(draw(st.integers(-extent, extent - 1) | slices if extent else slices))
    return tuple(items)


def elements(layout):
    """The byte of each element, in C order of the indices."""
    bytes_of = [layout.slice_offset_in_bytes]
    for extent, step in zip(layout.shape, layout.strides_in_bytes):
        bytes_of = [byte + i * step for byte in bytes_of for i in range(extent)]
    return bytes_of


def assert_equal(layout, other):
    assert layout == other and hash(layout) == hash(other)


@given(layouts(), st.data())
def test_permute_and_back(layout, data):
    axes = data.draw(st.permutations(range(layout.ndim)))
    back = [axes.index(axis) for axis in range(layout.ndim)]
    assert_equal(layout.permuted(axes).permuted(back), layout)
    assert_equal(layout.T.T, layout)


@given(layouts(), st.data())
def test_slice_of_slice_is_one_slice(layout, data):
    if not layout.ndim:
        return
    extent = layout.shape[0]
    ends = st.none() | st.integers(-extent - 2, extent + 2)
    one, two = (slice(data.draw(ends), data.draw(ends), data.draw(st.integers(-3, 3).filter(bool))) for _ in range(2))
    left = range(extent)[one][two]
    stop = left.stop if left.stop >= 0 else None
    once = layout[left.start:stop:left.step] if len(left) else layout[:0]
    assert_equal(layout[one][two], once)


@given(layouts(), st.data())
def test_index_is_a_slice_of_one(layout, data):
    if layout.size and layout.ndim:
        axis = data.draw(st.integers(0, layout.ndim - 1))
        i = data.draw(st.integers(0, layout.shape[axis] - 1))
        before = (slice(None),) * axis
        assert_equal(layout[(*before, slice(i, i + 1))].squeeze(axis), layout[(*before, i)])


@given(layouts(), st.data())
def test_reshape_there_and_back(layout, data):
    shape = data.draw(st.permutations(layout.shape))
    try:
        other = layout.reshaped(shape)
    except ValueError:
        return
    assert elements(other) == elements(layout)
    assert_same_elements(other.reshaped(layout.shape), layout)


def assert_same_elements(layout, other):
    assert layout.shape == other.shape and elements(layout) == elements(other)


@given(layouts())
def test_reshape_of_a_dense_layout_always_works(layout):
    for order in "CFK":
        dense = layout.to_dense(order)
        assert dense.is_dense and dense.shape == layout.shape
        assert_same_elements(dense.to_dense(), dense)
    flat = layout.to_dense("C").reshaped(layout.size)
    assert_equal(flat, StridedLayout((layout.size,), None, layout.itemsize))


@given(layouts(), st.data())
def test_flatten_is_idempotent(layout, data):
    flat = layout.flattened()
    assert elements(flat) == elements(layout) and flat.itemsize == layout.itemsize
    assert_equal(flat.flattened(), flat)
    if layout.ndim:  # else there is nothing that a mask could name, and flat has an axis
        assert_equal(layout.flattened(mask=layout.flattened_axis_mask()), flat)
    mask = data.draw(st.integers(0, 63))
    assert elements(layout.flattened(mask=mask)) == elements(layout)


@given(layouts(), st.data())
def test_flip_twice(layout, data):
    axes = data.draw(st.lists(st.integers(0, layout.ndim - 1), unique=True)) if layout.ndim else []
    assert_equal(layout.flip(axes).flip(axes), layout)
    assert sorted(elements(layout.flip())) == sorted(elements(layout))


@given(layouts(), st.data())
def test_unsqueeze_and_squeeze(layout, data):
    axes = data.draw(st.lists(st.integers(0, layout.ndim + 1), max_size=2, unique=True))
    axes = [axis for axis in axes if axis < layout.ndim + len(axes)]
    try:
        wide = layout.unsqueezed(axes)
    except ValueError:
        return  # of two axes one was too far and has gone
    assert_equal(wide.squeeze(axes), layout)
    assert elements(wide) == elements(layout)


@given(layouts(), st.data())
def test_move_and_swap_axes(layout, data):
    if layout.ndim:
        one, two = (data.draw(st.integers(0, layout.ndim - 1)) for _ in range(2))
        assert_equal(layout.moveaxis(one, two).moveaxis(two, one), layout)
        assert_equal(layout.swapaxes(one, two).swapaxes(two, one), layout)


@given(layouts(), st.data())
def test_split_and_merge(layout, data):
    if layout.ndim and layout.size:
        axis = data.draw(st.integers(0, layout.ndim - 1))
        extent = layout.shape[axis]
        part = data.draw(st.sampled_from([part for part in range(1, extent + 1) if extent % part == 0]))
        split = layout.split_axis(axis, (part, -1))
        assert elements(split) == elements(layout)
        assert_same_elements(split.merge_axes(axis, axis + 1), layout)


@given(layouts(strides=st.integers(-9, 9)), st.sampled_from((2, 3, 4, 8)))
def test_repack_there_and_back(layout, times):
    if not layout.ndim or layout.shape[-1] > 1 and layout.strides_in_bytes[-1] != layout.itemsize:
        return
    small, itemsize = layout.itemsize, layout.itemsize * times
    wide = [step * itemsize for step in layout.strides_in_bytes[:-1]]
    layout = StridedLayout.from_byte_strides(layout.shape, [*wide, itemsize], itemsize)
    parts = layout.repacked(small)
    assert elements(parts) == [byte + i * small for byte in elements(layout) for i in range(times)]
    assert_same_elements(parts.repacked(itemsize), layout)


@given(layouts(), st.integers(1, 3))
def test_windows_and_broadcasts_stay_inside(layout, extent):
    if layout.ndim and layout.shape[0] >= extent:
        window = layout.sliding_window(extent, 0)
        assert set(elements(window)) <= set(elements(layout)) and window.shape[-1] == extent
    wide = layout.broadcast_to(extent, *layout.shape)
    assert elements(wide) == elements(layout) * extent


@given(layouts(), layouts())
def test_equal_means_equal_hash_and_elements(layout, other):
    for one in (layout, other):
        assert_equal(one, StridedLayout.from_byte_strides(one.shape, one.strides_in_bytes, one.itemsize)
                     if one.slice_offset_in_bytes == 0 else one)
        assert_equal(pickle.loads(pickle.dumps(one)), one)
    if layout == other:
        assert hash(layout) == hash(other)
        assert (layout.shape, layout.itemsize) == (other.shape, other.itemsize)
        assert elements(layout) == elements(other)
    else:
        facts = [(one.shape, one.itemsize, elements(one)) for one in (layout, other)]
        assert facts[0] != facts[1] or 1 in layout.shape  # whose strides count, though nothing moves


@given(layouts(), layouts(), st.data())
def test_common_form_pairs_the_same_elements(layout, other, data):
    """Of a copy: from where to where, in any order."""
    try:
        one, two = layout.common_form(other)
        wide = other.broadcast_to(layout.shape)
    except ValueError:
        return
    assert one.shape == two.shape
    assert sorted(zip(elements(one), elements(two))) == sorted(zip(elements(layout), elements(wide)))
    assert one.ndim <= max(layout.ndim, 1)


@given(layouts(), layouts())
def test_same_bytes_in_the_same_order(layout, other):
    def bytes_of(one):
        return [byte + i for byte in elements(one) for i in range(one.itemsize)]

    assert layout.same_bytes(other) == (bytes_of(layout) == bytes_of(other))
    assert layout.same_bytes(layout.flattened())


@given(layouts(), layouts(), st.integers(-99, 99))
def test_overlap_is_mutual_and_what_marking_bytes_says(layout, other, place):
    here, there = occupied(layout, 1 << 16)[0], occupied(other, (1 << 16) + place)[0]
    assert layout.overlaps(other, 1 << 20, (1 << 20) + place) == (here & there != 0)
    assert other.overlaps(layout, (1 << 20) + place, 1 << 20) == (here & there != 0)


@given(layouts(), st.integers(-200, 200), st.integers(0, 4000))
def test_within_bounds(layout, lower, length):
    bytes_of = [byte + end for byte in elements(layout) for end in (0, layout.itemsize - 1)]
    assert layout.is_within(lower, lower + length) == all(lower <= byte < lower + length for byte in bytes_of)


@given(layouts())
def test_text_says_it_all(layout):
    assert_equal(StridedLayout.parse(str(layout)), layout)


@given(layouts(st.sampled_from((0, 1, 2, 3, 2**31, 2**62, 2**63 - 1)), INT64 | st.integers(-9, 9), 4), st.data())
def test_ends_of_int64(layout, data):
    """Any operation answers or refuses; what it answers has elements where Python's integers have them."""
    assert layout.size == prod(layout.shape) < 2**63
    corner = [data.draw(st.integers(0, extent - 1)) for extent in layout.shape] if layout.size else []
    try:
        lower, upper = layout.offset_bounds
    except (OverflowError, ValueError):
        return
    if layout.size:
        byte = layout.slice_offset_in_bytes + sum(i * step for i, step in zip(corner, layout.strides_in_bytes))
        assert lower * layout.itemsize <= byte <= upper * layout.itemsize
        assert layout[tuple(corner)].slice_offset_in_bytes == byte
        assert layout.flip().flip() == layout
    else:
        assert (lower, upper) == (0, -1)
        assert layout.flip().size == layout[(slice(None, None, -1),) * layout.ndim].size == 0


if __name__ == "__main__":
    import tap
    tap.main(__file__)
