"""view() of what speaks the buffer protocol."""

import array
import ctypes
import gc
import mmap
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import strideview as sv
from peers import address, name_of
from together import together


class Pair(ctypes.Structure):
    _fields_ = [("small", ctypes.c_int8), ("large", ctypes.c_int32)]


class Packed(ctypes.Structure):
    _pack_ = 1
    _fields_ = Pair._fields_


class Bits(ctypes.Structure):
    _fields_ = [("low", ctypes.c_int32, 4), ("high", ctypes.c_int32, 28)]


class Either(ctypes.Union):
    _fields_ = Pair._fields_


@pytest.mark.parametrize("make, dtype, shape, itemsize, readonly", [
    (lambda: b"abc", "uint8", (3,), 1, True),
    (lambda: bytearray(b"abc"), "uint8", (3,), 1, False),
    (lambda: array.array("d", [1, 2]), "float64", (2,), 8, False),
    (lambda: array.array("l", [1, 2]), f"int{8 * ctypes.sizeof(ctypes.c_long)}", (2,), ctypes.sizeof(ctypes.c_long), False),
    (lambda: array.array("u", "ab"), np.dtype("U1") if ctypes.sizeof(ctypes.c_wchar) == 4 else "opaque", (2,),
     ctypes.sizeof(ctypes.c_wchar), False),
    (lambda: mmap.mmap(-1, 100), "uint8", (100,), 1, False),
    (lambda: memoryview(b"abcdef")[::-2], "uint8", (3,), 1, True),
    (lambda: memoryview(b"abcdefgh").cast("H", (2, 2)), "uint16", (2, 2), 2, True),
    (lambda: memoryview(b""), "uint8", (0,), 1, True),
    (lambda: (ctypes.c_int32 * 3 * 2)(), "int32", (2, 3), 4, False),
    (lambda: ctypes.c_double(3), "float64", (), 8, False),
    (lambda: ctypes.create_string_buffer(5), "opaque", (5,), 1, False),
    (lambda: (ctypes.c_bool * 3)(), "bool", (3,), 1, False),
    (lambda: (ctypes.c_uint16.__ctype_le__ * 3)(), "uint16", (3,), 2, False),
    (lambda: (Pair * 3)(), np.dtype(Pair), (3,), 8, False),
    (lambda: (Packed * 3)(), np.dtype(Packed), (3,), 5, False),
    (lambda: (Bits * 3)(), "opaque", (3,), 4, False),
    (lambda: (Either * 3)(), "opaque", (3,), 4, False),
    (lambda: Pair(), np.dtype(Pair), (), 8, False),
    (lambda: (ctypes.POINTER(ctypes.c_int) * 3)(), "opaque", (3,), ctypes.sizeof(ctypes.c_void_p), False),
    (lambda: np.zeros(3, "f4,i1"), "opaque", (3,), 5, False),
    (lambda: np.zeros(3, "f4,i1")["f0"], "float32", (3,), 4, False),
    (lambda: np.zeros(3, [("a", "f4", (2, 2)), ("b", ">i2")]), "opaque", (3,), 18, False),
    (lambda: np.zeros(3, "S4"), "opaque", (3,), 4, False),
    (lambda: np.zeros(3, "U4"), "opaque", (3,), 16, False),
    (lambda: np.zeros(3, "V7"), "opaque", (3,), 7, False),
    (lambda: np.zeros(3, "M8[25s]"), "opaque", (3,), 8, False),
    (lambda: np.zeros(3, "g"), "opaque", (3,), np.dtype("g").itemsize, False),
    (lambda: np.zeros((2, 3), "f4").view(np.matrix), "float32", (2, 3), 4, False),
    (lambda: np.float32(3), "float32", (), 4, True),
])
def test_exporters(make, dtype, shape, itemsize, readonly):
    exporter = make()
    view = sv.view(exporter)
    known = dtype if isinstance(dtype, np.dtype) else None
    kept = known if dtype != "opaque" else getattr(exporter, "dtype", None)
    assert name_of(view) == dtype if kept is None else view.dtype == kept
    assert (view.shape, view.itemsize, view.readonly) == (shape, itemsize, readonly)
    assert view.exporting_obj is exporter
    if view.size and dtype != "opaque":
        assert np.asarray(view).tobytes() == memoryview(exporter).tobytes()


def test_records_are_copied_whole():
    source = np.zeros((3, 4), "f4,i1")
    source["f0"], source["f1"] = np.arange(12).reshape(3, 4), 7
    target = np.zeros((4, 3), source.dtype)
    sv.copy(target, sv.view(source).T)
    assert np.array_equal(target, source.T)
    field = sv.view(source["f0"])
    out = sv.empty((3, 4))
    sv.copy(out, field)
    assert field.layout.strides_in_bytes == (20, 5) and np.array_equal(np.asarray(out), source["f0"])


@pytest.mark.parametrize("make, said", [
    (lambda: (ctypes.py_object * 3)(), "Python objects"),
    (lambda: np.zeros(3, "f4,O"), "Python objects"),
    (lambda: np.zeros(3, "O"), "Python objects"),
])
def test_refused_buffers(make, said):
    exporter = make()
    before = sys.getrefcount(exporter)
    with pytest.raises(BufferError, match=said):
        sv.view(exporter)
    gc.collect()
    assert sys.getrefcount(exporter) == before


def test_a_view_holds_the_buffer():
    store = bytearray(b"abcdef")
    view = sv.view(store)[::2]
    with pytest.raises(BufferError):
        store.append(1)
    again = np.from_dlpack(view)
    del view
    with pytest.raises(BufferError):
        store.append(1)
    assert bytes(again) == b"ace"
    del again
    store.append(1)


def test_buffers_end_on_other_threads():
    store = bytearray(100)
    views = [sv.view(store) for _ in range(100)]
    exports = [view.__dlpack__(max_version=(1, 3)) for view in views]
    views.clear()
    thread = threading.Thread(target=exports.clear)
    thread.start()
    thread.join()
    store.append(1)


def test_threads_view_and_drop():
    store = np.zeros((3, 4))

    def work(_):
        for _ in range(2000):
            sv.view(store).T[1:].__dlpack__(max_version=(1, 3))
    before = sys.getrefcount(store)
    together(4, work)
    assert sys.getrefcount(store) == before


def test_the_buffers_of_views_are_their_memory():
    """Not the structure of C at view.handle."""
    source = np.arange(6, dtype="u1").reshape(2, 3)
    made = sv.StridedMemoryView.from_buffer(sv.view(source), 6, dtype="uint8")
    assert made.ptr == address(source) and not made.readonly
    for refused in (sv.view(source).T, sv.view(source).layout):
        with pytest.raises((BufferError, TypeError)):
            sv.StridedMemoryView.from_buffer(refused, 6, dtype="uint8")


if __name__ == "__main__":
    import tap
    tap.main(__file__)


@pytest.mark.parametrize("dtype", ["i2", "u4", "i8", "f2", "f4", "f8", "c8", "c16"])
def test_the_advice_for_the_other_byte_order_works(dtype):
    native = np.dtype(dtype)
    array = (np.arange(12).reshape(3, 4) - (0 if native.kind == "u" else 5)).astype(native.newbyteorder("S"))[:, ::-2]
    for exporter in (array, memoryview(array), SimpleNamespace(__array_interface__=array.__array_interface__)):
        view = sv.view(exporter)
        assert view.dtype == array.dtype and np.array_equal(np.asarray(view), array)
        out = sv.empty(array.shape, native.name)
        sv.copy(out, view.view(dtype=native), byteswap=True)
        assert np.array_equal(np.asarray(out), array)
    out = sv.empty(array.shape, native.name)
    sv.copy(out, array.view(native), byteswap=True)
    assert np.array_equal(np.asarray(out), array)
