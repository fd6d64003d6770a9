"""DLPack by the Python protocol: round trips with the peers, capsules, hostile producers, every argument."""

import ctypes
import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import (CAPSULE, JAX_DTYPES, NUMPY_DTYPES, TORCH_DTYPES, Exporter, OldExporter, Tensor, address, device_view,
                   name_of, need, numbers)

LAYOUTS = {
    "c": lambda a: a,
    "transposed": lambda a: a.T,
    "sliced": lambda a: a[:, 1::2],
    "row": lambda a: a[1],
    "no axes": lambda a: a[1, 2, ...],
    "empty": lambda a: a[:0],
}


def name_in(capsule):
    return CAPSULE.PyCapsule_GetName(capsule).decode()


def new_capsule(array):
    return array.__dlpack__(max_version=(1, 3))


# --- round trips ------------------------------------------------------------

@pytest.mark.parametrize("layout", [*LAYOUTS, "reversed", "repeated"])
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_numpy_and_back(dtype, layout):
    make = {**LAYOUTS, "reversed": lambda a: a[::-1, ::-2], "repeated": lambda a: np.broadcast_to(a, (2, 3, 4))}[layout]
    array = make(numbers((3, 4), dtype))
    view = sv.view(array)
    assert (view.dtype, view.shape, view.readonly) == (array.dtype, array.shape, not array.flags.writeable)
    for back in (np.from_dlpack(view), np.asarray(view)):
        assert back.dtype == array.dtype and back.shape == array.shape and np.array_equal(back, array)
        assert back.flags.writeable == array.flags.writeable
        if array.size:
            assert view.ptr == address(array) == address(back) and back.strides == array.strides


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", TORCH_DTYPES)
def test_torch_and_back(dtype, layout):
    torch = need("torch")
    if not hasattr(torch, dtype):
        pytest.skip(f"this PyTorch has no {dtype}")
    size = getattr(torch, dtype).itemsize
    raw = torch.arange(12 * size, dtype=torch.uint8) % (2 if dtype == "bool" else 255)
    tensor = LAYOUTS[layout](raw.view(getattr(torch, dtype)).reshape(3, 4))
    view = sv.view(tensor)
    assert (name_of(view), view.shape, view.readonly) == (dtype.replace("_x2", "x2"), tuple(tensor.shape), False)
    back = torch.from_dlpack(view)
    assert back.dtype == tensor.dtype and back.shape == tensor.shape
    if tensor.numel():
        assert view.ptr == tensor.data_ptr() == back.data_ptr()
        assert view.strides == tensor.stride() == back.stride()


@pytest.mark.parametrize("layout", ["c", "row", "no axes"])
@pytest.mark.parametrize("dtype", JAX_DTYPES)
def test_jax_and_back(dtype, layout):
    jax = need("jax")
    array = LAYOUTS[layout](jax.numpy.arange(64).astype(dtype).reshape(4, 16))
    view = sv.view(array)
    assert (name_of(view), view.shape) == (dtype, array.shape)
    assert view.ptr == array.unsafe_buffer_pointer()
    assert np.array_equal(np.asarray(view), np.asarray(array))


@pytest.mark.parametrize("dtype", JAX_DTYPES)
def test_to_jax_and_back(dtype):
    jax = need("jax")
    view = sv.empty((4, 16), dtype)
    np.asarray(view)[...] = numbers((4, 16)).astype(view.dtype)
    array = jax.dlpack.from_dlpack(view)
    assert array.unsafe_buffer_pointer() == view.ptr == sv.view(array).ptr
    assert array.dtype == view.dtype and np.array_equal(np.asarray(array), np.asarray(view))


def test_readonly_numpy_array_stays_so():
    array = numbers((2, 3))
    array.flags.writeable = False
    view = sv.view(array)
    assert view.readonly and not np.from_dlpack(view).flags.writeable
    with pytest.raises(BufferError):
        view.__dlpack__()


# --- capsules in ------------------------------------------------------------

def test_capsule():
    array = numbers((2, 3))
    capsule = new_capsule(array)
    view = sv.view(capsule)
    assert (view.ptr, view.readonly, name_in(capsule)) == (address(array), False, "used_dltensor_versioned")
    with pytest.raises(ValueError, match="used"):
        sv.view(capsule)


def test_old_capsule_is_read_only():
    array = numbers((2, 3))
    capsule = array.__dlpack__()
    view = sv.view(capsule)
    assert (view.ptr, view.readonly, name_in(capsule)) == (address(array), True, "used_dltensor")
    with pytest.raises(ValueError, match="used"):
        sv.view(capsule)


def test_foreign_capsules():
    for name in (b"something", b"dltensor_", None):
        with pytest.raises(ValueError, match="no DLPack"):
            sv.view(CAPSULE.PyCapsule_New(1, name, None))


@pytest.mark.parametrize("change, error", [
    ({"major": 2}, BufferError),
    ({"major": 0}, BufferError),
    ({"ndim": -1}, BufferError),
    ({"ndim": 65}, BufferError),
    ({"shape": None}, BufferError),
    ({"data": None}, BufferError),
    ({"bits": 0}, BufferError),
    ({"bits": 7}, BufferError),
    ({"lanes": 0}, BufferError),
    ({"code": 3}, BufferError),
    ({"code": 99}, BufferError),
    ({"device_type": 0}, BufferError),
    ({"device_type": -1}, BufferError),
    ({"device_type": 99}, BufferError),
    ({"device_id": -1}, BufferError),
    ({"byte_offset": 2**63}, OverflowError),
])
def test_hostile_tensors_are_refused_and_left_alone(change, error):
    shape, data = (ctypes.c_int64 * 2)(2, 3), (ctypes.c_float * 6)()
    calls = []
    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(calls.append)
    fields = dict(major=1, minor=3, data=ctypes.addressof(data), device_type=1, ndim=2, code=2, bits=32, lanes=1,
                  shape=ctypes.addressof(shape), deleter=ctypes.cast(deleter, ctypes.c_void_p))
    tensor = Tensor(**{**fields, **change})
    capsule = CAPSULE.PyCapsule_New(ctypes.addressof(tensor), b"dltensor_versioned", None)
    with pytest.raises(error) as caught:
        sv.view(capsule)
    assert str(caught.value) and not calls and name_in(capsule) == "dltensor_versioned"
    tensor.__init__(**{**dict.fromkeys(change, 0), **fields})
    view = sv.view(capsule)
    assert view.shape == (2, 3) and view.strides == (3, 1)
    del view
    assert calls == [ctypes.addressof(tensor)]


# --- producers --------------------------------------------------------------

def test_what_a_host_producer_is_asked():
    exporter = Exporter(numbers((2, 3)))
    sv.view(exporter, stream=7)
    assert exporter.asked == [{"max_version": (1, 3)}]


def test_old_producer_is_asked_again():
    exporter = OldExporter(numbers((2, 3)))
    view = sv.view(exporter)
    assert view.readonly and view.exporting_obj is exporter and exporter.asked == [{"stream": None}]


@pytest.mark.parametrize("device, stream, told", [
    ((2, 0), None, 1), ((2, 0), -1, -1), ((2, 0), 1, 1), ((2, 0), 2, 2), ((2, 0), 0x7F0012345678, 0x7F0012345678),
    ((13, 0), None, 1), ((10, 0), None, 0), ((10, 0), 9, 9), ((3, 0), 9, "nothing"), ((14, 0), None, "nothing"),
])
def test_what_a_device_producer_is_told(device, stream, told):
    exporter = Exporter(device=device, answer=lambda asked: device_view((2, 3), device=device))
    view = sv.view(exporter, stream=stream)
    assert view.device == device and exporter.asked[0].get("stream", "nothing") == told


def test_device_memory_cannot_be_copied_without_a_backend():
    if sv.lib.sv_features() & sv.lib.SV_FEATURE_CUDA:
        device = (10, 0)  # no build has a backend for it
    else:
        device = (2, 0)
    view = sv.view(device_view((2, 3), device=device))
    for copy in (lambda: sv.copy(numbers((2, 3)), view), lambda: sv.empty((2, 3)).copy_to(view)):
        with pytest.raises(NotImplementedError) as caught:
            copy()
        assert str(caught.value)
    with pytest.raises(BufferError):
        memoryview(view)
    with pytest.raises((BufferError, TypeError, ValueError)):
        np.asarray(view)


class Nothing:
    pass


class OnlyCapsule:
    def __dlpack__(self, **keywords):
        raise AssertionError("must not be called")


class OnlyDevice:
    def __dlpack_device__(self):
        return (1, 0)


def raising(error):
    def answer(asked):
        raise error
    return answer


@pytest.mark.parametrize("obj, error", [
    (None, TypeError), (3, TypeError), ("text", TypeError), ([1, 2], TypeError), (Nothing(), TypeError),
    (OnlyCapsule(), TypeError), (OnlyDevice(), TypeError), (Nothing, TypeError), (np.ndarray, TypeError),
    (Exporter(answer=lambda asked: 3), TypeError),
    (Exporter(answer=lambda asked: "capsule"), TypeError),
    (Exporter(answer=lambda asked: CAPSULE.PyCapsule_New(1, b"other", None)), ValueError),
    (Exporter(answer=raising(BufferError("no"))), BufferError),
    (Exporter(answer=raising(RuntimeError("no"))), RuntimeError),
    (Exporter(answer=raising(TypeError("no"))), TypeError),
    (Exporter(answer=raising(AttributeError("no"))), AttributeError),
    (Exporter(answer=raising(KeyboardInterrupt())), KeyboardInterrupt),
    (Exporter(numbers(3), device=None), TypeError),
    (Exporter(numbers(3), device=(1,)), TypeError),
    (Exporter(numbers(3), device=[1, 0]), TypeError),
    (Exporter(numbers(3), device=("cpu", 0)), TypeError),
    (Exporter(numbers(3), device=(2**70, 0)), OverflowError),
    (np.empty(3, object), BufferError),
], ids=repr)
def test_bad_producers(obj, error):
    with pytest.raises(error) as caught:
        sv.view(obj)
    assert str(caught.value) or error is KeyboardInterrupt


def test_refusal_is_not_asked_again():
    exporter = Exporter(answer=raising(BufferError("no")))
    with pytest.raises(BufferError):
        sv.view(exporter)
    assert len(exporter.asked) == 1


# --- capsules out -----------------------------------------------------------

VIEW = sv.view(numbers((2, 3)))
LOCKED = sv.view(np.broadcast_to(numbers(3), (2, 3)))


@pytest.mark.parametrize("keywords, name", [
    ({}, "dltensor"),
    ({"max_version": None}, "dltensor"),
    ({"max_version": (0, 8)}, "dltensor"),
    ({"max_version": (1, 0)}, "dltensor_versioned"),
    ({"max_version": (1, 99)}, "dltensor_versioned"),
    ({"max_version": (2, 0)}, "dltensor_versioned"),
    ({"stream": None, "dl_device": None, "copy": None}, "dltensor"),
    ({"stream": -1, "max_version": (1, 3)}, "dltensor_versioned"),
    ({"dl_device": (1, 0), "copy": False}, "dltensor"),
    ({"dl_device": (1, 3), "max_version": (1, 0)}, "dltensor_versioned"),
])
def test_what_is_handed_out(keywords, name):
    capsule = VIEW.__dlpack__(**keywords)
    assert name_in(capsule) == name
    assert sv.view(capsule).ptr == VIEW.ptr


@pytest.mark.parametrize("view, keywords, error", [
    (VIEW, {"stream": 0}, ValueError),
    (VIEW, {"stream": 1}, ValueError),
    (VIEW, {"stream": -2}, ValueError),
    (VIEW, {"stream": "1"}, TypeError),
    (VIEW, {"max_version": 1}, TypeError),
    (VIEW, {"max_version": (1,)}, TypeError),
    (VIEW, {"max_version": ("1", 0)}, TypeError),
    (VIEW, {"max_version": [1, 0]}, TypeError),
    (VIEW, {"dl_device": (2, 0)}, BufferError),
    (VIEW, {"dl_device": (2, 0), "copy": True}, BufferError),
    (VIEW, {"dl_device": 1}, TypeError),
    (VIEW, {"nothing": 1}, TypeError),
    (LOCKED, {}, BufferError),
    (LOCKED, {"max_version": (0, 8)}, BufferError),
    (VIEW.view(VIEW.layout, "opaque"), {"max_version": (1, 0)}, BufferError),
])
def test_what_is_refused(view, keywords, error):
    with pytest.raises(error) as caught:
        view.__dlpack__(**keywords)
    assert str(caught.value)


def test_arguments_by_place_are_refused():
    with pytest.raises(TypeError):
        VIEW.__dlpack__(None)


@pytest.mark.parametrize("keywords, error", [
    ({"stream": 5}, BufferError), ({"dl_device": (1, 0)}, BufferError),
    ({"dl_device": (1, 0), "copy": False}, sv.CopyError), ({"dl_device": (10, 1)}, BufferError),
    ({"stream": 1}, BufferError), ({"stream": 5, "dl_device": (1, 0)}, ValueError), ({"copy": True}, BufferError),
])
def test_device_memory_stays_where_it_is(keywords, error):
    view = sv.view(device_view((2, 3), device=(10, 0)))
    with pytest.raises(error):
        view.__dlpack__(max_version=(1, 3), **keywords)
    assert sv.view(view.__dlpack__(max_version=(1, 3), stream=-1, dl_device=(10, 0))).ptr == view.ptr


def test_copy_error_is_both():
    assert issubclass(sv.CopyError, BufferError) and issubclass(sv.CopyError, ValueError)


@pytest.mark.parametrize("version", [None, (1, 3)])
@pytest.mark.parametrize("array", [numbers((2, 3)), numbers((4, 5)).T[::-1, ::2], np.broadcast_to(numbers(3), (2, 3)),
                                   numbers(()), numbers((0, 3))], ids=lambda a: f"{a.shape}{a.strides}")
def test_copies_on_request(array, version):
    before = array.copy()
    capsule = sv.view(array).__dlpack__(max_version=version, copy=True)
    copy = sv.view(capsule)
    assert np.array_equal(np.asarray(copy), before) and copy.shape == array.shape
    if array.size:
        assert copy.ptr != address(array)
    assert copy.readonly is (version is None) and copy.layout.is_contiguous_any


def test_copy_is_told():
    def flags(keywords):
        capsule = VIEW.__dlpack__(max_version=(1, 3), **keywords)
        tensor = Tensor.from_address(CAPSULE.PyCapsule_GetPointer(capsule, b"dltensor_versioned"))
        return tensor.flags, (tensor.major, tensor.minor)
    assert flags({}) == (0, (1, 3)) and flags({"copy": True}) == (2, (1, 3))


def test_numpy_asks_for_copies():
    array = numbers((2, 3))
    assert address(np.from_dlpack(sv.view(array), copy=False)) == address(array)
    copied = np.from_dlpack(sv.view(array), copy=True)
    assert address(copied) != address(array) and np.array_equal(copied, array)


# --- life and death ---------------------------------------------------------

def test_nothing_leaks():
    array = numbers((2, 3))
    before = sys.getrefcount(array)
    for _ in range(50):
        sv.view(array)
        sv.view(array).__dlpack__()
        sv.view(array).__dlpack__(max_version=(1, 3))
        np.from_dlpack(sv.view(array).T)
        sv.view(new_capsule(array))
        sv.view(array.__dlpack__())
        with pytest.raises(BufferError):
            sv.view(array).__dlpack__(dl_device=(2, 0))
    gc.collect()
    assert sys.getrefcount(array) == before


def test_a_capsule_keeps_the_memory():
    array = numbers((2, 3))
    alive = weakref.ref(array)
    expected = array.T.copy()
    capsule = sv.view(array).T.__dlpack__(max_version=(1, 3))
    del array
    assert alive() is not None
    back = sv.view(capsule)
    del capsule
    assert np.array_equal(np.asarray(back), expected)
    del back
    assert alive() is None


def test_capsules_die_on_other_threads():
    array = numbers((2, 3))
    before = sys.getrefcount(array)
    capsules = [sv.view(array).__dlpack__(max_version=(1, 3)) for _ in range(100)]
    thread = threading.Thread(target=capsules.clear)
    thread.start()
    thread.join()
    assert sys.getrefcount(array) == before


def test_an_exception_on_its_way_survives():
    """A deleter written in Python runs while an exception is being raised."""
    shape, data, calls = (ctypes.c_int64 * 1)(3), (ctypes.c_float * 3)(), []
    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda address: calls.append(int("7")))
    tensor = Tensor(major=1, minor=3, data=ctypes.addressof(data), device_type=1, ndim=1, code=2, bits=32, lanes=1,
                    shape=ctypes.addressof(shape), deleter=ctypes.cast(deleter, ctypes.c_void_p))
    with pytest.raises(KeyError):
        [sv.view(CAPSULE.PyCapsule_New(ctypes.addressof(tensor), b"dltensor_versioned", None)), {}["missing"]]
    assert calls == [7]


if __name__ == "__main__":
    import tap
    tap.main(__file__)
