"""Raw memory by from_buffer(), and functions that take any array: the names are cuda.core's."""

import array
import gc
import sys

import numpy as np
import pytest

import strideview as sv
from peers import Exporter, address, device_view, name_of, need, numbers

from_buffer = sv.StridedMemoryView.from_buffer


class Buffer:
    """What cuda.core's Buffer tells."""

    is_device_accessible, is_host_accessible, is_managed, device_id = False, True, False, -1

    def __init__(self, store, **changes):
        self.store, self.handle, self.size = store, address(store), store.nbytes
        for name, value in changes.items():
            setattr(self, name, value)


@pytest.fixture
def store():
    return np.arange(48, dtype="u1")


@pytest.mark.parametrize("arguments, keywords, shape, strides, dtype", [
    (((3, 4),), {"dtype": "float32"}, (3, 4), (4, 1), "float32"),
    ((12,), {"dtype": np.dtype("f4")}, (12,), (1,), "float32"),
    (((3, 4), (1, 3)), {"dtype": "int32", "itemsize": 4}, (3, 4), (1, 3), "int32"),
    (((2, 2), (0, 8)), {"dtype": "uint16"}, (2, 2), (0, 8), "uint16"),
    (((), None), {"dtype": "bfloat16"}, (), (), "bfloat16"),
    (((16,),), {"itemsize": 3}, (16,), (1,), "opaque"),
    (((16,),), {"itemsize": 3, "dtype": None}, (16,), (1,), "opaque"),
    (((4, 0, 9),), {"dtype": "int64"}, (4, 0, 9), None, "int64"),
])
def test_layouts(store, arguments, keywords, shape, strides, dtype):
    for owner in (Buffer(store), store, memoryview(store)):
        view = from_buffer(owner, *arguments, **keywords)
        assert (view.shape, name_of(view), view.device, view.stream) == (shape, dtype, (1, 0), None)
        assert strides is None or (view.strides, view.ptr) == (strides, address(store))
        assert view.exporting_obj is owner and not view.readonly
        assert from_buffer(owner, *arguments, **keywords, is_readonly=True).readonly


LAYOUT = sv.StridedLayout((2, 3), (1, 4), 4)


@pytest.mark.parametrize("arguments, keywords, dtype, readonly", [
    ((LAYOUT,), {}, "opaque", False), ((LAYOUT, "float32"), {}, "float32", False),
    ((LAYOUT, np.dtype("i4"), True), {}, "int32", True), ((LAYOUT, None, False), {}, "opaque", False),
    ((LAYOUT,), {"dtype": "uint32", "is_readonly": True}, "uint32", True),
    ((), {"layout": LAYOUT}, "opaque", False), ((), {"layout": LAYOUT, "dtype": "float32"}, "float32", False),
])
def test_a_layout_in_the_place_of_a_shape(store, arguments, keywords, dtype, readonly):
    for owner in (Buffer(store), store.tobytes() if readonly else bytearray(store)):
        view = from_buffer(owner, *arguments, **keywords)
        assert (view.layout, name_of(view), view.readonly) == (LAYOUT, dtype, readonly)
    moved = from_buffer(store, LAYOUT[1:, ::2], "int32")
    assert moved.ptr == address(store) + 4 and np.asarray(moved)[0, 1] == store.view("i4")[9]


@pytest.mark.parametrize("arguments, keywords, error", [
    ((LAYOUT, "float64"), {}, ValueError), ((sv.StridedLayout.dense((13,), 4),), {}, ValueError),
    ((LAYOUT.flip(), "int32", True, 4), {}, TypeError), ((LAYOUT,), {"itemsize": 4}, TypeError),
    ((LAYOUT,), {"strides": (1, 2)}, TypeError), ((), {"layout": (2, 3), "dtype": "int32"}, TypeError),
    ((), {"layout": None}, TypeError), (((2, 3),), {"layout": LAYOUT}, TypeError), ((LAYOUT, "nonsense"), {}, TypeError),
])
def test_layouts_that_are_refused(store, arguments, keywords, error):
    with pytest.raises(error):
        from_buffer(store, *arguments, **keywords)


def test_elements_are_where_they_belong(store):
    view = from_buffer(Buffer(store), (3, 4), dtype="int32")
    assert np.array_equal(np.asarray(view), store.view("i4").reshape(3, 4))
    again = view.view(view.layout[::-1])
    assert np.array_equal(np.asarray(again), store.view("i4").reshape(3, 4)[::-1])


@pytest.mark.parametrize("changes, device, host", [
    ({}, (1, 0), True),
    ({"is_device_accessible": True, "device_id": 3}, (3, 0), True),
    ({"is_device_accessible": True, "is_host_accessible": False, "device_id": 3}, (2, 3), False),
    ({"is_device_accessible": True, "is_managed": True, "device_id": 3}, (13, 0), True),
    ({"is_managed": None}, (1, 0), True),
])
def test_where_memory_is(store, changes, device, host):
    view = from_buffer(Buffer(store, **changes), (48,), dtype="uint8")
    assert (view.device, view.is_host_accessible) == (device, host)
    assert view.device_id == (-1 if device == (1, 0) else device[1])


@pytest.mark.parametrize("arguments, keywords, error, said", [
    (((3, 4),), {}, ValueError, "dtype or itemsize"),
    (((3, 4),), {"dtype": "opaque"}, ValueError, "dtype or itemsize"),
    (((3, 4),), {"dtype": "float32", "itemsize": 8}, ValueError, "itemsize is 8"),
    (((3, 4),), {"dtype": "nonsense"}, TypeError, "nonsense"),
    (((3, 4),), {"itemsize": 0}, ValueError, "."),
    (((3, 4),), {"itemsize": -4}, ValueError, "."),
    (((3, 5),), {"dtype": "float32"}, ValueError, "48"),
    (((3, 4), (-4, 1)), {"dtype": "float32"}, ValueError, "-32"),
    (((3, 4), (4,)), {"dtype": "float32"}, ValueError, "1 strides for 2"),
    (((-3, 4),), {"dtype": "float32"}, ValueError, "negative"),
    (((2**62, 4),), {"dtype": "float32"}, OverflowError, "."),
    ((None,), {"dtype": "float32"}, TypeError, "."),
])
def test_what_is_refused(store, arguments, keywords, error, said):
    owners = Buffer(store), store
    before = [sys.getrefcount(owner) for owner in owners]
    for owner in owners:
        with pytest.raises(error, match=said):
            from_buffer(owner, *arguments, **keywords)
    gc.collect()
    owner = None
    assert [sys.getrefcount(owner) for owner in owners] == before


@pytest.mark.parametrize("changes, error, said", [
    ({"handle": 0}, ValueError, "NULL"), ({"handle": None}, ValueError, "NULL"), ({"handle": "x"}, TypeError, "."),
    ({"handle": -1}, (OverflowError, TypeError), "."), ({"size": -1}, ValueError, "."), ({"size": None}, ValueError, "."),
    ({"size": 2**70}, OverflowError, "."), ({"is_host_accessible": False}, BufferError, "neither"),
    ({"is_device_accessible": True, "is_host_accessible": False, "device_id": -1}, ValueError, "device number"),
])
def test_odd_buffers(store, changes, error, said):
    with pytest.raises(error, match=said):
        from_buffer(Buffer(store, **changes), (48,), dtype="uint8")


def test_no_buffer():
    for thing in (3, None, [1, 2], object()):
        with pytest.raises(TypeError, match="no handle and size"):
            from_buffer(thing, (1,), dtype="uint8")
    with pytest.raises((BufferError, ValueError)):
        from_buffer(np.zeros((3, 4)).T, (1,), dtype="uint8")


def test_buffers_are_kept_and_let_go(store):
    lent = bytearray(8)
    view = from_buffer(lent, (2,), dtype="int32")
    with pytest.raises(BufferError):
        lent.append(1)
    assert from_buffer(bytes(8), 8, dtype="int8").readonly
    del view
    lent.append(1)
    owner = Buffer(store)
    before = sys.getrefcount(owner)
    export = from_buffer(owner, (48,), dtype="uint8")[3:].__dlpack__(max_version=(1, 3))
    assert sys.getrefcount(owner) == before + 1
    del export
    assert sys.getrefcount(owner) == before


def test_buffers_of_cuda_core(store):
    core = need("cuda.core")
    state = sv.ffi.new("sv_device_state *")
    sv.lib.sv_device_probe(sv.lib.SV_DEVICE_CUDA, state, sv.ffi.NULL)
    buffer = core.Buffer.from_handle(address(store), store.nbytes, owner=store)
    if state[0] == sv.lib.SV_STATE_NO_BACKEND:
        pytest.skip("cuda.core asks the driver, and this build does not know whether there is one")
    view = from_buffer(buffer, (3, 4), dtype="int32")
    assert np.array_equal(np.asarray(view), store.view("i4").reshape(3, 4))


# --- functions that take any array ------------------------------------------

@sv.args_viewable_as_strided_memory((0, 2))
def function(first, second, third=None, *, stream=None):
    """Doc."""
    return [arg.view(stream) if hasattr(arg, "obj") else arg for arg in (first, second, third)]


def test_arguments_become_viewable():
    a, b = numbers((2, 3)), array.array("i", [1, 2])
    first, second, third = function(a, 2, b)
    assert (first.ptr, second, third.shape) == (address(a), 2, (2,))
    first, second, third = function(third=b, second=2, first=a)
    assert (first.ptr, second, third.shape) == (address(a), 2, (2,))
    assert function(a, 2)[2] is None
    assert (function.__name__, function.__doc__) == ("function", "Doc.")


def test_the_stream_goes_to_the_producer():
    exporter = Exporter(device=(2, 0), answer=lambda asked: device_view((2, 3)))
    assert function(exporter, 2, numbers(3), stream=7)[0].stream == 7 and exporter.asked[0]["stream"] == 7


def test_functions_that_cannot_be():
    take = sv.args_viewable_as_strided_memory
    for indices in ((1,), (-1,), (0, 5)):
        with pytest.raises(ValueError, match="no positional parameter"):
            take(indices)(lambda a, *, b=1: a)
    assert take((0, 3))(lambda *all_: [type(x).__name__ for x in all_])(1, 2, 3, 4) == ["Viewable", "int", "int", "Viewable"]
    with pytest.raises(TypeError):
        take((0,))(lambda a: a.view())(3)
    with pytest.raises(TypeError):
        function()
    assert "3" in repr(take((0,))(lambda a: a)(3))


if __name__ == "__main__":
    import tap
    tap.main(__file__)
