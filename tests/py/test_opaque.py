"""Copies of items that are no number: libsv knows their size only, so views of other items must not meet."""

import ctypes
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import strideview as sv

RECORD = np.dtype([("a", "f4"), ("b", "i4")])
ALIKE = np.dtype({"names": ["a", "b"], "formats": ["f4", "i4"], "offsets": [0, 4], "itemsize": 8})
SWAPPED = np.dtype([("a", "i4"), ("b", "f4")])
RENAMED = np.dtype([("x", "f4"), ("y", "i4")])
NESTED = np.dtype([("a", RECORD)])
BIG = np.dtype([("a", ">f4"), ("b", ">i4")])

# Items of one size each: what dst holds, what src holds.
DIFFERENT = [
    ("M8[s]", "M8[ms]"), ("m8[s]", "M8[s]"), ("M8[s]", "m8[s]"), ("M8[s]", "M8[25s]"), ("M8[s]", "M8"),
    (RECORD, SWAPPED), (RECORD, RENAMED), (RECORD, NESTED), (RECORD, BIG), (RECORD, "M8[s]"),
    ("S4", "U1"), ("U1", "S4"), ("S8", "M8[ns]"), ("S8", RECORD), ("U2", RECORD), ("U1", [("a", "f4")]),
    ("M8[s]", ">M8[s]"), (">U2", "U2"), ("g", ">g"),
    ([("a", "i2", (2,))], [("a", "i4")]), ("g", "S16"), ("g", [("a", "f8"), ("b", "f8")]),
]
EQUAL = ["M8[s]", "m8[25s]", RECORD, NESTED, BIG, "S4", "U4", "V8", [("a", "i2", (2,)), ("b", "S3")], "g", ">U4", ">M8[s]", ">g"]
SHAPE = (3, 4)


def filled(dtype, shape=SHAPE):
    """Bytes that are valid as any of the types."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(np.arange(count, dtype="u1").tobytes(), dtype).reshape(shape).copy()


def bytes_of(array):
    return array.tobytes()


def raw(array):
    return array.view(f"V{array.itemsize}")


def equal_plan(dst, src):
    """A plan of the sizes and strides of the two, whose own arrays may meet."""
    return sv.Plan(raw(dst), raw(src))


WAYS = {
    "copy": lambda dst, src: sv.copy(dst, src),
    "same_kind": lambda dst, src: sv.copy(dst, src, casting="same_kind"),
    "unsafe": lambda dst, src: sv.copy(dst, src, casting="unsafe"),
    "views": lambda dst, src: sv.copy(sv.view(dst), sv.view(src)),
    "transposed": lambda dst, src: sv.copy(sv.view(dst).T, sv.view(src).T),
    "slices": lambda dst, src: sv.copy(sv.view(dst)[:, ::-2][1:], sv.view(src)[:, ::-2][1:]),
    "one item": lambda dst, src: sv.copy(sv.view(dst), sv.view(src)[0, 0]),
    "copy_from": lambda dst, src: sv.view(dst).copy_from(src),
    "copy_to": lambda dst, src: sv.view(src).copy_to(dst),
    "executor": lambda dst, src: sv.copy(dst, src, executor=ThreadPoolExecutor(1), threads=1),
    "batch": lambda dst, src: sv.copy_batch([dst, sv.view(dst)], [src, src]),
    "batch of views": lambda dst, src: sv.copy_batch([sv.view(dst)[1]], [sv.view(src)[1]]),
    "plan": lambda dst, src: sv.Plan(dst, src),
    "unsafe plan": lambda dst, src: sv.Plan(dst, src, casting="unsafe"),
    "execute": lambda dst, src: equal_plan(dst, src).execute(dst, src),
    "execute_batch": lambda dst, src: equal_plan(dst, src).execute_batch([dst], [src]),
    "memoryviews": lambda dst, src: sv.copy(lent(dst), lent(src)),
    "lent source": lambda dst, src: sv.copy(dst, lent(src)),
    "interfaces": lambda dst, src: sv.copy(Interface(dst), Interface(src)),
    "told source": lambda dst, src: sv.copy(dst, Interface(src)),
    "fill by one item": lambda dst, src: sv.fill(dst, sv.view(src)[0, 0]),
    "view.fill by one item": lambda dst, src: sv.view(dst).fill(sv.view(src)[0, 0]),
}


def lent(array):
    """A memoryview, where the type has one."""
    try:
        return memoryview(array)
    except (TypeError, ValueError, BufferError):
        return array


class Interface:
    """The array interface and nothing else."""

    def __init__(self, array):
        self.__array_interface__, self.array = array.__array_interface__, array


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dst, src", DIFFERENT, ids=str)
def test_items_that_differ_do_not_meet(dst, src, way):
    dst, src = np.zeros(SHAPE, dst), filled(src)
    assert dst.itemsize == src.itemsize
    with pytest.raises(TypeError, match="equal dtypes"):
        WAYS[way](dst, src)
    assert not any(bytes_of(dst))


@pytest.mark.parametrize("way", [way for way in WAYS if "plan" not in way and "batch of" not in way])
@pytest.mark.parametrize("dtype", EQUAL, ids=str)
def test_equal_items_do(dtype, way):
    dst, src = np.zeros(SHAPE, dtype), filled(dtype)
    expected = dst.copy()
    if way == "slices":
        raw(expected)[:, ::-2][1:] = raw(src)[:, ::-2][1:]
    else:
        raw(expected)[...] = raw(src)[0, 0] if "one item" in way else raw(src)
    WAYS[way](dst, src)
    assert bytes_of(dst) == bytes_of(expected)


FILLINGS = [
    ("M8[s]", np.datetime64(3, "s"), True), ("M8[s]", np.datetime64(3, "ms"), False), ("M8[s]", np.timedelta64(3, "s"), False),
    (">M8[s]", np.datetime64(3, "s"), False), ("M8[s]", np.int64(3), False), ("M8[s]", np.float64(3), False),
    ("M8[s]", np.array(3.0), False), ("M8[s]", bytes(8), True), ("M8[s]", bytearray(8), True), ("M8[s]", np.void(bytes(8)), True),
    (RECORD, np.array((1, 2), RECORD)[()], True), (RECORD, np.array((1, 2), SWAPPED)[()], False), (RECORD, np.complex64(1), False),
    ("S4", b"abcd", True), ("S4", np.bytes_(b"abcd"), True), ("S4", np.float32(1), False), ("V8", np.float64(1), True),
    ("V8", np.datetime64(3, "s"), True),
]


@pytest.mark.parametrize("dtype, value, fits", FILLINGS, ids=repr)
def test_fill_by_a_scalar(dtype, value, fits):
    array = np.zeros(3, dtype)
    if fits:
        sv.fill(array, value)
        assert bytes_of(array) == bytes(value if isinstance(value, (bytes, bytearray)) else value.tobytes()) * 3
    else:
        with pytest.raises(TypeError, match="equal dtypes|not with a number"):
            sv.fill(array, value)
        assert not any(bytes_of(array))


def test_equal_dtypes_that_are_written_otherwise():
    dst, src = np.zeros(SHAPE, RECORD), filled(ALIKE)
    sv.copy(dst, src)
    assert bytes_of(dst) == bytes_of(src)


@pytest.mark.parametrize("dtype", [RECORD, "M8[s]", "S8"], ids=str)
def test_raw_memory_meets_anything_of_its_size(dtype):
    """Of bytes whose meaning nobody told, and of NumPy's own raw items."""
    items = filled(dtype, (6,))
    memory = bytearray(48)
    raw = sv.StridedMemoryView.from_buffer(memory, (6,), itemsize=8)
    sv.copy(raw, items)
    assert bytes(memory) == bytes_of(items)
    for source in (raw, np.frombuffer(memory, "V8"), sv.view(np.frombuffer(memory, "i8")).view(dtype="opaque")):
        back = np.zeros(6, dtype)
        sv.copy(back, source)
        assert bytes_of(back) == bytes_of(items)


@pytest.mark.parametrize("casting", ["no", "same_kind", "unsafe"])
@pytest.mark.parametrize("dst, src", [("M8[s]", "i8"), ("i8", "M8[s]"), (RECORD, "f8"), ("f8", RECORD), ("S4", "S8"),
                                      ("u4", "U1")], ids=str)
def test_numbers_and_other_sizes_never_meet_opaque_items(dst, src, casting):
    with pytest.raises(TypeError):
        sv.copy(np.zeros(3, dst), filled(src, (3,)), casting=casting)


def test_dates_are_copied_as_integers_on_purpose():
    dst, src = np.zeros(3, "M8[s]"), filled("M8[ms]", (3,))
    sv.copy(sv.view(dst).view(dtype="int64"), sv.view(src).view(dtype="int64"))
    assert bytes_of(dst) == bytes_of(src)


NAMED = [  # dst, src, what the text says of both, and the way out
    ("i8", "M8[s]", "dst holds items of int64, src of datetime64[s]", "pass src.view(dtype='i8')"),
    ("m8[s]", "i8", "dst holds items of timedelta64[s], src of int64", "pass dst.view(dtype='i8')"),
    ("f8", RECORD, "dst holds items of float64, src of [('a', '<f4'), ('b', '<i4')]", "equal dtypes only"),
    ("S4", "S8", "dst holds items of |S4, src of |S8", "equal dtypes only"),
    ("f8", "V8", "dst holds items of float64, src of 8 raw bytes", "equal dtypes only"),
]
NAMING = {
    "copy": lambda dst, src: sv.copy(dst, src),
    "same_kind": lambda dst, src: sv.copy(dst, src, casting="same_kind"),
    "unsafe": lambda dst, src: sv.copy(dst, src, casting="unsafe"),
    "batch": lambda dst, src: sv.copy_batch([dst], [src]),
    "plan": lambda dst, src: sv.Plan(dst, src),
    "astype": lambda dst, src: src.astype(dst.dtype) if str(dst.dtype) in ("float32", "int64") else sv.copy(dst, src),
}


def field_of(dtype):
    return sv.view(np.zeros(3, [("a", dtype), ("b", "i4")]))["a"]


@pytest.mark.parametrize("way", NAMING)
@pytest.mark.parametrize("dst, src, told, way_out", NAMED, ids=str)
def test_refusals_name_dtypes_and_a_way_out(dst, src, told, way_out, way):
    with pytest.raises(TypeError) as error:
        NAMING[way](field_of(dst), field_of(src))
    assert told in str(error.value) and way_out in str(error.value)


@pytest.mark.parametrize("dst, src, casting, told, way_out", [  # copies swap and convert these: test_byteorder.py
    ("f4", ">i2", "no", "dst has float32 of 4 bytes, src int16 of 2", "pass casting='same_kind' to convert"),
    (">f4", ">i2", "unsafe", "dst holds items of >f4, src of >i2", "sv.copy(dst, src) converts and swaps bytes"),
    ("f4", "M8[s]", "unsafe", "dst holds items of float32, src of datetime64[s]", "view(dtype="),
])
def test_what_plans_do_not_swap(dst, src, casting, told, way_out):
    with pytest.raises(TypeError) as error:
        sv.Plan(field_of(dst), field_of(src), casting=casting)
    assert told in str(error.value) and way_out in str(error.value)


@pytest.mark.parametrize("dst, src, told, way_out", [
    (">f4", "f4", "dst holds items of >f4, src of float32", "pass dst.view(dtype='f4') and byteswap=True")])
def test_batches_do_not_swap_destinations(dst, src, told, way_out):
    with pytest.raises(TypeError) as error:
        sv.copy_batch([field_of(dst)], [field_of(src)])
    assert told in str(error.value) and way_out in str(error.value)


def test_the_way_out():
    array = np.zeros(3, [("a", ">f4"), ("b", "M8[s]")])
    array["a"], array["b"] = [1, 2, 3], np.array([4, 5, 6], "M8[s]")
    floats, ints = np.zeros(3, "f4"), np.zeros(3, "i8")
    sv.copy(floats, sv.view(array)["a"].view(dtype="f4"), byteswap=True)
    sv.copy(ints, sv.view(array)["b"].view(dtype="i8"))
    assert floats.tolist() == [1, 2, 3] and ints.tolist() == [4, 5, 6]


class Fields(ctypes.Structure):
    _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_int32)]


class Others(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int32), ("b", ctypes.c_float)]


def test_structures_of_ctypes():
    dst, src = (Fields * 3)(), (Fields * 3)(*[(i, i) for i in range(3)])
    sv.copy(dst, src)
    assert bytes(dst) == bytes(src)
    sv.copy(np.zeros(3, RECORD), src)
    for other in ((Others * 3)(), np.zeros(3, SWAPPED), np.zeros(3, "M8[s]")):
        with pytest.raises(TypeError, match="equal dtypes"):
            sv.copy(other, src)


def test_what_an_exporter_raises_to_nobody_is_raised():
    class Odd(Interface):
        @property
        def dtype(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sv.copy(np.zeros(SHAPE, "S4"), Odd(filled("S4")))


def test_without_numpy():
    """The protocols' own texts are compared then."""
    script = """
        import ctypes
        import sys
        sys.modules["numpy"] = None
        import strideview as sv

        class Fields(ctypes.Structure):
            _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_int32)]

        class Others(ctypes.Structure):
            _fields_ = [("a", ctypes.c_int32), ("b", ctypes.c_float)]

        class Told:
            def __init__(self, typestr, **more):
                self.memory = ctypes.create_string_buffer(bytes(range(24)), 24)
                self.__array_interface__ = {"shape": (3,), "typestr": typestr, "version": 3,
                                            "data": (ctypes.addressof(self.memory), False), **more}

        first, second = [("", "<f4"), ("", "<i4")], [("", "<i4"), ("", "<f4")]
        for dst, src, equal in [
            ((Fields * 3)(), (Fields * 3)(), True), ((Fields * 3)(), (Others * 3)(), False),
            (Told("<M8[s]"), Told("<M8[s]"), True), (Told("<M8[s]"), Told("<M8[ms]"), False),
            (Told("|S8"), Told("<U2"), False), (Told("|V8"), Told("<M8[s]"), True), (Told("|V8"), (Fields * 3)(), True),
            (Told("|V8", descr=first), Told("|V8", descr=first), True),
            (Told("|V8", descr=first), Told("|V8", descr=second), False),
            (sv.StridedMemoryView.from_buffer(bytearray(24), (3,), itemsize=8), (Fields * 3)(), True),
        ]:
            try:
                sv.copy(dst, src)
            except TypeError as error:
                assert not equal and "equal dtypes" in str(error), (dst, src, error)
            else:
                assert equal, (dst, src)
        print("done")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


if __name__ == "__main__":
    import tap
    tap.main(__file__)
