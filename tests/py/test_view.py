"""StridedMemoryView: what it tells, other views of the same memory, life and death."""

import gc
import sys
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import Exporter, address, device_view, name_of, numbers
from strideview import StridedLayout, StridedMemoryView
from together import together

ARRAY = numbers((2, 3, 4))


def assert_same(view, array):
    """Shape, strides, type and memory of view are those of array."""
    assert (view.shape, view.ndim, view.size) == (array.shape, array.ndim, array.size)
    assert (view.nbytes, view.itemsize, view.dtype) == (array.nbytes, array.itemsize, array.dtype)
    if array.size:
        assert view.ptr == address(array)
        steps = [s for s, extent in zip(view.layout.strides_in_bytes, view.shape) if extent > 1]
        assert steps == [s for s, extent in zip(array.strides, array.shape) if extent > 1]
    assert np.array_equal(np.asarray(view), array)


@pytest.mark.parametrize("make", [sv.view, StridedMemoryView, StridedMemoryView.from_dlpack,
                                  StridedMemoryView.from_any_interface, lambda x: StridedMemoryView(x, None),
                                  lambda x: StridedMemoryView(obj=x, stream_ptr=-1), lambda x: sv.view(x, stream=-1)])
def test_making_one(make):
    view = make(ARRAY)
    assert type(view) is StridedMemoryView and view.exporting_obj is ARRAY
    assert_same(view, ARRAY)


def test_view_of_a_view_is_itself():
    view = sv.view(ARRAY)
    assert sv.view(view) is view and StridedMemoryView(view) is view and view.view() is view


def test_attributes_of_host_memory():
    view = sv.view(ARRAY)
    assert (view.strides, view.device, view.device_id) == ((12, 4, 1), (1, 0), -1)
    assert (view.is_device_accessible, view.is_host_accessible, view.readonly) == (False, True, False)
    assert view.layout == StridedLayout.dense((2, 3, 4), 4)
    assert repr(view) == "StridedMemoryView(shape=(2, 3, 4), strides=(12, 4, 1), dtype=float32, device=cpu)"


@pytest.mark.parametrize("key", [
    0, -1, slice(1, None), slice(None, None, -1), Ellipsis, None, (), (0, 1), (Ellipsis, 0),
    (None, 0, None, Ellipsis, None), (slice(0, 2), None, 1),
    (1, slice(None), slice(3, 0, -1)), (slice(None), slice(3, 3)),
    (0, 1, 2, Ellipsis),
], ids=repr)
def test_index(key):
    assert_same(sv.view(ARRAY)[key], ARRAY[key])


@pytest.mark.parametrize("make", [
    lambda x: x.T,
    lambda x: x[::-1].T[1:],
    lambda x: x.reshape(6, 4),
    lambda x: x.reshape((4, -1)),
    lambda x: x[:, :, 1:2].squeeze(),
    lambda x: x[:, :, ::-2][1][None, :, None],
], ids=str)
def test_methods_that_numpy_has(make):
    assert_same(make(sv.view(ARRAY)), make(ARRAY))


@pytest.mark.parametrize("ours, numpys", [
    (lambda v: v.permute(2, 0, 1), lambda a: a.transpose(2, 0, 1)),
    (lambda v: v.permute((-1, 0, 1)), lambda a: a.transpose(2, 0, 1)),
    (lambda v: v.unsqueeze(0, 2), lambda a: np.expand_dims(a, (0, 2))),
    (lambda v: v[:1].squeeze(0), lambda a: a[:1].squeeze(0)),
    (lambda v: v.moveaxis(0, -1), lambda a: np.moveaxis(a, 0, -1)),
    (lambda v: v.swapaxes(0, 2), lambda a: a.swapaxes(0, 2)),
    (lambda v: v.flip(), np.flip),
    (lambda v: v.flip(0, 2), lambda a: np.flip(a, (0, 2))),
    (lambda v: v.diagonal(1, 1, 2), lambda a: a.diagonal(1, 1, 2)),
    (lambda v: v.sliding_window((2, 2), (1, 2)),
     lambda a: np.lib.stride_tricks.sliding_window_view(a, (2, 2), (1, 2))),
    (lambda v: v.flatten(), lambda a: a.reshape(-1)),
    (lambda v: v.flatten(1), lambda a: a.reshape(2, 12)),
    (lambda v: v.T.flatten(mask=0b110), lambda a: a.T),
    (lambda v: v.merge_axes(0, 1), lambda a: a.reshape(6, 4)),
    (lambda v: v.split_axis(2, (2, -1)), lambda a: a.reshape(2, 3, 2, 2)),
    (lambda v: v.broadcast_to(5, 2, 3, 4), lambda a: np.broadcast_to(a, (5, 2, 3, 4))),
])
def test_methods_that_numpy_names_otherwise(ours, numpys):
    assert_same(ours(sv.view(ARRAY)), numpys(ARRAY))


@pytest.mark.parametrize("make, arguments, shape", [
    (lambda v: v, (), (24,)), (lambda v: v[::-1, ::-1, ::-1], (), (24,)), (lambda v: v[0, 0, 0], (), (1,)),
    (lambda v: v[:0], (), (0,)), (lambda v: v.T[:, :, :0], (), (0,)), (lambda v: v[:, :1], (0, 1), (2, 4)),
    (lambda v: v[:, :2], (1,), (2, 8)), (lambda v: v, (-2, -1), (2, 12)), (lambda v: v, (1, 1), (2, 3, 4)),
    (lambda v: v.T, (), ValueError), (lambda v: v[:, ::2], (), ValueError), (lambda v: v[:, :2], (0, 1), ValueError),
    (lambda v: v[..., ::-1], (), ValueError), (lambda v: v, (2, 0), ValueError), (lambda v: v, (0, 3), sv.BoundsError),
])
def test_flatten_gives_one_axis_or_says_so(make, arguments, shape):
    view, expected = make(sv.view(ARRAY)), make(ARRAY)
    if isinstance(shape, type):
        with pytest.raises(shape, match="copy" if shape is ValueError and arguments != (2, 0) else "axis|axes"):
            view.flatten(*arguments)
        return
    flat = view.flatten(*arguments)
    assert flat.shape == shape
    assert np.array_equal(np.asarray(flat), expected.reshape(shape))


def test_names_of_cuda_core():
    view = sv.view(ARRAY)
    assert view._layout is view.layout
    assert view.broadcast_to(shape=(5, 2, 3, 4)).shape == (5, 2, 3, 4)
    assert StridedMemoryView.from_array_interface(obj=ARRAY).ptr == view.ptr
    out = np.zeros_like(ARRAY)
    sv.view(out).copy_from(view, None, None, True)
    assert np.array_equal(out, ARRAY)
    view.copy_to(other=np.zeros_like(ARRAY), stream=None, allocator=object(), blocking=None)


def test_views_share_and_remember():
    array = ARRAY.copy()
    view = sv.view(array)
    derived = view[1].T[::-1]
    assert derived.exporting_obj is array
    np.asarray(derived)[0, 0] = 77
    assert array[1, 0, 3] == 77


def test_view_with_layout_counts_from_the_base():
    array = numbers(24)
    view = sv.view(array)[4:][2:]
    again = view.view(StridedLayout.dense((2, 3), 4))
    assert again.ptr == address(array) and again.strides == (3, 1)
    assert view.view(view.layout[1:]).ptr == address(array[7:])
    assert again[1].view(layout=again.layout[:, 1:]).ptr == address(array[1:])


def test_view_as_another_type():
    array = numbers((3, 4), "float32")
    view = sv.view(array)
    assert np.array_equal(np.asarray(view.view(dtype="uint32")), array.view("uint32"))
    assert view.view(None, np.int32).dtype == np.int32
    bytes_ = view.view(StridedLayout.dense((3, 16), 1), "uint8")
    assert np.array_equal(np.asarray(bytes_), array.view("uint8"))
    opaque = view.view(StridedLayout.dense((16,), 3), "opaque")
    assert (opaque.dtype, opaque.itemsize, opaque.nbytes) == ("opaque", 3, 48)


@pytest.mark.parametrize("make, error", [
    (lambda v: v.view(dtype="nonsense"), TypeError),
    (lambda v: v.view(StridedLayout.dense((2,), 8)), TypeError),
    (lambda v: v.view(StridedLayout.dense((2,), 8), "float32"), TypeError),
    (lambda v: v.view((2, 3)), TypeError),
    (lambda v: v.view(3), TypeError),
    (lambda v: sv.empty(4).view(StridedLayout.dense((5,), 4)), ValueError),
    (lambda v: sv.empty(4).view(StridedLayout((4,), (-1,), 4)), ValueError),
    (lambda v: v[2], sv.BoundsError),
    (lambda v: v[0, 0, 0, 0], sv.BoundsError),
    (lambda v: v[True], TypeError),
    (lambda v: v.reshape(5), ValueError),
    (lambda v: v.T.reshape(-1), ValueError),
    (lambda v: v.permute(0, 1, 3), sv.BoundsError),
    (lambda v: v.squeeze(0), ValueError),
    (lambda v: v.broadcast_to(3, 3, 4), ValueError),
    (lambda v: len(v[0, 0, 0]), TypeError),
    (lambda v: iter(v[0, 0, 0]), TypeError),
    (lambda v: StridedMemoryView(), TypeError),
    (lambda v: StridedMemoryView(3), TypeError),
    (lambda v: StridedMemoryView.from_dlpack(None), TypeError),
    (lambda v: sv.view(ARRAY, stream=-2), ValueError),
    (lambda v: sv.view(ARRAY, stream="1"), TypeError),
    (lambda v: sv.view(ARRAY, 1, 2), TypeError),
    (lambda v: sv.view(obj=ARRAY, nothing=1), TypeError),
    (lambda v: sv.view(ARRAY, obj=ARRAY), TypeError),
    (lambda v: sv.view(), TypeError),
    (lambda v: sv.empty(), TypeError),
    (lambda v: sv.empty(-1), ValueError),
    (lambda v: sv.empty((2**62, 4)), OverflowError),
    (lambda v: sv.empty(2**60), MemoryError),
    (lambda v: sv.empty(2, "nonsense"), TypeError),
    (lambda v: sv.empty(2, "opaque"), TypeError),
    (lambda v: sv.empty(2, object), TypeError),
    (lambda v: sv.empty(2, ""), TypeError),
    (lambda v: sv.empty(2, "3f4"), TypeError),
    (lambda v: sv.empty(2, "S"), TypeError),
    (lambda v: sv.empty(2, "f4\0"), TypeError),
    (lambda v: sv.empty(2, "\udc80"), (TypeError, ValueError)),
    (lambda v: sv.empty(2, "float32", "K"), ValueError),
    (lambda v: sv.empty((2, 3), "float32", (0,)), ValueError),
])
def test_bad_input(make, error):
    with pytest.raises(error):
        make(sv.view(ARRAY))


def test_length_and_iteration():
    view = sv.view(ARRAY)
    assert len(view) == 2 and len(view[:, 0, 0]) == 2
    rows = list(view)
    assert len(rows) == 2
    for row, expected in zip(rows, ARRAY):
        assert_same(row, expected)
    assert_same(view[-1], ARRAY[-1])


@pytest.mark.parametrize("order, strides", [("C", (12, 4, 1)), ("F", (1, 2, 6)), ((1, 0, 2), (4, 8, 1))])
def test_empty(order, strides):
    view = sv.empty((2, 3, 4), "float64", order=order)
    assert view.strides == strides and view.ptr % 64 == 0 and not view.readonly
    assert view.exporting_obj is None and view.dtype == np.float64
    np.asarray(view)[...] = 5
    assert np.asarray(view[1, 2, 3]) == 5


@pytest.mark.parametrize("dtype, name", [
    ("float32", "float32"), ("<f4", "float32"), (np.float32, "float32"), (np.dtype("f4"), "float32"),
    (float, "float64"), (bool, "bool"), ("|b1", "bool"), (np.complex128, "complex128"), ("bfloat16", "bfloat16"), 
    ("complex32", "complex32"), ("float8_e4m3fn", "float8_e4m3fn"), ("float32x4", "float32x4"),
    ("float4_e2m1fnx2", "float4_e2m1fnx2"),
    ("f4", "float32"), ("=f8", "float64"), ("e", "float16"), ("?", "bool"), ("i8", "int64"), ("u2", "uint16"),
    ("c16", "complex128"), ("half", "float16"), ("double", "float64"), ("B", "uint8"),
])
def test_dtype_spellings(dtype, name):
    view = sv.empty(3, dtype)
    assert f"dtype={name}," in repr(view) and name_of(view) == name


def test_empty_of_nothing():
    view = sv.empty((0, 3))
    assert (view.shape, view.size, view.nbytes) == ((0, 3), 0, 0)
    assert np.asarray(view).shape == (0, 3)


def test_readonly_is_kept():
    array = ARRAY.copy()
    array.flags.writeable = False
    view = sv.view(array)
    assert view.readonly and view[0].T.readonly and view.view(dtype="uint32").readonly
    assert repr(view).endswith("device=cpu, readonly)")
    assert not np.asarray(view).flags.writeable


@pytest.mark.parametrize("device, text, host", [
    ((2, 1), "cuda:1", False), ((3, 0), "cuda_host:0", True), ((13, 0), "cuda_managed:0", True),
    ((10, 2), "rocm:2", False), ((16, 0), "hexagon:0", False),
    ((11, 0), "rocm_host:0", True), ((14, 3), "oneapi:3", False),
])
def test_device_memory_is_described(device, text, host):
    view = sv.view(device_view((2, 3), device=device))
    assert (view.device, view.device_id, view.is_device_accessible) == (device, device[1], True)
    assert view.is_host_accessible is host and f"device={text})" in repr(view)
    assert (view.T.strides, view[1].ptr) == ((1, 3), 0x1000 + 12)


def test_it_does_not_change():
    view = sv.view(ARRAY)
    for name in ("shape", "ptr", "dtype", "anything"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(view, name, 1)
    with pytest.raises(TypeError):
        StridedMemoryView.anything = 1


def test_references_are_counted():
    array = ARRAY.copy()
    before = sys.getrefcount(array)
    for _ in range(100):
        view = sv.view(array)
        view[0].T.layout
        np.asarray(view)
        list(view)
        view.dtype, view.exporting_obj, view.device
    assert sys.getrefcount(array) > before
    del view
    assert sys.getrefcount(array) == before


def test_the_memory_outlives_its_array():
    array = ARRAY.copy()
    alive = weakref.ref(array)
    row = sv.view(array)[1][::-1]
    del array
    assert alive() is not None and np.array_equal(np.asarray(row), ARRAY[1][::-1])
    del row
    assert alive() is None


def test_weak_references():
    view = sv.view(ARRAY)
    reference = weakref.ref(view)
    assert reference() is view
    del view
    assert reference() is None


def test_cycles_are_collected():
    exporter = Exporter(ARRAY)
    exporter.view = sv.view(exporter)
    alive = weakref.ref(exporter)
    del exporter
    gc.collect()
    assert alive() is None


def test_shares_memory():
    array = numbers((4, 6))
    view = sv.view(array)
    assert sv.shares_memory(view, array) and sv.shares_memory(a=view[::2], b=view[2], work=10**6)
    assert not sv.shares_memory(view[::2], view[1::2]) and not sv.shares_memory(array[:, 1:], array[:, :1])
    assert not sv.shares_memory(array, array.copy()) and not sv.shares_memory(view, view[:0])
    for a, b in [(3, array), (array, 3)]:
        with pytest.raises(TypeError):
            sv.shares_memory(a, b)
    with pytest.raises(ValueError):
        sv.shares_memory(view, view, -1)
    assert sv.is_unique(view) and sv.is_unique(array) and not sv.is_unique(view.broadcast_to(2, 4, 6))


def test_notebooks_show_a_picture():
    view = sv.view(ARRAY)[:, ::-1]
    assert view._repr_svg_() == sv.draw(view) and "<svg" in view._repr_html_()


def test_views_die_on_any_thread():
    array = ARRAY.copy()
    before = sys.getrefcount(array)
    views = [sv.view(array)[i % 2] for i in range(200)]

    def drop(_):
        for _ in range(50):
            views.pop()
    together(4, drop)
    assert sys.getrefcount(array) == before


if __name__ == "__main__":
    import tap
    tap.main(__file__)
