"""The C table of strideview.h: the example extensions, and what a table must bear."""

import array
import ctypes
import re
import sys
import tracemalloc

import extensions
import numpy as np
import peers
import pytest

import strideview as sv
from together import together

READ_ONLY = np.arange(6.0)
READ_ONLY.flags.writeable = False
RECORDS = np.zeros(4, dtype=[("a", "i4"), ("b", "f8")])

# Name, object, and whether DLPack can say what it is.
OBJECTS = [
    ("C order", np.arange(12.0).reshape(3, 4), True),
    ("transposed", np.arange(24, dtype="i2").reshape(2, 3, 4).T, True),
    ("negative strides", np.arange(12, dtype="f4").reshape(3, 4)[::-1, ::-2], True),
    ("broadcast", np.broadcast_to(np.arange(3, dtype="u1"), (5, 3)), True),
    ("no axes", np.array(7, dtype="c16"), True),
    ("no elements", np.zeros((3, 0, 2), dtype="i8"), True),
    ("64 axes", np.zeros((1,) * 64, dtype="?") if np.__version__ >= "2" else np.zeros((1,) * 32, dtype="?"), True),
    ("read-only", READ_ONLY, True),
    ("field of records", RECORDS["b"], False),
    ("records", RECORDS, False),
    ("bytes", b"strideview", True),
    ("array.array", array.array("d", [1, 2, 3]), True),
    ("void", np.arange(3, dtype=">i4").view("V4"), False),
    ("dates", np.zeros(3, dtype="M8[s]"), False),
    ("warns on writing", np.broadcast_arrays(np.arange(3.0), np.zeros((2, 3)))[0], True),
    ("9 axes", np.zeros((1, 2, 1, 3, 1, 2, 1, 1, 2)), True),
    ("far strides", np.lib.stride_tricks.as_strided(np.zeros(2), (1, 2), (1 << 60, 8)), True),
    ("subclass", np.arange(4.0).view(np.recarray), True),
    ("ctypes", (ctypes.c_int16 * 3 * 2)(), True),
    ("view", sv.view(np.arange(8, dtype="u4"))[::2], True),
]


@pytest.fixture(scope="module")
def access(tmp_path_factory):
    try:
        return extensions.build(extensions.ROOT / "tests/py/access.c", tmp_path_factory.mktemp("access"))
    except extensions.Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module", params=list(extensions.BUILDERS))
def example(request, tmp_path_factory):
    try:
        return extensions.example(request.param, tmp_path_factory.mktemp(request.param))
    except extensions.Missing as missing:
        pytest.skip(str(missing))


def facts(view):
    dtype = sv.ffi.new("char[]", 40)
    sv.lib.sv_dtype_name(sv.lib.sv_view_dtype(handle(view)), 40, dtype, sv.ffi.NULL)
    return (view.ptr, view.shape, view.layout.strides_in_bytes, sv.ffi.string(dtype).decode(), view.readonly, view.device)


def handle(view):
    return sv.ffi.cast("sv_view *", view.handle)


# --- the examples


@pytest.mark.parametrize("name", [name for name, _, _ in OBJECTS])
def test_examples_see_what_python_sees(example, name):
    thing, exchangeable = next((thing, good) for told, thing, good in OBJECTS if told == name)
    if example.__name__ == "with_pybind11" and not exchangeable:
        with pytest.raises(BufferError):
            example.facts(thing)
        return
    before = sys.getrefcount(thing)
    assert example.facts(thing) == facts(sv.view(thing))
    mirrored = example.mirrored(thing)
    assert repr(mirrored) == repr(sv.view(thing).flip())
    assert mirrored.ptr == sv.view(thing).flip().ptr and mirrored.exporting_obj is thing
    del mirrored
    assert sys.getrefcount(thing) == before


def test_examples_read_and_write(example):
    numbers = np.arange(12.0).reshape(3, 4)
    for part in (numbers, numbers.T, numbers[::2, ::-1], numbers[0], numbers[:, :0], numbers[1, 2:3]):
        assert example.total(part) == part.sum()
    example.scale(numbers[::2, 1:3].T, -2.0)
    wanted = np.arange(12.0).reshape(3, 4)
    wanted[::2, 1:3] *= -2
    assert (numbers == wanted).all()


def test_examples_take_any_library(example):
    torch = peers.need("torch")
    tensor = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    example.scale(tensor.T, 2.0)
    assert example.total(tensor) == 30 and tensor[1, 2] == 10
    assert example.facts(tensor.T)[:3] == (tensor.data_ptr(), (3, 2), (8, 24))


def test_examples_refuse(example):
    bad = [(example.total, (3,), TypeError, "int has no"),
           (example.total, (np.zeros(3, "f4"),), TypeError, "float64 is needed"),
           (example.total, (sv.view(peers.device_view((2,))),), BufferError, "cannot be read by the host"),
           (example.scale, (READ_ONLY, 2.0), BufferError, "read-only"),
           (example.scale, (np.zeros(3, "f4"), 2.0), TypeError, "float64 is needed"),
           (example.facts, (object(),), TypeError, "object has no")]
    before = [sys.getrefcount(arguments[0]) for _, arguments, _, _ in bad]
    for function, arguments, error, text in bad:
        with pytest.raises(error, match=text):
            function(*arguments)
    assert [sys.getrefcount(arguments[0]) for _, arguments, _, _ in bad] == before
    assert (READ_ONLY == np.arange(6.0)).all()


DOCUMENTED = """
static PyMethodDef methods[] = {{"first", first, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "documented", NULL, -1, methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_documented(void)
{
    sv = strideview_import();
    return sv == NULL ? NULL : PyModule_Create(&definition);
}
"""


def test_documented_example(tmp_path):
    document = (extensions.ROOT / "doc/extensions.md").read_text()
    source = tmp_path / "documented.c"
    source.write_text(re.search(r"```c\n(.*?)```", document, re.S)[1] + DOCUMENTED)
    try:
        module = extensions.build(source, tmp_path, lambda *paths: extensions.compile_c(paths[:1], paths[1], "-Wall"))
    except extensions.Missing as missing:
        pytest.skip(str(missing))
    assert module.first(np.arange(3.0)[::-1]) == 2.0
    for bad, error, text in ((np.zeros(3, "f4"), TypeError, "float64 with 1 axis is needed, got float32"),
                             (np.zeros((3, 3)), ValueError, "1 axis is needed"), (np.zeros(0), ValueError, "no numbers"),
                             (3, TypeError, "int has no")):
        with pytest.raises(error, match=text):
            module.first(bad)


def test_documented_cython(tmp_path):
    document = (extensions.ROOT / "doc/extensions.md").read_text()
    source = tmp_path / "six_lines.pyx"
    source.write_text(re.search(r"```cython\n(.*?)```", document, re.S)[1])
    assert source.read_text().count("cimport") == 1
    try:
        module = extensions.build(source, tmp_path, extensions.build_cython)
    except extensions.Missing as missing:
        pytest.skip(str(missing))
    assert module.last(np.arange(3.0)) == 2.0
    with pytest.raises(TypeError, match="float64 with 1 axis is needed, got int32 of shape"):
        module.last(np.zeros(3, "i4"))


# --- the table


def test_mark(access):
    size, abi, release, instance = access.mark()
    assert size % 8 == 0 and (abi, release, instance) == (sv.lib.SV_ABI_VERSION, sv.__version__, 1)


@pytest.mark.parametrize("less, newer, text", [(8, 0, "9.8.7 is installed"), (0, 1, "ABI version 1"), (0, -1, "ABI version -1")])
def test_other_tables_are_refused(access, monkeypatch, less, newer, text):
    monkeypatch.setattr(sv, "_C_API", access.other_table(less, newer))
    with pytest.raises(ImportError, match=text):
        access.import_table()


def test_longer_tables_are_taken(access, monkeypatch):
    monkeypatch.setattr(sv, "_C_API", access.other_table(-64, 0))
    access.import_table()


def test_what_is_no_table(access, monkeypatch):
    monkeypatch.setattr(sv, "_C_API", 3)
    with pytest.raises(AttributeError):
        access.import_table()
    monkeypatch.delattr(sv, "_C_API")
    with pytest.raises(AttributeError):
        access.import_table()


@pytest.mark.parametrize("name", [name for name, _, _ in OBJECTS])
def test_opened_is_what_python_sees(access, name):
    thing = next(thing for told, thing, _ in OBJECTS if told == name)
    before = sys.getrefcount(thing)
    view = sv.view(thing)
    wanted = (*facts(view), view.size, view.itemsize)
    assert access.opened(thing, 0, 0) == access.opened(thing, access.STRIDEVIEW_HOST, -1) == wanted
    for flag in (access.STRIDEVIEW_WRITABLE, access.STRIDEVIEW_DLPACK, access.STRIDEVIEW_C_ORDER):
        try:
            told = repr(access.acquire(thing, flag, 0))
        except BufferError as error:
            with pytest.raises(BufferError, match=re.escape(str(error))):
                access.opened(thing, flag, 0)
        else:
            assert access.opened(thing, flag, 0) == wanted and told == repr(view)
    del view
    assert sys.getrefcount(thing) == before


def test_open_refuses(access):
    for thing, flags, stream, error in ((3, 0, 0, TypeError), (np.zeros(3), 64, 0, ValueError),
                                        (np.zeros(3), 0, -2, ValueError), (READ_ONLY, 1, 0, BufferError)):
        before = sys.getrefcount(thing)
        with pytest.raises(error):
            access.opened(thing, flags, stream)
        assert sys.getrefcount(thing) == before


def test_last_reference_is_a_view(access):
    """The array ends with the view, wherever that is."""
    class Counted(np.ndarray):
        ended = 0

        def __del__(self):
            Counted.ended += 1

    for function in (access.release_at, access.close_at):
        for place in range(3):
            function(np.zeros(3).view(Counted), place)
    assert Counted.ended == 6
    view = access.acquire(np.zeros(3).view(Counted), 0, 0)
    assert Counted.ended == 6
    try:
        raise KeyError
    except KeyError:
        del view
    assert Counted.ended == 7


def test_flags(access):
    c, f, both = np.zeros((2, 3)), np.zeros((3, 2)).T, np.zeros(3)
    writable, host, dlpack = access.STRIDEVIEW_WRITABLE, access.STRIDEVIEW_HOST, access.STRIDEVIEW_DLPACK
    c_order, f_order = access.STRIDEVIEW_C_ORDER, access.STRIDEVIEW_F_ORDER
    device = sv.view(peers.device_view((2,)))
    rows = [(c, c_order, None), (c, f_order, "Fortran"), (f, f_order, None), (f, c_order, "C-contiguous"),
            (both, c_order | f_order, None), (READ_ONLY, writable, "read-only"), (READ_ONLY, host | dlpack, None),
            (RECORDS, dlpack, "opaque items"), (RECORDS["b"], dlpack, "no multiple"), (RECORDS, host | writable, None),
            (device, dlpack, None), (device, host, "host"), (b"bytes", writable, "read-only")]
    for thing, flags, text in rows:
        before = sys.getrefcount(thing)
        if text is None:
            assert repr(access.acquire(thing, flags, 0)) == repr(sv.view(thing)), (thing, flags)
        else:
            with pytest.raises(BufferError, match=text):
                access.acquire(thing, flags, 0)
        assert sys.getrefcount(thing) == before
    with pytest.raises(ValueError, match="flags 0x40"):
        access.acquire(c, 64, 0)


def test_arrays_of_one_dtype_and_number_of_axes(access):
    numbers = np.zeros((5, 7))
    records = np.zeros(2, [("a", "f4")])
    for dtype, ndim in (("float64", 2), (None, 2), ("float64", -1), (None, -1)):
        for thing in (numbers, sv.view(numbers), memoryview(numbers)):
            before = sys.getrefcount(thing)
            assert access.open_as(thing, access.STRIDEVIEW_HOST, dtype, ndim) == peers.address(numbers)
            assert sys.getrefcount(thing) == before
    assert access.open_as(records, 0, None, 1) == peers.address(records)
    for thing, dtype, ndim, error, text in (
            (numbers, "float32", 2, TypeError, r"^float32 with 2 axes is needed, got float64 of shape \(5, 7\)$"),
            (numbers, "float64", 1, ValueError, r"^float64 with 1 axis is needed, got float64 of shape \(5, 7\)$"),
            (numbers, None, 1, ValueError, r"^1 axis is needed, got float64 of shape \(5, 7\)$"),
            (numbers, None, 0, ValueError, r"^0 axes are needed, got float64 of shape \(5, 7\)$"),
            (numbers, "int64", -1, TypeError, r"^int64 is needed, got float64 of shape \(5, 7\)$"),
            (numbers[0, 0, ...], "float32", 0, TypeError, r"got float64 of shape \(\)$"),
            (records, "float32", 1, TypeError, "got opaque of shape"), (3, "float32", 1, TypeError, "int has no")):
        before = sys.getrefcount(thing)
        for made in (thing, sv.view(thing)) if thing is numbers else (thing,):
            with pytest.raises(error, match=text):
                access.open_as(made, 0, dtype, ndim)
        del made
        assert sys.getrefcount(thing) == before or thing == 3
    with pytest.raises(BufferError, match="read-only"):
        access.open_as(b"abc", access.STRIDEVIEW_WRITABLE, "uint8", 1)


def test_streams(access):
    thing = peers.Exporter(device=(2, 0), answer=lambda asked: peers.device_view((2,)))
    for stream, told in ((0, 1), (1, 1), (-1, -1), (2, 2), (1 << 40, 1 << 40)):
        assert access.acquire(thing, 0, stream).device == (2, 0)
        assert thing.asked[-1]["stream"] == told
    with pytest.raises(ValueError, match="stream -2"):
        access.acquire(thing, 0, -2)


def test_handles_come_back(access):
    numbers = np.arange(6)
    view = sv.view(numbers)[1:]
    same = access.again(view)
    assert repr(same) == repr(view) and same.ptr == view.ptr and same.exporting_obj is view
    assert access.again(view.layout) == view.layout
    for other in (numbers, 3, None):
        with pytest.raises(TypeError, match="StridedMemoryView is needed"):
            access.again(other)
    with pytest.raises(ValueError, match="NULL"):
        access.of_null()
    with pytest.raises(ValueError, match="-1 axes"):
        access.failed()


class Dlpack:
    """Has __dlpack__ alone."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __dlpack__(self, **keywords):
        return self.numbers.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.numbers.__dlpack_device__()


class Interface:
    """Has __array_interface__ alone."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.__array_interface__ = numbers.__array_interface__


@pytest.mark.parametrize("kind", [np.asarray, memoryview, Dlpack, Interface, sv.view])
@pytest.mark.parametrize("place", ["with the lock", "without the lock", "on a foreign thread"])
def test_released_anywhere(access, kind, place):
    numbers = np.arange(6.0)
    thing = kind(numbers)
    before = sys.getrefcount(thing), sys.getrefcount(numbers)
    for _ in range(20):
        access.release_at(thing, ["with the lock", "without the lock", "on a foreign thread"].index(place))
        access.close_at(thing, ["with the lock", "without the lock", "on a foreign thread"].index(place))
    assert (sys.getrefcount(thing), sys.getrefcount(numbers)) == before


def test_released_by_many_threads(access):
    numbers = np.arange(6.0)
    before = sys.getrefcount(numbers)

    def work(_):
        for i in range(200):
            (access.release_at if i % 2 else access.close_at)(numbers, i % 3)

    together(4, work)
    assert sys.getrefcount(numbers) == before


def test_loops_leave_nothing(access):
    numbers = np.arange(6.0).reshape(2, 3)
    before = sys.getrefcount(numbers)
    tracemalloc.start()
    for read in (access.by_table, access.by_handle, access.by_buffer):
        read(numbers, 100)
        start, _ = tracemalloc.get_traced_memory()
        read(numbers, 5000)
        assert tracemalloc.get_traced_memory()[0] - start < 2000
    tracemalloc.stop()
    assert sys.getrefcount(numbers) == before
    with pytest.raises(TypeError, match="int has no"):
        access.by_table(3, 1)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
