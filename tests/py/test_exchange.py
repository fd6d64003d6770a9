"""The table of functions by which DLPack tensors are exchanged without Python: of others, and ours."""

import ctypes
import gc
import importlib.util
import random
import sys

import numpy as np
import pytest

import strideview as sv
from apart import run_apart
from peers import CAPSULE, Exporter, address, need, numbers
from peers import Tensor as Managed
from rounds import are_enough, rounds_of, seed_of


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


def test_our_table_tells_what_it_could_not_allocate():
    """Not what failed before."""
    table, out, errors = our_table(), ctypes.c_void_p(), []
    record = SET_ERROR(lambda context, kind, text: errors.append((kind, text)))
    for extents in ((2**60,), (2**61,), (2**40, 2**19)):
        with pytest.raises(ValueError, match="reshape|elements"):
            sv.empty(4).reshape(3)
        shape = (ctypes.c_int64 * len(extents))(*extents)
        wanted = Tensor(device_type=1, ndim=len(extents), code=2, bits=32, lanes=1, shape=shape)
        assert table.allocate(ctypes.addressof(wanted), ctypes.byref(out), None, record) == -1
    assert out.value is None
    assert [kind for kind, _ in errors] == [b"MemoryError", b"BufferError", b"MemoryError"]
    assert errors[0][1] == errors[2][1] and b"memory" in errors[0][1] and b"fit" in errors[1][1]


def test_our_table_fails_without_deleting():
    """The caller deletes a tensor that was not taken: once, though any one of Python's allocations fails."""
    if importlib.util.find_spec("_testcapi") is None:
        pytest.skip("_testcapi is not installed")
    assert run_apart("""
        import ctypes, gc, _testcapi
        import numpy, strideview as sv
        from peers import Tensor
        from test_exchange import our_table

        table, kept, deleted = our_table(), [sv.empty(1)], []
        kept += [kept[0].T for _ in range(100)]  # which leaves no spare objects
        delete = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleted.append)
        cells, shape = (ctypes.c_float * 6)(), (ctypes.c_int64 * 2)(2, 3)
        outcomes, back, at = [], ctypes.c_void_p(), ctypes.c_void_p()
        for failing in range(40):
            tensor = Tensor(major=1, minor=3, data=ctypes.addressof(cells), device_type=1, ndim=2, code=2, bits=32,
                            lanes=1, shape=ctypes.addressof(shape), deleter=ctypes.cast(delete, ctypes.c_void_p))
            back.value, at.value = None, ctypes.addressof(tensor)
            _testcapi.set_nomemory(failing, failing + 1)
            try:
                table.to_object(ctypes.addressof(tensor), ctypes.byref(back))
            except (MemoryError, ctypes.ArgumentError):
                pass
            finally:
                _testcapi.remove_mem_hooks()
            outcomes.append(back.value is not None)
            assert not deleted, "a tensor that is the caller's, or is in use, was deleted"
            if back.value is not None:
                view = ctypes.cast(back, ctypes.py_object).value
                ctypes.pythonapi.Py_DecRef(ctypes.py_object(view))
                kept.append(view.T)
                del view, kept[-1]
                assert len(deleted) == 1
                deleted.clear()
                kept += [kept[0].T for _ in range(20)]
        print(outcomes.count(False))
        """).strip() not in ("", "0")


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


class TableOwner(Exporter):
    """Has a table, as the test will have it."""


def test_random_tables():
    """Whatever a table says and its functions do: a view of the tensor or of what __dlpack__ gives. A tensor that was
    handed out is deleted once."""
    source, shape = numbers((2, 3)), (ctypes.c_int64 * 2)(2, 3)
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
    for number in rounds_of(10000):
        draw = random.Random(seed_of(number))
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
    assert are_enough(len(deleted), 1000) and are_enough(len(owner.asked), 1000)  # both ways were gone
    owner.asked.clear()
    gc.collect()
    assert sys.getrefcount(source) == before


if __name__ == "__main__":
    import tap
    tap.main(__file__)
