"""StridedLayout: what it is made from, and the layouts made from it."""

import copy
import pickle
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import address
from strideview import StridedLayout


class Index:
    """An integer only by __index__."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


DENSE = StridedLayout.dense((2, 3, 4), 8)


@pytest.mark.parametrize("shape, strides, itemsize", [
    ((2, 3), (3, 1), 4),
    ([2, 3], [3, 1], 4),
    (np.array([2, 3]), (np.int64(3), np.int8(1)), np.int32(4)),
    ((Index(2), Index(3)), (Index(3), Index(1)), Index(4)),
    ((2, 3), None, 4),
])
def test_new_takes_any_integers(shape, strides, itemsize):
    layout = StridedLayout(shape, strides, itemsize)
    assert (layout.shape, layout.strides, layout.itemsize) == ((2, 3), (3, 1), 4)
    assert layout == StridedLayout.dense((2, 3), 4)


def test_new_keeps_strides_as_given():
    layout = StridedLayout((2, 1, 3), (-7, 99, 0), 2)
    assert (layout.strides, layout.strides_in_bytes) == ((-7, 99, 0), (-14, 198, 0))


def test_new_divides_byte_strides():
    assert StridedLayout((2, 3), (-24, 8), 8, divide_strides=True).strides == (-3, 1)
    assert StridedLayout((2, 3), None, 8, True).strides == (3, 1)
    with pytest.raises(ValueError, match="multiple"):
        StridedLayout((2, 3), (12, 8), 8, divide_strides=True)


def test_byte_strides_need_not_divide():
    layout = StridedLayout.from_byte_strides((2, 3), (21, 7), 4)
    assert layout.strides_in_bytes == (21, 7)
    assert repr(layout) == "StridedLayout(shape=(2, 3), strides_in_bytes=(21, 7), itemsize=4)"
    with pytest.raises(ValueError, match="multiple"):
        layout.strides


@pytest.mark.parametrize("order, strides", [
    ("C", (12, 4, 1)), ("F", (1, 2, 6)), ((2, 0, 1), (3, 1, 6)), ([-1, 0, 1], (3, 1, 6)),
])
def test_dense_orders(order, strides):
    layout = StridedLayout.dense((2, 3, 4), 8, order)
    assert layout.strides == strides
    assert layout.is_dense and layout.is_contiguous_any


@pytest.mark.parametrize("make, error", [
    (lambda: StridedLayout((2, -3), None, 4), ValueError),
    (lambda: StridedLayout((2, 3), (1,), 4), ValueError),
    (lambda: StridedLayout((2, 3), (3, 1), 0), ValueError),
    (lambda: StridedLayout((2, 3), (3, 1), -4), ValueError),
    (lambda: StridedLayout((1,) * 65, None, 4), ValueError),
    (lambda: StridedLayout((2**62, 4), None, 4), OverflowError),
    (lambda: StridedLayout((2**64,), None, 4), OverflowError),
    (lambda: StridedLayout((2.0, 3), None, 4), TypeError),
    (lambda: StridedLayout("ab", None, 4), TypeError),
    (lambda: StridedLayout(None, None, 4), TypeError),
    (lambda: StridedLayout((2, 3)), TypeError),
    (lambda: StridedLayout((2, 3), None, 4, nothing=1), TypeError),
    (lambda: StridedLayout.dense((2, 3), 4, "A"), ValueError),
    (lambda: StridedLayout.dense((2, 3), 4, (0, 0)), ValueError),
    (lambda: StridedLayout.dense((2, 3), 4, (0, 2)), sv.BoundsError),
    (lambda: StridedLayout.dense((2, 3), 4, (0,)), ValueError),
    (lambda: StridedLayout.dense((2, 3), 4, "C", 1), TypeError),
    (lambda: StridedLayout.dense_like(3), TypeError),
    (lambda: DENSE.permute(0, 1), ValueError),
    (lambda: DENSE.permute(0, 1, 1), ValueError),
    (lambda: DENSE.permute(0, 1, 3), sv.BoundsError),
    (lambda: DENSE.permute(0, 1, 2**40), sv.BoundsError),
    (lambda: DENSE.permute(), TypeError),
    (lambda: DENSE.reshape(5), ValueError),
    (lambda: DENSE.reshape(-1, -1), ValueError),
    (lambda: DENSE.reshape(-1, 5), ValueError),
    (lambda: DENSE.reshape(-2, 12), ValueError),
    (lambda: DENSE[:, ::2].reshape(-1), ValueError),
    (lambda: DENSE.squeeze(0), ValueError),
    (lambda: DENSE.squeeze(3), sv.BoundsError),
    (lambda: DENSE.unsqueeze(5), sv.BoundsError),
    (lambda: DENSE.unsqueeze(1, 1), ValueError),
    (lambda: DENSE.unsqueeze(range(62)), ValueError),
    (lambda: DENSE.broadcast_to(2, 3), ValueError),
    (lambda: DENSE.broadcast_to(2, 3, 5), ValueError),
    (lambda: DENSE.broadcast_to(-1, 2, 3, 4), ValueError),
    (lambda: DENSE[2], sv.BoundsError),
    (lambda: DENSE[:, -4], sv.BoundsError),
    (lambda: DENSE[2**70], sv.BoundsError),
    (lambda: DENSE[0, 0, 0, 0], sv.BoundsError),
    (lambda: DENSE[..., 0, ...], sv.BoundsError),
    (lambda: DENSE[(None,) * 62], ValueError),
    (lambda: DENSE[(None,) * 65], sv.BoundsError),
    (lambda: DENSE[::0], ValueError),
    (lambda: DENSE[1.0], TypeError),
    (lambda: DENSE[True], TypeError),
    (lambda: DENSE["a"], TypeError),
    (lambda: DENSE[[0, 1]], TypeError),
    (lambda: DENSE[:"a"], TypeError),
    (lambda: DENSE[::-1].permute(0, 1, 2).to_dense("A"), ValueError),
    (lambda: DENSE.to_dense(itemsize=0), ValueError),
    (lambda: DENSE.to_dense(itemsize=-4), ValueError),
    (lambda: DENSE.to_dense(itemsize=2**62), OverflowError),
    (lambda: DENSE.to_dense(itemsize=2.0), TypeError),
    (lambda: StridedLayout((3,), (-1,), 4).required_size_in_bytes(), ValueError),
    (lambda: StridedLayout.from_byte_strides((3,), (3,), 4).offset_bounds, ValueError),
    (lambda: StridedLayout.from_byte_strides((3,), (-3,), 4).min_offset, ValueError),
    (lambda: StridedLayout.from_byte_strides((3,), (3,), 4).max_offset, ValueError),
    (lambda: DENSE.moveaxis(0, 3), sv.BoundsError),
    (lambda: DENSE.moveaxis(2**40, 0), sv.BoundsError),
    (lambda: DENSE.moveaxis((0, 0), (0, 1)), ValueError),
    (lambda: DENSE.moveaxis((0, 1), (0,)), ValueError),
    (lambda: DENSE.moveaxis(0), TypeError),
    (lambda: DENSE.moveaxis(0, "a"), TypeError),
    (lambda: DENSE.swapaxes(0, 3), sv.BoundsError),
    (lambda: DENSE.swapaxes(0, None), TypeError),
    (lambda: DENSE.swapaxes(0, -2**63), sv.BoundsError),
    (lambda: DENSE.flip(3), sv.BoundsError),
    (lambda: DENSE.flip(0, -3), ValueError),
    (lambda: DENSE.flip(1.0), TypeError),
    (lambda: DENSE.diagonal(0, 1, 1), ValueError),
    (lambda: DENSE.diagonal(0, 0, 3), sv.BoundsError),
    (lambda: DENSE.diagonal(2**63), OverflowError),
    (lambda: DENSE[0, 0].diagonal(), sv.BoundsError),
    (lambda: DENSE.sliding_window((3, 1, 1)), ValueError),
    (lambda: DENSE.sliding_window((1, 1)), ValueError),
    (lambda: DENSE.sliding_window((1, 1), 0), ValueError),
    (lambda: DENSE.sliding_window(-1, 0), ValueError),
    (lambda: DENSE.sliding_window(1, 3), sv.BoundsError),
    (lambda: DENSE.sliding_window((1,) * 62, (0,) * 62), ValueError),
    (lambda: DENSE.flatten(3), sv.BoundsError),
    (lambda: DENSE.flatten(0, -4), sv.BoundsError),
    (lambda: DENSE.flatten(mask=-1), OverflowError),
    (lambda: DENSE.flatten(mask=2**64), OverflowError),
    (lambda: DENSE.flatten(mask="a"), TypeError),
    (lambda: DENSE.merge_axes(1, 0), ValueError),
    (lambda: DENSE[:, ::2].merge_axes(0, 1), ValueError),
    (lambda: DENSE.merge_axes(0, 3), sv.BoundsError),
    (lambda: DENSE.merge_axes(0), TypeError),
    (lambda: DENSE.split_axis(0, (2, 2)), ValueError),
    (lambda: DENSE.split_axis(0, (-1, -1)), ValueError),
    (lambda: DENSE.split_axis(0, ()), ValueError),
    (lambda: DENSE.split_axis(3, (2,)), sv.BoundsError),
    (lambda: DENSE.split_axis(0, (2,) + (1,) * 62), ValueError),
    (lambda: DENSE.repack(0), ValueError),
    (lambda: DENSE.repack(-8), ValueError),
    (lambda: DENSE.repack(3), ValueError),
    (lambda: DENSE.repack(12), ValueError),
    (lambda: DENSE.repack(64), ValueError),
    (lambda: DENSE.repack(16, axis=0), ValueError),
    (lambda: DENSE.repack(16, axis=3), sv.BoundsError),
    (lambda: DENSE.repack(16, 8), ValueError),
    (lambda: DENSE.repack(16, -16), OverflowError),
    (lambda: DENSE[:, :, 1:3].repack(16), ValueError),
    (lambda: DENSE.repack("16"), TypeError),
    (lambda: DENSE.repack(), TypeError),
    (lambda: DENSE[0, 0, 0].repack(4), sv.BoundsError),
])
def test_bad_input(make, error):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value)


def test_axis_error_is_both():
    assert issubclass(sv.BoundsError, ValueError) and issubclass(sv.BoundsError, IndexError)


KEYS = [0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(5, 1), slice(-1, None, -2), Ellipsis, None, (),
        (0, 1), (0, 1, 2, Ellipsis), (Ellipsis, 0), (0, Ellipsis), (Ellipsis, slice(None, None, 2)),
        (None, 0, None, Ellipsis, None), (slice(0, 2), None, 1),
        (1, slice(None), slice(3, 0, -1)), (slice(None), slice(3, 3)),
        (Ellipsis, None),
        np.int8(1), (Index(1), slice(Index(0), Index(2))), slice(-2**80, 2**80), slice(None, None, 2**63 - 1),
        slice(2**70, -2**70, -1)]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_index_is_numpys(key):
    array = np.empty((2, 3, 4), "f8")
    expected, layout = array[key], DENSE[key]
    assert layout.shape == expected.shape
    assert layout == DENSE.sliced(key)
    if expected.size:
        wanted = [s for s, extent in zip(expected.strides, expected.shape) if extent > 1]
        assert [s for s, extent in zip(layout.strides_in_bytes, layout.shape) if extent > 1] == wanted
        first = address(expected) - address(array)
        assert layout.slice_offset_in_bytes == first and layout.slice_offset * 8 == first


def test_index_of_64_axes():
    layout = StridedLayout.dense((1,) * 64, 1)
    assert layout[(0,) * 64].ndim == 0
    assert layout[(slice(None, None, -1),) * 64].shape == (1,) * 64
    with pytest.raises(ValueError):
        layout[None]


@pytest.mark.parametrize("make, shape, strides", [
    (lambda l: l.permute(2, 0, 1), (4, 2, 3), (1, 12, 4)),
    (lambda l: l.permute([-1, 0, 1]), (4, 2, 3), (1, 12, 4)),
    (lambda l: l.permuted((2, 0, 1)), (4, 2, 3), (1, 12, 4)),
    (lambda l: l.reshape(6, -1), (6, 4), (4, 1)),
    (lambda l: l.reshape((6, 4)), (6, 4), (4, 1)),
    (lambda l: l.reshaped([24]), (24,), (1,)),
    (lambda l: l.reshape(-1), (24,), (1,)),
    (lambda l: l[:1].squeeze(), (3, 4), (4, 1)),
    (lambda l: l[:1, :, :1].squeeze(-1), (1, 3), (12, 4)),
    (lambda l: l[:1, :, :1].squeezed((0, 2)), (3,), (4,)),
    (lambda l: l[:1, :, :1].squeeze(None), (3,), (4,)),
    (lambda l: l.unsqueeze(0).squeeze(0), (2, 3, 4), (12, 4, 1)),
    (lambda l: l.broadcast_to(5, 2, 3, 4), (5, 2, 3, 4), (0, 12, 4, 1)),
    (lambda l: l.broadcast_to((5, 2, 3, 4)), (5, 2, 3, 4), (0, 12, 4, 1)),
    (lambda l: l[::-1, :, ::2].to_dense(), (2, 3, 2), (6, 2, 1)),
    (lambda l: l.permute(2, 0, 1).to_dense(), (4, 2, 3), (1, 12, 4)),
    (lambda l: l.permute(2, 0, 1).to_dense("C"), (4, 2, 3), (6, 3, 1)),
    (lambda l: l.permute(2, 0, 1).to_dense("F"), (4, 2, 3), (1, 4, 8)),
    (lambda l: l.to_dense(stride_order=(1, 2, 0)), (2, 3, 4), (1, 8, 2)),
    (lambda l: StridedLayout.dense_like(l.permute(2, 0, 1)), (4, 2, 3), (1, 12, 4)),
    (lambda l: l.T, (4, 3, 2), (1, 4, 12)),
    (lambda l: l.moveaxis(0, -1), (3, 4, 2), (4, 1, 12)),
    (lambda l: l.moveaxis(source=[0, 1], destination=(np.int8(-1), 0)), (3, 4, 2), (4, 1, 12)),
    (lambda l: l.moveaxis((), ()), (2, 3, 4), (12, 4, 1)),
    (lambda l: l.swapaxes(0, 2), (4, 3, 2), (1, 4, 12)),
    (lambda l: l.swapaxes(axis1=Index(1), axis2=1), (2, 3, 4), (12, 4, 1)),
    (lambda l: l.flip(), (2, 3, 4), (-12, -4, -1)),
    (lambda l: l.flip(None), (2, 3, 4), (-12, -4, -1)),
    (lambda l: l.flip(()), (2, 3, 4), (12, 4, 1)),
    (lambda l: l.flip(0, -1), (2, 3, 4), (-12, 4, -1)),
    (lambda l: l.flip([1]), (2, 3, 4), (12, -4, 1)),
    (lambda l: l.diagonal(), (4, 2), (1, 16)),
    (lambda l: l.diagonal(1), (4, 2), (1, 16)),
    (lambda l: l.diagonal(-1, axis1=-1, axis2=-2), (2, 3), (12, 5)),
    (lambda l: l.diagonal(5), (4, 0), (1, 16)),
    (lambda l: l.sliding_window((1, 2, 3)), (2, 2, 2, 1, 2, 3), (12, 4, 1, 12, 4, 1)),
    (lambda l: l.sliding_window(2, axis=-1), (2, 3, 3, 2), (12, 4, 1, 1)),
    (lambda l: l.sliding_window([2, 2], [2, 2]), (2, 3, 2, 2, 2), (12, 4, 1, 1, 1)),
    (lambda l: l.sliding_window((1, 2, 3), None)[0, 1], (2, 1, 2, 3), (1, 12, 4, 1)),
    (lambda l: l.flatten(), (24,), (1,)),
    (lambda l: l.flatten(1), (2, 12), (12, 1)),
    (lambda l: l.flattened(0, 1), (6, 4), (4, 1)),
    (lambda l: l.flattened(end_axis=-2), (6, 4), (4, 1)),
    (lambda l: l.flatten(2, 0), (2, 3, 4), (12, 4, 1)),
    (lambda l: l[:, ::2].flatten(), (2, 2, 4), (12, 8, 1)),
    (lambda l: l.flatten(mask=0b100), (2, 12), (12, 1)),
    (lambda l: l.flatten(0, -1, 0b010), (6, 4), (4, 1)),
    (lambda l: l.flatten(mask=l.flattened_axis_mask()), (24,), (1,)),
    (lambda l: l.flatten(mask=l.flattened_axis_mask() & l[:, ::2].flattened_axis_mask()), (2, 3, 4), (12, 4, 1)),
    (lambda l: l[0, 0, 0].flatten(), (1,), (1,)),
    (lambda l: l.merge_axes(0, 1), (6, 4), (4, 1)),
    (lambda l: l.merge_axes(start_axis=-2, end_axis=-1), (2, 12), (12, 1)),
    (lambda l: l.split_axis(-1, (2, -1)), (2, 3, 2, 2), (12, 4, 2, 1)),
    (lambda l: l[:1].split_axis(axis=0, shape=()), (3, 4), (4, 1)),
    (lambda l: l.split_axis(1, 3), (2, 3, 4), (12, 4, 1)),
])
def test_rearranging(make, shape, strides):
    layout = make(DENSE)
    assert (layout.shape, layout.strides, layout.itemsize) == (shape, strides, 8)


@pytest.mark.parametrize("make, shape, strides, itemsize", [
    (lambda l: l.repack(16), (2, 3, 2), (6, 2, 1), 16),
    (lambda l: l.repacked(np.int8(4)), (2, 3, 8), (24, 8, 1), 4),
    (lambda l: l.repack(8), (2, 3, 4), (12, 4, 1), 8),
    (lambda l: l.repack(32), (2, 3, 1), (3, 1, 1), 32),
    (lambda l: l.repack(32, keep_dim=False), (2, 3), (3, 1), 32),
    (lambda l: l.repack(32, 0, -1, False), (2, 3), (3, 1), 32),
    (lambda l: l.repack(16, data_ptr=32), (2, 3, 2), (6, 2, 1), 16),
    (lambda l: l.T.repack(16, axis=0), (2, 3, 2), (1, 2, 6), 16),
    (lambda l: l.repack(1).repack(8), (2, 3, 4), (12, 4, 1), 8),
    (lambda l: l.repack(16, 2**64 - 16), (2, 3, 2), (6, 2, 1), 16),
])
def test_repack(make, shape, strides, itemsize):
    layout = make(DENSE)
    assert (layout.shape, layout.strides, layout.itemsize) == (shape, strides, itemsize)
    assert layout.nbytes == DENSE.nbytes


@pytest.mark.parametrize("layout, mask", [
    (DENSE, 0b110), (DENSE[:, ::2], 0), (DENSE[:, :2], 0b100), (DENSE.T, 0), (DENSE.flip(), 0b110), (DENSE[0, 0, 0], 0),
    (StridedLayout((2, 1, 3), (3, 77, 1), 4), 0b110), (StridedLayout((2, 3), (0, 0), 4), 0b10),
    (StridedLayout.dense((1,) * 64, 1), 2**64 - 2),
])
def test_flattened_axis_mask(layout, mask):
    assert layout.flattened_axis_mask() == mask


def test_unsqueeze_places():
    assert DENSE.unsqueeze(0, -1).shape == (1, 2, 3, 4, 1)
    assert DENSE.unsqueezed((1, 3)).shape == (2, 1, 3, 1, 4)
    assert DENSE.unsqueeze(()) == DENSE


@pytest.mark.parametrize("method, name, value, more", [
    ("permuted", "axis_order", (2, 0, 1), (2, 0, 1)), ("reshaped", "shape", (6, -1), (6, -1)),
    ("unsqueezed", "axis", 1, (1,)), ("unsqueezed", "axis", (0, 2), (0, 2)),
    ("broadcast_to", "shape", (5, 2, 3, 4), (5, 2, 3, 4)), ("sliced", "slices", np.s_[1:, ::2], None),
])
def test_keywords_of_cuda_core(method, name, value, more):
    call = getattr(DENSE, method)
    assert call(**{name: value}) == call(value)
    assert more is None or call(*more) == call(value)
    for arguments, keywords in (((), {}), ((), {"nothing": value}), ((value,), {name: value}), ((value,), {"nothing": 1})):
        with pytest.raises(TypeError, match=method):
            call(*arguments, **keywords)


def test_repr():
    assert repr(DENSE) == "StridedLayout(shape=(2, 3, 4), strides=(12, 4, 1), itemsize=8)"
    assert repr(DENSE[1]) == "StridedLayout(shape=(3, 4), strides=(4, 1), itemsize=8, slice_offset=12)"
    assert eval(repr(DENSE)) == DENSE


def test_it_does_not_change():
    for name in ("shape", "strides", "itemsize", "anything"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(DENSE, name, 1)
    with pytest.raises(TypeError):
        StridedLayout.anything = 1


def test_weak_references_and_copies():
    layout = StridedLayout.dense((2,), 1)
    reference = weakref.ref(layout)
    assert reference() is layout
    del layout
    assert reference() is None
    assert copy.copy(DENSE) is DENSE and copy.deepcopy(DENSE) is DENSE and copy.deepcopy([DENSE])[0] is DENSE


TEXTS = [
    (DENSE, "(2, 3, 4)*8"), (DENSE[:, ::-1], "(2, 3, 4):(12, -4, 1)*8+64"), (DENSE[0, 0, 0], "()*8"),
    (DENSE.repack(1)[1:], "(1, 3, 32):(96, 32, 1)*1+96"), (DENSE[:0], "(0, 3, 4):(0, 0, 0)*8"),
    (StridedLayout.from_byte_strides((2, 3), (21, 7), 4), "(2, 3):(21, 7)b*4"),
    (StridedLayout((3, 1), (-2, 99), 4)[1:], "(2, 1):(-2, 99)*4-8"),
    (StridedLayout.dense((1,) * 64, 2**40), None),
    (StridedLayout.from_byte_strides((2,) * 3 + (1,) * 61, (-2**61,) * 3 + (-2**63,) * 61, 7)[::-1], None),
]


@pytest.mark.parametrize("layout, text", TEXTS, ids=lambda x: repr(x)[:40])
def test_text_and_pickle(layout, text):
    if text is not None:
        assert StridedLayout.parse(text) == layout
    assert StridedLayout.parse(str(layout)) == layout and "\n" not in str(layout)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(layout, protocol))
        assert again == layout and hash(again) == hash(layout) and type(again) is StridedLayout


def test_notebooks_show_a_picture():
    assert DENSE._repr_svg_() == sv.draw(DENSE) and DENSE._repr_svg_().startswith("<svg")


def test_list_that_shrinks_while_it_is_read():
    class Shrink:
        def __index__(self):
            extents.clear()
            return 2
    extents = [Shrink(), 3, 4, 5]
    assert StridedLayout.dense(extents, 1).shape == (2, 3, 4, 5) and extents == []


if __name__ == "__main__":
    import tap
    tap.main(__file__)


@pytest.mark.parametrize("itemsize", [1, 2, 3, 8, 16, Index(5)])
def test_dense_with_another_itemsize(itemsize):
    layout = DENSE.permute(2, 0, 1)[:, ::-1]
    for order in "KCF":
        found, same = layout.to_dense(order, itemsize), layout.to_dense(order)
        assert (found.shape, found.strides, found.is_dense) == (same.shape, same.strides, True)
        assert found.itemsize == itemsize.__index__() and layout.to_dense(order, itemsize=None) == same
