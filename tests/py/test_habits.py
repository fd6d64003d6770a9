"""What a user of NumPy or PyTorch types first: assignment, item(), tolist(), copies, numbers, fields, pickles."""

import copy
import gc
import mmap
import operator
import pickle
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from arrays import Random
from dtypes import NARROW
from peers import NUMPY_DTYPES, address, device_view, need, numbers

RECORD = np.dtype([("a", "f4"), ("b", "i2", (2,)), ("c", "S3"), ("d", [("x", "u1"), ("y", "c8")]), ("e", "M8[s]"),
                   ("f", ">i4")])


def records(shape):
    array = np.zeros(shape, RECORD)
    raw = array.reshape(-1)
    for i in range(raw.size):
        raw[i] = (i, (i, -i), b"%d" % i, (i, i * 1j), i, 3 * i)
    return array


# --- assignment -------------------------------------------------------------------

KEYS = [(), ..., 1, -2, slice(None), slice(None, None, -1), (slice(1, None), ..., 2), (0, slice(None, None, 2)),
        (..., None, 1), (slice(0, 0),), (2, 3, 1), (None, 2, 3, 1), (slice(None), 0)]


@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.parametrize("make", [
    lambda shape: 7, lambda shape: 2.5, lambda shape: True, lambda shape: np.float32(1.5), lambda shape: np.int8(-3),
    lambda shape: Fraction(1, 4), lambda shape: numbers(shape),
    lambda shape: numbers((1, 1, *shape) if shape else ()),  # NumPy takes no array for one number
   
    lambda shape: numbers(shape[-1:] or ()), lambda shape: numbers((1,) * len(shape), "int16"),
    lambda shape: sv.view(numbers(shape)[..., ::-1] if shape else numbers(shape)), lambda shape: numbers(shape, "?"),
    lambda shape: memoryview(numbers(shape, "f2")), lambda shape: np.True_,
], ids=range(14))
def test_assignment_is_numpys(key, make):
    for of in (lambda a: a, lambda a: a.transpose(1, 0, 2).copy().transpose(1, 0, 2), lambda a: a[::-1, :, ::-1]):
        wanted, found = of(numbers((3, 4, 5))), of(numbers((3, 4, 5)))
        value = make(wanted[key].shape)
        wanted[key] = np.asarray(value)
        sv.view(found)[key] = value
        assert np.array_equal(found, wanted)


def test_tensors_are_assigned():
    torch = need("torch")
    array = np.zeros((2, 3), "f4")
    view = sv.view(array)
    view[...] = torch.arange(3)
    assert (array == [[0, 1, 2]] * 2).all()
    view[1] = torch.tensor([4.5, 5.5, 6.5], dtype=torch.float64)
    view[0, 1:] = torch.tensor(7)
    assert (array == [[0, 7, 7], [4.5, 5.5, 6.5]]).all()
    with pytest.raises(TypeError, match="casting='unsafe'"):
        view[...] = torch.zeros(3, dtype=torch.complex64)


def test_assignment_reads_first_what_overlaps():
    for left, right in ((slice(1, None), slice(None, -1)), (slice(None, None, -1), slice(None))):
        wanted, found = numbers((9, 4)), numbers((9, 4))
        wanted[left] = wanted[right].copy()
        sv.view(found)[left] = sv.view(found)[right]
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("dtype, key, value, error, text", [
    ("f4", 0, 1j, TypeError, "complex"), ("u1", 0, 256, OverflowError, "range"), ("u1", 0, -1, OverflowError, "range"),
    ("i4", 0, 1.5, TypeError, "float"),
    ("i4", 0, np.float32(1.5), TypeError, "float32 to int32: pass casting='unsafe'"),
    ("i4", 0, np.zeros(4, "f4"), TypeError, "pass casting='unsafe'"),
    ("f4", 0, np.zeros(3, "f4"), ValueError, "broadcast"),
    ("f4", 0, np.zeros((2, 4), "f4"), ValueError, "axes|broadcast"),
    ("f4", 0, [1, 2, 3, 4], TypeError, r"try np\.asarray"),
    ("f4", 0, "abcd", TypeError, ""), ("f4", 0, None, TypeError, "None is no array"), ("f4", 9, 1, IndexError, "index 9"),
    ("f4", (0, 0, 0), 1, IndexError, "3 indices"), ("f4", 1.0, 1, TypeError, "an index is"),
    ("f4", "a", 1, TypeError, "have no fields"), ("f4", ["a"], 1, TypeError, "have no fields"),
    ("f4", [0, 1], 1, TypeError, "have no fields"), ("V6", 0, b"12345", ValueError, "5 bytes for items of 6|size"),
    ("V6", 0, 3, TypeError, "bytes"),
])
def test_bad_assignments(dtype, key, value, error, text):
    array = np.zeros((3, 4), dtype)
    with pytest.raises(error, match=text):
        sv.view(array)[key] = value
    assert not any(array.tobytes())


def test_assignment_is_refused():
    frozen = numbers((3, 4))
    for view in (sv.view(frozen, readonly=True), sv.view(bytes(4)), sv.view(np.broadcast_to(frozen, (2, 3, 4)))):
        for value in (1, view):
            with pytest.raises(ValueError, match="read-only|share|overlap"):
                view[...] = value
    with pytest.raises(TypeError, match="deleted"):
        del sv.view(frozen)[0]
    with pytest.raises((NotImplementedError, RuntimeError, ValueError)):
        sv.view(device_view((3, 4)))[0] = 1
    with pytest.raises(TypeError):
        sv.view(frozen).layout[0] = 1


def test_items_without_a_number_are_assigned():
    array, wanted = records((2, 3)), records((2, 3))
    view = sv.view(array)
    for key, value in ((0, (1, (2, 3), b"x", (4, 5j), 6, 7)), ((1, slice(None)), wanted[0]),
                       ((1, 1), wanted[0, 0].tobytes())):
        view[key] = value
        wanted[key] = np.frombuffer(value, RECORD)[0] if isinstance(value, bytes) else value
        assert np.array_equal(array, wanted)
    raw = np.zeros(4, "V40")
    sv.view(raw)[::2] = b"a" * 40
    assert raw.tobytes() == (b"a" * 40 + bytes(40)) * 2
    dates = np.zeros(3, "M8[D]")
    sv.view(dates)[1:] = np.datetime64("2020-02-03")
    assert dates.astype(str).tolist() == ["1970-01-01", "2020-02-03", "2020-02-03"]
    with pytest.raises(TypeError, match="equal dtypes"):
        sv.view(dates)[...] = np.zeros(3, "M8[s]")


# --- elements ---------------------------------------------------------------------

@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_elements_are_numpys(dtype):
    array = (np.arange(24) * 9 % 41 - 20).astype(dtype).reshape(2, 3, 4)
    for of in (lambda a: a, lambda a: a.T, lambda a: a[::-1, 1:, ::2], lambda a: a[1, 2, 3, ...], lambda a: a[:, :0],
               lambda a: a[:1, :1, :1], lambda a: np.frombuffer(b"x" + a.tobytes(), dtype, offset=1)):
        part, view = of(array), sv.view(of(array))
        assert view.tolist() == part.tolist() and repr(view.tolist()) == repr(part.tolist())
        for flat in range(-part.size, part.size):
            assert repr(view.item(flat)) == repr(part.item(flat))
        for index in np.ndindex(part.shape):
            assert repr(view.item(*index) if index else view.item()) == repr(part[index].item())
            assert repr(view.item(index)) == repr(part.item(index)) == repr(view[index].item())


@pytest.mark.parametrize("name", NARROW)
def test_all_values_of_narrow_types(name):
    scalar = getattr(need("ml_dtypes"), name)
    array = np.arange(256 if np.dtype(scalar).itemsize == 1 else 65536).astype(
        f"u{np.dtype(scalar).itemsize}").view(scalar)
    view = sv.view(array)
    assert repr(view.tolist()) == repr(array.astype("f4").tolist())
    assert repr([view.item(i) for i in range(0, array.size, 7)]) == repr(view.tolist()[::7])


def test_complex32_and_lanes():
    torch = need("torch")
    tensor = torch.tensor([1 + 2j, -.5j]).to(torch.complex32)
    assert sv.view(tensor).tolist() == [1 + 2j, -.5j] and complex(sv.view(tensor)[1]) == -.5j
    view = sv.empty((2,), "int16x4")
    view[...] = -2
    assert view.tolist() == [(-2, -2, -2, -2)] * 2 and view[0].item() == (-2,) * 4
    view = sv.zeros(2, "float8_e5m2x2")
    assert view.tolist() == [(0.0, 0.0)] * 2


def test_elements_of_records():
    array = records((2, 2))
    view = sv.view(array)
    for found, wanted in ((view.tolist(), array.tolist()), (view.item(3), array.item(3)),
                          (view[1, 0].item(), array[1, 0].item())):
        assert repr(found) == repr(wanted)
    assert sv.view(np.zeros(2, "M8[D]")).item(1).year == 1970 and sv.view(np.array(["ab", "c"])).tolist() == ["ab", "c"]
    raw = sv.view(np.arange(6, dtype="u1")).view(sv.StridedLayout.dense((2,), 3), "opaque")
    assert raw.tolist() == [b"\0\1\2", b"\3\4\5"] and raw.item(1) == b"\3\4\5" and raw[0].item() == b"\0\1\2"


def on_metal(shape):
    """A view of a device that no backend reaches, whatever the machine has."""
    return sv.view(device_view(shape, (8, 0)))


@pytest.mark.parametrize("make, error, text", [
    (lambda: sv.zeros(2).item(), ValueError, "needs one element, not 2"),
    (lambda: sv.zeros((0,)).item(), ValueError, "not 0"), (lambda: sv.zeros(2).item(2), IndexError, "index 2"),
    (lambda: sv.zeros((2, 2)).item(4), IndexError, "outside 4"),
    (lambda: sv.zeros((2, 2)).item(0, 2), IndexError, "axis 1"),
    (lambda: sv.zeros((2, 2)).item(0, 0, 0), IndexError, "3 indices for 2"),
    (lambda: sv.zeros((2, 2)).item(-5), IndexError, ""),
    (lambda: sv.zeros(2).item(1.0), TypeError, ""),
    (lambda: sv.zeros((2, 2)).item((1,)), IndexError, "1 indices for 2"),
    (lambda: sv.empty(2, "int4x2").item(0), TypeError, "no number for elements of int4x2"),
    (lambda: sv.empty(2, "int4x2").tolist(), TypeError, "int4x2"),
    (lambda: sv.empty((), "float128").item(), TypeError, "float128"),
    (lambda: float(sv.zeros(1)), TypeError, "without axes"), (lambda: int(sv.zeros(3)), TypeError, "without axes"),
    (lambda: int(sv.full((), float("nan"))), ValueError, "NaN"), (lambda: float(sv.full((), 1j)), TypeError, "complex"),
    (lambda: operator.index(sv.full((), 1.0)), TypeError, "integer"),
    (lambda: operator.index(sv.full((), True)), TypeError, "integer"),
    (lambda: operator.index(sv.full((1,), 1)), TypeError, "without axes"),
    (lambda: bool(sv.zeros(2)), ValueError, "ambiguous"),
    (lambda: bool(sv.zeros(0)), ValueError, "ambiguous"),
    (lambda: on_metal((3,)).item(1), NotImplementedError, "from Metal device 0 to CPU device 0"),
    (lambda: on_metal((3,)).tolist(), NotImplementedError, "from Metal device 0 to CPU device 0"),
    (lambda: on_metal((3,)).tobytes(), NotImplementedError, "from Metal device 0 to CPU device 0"),
    (lambda: float(on_metal(())), NotImplementedError, "from Metal device 0 to CPU device 0"),
])
def test_what_has_no_value(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_views_are_numbers():
    whole, real = sv.full((), -3), sv.full((), 2.75, "float64")
    assert (int(whole), float(whole), complex(whole), whole.__index__()) == (-3, -3.0, -3 + 0j, -3)
    assert (int(real), float(real), complex(real), bool(real)) == (2, 2.75, 2.75, True)
    assert not sv.zeros((1, 1)) and sv.full((1,), float("nan")) and not sv.full((), False)
    assert [10, 20, 30, 40][sv.full((), 2)] == 30 and sv.zeros(5)[sv.full((), 4)].shape == ()
    assert complex(sv.full((), 1 + 2j)) == 1 + 2j and int(sv.full((), True)) == 1
    assert float(sv.full((), 1.5, "float16")) == 1.5


# --- copies -----------------------------------------------------------------------

@pytest.mark.parametrize("seed", range(200))
def test_copies_are_numpys(seed):
    source = Random(seed)
    array, _ = source.layout()
    flat = np.arange(array.size * array.itemsize, dtype="u1").reshape(*array.shape, array.itemsize)
    if any(extent > 1 and abs(step) < array.itemsize for extent, step in zip(array.shape, array.strides)):
        array = np.broadcast_to(np.zeros((), array.dtype), array.shape)
    elif array.size:
        array = np.ascontiguousarray(flat).view(array.dtype).reshape(array.shape).transpose(source.order(array.ndim))
    view = sv.view(array)
    for order in "CF":
        assert view.tobytes(order) == array.tobytes(order)
        made = view.copy(order)
        assert made.tobytes() == array.tobytes() and not made.readonly and made.exporting_obj is None
        assert made.is_contiguous_c if order == "C" else made.is_contiguous_f
        assert made.strides == sv.StridedLayout.dense(array.shape, 1, order).strides
    for made in (view.copy("K"), copy.copy(view), copy.deepcopy(view)):
        assert made.tobytes() == array.tobytes() and made.layout == view.layout.to_dense("K")
    assert view.contiguous().tobytes() == array.tobytes() and view.contiguous().is_contiguous_c
    assert (view.contiguous() is view) == view.is_contiguous_c == view.c_contiguous
    assert (view.contiguous("F") is view) == view.is_contiguous_f == view.f_contiguous


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
@pytest.mark.parametrize("target", NUMPY_DTYPES)
def test_astype_is_numpys(dtype, target):
    array = (np.arange(12) % 7).astype(dtype).reshape(3, 4).T
    with np.errstate(all="ignore"):
        wanted = array.real.astype(target) if array.dtype.kind == "c" != np.dtype(target).kind else array.astype(target)
    if target == "bool" and array.dtype.kind == "c":
        wanted = array.astype(bool)
    found = sv.view(array).astype(target)
    assert found.dtype == target and np.array_equal(np.asarray(found), wanted)
    assert np.asarray(found).strides == wanted.copy("K").strides or dtype == target
    assert sv.view(array).astype(target, order="C").is_contiguous_c


def test_astype_may_give_itself():
    view = sv.view(numbers((3, 4)).T)
    assert view.astype("f4", copy=False) is view and view.astype(np.float32, order="F", copy=False) is view
    assert view.astype("f4") is not view and view.astype("f4", order="C", copy=False) is not view
    kept = sv.view(records(3))
    assert kept.astype(RECORD, copy=False) is kept and kept.astype(RECORD).dtype == RECORD
    for dtype, casting in (("i4", "same_kind"), ("f2", "safe"), ("f8", "no"), ("f8", "equiv")):
        with pytest.raises(TypeError, match="casting="):
            view.astype(dtype, casting=casting)
    with pytest.raises(ValueError, match="casting must be"):
        view.astype("f8", casting="safely")
    with pytest.raises(TypeError):
        kept.astype("f4")


def test_copies_keep_the_dtype_of_records():
    array = records((2, 3))
    view = sv.view(array).T
    for made in (view.copy(), view.copy("K"), view.contiguous(), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert made.dtype == RECORD and made["a"].tolist() == array["a"].T.tolist() and made[1:].dtype == RECORD
        assert np.asarray(made).dtype == RECORD and np.array_equal(np.asarray(made), array.T)
        with pytest.raises(TypeError, match="equal dtypes"):
            sv.copy(made, np.zeros((3, 2), [("z", f"V{RECORD.itemsize}")]))


def test_new_memory_is_of_the_host_or_of_cuda():
    view = on_metal((3, 4))
    for call in (view.copy, view.T.contiguous, lambda: view.astype("f8"), lambda: copy.copy(view),
                 lambda: sv.empty_like(view), lambda: sv.zeros_like(view)):
        with pytest.raises(NotImplementedError, match="neither"):
            call()
    assert sv.zeros_like(view, memory="host").tolist() == [[0] * 4] * 3
    with pytest.raises(TypeError, match="device"):
        pickle.dumps(view)


# --- new memory -------------------------------------------------------------------

@pytest.mark.parametrize("make, wanted", [
    (lambda: sv.zeros((2, 3)), np.zeros((2, 3), "f4")), (lambda: sv.ones(3, "i2"), np.ones(3, "i2")),
    (lambda: sv.zeros((2, 3), "c8", "F"), np.zeros((2, 3), "c8", "F")), (lambda: sv.full((2,), 7), np.full(2, 7)),
    (lambda: sv.full((2,), 7.5), np.full(2, 7.5, "f4")), (lambda: sv.full((2,), True), np.full(2, True)),
    (lambda: sv.full((), 1j), np.full((), 1j, "c8")), (lambda: sv.full(2, np.float64(.1)), np.full(2, .1)),
    (lambda: sv.full(2, 3, "u1", "F"), np.full(2, 3, "u1")), (lambda: sv.zeros((0, 3), float), np.zeros((0, 3))),
    (lambda: sv.zeros(2, None), np.zeros(2, "f4")), (lambda: sv.ones(()), np.ones((), "f4")),
    (lambda: sv.zeros_like(numbers((2, 3)).T), np.zeros_like(numbers((2, 3)).T)),
    (lambda: sv.ones_like(numbers((2, 3)), "i8"), np.ones((2, 3), "i8")),
    (lambda: sv.full_like(numbers((2, 3)).T, 5, order="C"), np.full((3, 2), 5, "f4")),
    (lambda: sv.full_like(numbers((2, 3)).T, 5, shape=(4, 2)), np.full_like(numbers((2, 3)).T, 5, shape=(4, 2))),
    (lambda: sv.zeros_like(numbers((2, 3)).T, shape=(4,)), np.zeros(4, "f4")),
    (lambda: sv.zeros_like(records((2, 3)).T), np.zeros_like(records((2, 3)).T)),
    (lambda: sv.full_like(records(2), records(3)[2]), np.full_like(records(2), records(3)[2])),
    (lambda: sv.full_like(np.zeros(2, "S3"), b"abc"), np.full_like(np.zeros(2, "S3"), b"abc")),
    (lambda: sv.zeros((1,) * 64, "u1"), np.zeros((1,) * 64, "u1")),
])
def test_new_memory(make, wanted):
    found = make()
    assert found.dtype == wanted.dtype and np.array_equal(np.asarray(found), wanted)
    assert wanted.size == 0 or np.asarray(found).strides == wanted.strides or wanted.ndim == 64
    assert found.ptr % 64 == 0 and not found.readonly


@pytest.mark.parametrize("make", [sv.zeros, lambda shape, dtype: sv.zeros_like(np.empty(1), dtype, shape=shape)])
def test_large_zeros_take_no_memory_before_they_are_touched(make):
    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    before = resident()
    made = make((64 << 20,), "u1")
    assert resident() - before < 16 << 20 and made.ptr % 64 == 0
    assert made[-1].item() == 0 and not np.asarray(made).any()


@pytest.mark.parametrize("call, error", [
    (lambda: sv.zeros(), TypeError), (lambda: sv.zeros((2, -1)), ValueError), (lambda: sv.full(2, "a"), TypeError),
    (lambda: sv.full(2, 256, "u1"), OverflowError), (lambda: sv.zeros(2, "f5"), TypeError),
    (lambda: sv.zeros_like([1]), TypeError), (lambda: sv.empty_like(np.zeros(2), order="X"), ValueError),
    (lambda: sv.empty_like(np.zeros(2), shape=(2, 2), order=(0,)), ValueError), (lambda: sv.full(2, None), TypeError),
    (lambda: sv.zeros((2**40, 2**40)), OverflowError), (lambda: sv.zeros(3, order="K"), ValueError),
    (lambda: sv.empty_like(np.zeros(2), "f4", "C"), TypeError), (lambda: sv.zeros((1,) * 65), ValueError),
])
def test_bad_new_memory(call, error):
    with pytest.raises(error):
        call()


# --- fields -----------------------------------------------------------------------

def test_fields():
    array = records((3, 4))
    for of in (lambda a: a, lambda a: a.T, lambda a: a[::-1, 1::2], lambda a: a[1, 2, ...], lambda a: a[:0]):
        part = of(array)
        view = sv.view(array)
        view = sv.view(part)
        for name in RECORD.names:
            found, wanted = view[name], part[name]
            assert found.shape == wanted.shape and found.dtype == wanted.dtype
            assert repr(found.tolist()) == repr(wanted.tolist())
            assert not part.size or (found.ptr == address(wanted) and found.layout.strides_in_bytes == wanted.strides)
        assert np.array_equal(np.asarray(view["d"]["y"]), part["d"]["y"])
        some = view[["c", "a"]]
        assert some.dtype == part[["c", "a"]].dtype and some.shape == part.shape
        assert some["a"].tolist() == part["a"].tolist()
    whole = sv.view(array)
    whole["a"] = 2
    whole["b"][..., 1] = np.arange(4)
    whole["d"]["y"] = 1j
    assert (array["a"] == 2).all() and (array["b"][..., 1] == np.arange(4)).all() and (array["d"]["y"] == 1j).all()
    assert sv.view(array, readonly=True)["a"].readonly


def test_a_field_as_large_as_its_record_has_its_own_dtype():
    array = np.zeros(3, [("a", [("b", "V4")])])
    view = sv.view(array)
    assert view["a"].dtype == [("b", "V4")] and view["a"]["b"].dtype == "V4" and view["a"]["b"][1:].dtype == "V4"


@pytest.mark.parametrize("key, error, text", [
    ("z", KeyError, "no field 'z' among 'a', 'b'"), (["a", "z"], KeyError, "z"),
    ([1], TypeError, "Field key must be"),
])
def test_fields_that_are_not_there(key, error, text):
    with pytest.raises(error, match=text):
        sv.view(records(2))[key]


def test_fields_keep_the_memory():
    array = records(3)
    field = sv.view(array)["a"]
    del array
    gc.collect()
    assert field.tolist() == [0.0, 1.0, 2.0]


# --- pickles ----------------------------------------------------------------------

@pytest.mark.parametrize("make", [
    lambda: sv.view(numbers((3, 4))), lambda: sv.view(numbers((3, 4)).T), lambda: sv.view(numbers((3, 4)))[::-1, ::2],
    lambda: sv.view(numbers((3, 4)))[1:, 2:], lambda: sv.view(numbers(())), lambda: sv.view(numbers((0, 3))),
    lambda: sv.view(numbers((3, 4)), readonly=True), lambda: sv.view(records((2, 3)).T),
    lambda: sv.view(records(3))["c"],
    lambda: sv.full((2, 2), 1.5, "bfloat16"), lambda: sv.zeros(3, "int4x2"), lambda: sv.view(b"abc"),
    lambda: sv.view(np.arange(6, dtype="u1")).view(sv.StridedLayout.dense((2,), 3), "opaque"),
    lambda: sv.view(np.broadcast_to(numbers(3), (2, 3))), lambda: sv.view(numbers((1,) * 64)),
])
def test_pickles(make):
    view = make()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        buffers = []
        callback = {"buffer_callback": buffers.append} if protocol >= 5 else {}
        for written in (pickle.dumps(view, protocol), pickle.dumps(view, protocol, **callback)):
            back = pickle.loads(written, buffers=buffers)
            assert (back.shape, back.dtype, back.readonly) == (view.shape, view.dtype, view.readonly)
            assert back.tobytes() == view.tobytes() and back.layout.strides == view.layout.to_dense("K").strides
        assert len(buffers) == (protocol >= 5)
    if view.layout.is_dense and view.size and view.layout.strides == view.layout.to_dense("K").strides:
        assert sv.shares_memory(back, view)


def test_a_pickled_view_can_be_written():
    view = sv.view(numbers((3, 4)))
    for protocol in (2, 5):
        back = pickle.loads(pickle.dumps(view, protocol))
        back[0] = -1
        assert back[0].tolist() == [-1.0] * 4 and view[0, 1].item() == 1


# --- the rest ---------------------------------------------------------------------

def test_transpose():
    view = sv.view(numbers((2, 3, 4)))
    for x in (view, view.layout):
        assert x.transpose().shape == x.transpose(None).shape == (4, 3, 2)
        assert x.transpose(1, 0, 2).shape == x.transpose((1, 0, 2)).shape == (3, 2, 4)
    with pytest.raises(ValueError):
        view.transpose(0, 1)


def test_readonly_views():
    array = numbers((3, 4))
    view = sv.view(array, readonly=True)
    assert view.readonly and view.T[1:].readonly and view.ptr == address(array) and view.exporting_obj is array
    assert not sv.view(array).readonly and not sv.view(array, readonly=False).readonly
    again = sv.view(sv.view(array), readonly=True)
    assert again.readonly and memoryview(again).readonly and sv.view(view, readonly=None).readonly
    with pytest.raises(TypeError):
        sv.view(array, None, True)


@pytest.mark.parametrize("dtype", ["f4", "double", "?", "b", "u2", "half", "longlong", "int", float, int, bool, complex,
                                   np.int8, "F", "=f8", "<i2", np.dtype("u4")])
def test_names_of_dtypes(dtype):
    assert sv.empty(2, dtype).dtype == np.dtype(dtype)


def test_numpys_names_mean_what_numpy_says():
    from strideview._dtype import _ALIASES
    for alias, name in _ALIASES.items():
        assert np.dtype(alias) == np.dtype(name), alias


@pytest.mark.parametrize("value", [[1, 2], (1, 2), 3, 2.5, 1j])
def test_what_is_no_memory_says_what_to_do(value):
    for call in (sv.view, lambda x: sv.copy(np.zeros(2), x), sv.zeros_like):
        with pytest.raises(TypeError, match=r"np\.asarray\((x|%s)\)" % re.escape(repr(value))):
            call(value)


def test_arrays_of_other_libraries_that_are_no_memory():
    class Series:
        def __array__(self, dtype=None, copy=None):
            return np.zeros(3)
    with pytest.raises(sv.CopyError, match=r"Series gives its elements by a copy only: view np\.asarray\(x\)"):
        sv.view(Series())
    with pytest.raises(TypeError) as told:
        sv.view(object())
    assert "asarray" not in str(told.value)
    pyarrow = need("pyarrow")
    with pytest.raises(sv.CopyError, match="asarray"):
        sv.view(pyarrow.chunked_array([[1, 2], [3]]))


# --- casting ----------------------------------------------------------------------

@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_casting_is_numpys(casting):
    for source in NUMPY_DTYPES:
        for target in NUMPY_DTYPES:
            to, by = np.zeros(3, target), np.ones(3, source)
            if np.can_cast(source, target, casting):
                sv.copy(to, by, casting=casting)
                assert (to == 1).all()
                sv.copy_batch([to], [by], casting=casting)
                sv.Plan(to, by, casting=casting).execute(to, by)
                continue
            for call in (lambda: sv.copy(to, by, casting=casting), lambda: sv.copy_batch([to], [by], casting=casting),
                         lambda: sv.Plan(to, by, casting=casting), lambda: sv.view(by).astype(target, casting=casting)):
                with pytest.raises(TypeError, match="pass casting=") as told:
                    call()
                assert "SV_" not in str(told.value)


def test_safe_means_that_nothing_is_lost():
    ml_dtypes = need("ml_dtypes")
    small = [*NARROW, "float16", "int8", "uint8", "int16", "uint16", "bool"]
    names = [*small, "float32", "float64"]
    for source in small:
        dtype = np.dtype(getattr(ml_dtypes, source, source))
        every = np.arange(2 if source == "bool" else 256 ** dtype.itemsize).astype(f"u{dtype.itemsize}").view(dtype)
        for target in names:
            if np.dtype(getattr(ml_dtypes, target, target)).kind in "iub" and dtype.kind not in "iub":
                continue  # no integer has a NaN
            made = sv.empty(every.shape, target)
            sv.copy(made, every, casting="unsafe")
            back = np.array(made.astype("f8").tolist())
            exact = np.array_equal(back, every.astype("f8"), equal_nan=True) and (
                np.array_equal(np.signbit(back), np.signbit(every.astype("f8"))) or dtype.kind in "iub" or
                np.isnan(back).any())
            try:
                sv.copy(made, every, casting="safe")
                safe = True
            except TypeError:
                safe = False
            if np.dtype(getattr(ml_dtypes, target, target)).kind == "b":
                assert safe == (source == "bool")
            else:
                assert safe == exact, (source, target)


@pytest.mark.parametrize("make", [lambda: b"abc", lambda: memoryview(b"abc"), lambda: sv.view(b"abc"),
                                  lambda: sv.view(np.zeros(3), readonly=True)])
def test_readonly_false_asks_for_a_writable_view(make):
    assert sv.view(make()).readonly and sv.view(make(), readonly=None).readonly
    with pytest.raises(BufferError, match="readonly=False asks for a writable view"):
        sv.view(make(), readonly=False)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
