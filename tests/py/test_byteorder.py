"""Numbers in the other byte order: viewed with the dtype that tells it, and swapped by copies. NumPy is the oracle."""

import ctypes
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import strideview as sv
from apart import run_apart
from peers import address, need, numbers

DTYPES = ["i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
FORMS = {"whole": lambda a: a, "transposed": lambda a: a.T, "reversed": lambda a: a[::-1, ::-1], "sliced": lambda a: a[::2, 1:],
         "empty": lambda a: a[:0], "one": lambda a: a[1:2, 2:3], "0-d": lambda a: a[1, 2]}


def other(dtype):
    return np.dtype(dtype).newbyteorder("S")


def swapped(dtype, form="whole"):
    array = (np.arange(12).reshape(3, 4) - (0 if np.dtype(dtype).kind == "u" else 5)).astype(other(dtype))
    return FORMS[form](array) if form != "0-d" else np.array(array[1, 2], other(dtype))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_view_knows_its_order(dtype, form):
    array = swapped(dtype, form)
    for exporter in (array, memoryview(array), SimpleNamespace(__array_interface__=array.__array_interface__, kept=array)):
        view = sv.view(exporter)
        assert view.dtype == array.dtype and view.shape == array.shape
        assert view.tolist() == array.tolist() and view.tobytes() == array.tobytes()
        back = np.asarray(view)
        assert back.dtype == array.dtype and np.array_equal(back, array)
        assert not array.size or address(back) == address(array)
        assert view.__array_interface__["typestr"] == array.dtype.str
        copied = view.copy()
        assert copied.dtype == array.dtype and copied.tolist() == array.tolist()
        assert view.astype(dtype).dtype == np.dtype(dtype) and view.astype(dtype).tolist() == array.tolist()
        assert view.astype("c16").tolist() == array.astype("c16").tolist()
        assert view.contiguous().tolist() == array.tolist() and sv.empty_like(view).dtype == array.dtype
        loaded = pickle.loads(pickle.dumps(view, 5))
        assert loaded.dtype == array.dtype and loaded.tolist() == array.tolist()
    if array.size == 1:
        assert sv.view(array).item() == array.item() and complex(sv.view(array).squeeze()) == complex(array.squeeze())


@pytest.mark.parametrize("to", [*DTYPES, *map(other, DTYPES)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_copies_between_all_orders(dtype, to):
    for form in FORMS:
        array = swapped(dtype, form)
        wanted = np.zeros(array.shape, to)
        with np.errstate(invalid="ignore"):
            wanted[...] = array.real if wanted.dtype.kind != "c" else array
        for source in (array, array.astype(dtype)):
            target = np.zeros(array.shape, to)
            sv.copy(target, source, casting="unsafe")
            if not (array.dtype.kind in "fc" and wanted.dtype.kind == "u"):  # C leaves negative ones open
                assert np.array_equal(target, wanted), form


@pytest.mark.parametrize("dtype", DTYPES)
def test_ways_to_copy(dtype):
    array = swapped(dtype)
    ways = {"copy": lambda dst: sv.copy(dst, array), "byteswap": lambda dst: sv.copy(dst, array, byteswap=True),
            "copy_from": lambda dst: sv.view(dst).copy_from(array), "copy_to": lambda dst: sv.view(array).copy_to(dst),
            "assign": lambda dst: sv.view(dst).__setitem__(..., array),
            "batch": lambda dst: sv.copy_batch([dst[:1], dst[1:]], [array[:1], array[1:]]),
            "mixed batch": lambda dst: sv.copy_batch([dst[:1], dst[1:]], [array[:1], array[1:].astype(dtype)]),
            "plan": lambda dst: sv.Plan(dst, array).execute(dst, array),
            "plan of numbers": lambda dst: sv.Plan(dst, array, measure=0.001).execute(dst, array.view(dtype)),
            "way out": lambda dst: sv.Plan(dst, array.view(dtype), byteswap=True).execute(dst, array.view(dtype)),
            "rearrange": lambda dst: sv.rearrange(array, "a b -> a b", out=dst)}
    for name, way in ways.items():
        target = np.zeros((3, 4), dtype)
        way(target)
        assert np.array_equal(target, array), name
    broadcast = np.zeros((2, 3, 4), dtype)
    sv.copy(broadcast, array)
    assert np.array_equal(broadcast, np.broadcast_to(array, (2, 3, 4)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_into_the_other_order(dtype):
    source, target = np.arange(12).reshape(3, 4).astype(dtype), swapped(dtype)
    sv.copy(target, source)
    assert np.array_equal(target, source)
    target[...] = 0
    plan = sv.Plan(target, source)
    plan.execute(target, source)
    assert np.array_equal(target, source) and plan.explain(target, source)
    sv.view(target)[1] = source[2]
    assert np.array_equal(target[1], source[2])
    sv.view(target)[0] = 7
    sv.view(target)[2, 1] = np.array(5, dtype)
    assert (target[0] == 7).all() and target[2, 1] == 5
    sv.fill(target, 3)
    assert (target == 3).all()
    sv.view(target).fill(np.array(4, dtype)[()])
    assert (target == 4).all()


def test_tensors_go_into_the_other_order():
    torch = need("torch")
    target = np.zeros((2, 3), ">f4")
    sv.view(target)[...] = torch.arange(3)
    sv.view(target)[1] = torch.tensor([4.5, 5.5, 6.5])
    assert target.tolist() == [[0, 1, 2], [4.5, 5.5, 6.5]]


def test_scaled_copies_swap():
    array, native = swapped("i2"), swapped("i2").astype("i2")
    for dst, src in ((np.zeros((3, 4), "f4"), array), (np.zeros((3, 4), ">f8"), native), (np.zeros((3, 4), ">f4"), array),
                     (np.zeros((3, 4), ">i2"), array)):
        sv.copy(dst, src, scale=[1, 2, 3], bias=1, axis=0)
        assert np.array_equal(dst, native * [[1], [2], [3]] + 1)
    target = np.zeros((3, 4), "f4")
    sv.Plan(target, array, scale=[1, 2, 3], bias=1, axis=0).execute(target, array)
    assert np.array_equal(target, native * [[1], [2], [3]] + 1)


def test_what_is_refused_names_the_numbers():
    array = swapped("f8")
    for call, text in ((lambda: sv.copy(np.zeros((3, 4), "i4"), array), "dst has int32 .*src float64 .*casting='unsafe'"),
                       (lambda: sv.copy(np.zeros((3, 4), ">i4"), array), "casting='unsafe'"),
                       (lambda: sv.copy(np.zeros((3, 4), "M8[s]"), array), "datetime64"),
                       (lambda: np.from_dlpack(sv.view(array)), r"view\.astype\('float64'\)"),
                       (lambda: sv.view(array).__dlpack__(copy=True), r"view\.astype\('float64'\)"),
                       (lambda: sv.view(swapped("i2"))[0].fill(70000), "out of the range of int16"),
                       (lambda: sv.copy(np.zeros((2, 4)), array), "broadcast")):
        with pytest.raises((TypeError, BufferError, OverflowError, ValueError), match=text):
            call()
    frozen = swapped("f8")
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        sv.copy(frozen, np.zeros((3, 4)))
    with pytest.raises(BufferError, match="opaque items"):
        np.from_dlpack(sv.view(np.zeros(3, "M8[s]")))


def test_a_refused_copy_writes_nothing():
    target = numbers((3, 4), "i4").astype(">i4")
    before = target.tobytes()
    for src in (np.zeros((3, 5), ">i4"), np.zeros((3, 4), ">f8"), np.zeros((3, 4), "f8")):
        with pytest.raises((TypeError, ValueError)):
            sv.copy(target, src)
    assert target.tobytes() == before


def test_overlapping_sides_are_read_first():
    memory = numbers((16,), "i4")
    wanted = memory.copy()
    wanted[1:9] = memory[:8].copy().byteswap()
    sv.copy(memory[1:9], memory[:8].view(">i4"))
    assert np.array_equal(memory, wanted)


def test_numbers_of_ctypes():
    array = (ctypes.c_uint16.__ctype_be__ * 3)(1, 2, 700)
    target = np.zeros(3, "u2")
    sv.copy(target, array)
    assert sv.view(array).tolist() == [1, 2, 700] == target.tolist()


def test_without_numpy():
    run_apart("""
        import ctypes, sys
        sys.modules["numpy"] = None
        import strideview as sv
        array = (ctypes.c_double.__ctype_be__ * 3)(1, 2, 700)
        target = sv.zeros(3, "float64")
        sv.copy(target, array)
        assert target.tolist() == [1, 2, 700] and sv.view(array).tobytes() == bytes(array)
        """)


def test_explain_and_placement():
    target, array = np.zeros((3, 4)), swapped("f8")
    assert "->" in sv.explain(target, array) and sv.placement(target, array).by == "cpu"
    assert "->" in sv.explain(array, target)


@pytest.mark.parametrize("dtype", ["i4", "f8", "c8"])
def test_they_can_be_made(dtype):
    for view in (sv.zeros((3, 4), other(dtype)), sv.full((3, 4), 0, other(dtype)), sv.zeros((3, 4), other(dtype), "F")):
        assert view.dtype == other(dtype) and not any(map(any, view.tolist()))
    assert sv.ones(2, other(dtype)).tolist() == [1, 1]
    view = sv.view(numbers((3,), dtype)).astype(other(dtype))
    assert view.dtype == other(dtype) and view.tolist() == [0, 1, 2]
    assert sv.view(numbers((3,), dtype)).view(dtype=other(dtype)).dtype == other(dtype)
    assert sv.StridedMemoryView.from_buffer(bytearray(32), 2, dtype=other(dtype)).dtype == other(dtype)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
