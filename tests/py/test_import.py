"""view(): which protocol it takes, what it makes of every kind of exporter, and what it says when none will do."""

import array
import ctypes
import gc
import mmap
import random
import sys
import threading
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import CAPSULE, Exporter, address, device_view, name_of, need, numbers
from peers import Tensor as Managed

from_array = sv.StridedMemoryView.from_array_interface
from_cuda = sv.StridedMemoryView.from_cuda_array_interface
DEVICE = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "version": 3}


class Pair(ctypes.Structure):
    _fields_ = [("small", ctypes.c_int8), ("large", ctypes.c_int32)]


class Packed(ctypes.Structure):
    _pack_ = 1
    _fields_ = Pair._fields_


class Bits(ctypes.Structure):
    _fields_ = [("low", ctypes.c_int32, 4), ("high", ctypes.c_int32, 28)]


class Either(ctypes.Union):
    _fields_ = Pair._fields_


class Interface:
    """An object with one array interface, and a DLPack of its own if it must have one."""

    def __init__(self, fields, cuda=False, keep=None):
        setattr(self, "__cuda_array_interface__" if cuda else "__array_interface__", fields)
        self.keep = keep


def interface(array, **changes):
    return Interface({**array.__array_interface__, **changes}, keep=array)


# --- the buffer protocol ----------------------------------------------------

@pytest.mark.parametrize("make, dtype, shape, itemsize, readonly", [
    (lambda: b"abc", "uint8", (3,), 1, True),
    (lambda: bytearray(b"abc"), "uint8", (3,), 1, False),
    (lambda: array.array("d", [1, 2]), "float64", (2,), 8, False),
    (lambda: array.array("l", [1, 2]), f"int{8 * ctypes.sizeof(ctypes.c_long)}", (2,), ctypes.sizeof(ctypes.c_long), False),
    (lambda: array.array("u", "ab"), "opaque", (2,), array.array("u").itemsize, False),
    (lambda: mmap.mmap(-1, 100), "uint8", (100,), 1, False),
    (lambda: memoryview(b"abcdef")[::-2], "uint8", (3,), 1, True),
    (lambda: memoryview(b"abcdefgh").cast("H", (2, 2)), "uint16", (2, 2), 2, True),
    (lambda: memoryview(b""), "uint8", (0,), 1, True),
    (lambda: (ctypes.c_int32 * 3 * 2)(), "int32", (2, 3), 4, False),
    (lambda: ctypes.c_double(3), "float64", (), 8, False),
    (lambda: ctypes.create_string_buffer(5), "opaque", (5,), 1, False),
    (lambda: (ctypes.c_bool * 3)(), "bool", (3,), 1, False),
    (lambda: (ctypes.c_uint16.__ctype_le__ * 3)(), "uint16", (3,), 2, False),
    (lambda: (Pair * 3)(), "opaque", (3,), 8, False),
    (lambda: (Packed * 3)(), "opaque", (3,), 5, False),
    (lambda: (Bits * 3)(), "opaque", (3,), 4, False),
    (lambda: (Either * 3)(), "opaque", (3,), 4, False),
    (lambda: Pair(), "opaque", (), 8, False),
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
    kept = getattr(exporter, "dtype", None) if dtype == "opaque" else None
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
    (lambda: (ctypes.c_uint16.__ctype_be__ * 3)(), "byte order"),
    (lambda: np.zeros(3, "f4,O"), "Python objects"),
    (lambda: np.zeros(3, "O"), "Python objects"),
    (lambda: np.zeros(3, ">f8"), "byte order"),
    (lambda: np.zeros(3, ">M8[s]"), "byte order"),
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
    store, errors = np.zeros((3, 4)), []

    def work():
        try:
            for _ in range(2000):
                sv.view(store).T[1:].__dlpack__(max_version=(1, 3))
        except BaseException as error:
            errors.append(error)
    before = sys.getrefcount(store)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and sys.getrefcount(store) == before


# --- array interfaces -------------------------------------------------------

@pytest.mark.parametrize("dtype", ["float32", "bool", "complex128", "V7", "U3", "M8[s]"])
def test_array_interface(dtype):
    source = np.zeros((3, 4), dtype)[::-1, ::2]
    view = sv.view(interface(source))
    assert view.ptr == address(source) and view.shape == source.shape
    assert view.layout.strides_in_bytes == source.strides
    assert view.__array_interface__["strides"] == source.strides


@pytest.mark.parametrize("changes, error, said", [
    ({"shape": None}, TypeError, "shape"),
    ({"shape": [3, 4]}, TypeError, "shape"),
    ({"shape": (3.0, 4)}, TypeError, "."),
    ({"shape": (-3, 4)}, ValueError, "negative"),
    ({"shape": (2**63, 4)}, OverflowError, "."),
    ({"shape": (2**62, 4)}, OverflowError, "."),
    ({"shape": (1,) * 65}, (ValueError, BufferError), "65"),
    ({"typestr": None}, TypeError, "typestr"),
    ({"typestr": b"<f4"}, TypeError, "typestr"),
    ({"typestr": "f4"}, BufferError, "f4"),
    ({"typestr": ">f4"}, BufferError, "byte order"),
    ({"typestr": "|O8"}, BufferError, "O8"),
    ({"typestr": "<f4\0"}, ValueError, "NUL"),
    ({"version": None}, TypeError, "version"),
    ({"version": "3"}, TypeError, "version"),
    ({"data": (None, False)}, BufferError, "NULL"),
    ({"data": (0, False)}, BufferError, "NULL"),
    ({"data": (1.5, False)}, TypeError, "."),
    ({"data": (2**64, False)}, OverflowError, "."),
    ({"data": (4096,)}, TypeError, "data"),
    ({"data": 4096}, TypeError, "."),
    ({"data": b"abc"}, ValueError, "bytes"),
    ({"data": bytes(48), "offset": 1}, ValueError, "48"),
    ({"data": bytes(48), "offset": -1}, ValueError, "offset"),
    ({"data": bytes(48), "strides": (-16, 4)}, ValueError, "48"),
    ({"strides": (16,)}, ValueError, "strides"),
    ({"strides": [16, 4]}, TypeError, "strides"),
    ({"strides": (2**63, 4)}, OverflowError, "."),
    ({"strides": (2**62, 4)}, OverflowError, "."),
    ({"mask": np.zeros((3, 4), bool)}, BufferError, "mask"),
    ({"typestr": "|V4", "descr": [("", "|V2")]}, ValueError, "descr"),
    ({"typestr": "|V8", "descr": [("a", "|O8")]}, TypeError, "objects"),
    ({"typestr": "|V8", "descr": [("a", [("b", "|O")])]}, TypeError, "objects"),
    ({"typestr": "|V4", "descr": "f4"}, TypeError, "descr"),
    ({"typestr": "|V4", "descr": [("a", 3)]}, TypeError, "."),
])
def test_bad_array_interfaces(changes, error, said):
    source = numbers((3, 4))
    before = sys.getrefcount(source)
    for make in (sv.view, from_array):
        with pytest.raises(error, match=said) as caught:
            make(interface(source, **changes))
        assert str(caught.value)
        del caught
    gc.collect()
    assert sys.getrefcount(source) == before


def test_array_interface_that_is_none():
    for fields in (3, None, [], "text"):
        with pytest.raises(TypeError, match="dict"):
            from_array(Interface(fields))
    with pytest.raises(TypeError, match="has no"):
        from_array(3)


@pytest.mark.parametrize("changes, shape", [
    ({"strides": None}, (3, 4)),
    ({"version": 99, "descr": [("", "<f4")], "mask": None, "unknown": 1}, (3, 4)),
    ({"shape": (0, 4), "data": (0, False)}, (0, 4)),
    ({"shape": (0, 4), "data": (None, False)}, (0, 4)),
    ({"shape": (0, 4), "strides": (2**62, 2**62)}, (0, 4)),
    ({"shape": (), "strides": None}, ()),
    ({"shape": (np.int64(3), np.int8(4))}, (3, 4)),
    ({"typestr": "|V4", "descr": [("a", "<i2"), ("b", [("c", "|i1", 2)], (1,))]}, (3, 4)),
])
def test_good_array_interfaces(changes, shape):
    assert sv.view(interface(numbers((3, 4)), **changes)).shape == shape


def test_array_interface_read_only():
    source = numbers(3)
    assert sv.view(interface(source, data=(address(source), True))).readonly
    assert sv.view(interface(source, data=bytes(12))).readonly
    assert not sv.view(interface(source, data=bytearray(12))).readonly


def test_array_interface_of_a_buffer():
    store = bytearray(range(16))
    view = sv.view(Interface({"shape": (2, 3), "typestr": "|u1", "data": store, "offset": 5, "strides": (6, -1),
                              "version": 3}))
    assert np.asarray(view).tolist() == [[5, 4, 3], [11, 10, 9]]
    with pytest.raises(BufferError):
        store.append(1)
    del view
    store.append(1)


def test_array_interface_keeps_the_exporter():
    source = numbers(3)
    exporter = interface(source)
    alive = weakref.ref(exporter)
    capsule = sv.view(exporter).__dlpack__(max_version=(1, 3))
    del exporter
    assert alive() is not None
    del capsule
    assert alive() is None


def test_types_of_ml_dtypes():
    ml_dtypes = need("ml_dtypes")
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"):
        source = np.arange(1, 7).astype(getattr(ml_dtypes, name)).reshape(2, 3)
        view = sv.view(source.T)
        assert (name_of(view), view.ptr, view.shape) == (name, address(source), (3, 2))
        assert np.array_equal(np.asarray(view), source.T)
    padded = sv.view(np.zeros(3, ml_dtypes.int4))
    assert (name_of(padded), padded.itemsize) == ("int4", 1)
    for name in ("complex32", "bcomplex32"):  # NumPy's type string is W4 for both
        if hasattr(ml_dtypes, name):
            source = np.zeros((2, 3), getattr(ml_dtypes, name))
            view = sv.view(source[:, ::2])
            assert (view.ptr, view.shape, view.strides, view.itemsize) == (address(source), (2, 2), (3, 2), 4)
            assert view.dtype == ("complex32" if name == "complex32" else source.dtype)


def test_pictures():
    image = need("PIL.Image").new("RGB", (4, 3), (1, 2, 3))
    view = sv.view(image)
    assert (view.shape, view.readonly, name_of(view)) == ((3, 4, 3), True, "uint8")
    assert np.array_equal(np.asarray(view), np.asarray(image))


# --- array interfaces out ---------------------------------------------------

@pytest.mark.parametrize("array", [numbers((2, 3)), numbers((2, 3)).T, numbers((4, 4), "int16")[::-2, 1:], numbers(()),
                                   numbers((0, 3)), numbers(3, "complex64"), np.zeros((2, 2), "V5"),
                                   np.broadcast_to(numbers(3), (2, 3))], ids=lambda a: f"{a.dtype}{a.strides}")
def test_array_interface_out(array):
    told, expected = sv.view(array).__array_interface__, array.__array_interface__
    assert {key: told[key] for key in ("shape", "typestr", "version")} == {
        key: expected[key] for key in ("shape", "typestr", "version")}
    assert told["strides"] == expected["strides"] or not array.size
    assert told["data"] == expected["data"] if array.size else told["data"][0] != 0
    back = np.asarray(Interface(told, keep=array))
    assert back.tobytes() == array.tobytes() and back.flags.writeable == array.flags.writeable


def test_array_interface_that_cannot_be():
    for view, said in ((sv.empty(3, "bfloat16"), "DLPack"), (sv.view(device_view((2, 3))), "host")):
        with pytest.raises(AttributeError, match=said):
            view.__array_interface__
        assert not hasattr(view, "__array_interface__")


# --- CUDA -------------------------------------------------------------------

def test_cuda_array_interface():
    for make in (sv.view, from_cuda):
        view = make(Interface(DEVICE, cuda=True))
        assert (view.ptr, view.shape, view.device, view.readonly) == (4096, (2, 3), (2, 0), False)
        assert view.__cuda_array_interface__ == {**DEVICE, "strides": None, "stream": None}
        assert view.T.__cuda_array_interface__["strides"] == (4, 12)
    assert not hasattr(sv.empty(3), "__cuda_array_interface__")


@pytest.mark.parametrize("changes, error", [
    ({"data": None}, TypeError), ({"data": b"abc"}, TypeError), ({"mask": 1}, BufferError), ({"version": None}, TypeError),
    ({"data": (0, False)}, BufferError), ({"shape": [2]}, TypeError),
])
def test_bad_cuda_array_interfaces(changes, error):
    with pytest.raises(error):
        sv.view(Interface({**DEVICE, **changes}, cuda=True))


def test_cuda_devices_are_told_by_the_exporter():
    for name in ("id", "index"):
        exporter = Interface(DEVICE, cuda=True)
        exporter.device = type("Device", (), {name: 3})()
        assert sv.view(exporter).device == (2, 3)


# --- the exchange table -----------------------------------------------------

def test_table_of_torch():
    torch = need("torch")
    tensor = torch.arange(12.).reshape(3, 4).T
    view = sv.view(tensor)
    assert (view.ptr, view.strides, view.readonly) == (tensor.data_ptr(), tensor.stride(), False)
    before = sys.getrefcount(tensor)
    for _ in range(100):
        sv.view(tensor)
    assert sys.getrefcount(tensor) == before


def test_tensors_still_to_be_computed_are_refused():
    torch = need("torch")
    numbers_ = torch.complex(torch.arange(3.), torch.ones(3))
    for lazy in (numbers_.conj(), numbers_.conj().imag, numbers_.conj().imag[:1], numbers_.conj().imag[0]):
        for make in (sv.view, sv.StridedMemoryView.from_dlpack):
            with pytest.raises(BufferError, match="resolve"):
                make(lazy)
    assert np.array_equal(np.asarray(sv.view(numbers_.conj().resolve_conj())), np.conj(numbers_.numpy()))


def test_our_table_serves_tvm_ffi():
    tvm_ffi = need("tvm_ffi")
    view = sv.empty((2, 3), "int32")
    tensor = tvm_ffi.from_dlpack(view)
    assert tuple(tensor.shape) == (2, 3) and sv.view(tensor).ptr == view.ptr


class Header(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p)]


FROM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
TO = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
LEND = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
SET_ERROR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
ALLOCATE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, SET_ERROR)
STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Table(ctypes.Structure):
    _fields_ = [("header", Header), ("allocate", ALLOCATE), ("of_object", FROM), ("to_object", TO), ("lend", LEND),
                ("stream", STREAM)]


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


def our_table():
    return Table.from_address(sv.StridedMemoryView.__c_dlpack_exchange_api__)


def test_our_table():
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    type_ = sv.StridedMemoryView
    assert get(type_.__dlpack_c_exchange_api__, b"dlpack_exchange_api") == type_.__c_dlpack_exchange_api__
    table = our_table()
    assert (table.header.major, table.header.minor, table.header.previous) == (1, 3, None)
    stream = ctypes.c_void_p(7)
    assert table.stream(1, 0, ctypes.byref(stream)) == 0 and stream.value is None


def test_our_table_there_and_back():
    table, source = our_table(), numbers((2, 3))
    before = sys.getrefcount(source)
    view, tensor, back = sv.view(source).T, ctypes.c_void_p(), ctypes.c_void_p()
    assert table.of_object(id(view), ctypes.byref(tensor)) == 0
    assert table.to_object(tensor, ctypes.byref(back)) == 0
    again = ctypes.cast(back, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(again))
    assert (again.ptr, again.strides, again.shape) == (view.ptr, (1, 3), (3, 2))
    del again, view
    gc.collect()
    assert sys.getrefcount(source) == before


def test_our_table_lends():
    table, source = our_table(), numbers((2, 3))
    view, lent = sv.view(source).T, Tensor()
    assert table.lend(id(view), ctypes.addressof(lent)) == 0
    assert (lent.data, lent.shape[:2], lent.strides[:2], lent.bits) == (address(source), [3, 2], [1, 3], 32)


def test_our_table_refuses():
    table, out = our_table(), ctypes.c_void_p()
    for obj, error in ((3, TypeError), (sv.view(np.zeros(3, "V5")), BufferError)):
        with pytest.raises(error):
            table.of_object(id(obj), ctypes.byref(out))
    lent, locked = Tensor(), sv.view(b"abc")
    with pytest.raises(BufferError, match="read-only"):
        table.lend(id(locked), ctypes.addressof(lent))
    assert out.value is None


def test_our_table_allocates():
    table, out, errors = our_table(), ctypes.c_void_p(), []
    shape = (ctypes.c_int64 * 2)(2, 3)
    wanted = Tensor(device_type=1, ndim=2, code=2, bits=32, lanes=1, shape=shape)
    record = SET_ERROR(lambda context, kind, text: errors.append((context, kind, text)))
    assert table.allocate(ctypes.addressof(wanted), ctypes.byref(out), 5, record) == 0
    back = ctypes.c_void_p()
    assert table.to_object(out, ctypes.byref(back)) == 0
    made = ctypes.cast(back, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(made))
    assert made.shape == (2, 3) and not made.readonly and made.ptr % 64 == 0 and not errors
    for change in ({"device_type": 2}, {"bits": 7}, {"ndim": -1}, {"ndim": 65}):
        wanted = Tensor(**{**dict(device_type=1, ndim=2, code=2, bits=32, lanes=1, shape=shape), **change})
        errors.clear()
        assert table.allocate(ctypes.addressof(wanted), ctypes.byref(out), 5, record) == -1
        assert table.allocate(ctypes.addressof(wanted), ctypes.byref(out), None, SET_ERROR()) == -1
        assert len(errors) == 1 and errors[0][:2] == (5, b"BufferError") and errors[0][2]


@pytest.mark.parametrize("table", [None, 0, "text", Table(header=Header(2, 0, None)), Table(header=Header(1, 3, None)),
                                   Table(header=Header(0, 9, None))], ids=lambda t: type(t).__name__)
def test_odd_tables_are_passed_over(table):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    source, names = numbers(3), [b"dlpack_exchange_api", b"another"]
    for name in names if isinstance(table, Table) else names[:1]:
        offered = new(ctypes.addressof(table), name, None) if isinstance(table, Table) else table

        class Exporter:
            __dlpack_c_exchange_api__ = offered

            def __dlpack__(self, **keywords):
                return source.__dlpack__(**keywords)

            def __dlpack_device__(self):
                return (1, 0)
        assert sv.view(Exporter()).ptr == address(source)


def test_tables_that_fail_are_passed_over():
    source = numbers(3)
    calls = []

    def fail(obj, out):
        calls.append(obj)
        return -1
    table = Table(header=Header(2, 0, ctypes.addressof(inner := Table(header=Header(1, 3, None), of_object=FROM(fail)))))

    class Exporter:
        __c_dlpack_exchange_api__ = ctypes.addressof(table)

        def __dlpack__(self, **keywords):
            return source.__dlpack__(**keywords)

        def __dlpack_device__(self):
            return (1, 0)
    exporter = Exporter()
    assert sv.view(exporter).ptr == address(source) and calls == [id(exporter)] and inner


# --- which way, and why not -------------------------------------------------

def test_everything_that_was_tried_is_told():
    class Exporter:
        __array_interface__ = {"version": 3, "typestr": ">f4", "shape": (), "data": (4096, False)}
        __cuda_array_interface__ = 3

        def __dlpack__(self, **keywords):
            raise BufferError("not today")

        def __dlpack_device__(self):
            return (1, 0)
    with pytest.raises(BufferError) as caught:
        sv.view(Exporter())
    for word in ("Exporter", "__dlpack__: not today", "__cuda_array_interface__", "__array_interface__", "byte order"):
        assert word in str(caught.value)
    assert str(caught.value.__cause__) == "not today"


def test_another_way_is_found():
    source = numbers(3)

    class Exporter:
        __array_interface__ = source.__array_interface__

        def __dlpack__(self, **keywords):
            raise BufferError("not today")

        def __dlpack_device__(self):
            return (1, 0)
    assert sv.view(Exporter()).ptr == address(source)
    with pytest.raises(BufferError, match="not today"):
        sv.StridedMemoryView.from_dlpack(Exporter())


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_no_other_way_can_mend(error):
    class Exporter:
        __array_interface__ = numbers(3).__array_interface__

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **keywords):
            raise error
    with pytest.raises(error):
        sv.view(Exporter())


def test_attributes_that_raise():
    class Exporter:
        @property
        def __array_interface__(self):
            raise RuntimeError("requires a gradient")
    with pytest.raises(RuntimeError, match="gradient"):
        sv.view(Exporter())


def test_a_class_may_change_its_mind():
    class Exporter:
        __array_interface__ = numbers(3).__array_interface__
    keep = Exporter.__array_interface__
    assert sv.view(Exporter()).shape == (3,)
    del Exporter.__array_interface__
    with pytest.raises(TypeError):
        sv.view(Exporter())
    Exporter.__dlpack__ = lambda self, **keywords: numbers((2, 2)).__dlpack__(**keywords)
    Exporter.__dlpack_device__ = lambda self: (1, 0)
    assert sv.view(Exporter()).shape == (2, 2) and keep


# --- rubbish ----------------------------------------------------------------

@pytest.mark.parametrize("cuda", [False, True])
def test_random_dictionaries(cuda):
    """Whatever is in the dictionary: a view within the memory, or an exception of these, and nothing leaks."""
    draw, store = random.Random(3), bytearray(4096)
    base = address(np.frombuffer(store, "u1"))
    values = [None, 0, 1, 3, -1, 2**31, 2**62, 2**63, -2**63, 2**64, 1.5, "<f4", "|V3", "|u1", ">i2", "", "\0", "é", b"",
              b"abcdefgh", store, (), (1,), (2, 3), (0, 2**62), (-1,), (2, None), (4, 1), [1], [("a", "<i2")],
              (base, False), (base, True), (None, False), (0, True), {}, object(), True]
    keys = ["shape", "typestr", "data", "strides", "version", "mask", "descr", "offset", "stream"]
    before = sys.getrefcount(store)
    good = {"shape": (2, 3), "typestr": "<f4", "data": (base, False), "version": 3}
    made = 0
    for _ in range(10000):
        fields = dict(good)
        for _ in range(draw.randrange(4)):
            key = draw.choice(keys)
            if draw.random() < 0.1:
                fields.pop(key, None)
            else:
                fields[key] = draw.choice(values)
        exporter = Interface(fields, cuda)
        alive = weakref.ref(exporter)
        try:
            view = sv.view(exporter)
        except (TypeError, ValueError, BufferError, OverflowError) as error:
            assert str(error)
        else:
            assert view.ndim == len(view.shape)
            made += 1
            view = None
        exporter = None
        assert alive() is None
    fields = None
    gc.collect()
    assert 1000 < made < 9000 and sys.getrefcount(store) == before


class TableOwner(Exporter):
    """Has a table, as the test will have it."""


def test_random_tables():
    """Whatever a table says and its functions do: a view of the tensor or of what __dlpack__ gives. A tensor that was
    handed out is deleted once."""
    draw, source, shape = random.Random(5), numbers((2, 3)), (ctypes.c_int64 * 2)(2, 3)
    handed, deleted, tables, plan = [], [], [], {}
    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleted.append)
    whole = dict(major=1, minor=3, data=address(source), device_type=1, ndim=2, code=2, bits=32, lanes=1,
                 shape=ctypes.addressof(shape), deleter=ctypes.cast(deleter, ctypes.c_void_p))
    changes = [{}, {}, {"major": 0}, {"major": 2}, {"minor": 99}, {"ndim": -1}, {"ndim": 65}, {"shape": None}, {"bits": 7},
               {"lanes": 0}, {"code": 99}, {"device_type": 0}, {"device_type": 2}, {"data": None}, {"byte_offset": 2**63},
               {"flags": 2**63}, {"flags": 4}, {"deleter": None}]

    def of_object(_, out):
        if plan["change"] is not None:
            handed.append(Managed(**{**whole, **plan["change"]}))
            out[0] = ctypes.addressof(handed[-1])
        return plan["result"]
    call, owner = FROM(of_object), TableOwner(source)
    functions = (FROM(), call, call, call, our_table().of_object)  # ours raises a TypeError
    before = sys.getrefcount(source)
    for _ in range(10000):
        failing = draw.random() < .3
        plan.update(change=None if failing else draw.choice([None, *changes]), result=-1 if failing else 0)
        older = Table(Header(draw.choice((0, 1, 1, 2)), 0, None), of_object=draw.choice(functions))
        table = Table(Header(draw.choice((0, 1, 1, 1, 1, 2, 2**32 - 1)), draw.choice((0, 2, 3, 99)),
                             draw.choice((None, ctypes.addressof(older)))), of_object=draw.choice(functions))
        tables.append((older, table))
        where, name = ctypes.addressof(table), draw.choice((b"dlpack_exchange_api",) * 4 + (b"dlpack", None))
        TableOwner.__dlpack_c_exchange_api__ = draw.choice(
            (CAPSULE.PyCapsule_New(where, name, None),) * 6 + (where, 0, -1, 2**64, None, "table", source))
        TableOwner.__c_dlpack_exchange_api__ = draw.choice(
            (where, where, 0, 2**64, -2**64, None, True, 1.5, CAPSULE.PyCapsule_New(where, name, None)))
        view = sv.view(owner)
        assert (view.shape, view.strides, view.ptr) == ((2, 3), (3, 1), address(source))
    view = None
    del TableOwner.__dlpack_c_exchange_api__, TableOwner.__c_dlpack_exchange_api__
    assert sorted(deleted) == sorted(ctypes.addressof(tensor) for tensor in handed if tensor.deleter)
    assert len(deleted) > 1000 and len(owner.asked) > 1000  # both ways were gone
    owner.asked.clear()
    gc.collect()
    assert sys.getrefcount(source) == before


if __name__ == "__main__":
    import tap
    tap.main(__file__)
