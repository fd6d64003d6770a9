"""The buffer protocol: what a view lends, what it refuses, and to whom."""

import ctypes
import sys
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import NUMPY_DTYPES, address, device_view, need, numbers

SIMPLE, WRITABLE, FORMAT, ND = 0, 1, 4, 8
STRIDES, INDIRECT = 0x10 | ND, 0x100 | 0x10 | ND
C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS = 0x20 | STRIDES, 0x40 | STRIDES, 0x80 | STRIDES


class Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p),
                ("internal", ctypes.c_void_p)]


def request(view, flags):
    """What a C program gets: the fields of the Py_buffer as they are while it is held."""
    get = ctypes.pythonapi.PyObject_GetBuffer
    get.argtypes, get.restype = [ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int], ctypes.c_int
    buffer = Buffer()
    get(view, buffer, flags)
    told = {name: getattr(buffer, name) for name, _ in Buffer._fields_}
    for name in ("shape", "strides"):
        told[name] = tuple(told[name][:told["ndim"]]) if told[name] else None
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return told


ARRAY = numbers((2, 3, 4))
LAYOUTS = {
    "c": ARRAY, "f": ARRAY.T, "any": ARRAY.transpose(2, 0, 1), "gaps": ARRAY[:, ::2], "reversed": ARRAY[::-1],
    "repeated": np.broadcast_to(ARRAY[0], (5, 3, 4)), "no axes": ARRAY[1, 2, 3, ...], "empty": ARRAY[:, :0],
    "ones": ARRAY[:1, :, :1],
}


@pytest.mark.parametrize("flags", [SIMPLE, WRITABLE, FORMAT, ND, ND | FORMAT, STRIDES, STRIDES | WRITABLE, INDIRECT,
                                   INDIRECT | FORMAT, C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS,
                                   C_CONTIGUOUS | FORMAT])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_requests_are_answered_as_numpy_does(layout, flags):
    array = LAYOUTS[layout]
    view = sv.view(array)
    try:
        expected = request(array, flags)
    except (BufferError, ValueError):
        with pytest.raises(BufferError) as caught:
            request(view, flags)
        assert str(caught.value)
        return
    told = request(view, flags)
    assert told["format"] == (b"f" if flags & FORMAT else None)
    same = ["len", "itemsize", "readonly", "shape", "suboffsets"]
    if flags & ND:
        same.append("ndim")
    if array.size:
        same.append("buf")
    assert {name: told[name] for name in same} == {name: expected[name] for name in same}
    if flags & STRIDES == STRIDES:
        assert told["strides"] == (array.strides or None) or not array.size
    else:
        assert told["strides"] is None


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_formats(dtype):
    array = numbers((2, 3), dtype)
    lent = memoryview(sv.view(array))
    assert lent.itemsize == array.itemsize
    back = np.asarray(lent)
    assert back.dtype == array.dtype and address(back) == address(array) and np.array_equal(back, array)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_memoryview_reads_the_same(layout):
    array = LAYOUTS[layout]
    lent = memoryview(sv.view(array))
    assert lent.tolist() == array.tolist() and lent.shape == array.shape
    assert lent.tobytes() == array.tobytes()
    assert lent.readonly is not array.flags.writeable


def test_writing_through():
    view = sv.empty((2, 3), "int16")
    memoryview(view)[1, 2] = 7
    assert np.asarray(view)[1, 2] == 7
    with pytest.raises(TypeError):
        memoryview(sv.view(np.broadcast_to(ARRAY, (2, 2, 3, 4))))[0, 0, 0, 0] = 1


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_types_without_a_format(dtype):
    need("ml_dtypes")
    view = sv.empty((2, 3), dtype)
    with pytest.raises(BufferError, match="DLPack"):
        memoryview(view)
    assert request(view, SIMPLE)["len"] == view.nbytes
    array = np.asarray(view)
    assert array.dtype == view.dtype and address(array) == view.ptr
    array[...] = 3
    assert np.array_equal(np.asarray(view.T, dtype="float32"), np.full((3, 2), 3, "float32"))
    assert address(np.array(view, copy=True)) != view.ptr


def test_types_that_numpy_does_not_have():
    with pytest.raises(TypeError, match="float4"):
        np.asarray(sv.empty(3, "float4_e2m1fnx2"))


def test_device_memory_is_not_lent():
    with pytest.raises(BufferError, match="host"):
        memoryview(sv.view(device_view((2, 3))))


def test_pinned_memory_is_lent():
    array = numbers((2, 3))
    view = sv.view(device_view((2, 3), device=(3, 0), address=address(array)))
    assert np.array_equal(np.asarray(view), array)


def test_a_buffer_keeps_the_memory():
    array = ARRAY.copy()
    alive = weakref.ref(array)
    lent = memoryview(sv.view(array)[::-1])
    del array
    assert lent.tolist() == ARRAY[::-1].tolist() and alive() is not None
    lent.release()
    assert alive() is None


def test_refusals_do_not_leak():
    view = sv.view(ARRAY)[:, ::2]
    before = sys.getrefcount(view)
    for flags in (SIMPLE, C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS):
        with pytest.raises(BufferError):
            request(view, flags)
    memoryview(view)
    assert sys.getrefcount(view) == before


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 4)])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_no_elements_are_contiguous(shape, dtype):
    """As NumPy's are: join(), sockets and files ask memoryview, which looks at the strides."""
    for view in sv.empty(shape, dtype), sv.view(np.ones((4, 4), dtype))[1:1, 0].reshape(shape):
        memory = memoryview(view)
        assert memory.c_contiguous and memory.shape == shape and memory.nbytes == 0
        assert b"".join([memory, b"x"]) == b"x" and memory.tobytes() == b""


def test_64_axes():
    view = sv.empty((1,) * 64, "uint8")
    assert memoryview(view).ndim == 64


if __name__ == "__main__":
    import tap
    tap.main(__file__)
