"""StridedLayout: what layouts can be asked, alone and two together."""

import numpy as np
import pytest

import strideview as sv
from strideview import StridedLayout

DENSE = StridedLayout.dense((2, 3, 4), 8)


@pytest.mark.parametrize("make, c, f, any_, dense", [
    (lambda l: l, True, False, True, True),
    (lambda l: l.permute(2, 1, 0), False, True, True, True),
    (lambda l: l.permute(2, 0, 1), False, False, True, True),
    (lambda l: l[1:], True, False, True, False),
    (lambda l: l[:, ::2], False, False, False, False),
    (lambda l: l[::-1], False, False, False, False),
    (lambda l: l[:, :0], True, True, True, True),
    (lambda l: l[0, 0, 0], True, True, True, True),
    (lambda l: l[0, 0, 1:2], True, True, True, False),
])
def test_contiguity(make, c, f, any_, dense):
    layout = make(DENSE)
    told = (layout.is_contiguous_c, layout.is_contiguous_f, layout.is_contiguous_any, layout.is_dense)
    assert told == (c, f, any_, dense)


@pytest.mark.parametrize("layout, bounds, required", [
    (DENSE, (0, 23), 192),
    (DENSE[1:], (12, 23), 192),
    (DENSE[1:, 1:], (16, 23), 192),
    (DENSE[::-1], (0, 23), 192),
    (DENSE[::-1, 1], (4, 19), 160),
    (DENSE[:, :0], (0, -1), 0),
    (DENSE[0, 0, 0], (0, 0), 8),
    (DENSE[1, 1, 1], (17, 17), 144),
    (StridedLayout((3,), (0,), 4), (0, 0), 4),
    (StridedLayout((2, 3), (-5, 1), 4), (-5, 2), None),
])
def test_bounds(layout, bounds, required):
    assert layout.offset_bounds == (layout.min_offset, layout.max_offset) == bounds
    if required is not None:
        assert layout.required_size_in_bytes() == required


def test_numbers():
    layout = DENSE[1:, :, ::2]
    assert (layout.ndim, layout.volume, layout.size, layout.nbytes, layout.itemsize) == (3, 6, 6, 48, 8)
    assert (layout.slice_offset, layout.slice_offset_in_bytes) == (12, 96)
    assert DENSE[0, 0, 0].size == 1 and DENSE[0, 0, 0].shape == ()
    assert StridedLayout((0, 2**40, 2**40), None, 4).size == 0


@pytest.mark.parametrize("layout, order", [
    (DENSE, (0, 1, 2)),
    (DENSE.permute(2, 0, 1), (1, 2, 0)),
    (DENSE[::-1], (0, 1, 2)),
    (StridedLayout((2, 3, 4), (1, 1, 1), 4), (2, 1, 0)),
    (StridedLayout((3, 3), (2, -2), 4), (0, 1)),
    (StridedLayout((2, 3), (-5, 4), 1), (0, 1)),
    (DENSE[0, 0, 0], ()),
])
def test_stride_order(layout, order):
    assert layout.stride_order == order


def test_equality_and_hash():
    same = [DENSE, StridedLayout((2, 3, 4), (12, 4, 1), 8), StridedLayout((2, 3, 4), None, 8), DENSE[:, :]]
    other = [DENSE[1:], DENSE.permute(2, 1, 0), StridedLayout((2, 3, 4), None, 4), StridedLayout((24,), None, 8),
             DENSE[::-1], "layout", None]
    assert all(a == b and hash(a) == hash(b) and not a != b for a in same for b in same)
    assert all(DENSE != x and not DENSE == x for x in other)
    empty = [StridedLayout((0, 3), (7, 1), 8), StridedLayout((0, 3), None, 8), StridedLayout.dense((2, 3), 8)[2:]]
    assert len(set(empty)) == 1
    with pytest.raises(TypeError):
        DENSE < DENSE


def test_extents_of_one_do_not_disturb_the_hash():
    one, other = StridedLayout((1, 3), (3, 1), 8), StridedLayout((1, 3), (9, 1), 8)
    assert (one != other) or hash(one) == hash(other)


@pytest.mark.parametrize("layout, unique", [
    (DENSE, True), (DENSE[::-1, :, ::2], True), (DENSE[:0], True), (DENSE[0, 0, 0], True),
    (DENSE.broadcast_to(2, 2, 3, 4), False), (DENSE[:1].broadcast_to(1, 3, 4), True),
    (StridedLayout((2, 3), (3, 2), 4), True), (StridedLayout((3, 3), (3, 2), 4), True),
    (StridedLayout((3, 4), (3, 2), 4), False), (DENSE.sliding_window(2, 2), False),
    (StridedLayout.from_byte_strides((3,), (3,), 4), False),
])
def test_is_unique(layout, unique):
    assert layout.is_unique is unique and sv.is_unique(layout) is unique and sv.is_unique(layout, work=10**6) is unique


# Which of 40 even steps add up to the same: with one unit of work nothing is found.
HARD = StridedLayout.from_byte_strides((2,) * 40, [2 * (3**24 + 7919 * i * i) for i in range(40)], 2)


def test_too_hard_is_told():
    with pytest.raises(sv.TooHardError, match="work"):
        sv.is_unique(HARD, 1)
    with pytest.raises(sv.TooHardError, match="work"):
        HARD.overlaps(HARD.flip(), 0, 2**40, work=1)
    assert issubclass(sv.TooHardError, RuntimeError)


def test_overlaps():
    even, odd = DENSE[:, :, ::2], DENSE[:, :, 1::2]
    assert even.overlaps(DENSE) and DENSE.overlaps(even) and not even.overlaps(odd)
    assert even.overlaps(odd, 8) and even.overlaps(odd, 0, -8 % 2**64) and even.overlaps(odd, other_address=1)
    assert not DENSE.overlaps(DENSE, 0, 192) and DENSE.overlaps(DENSE, 0, 191) and not DENSE.overlaps(DENSE[:0])


@pytest.mark.parametrize("layout, address, alignment", [
    (DENSE, 0, 8), (DENSE, 4, 4), (DENSE, np.int64(3), 1), (DENSE[:1, :1, 2:3], 0, 16),
    (DENSE[:, :, ::2], 64, 16), (StridedLayout.dense((3,), 12), 0, 4), (DENSE[:0], 1, 2**62),
    (DENSE[0, 0, 0], 2**63, 2**62),
])
def test_alignment(layout, address, alignment):
    assert layout.alignment(address) == layout.alignment(address=address) == alignment


@pytest.mark.parametrize("layout, arguments, itemsize", [
    (DENSE, {}, 16), (DENSE, {"max_itemsize": 32}, 32), (DENSE, {"max_itemsize": 8}, 8),
    (DENSE, {"data_ptr": 8}, 8), (DENSE, {"data_ptr": 32, "max_itemsize": 64}, 32), (DENSE, {"axis": 0}, 8),
    (DENSE.T, {"axis": 0}, 16), (DENSE[:, :, 1:], {}, 8), (DENSE[:, :, 2:], {}, 16),
])
def test_max_compatible_itemsize(layout, arguments, itemsize):
    assert layout.max_compatible_itemsize(**arguments) == itemsize
    again = {key: value for key, value in arguments.items() if key != "max_itemsize"}
    assert layout.repack(itemsize, **again).itemsize == itemsize


def test_is_within():
    assert DENSE.is_within(0, 192) and not DENSE.is_within(0, 191) and not DENSE.is_within(1, 192)
    assert DENSE[1:].is_within(96, 192) and DENSE[:0].is_within(5, 5) and DENSE[:0].is_within(lower=7, upper=-7)


def test_same_bytes():
    assert DENSE.same_bytes(DENSE.flatten()) and DENSE.same_bytes(DENSE.repack(4)) and DENSE[:0].same_bytes(DENSE[1:, :0])
    assert not DENSE.same_bytes(DENSE.T) and not DENSE.same_bytes(DENSE[1:])


def test_common_form():
    ours, theirs = DENSE.common_form(DENSE.T.to_dense("C").T)
    assert ours.shape == theirs.shape == (2, 3, 4) and theirs.strides == (1, 2, 6)
    ours, theirs = DENSE.flip(0).common_form(other=DENSE.flip(0))
    assert ours.shape == (24,) and ours == theirs
    ours, theirs = DENSE.common_form(DENSE[0, 0])
    assert (ours.shape, ours.strides, theirs.strides) == ((6, 4), (4, 1), (0, 1))


def test_common_itemsize():
    assert DENSE.common_itemsize(DENSE) == 16 and DENSE.common_itemsize(DENSE, 64) == 64
    assert DENSE.common_itemsize(DENSE, 16, 8) == 8 and DENSE.common_itemsize(DENSE, other_address=4) == 4
    assert DENSE.common_itemsize(DENSE[:, :, ::-1]) == 8


def test_broadcast_shape():
    assert DENSE.broadcast_shape(DENSE[:1, :, :1]) == (2, 3, 4) and DENSE[:, :, :1].broadcast_shape(DENSE[0]) == (2, 3, 4)
    assert DENSE[0, 0, 0].broadcast_shape(DENSE[0, 0, 0]) == () and DENSE[:0].broadcast_shape(DENSE[:1]) == (0, 3, 4)


def test_permutation_to():
    for axes in [(0, 1, 2), (2, 0, 1), (1, 2, 0)]:
        assert DENSE.permutation_to(DENSE.permute(axes)) == axes


@pytest.mark.parametrize("make, error", [
    (lambda: StridedLayout.parse(""), ValueError),
    (lambda: StridedLayout.parse("(2, 3)"), ValueError),
    (lambda: StridedLayout.parse("(2, 3):(1)*4"), ValueError),
    (lambda: StridedLayout.parse("(2)*4\0"), ValueError),
    (lambda: StridedLayout.parse("(2)*4 x"), ValueError),
    (lambda: StridedLayout.parse("(-2)*4"), ValueError),
    (lambda: StridedLayout.parse("(2)*0"), ValueError),
    (lambda: StridedLayout.parse("(99999999999999999999)*4"), OverflowError),
    (lambda: StridedLayout.parse("(" + "1," * 65 + ")*4"), ValueError),
    (lambda: StridedLayout.parse("\udc80"), ValueError),
    (lambda: StridedLayout.parse(b"(2)*4"), TypeError),
    (lambda: StridedLayout.parse(None), TypeError),
    (lambda: DENSE.max_compatible_itemsize(4), ValueError),
    (lambda: DENSE.max_compatible_itemsize(0), ValueError),
    (lambda: DENSE.max_compatible_itemsize(axis=3), sv.BoundsError),
    (lambda: DENSE[0, 0, 0].max_compatible_itemsize(), sv.BoundsError),
    (lambda: DENSE.max_compatible_itemsize(16, -1), OverflowError),
    (lambda: DENSE.max_compatible_itemsize(16.0), TypeError),
    (lambda: DENSE.alignment(-1), OverflowError),
    (lambda: DENSE.alignment("a"), TypeError),
    (lambda: DENSE.is_within(0), TypeError),
    (lambda: DENSE.is_within(0, 2**63), OverflowError),
    (lambda: DENSE.overlaps(3), TypeError),
    (lambda: DENSE.overlaps(DENSE, work=-1), ValueError),
    (lambda: DENSE.overlaps(DENSE, -1), OverflowError),
    (lambda: sv.is_unique(DENSE, -1), ValueError),
    (lambda: sv.is_unique(3), TypeError),
    (lambda: DENSE.same_bytes(None), TypeError),
    (lambda: DENSE.common_form(DENSE.T), ValueError),
    (lambda: DENSE.common_form((2, 3, 4)), TypeError),
    (lambda: DENSE.common_itemsize(DENSE, 0), ValueError),
    (lambda: DENSE.common_itemsize(DENSE.repack(4)), ValueError),
    (lambda: DENSE.common_itemsize(DENSE, address="a"), TypeError),
    (lambda: DENSE.broadcast_shape(DENSE.T), ValueError),
    (lambda: DENSE.broadcast_shape((2, 3, 4)), TypeError),
    (lambda: DENSE.permutation_to(DENSE[1:]), ValueError),
    (lambda: DENSE.permutation_to(DENSE[0]), ValueError),
])
def test_bad_questions(make, error):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
