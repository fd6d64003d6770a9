"""Arrow's C data interface: arrays of numbers in, views of one axis out, and chunks in batches."""

import ctypes
import gc
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import address, need, numbers

pa = pytest.importorskip("pyarrow")

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]


class Arrow:
    """Nothing but Arrow's interface."""

    def __init__(self, array):
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


# --- in ----------------------------------------------------------------------------------

@pytest.mark.parametrize("cut", [slice(None), slice(2, None), slice(1, 4), slice(3, 3)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers(dtype, cut):
    values = np.arange(5).astype(dtype)
    array = pa.array(values)[cut]
    view = sv.view(Arrow(array))
    assert view.dtype == dtype and view.tolist() == values[cut].tolist() and view.readonly
    assert not len(array) or view.ptr == address(np.asarray(array))
    target = sv.zeros(len(array), dtype)
    sv.copy(target, Arrow(array))
    assert target.tolist() == values[cut].tolist()
    with pytest.raises(ValueError, match="read-only"):
        sv.copy(Arrow(array), target)


TIMES = [
    *((f"M8[{unit}]", pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")),
    *((f"m8[{unit}]", pa.duration(unit)) for unit in ("s", "ms", "us", "ns"))]


@pytest.mark.parametrize("cut", [slice(None), slice(2, None), slice(3, 3)], ids=str)
@pytest.mark.parametrize("dtype, type_", [*TIMES, ("M8[ms]", pa.date64())], ids=str)
def test_dates_and_times(dtype, type_, cut):
    values = (np.arange(5) * 86_400_000).astype(dtype)
    array = pa.array(values.astype("i8"), type_)[cut]
    view = sv.view(Arrow(array))
    assert view.dtype == dtype and np.array_equal(np.asarray(view), values[cut])
    assert not len(array) or view.ptr == address(np.asarray(array.cast("int64")))
    target = np.zeros(len(array), dtype)
    sv.copy(target, Arrow(array))
    assert np.array_equal(target, values[cut])
    with pytest.raises(TypeError, match="items"):
        sv.copy(np.zeros(len(array), "M8[D]"), Arrow(array))


@pytest.mark.parametrize("dtype, type_", TIMES, ids=str)
def test_views_of_times_are_arrow_arrays(dtype, type_):
    values = np.arange(5).astype(dtype)
    array = pa.array(sv.view(values))
    assert array.type == type_ and np.array_equal(np.asarray(array), values)
    assert pa.array(sv.view(array)).equals(array) and sv.view(array).ptr == address(values)
    values[3] = "NaT"
    with pytest.raises(BufferError, match=r"NaT, which is a null in Arrow: pass np\.asarray\(view\)"):
        pa.array(sv.view(values))
    assert pa.array(np.asarray(sv.view(values))).null_count == 1


@pytest.mark.parametrize("cut", [slice(None), slice(1, None), slice(2, 2)], ids=str)
def test_fixed_size_lists_are_axes(cut):
    inner = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(24, dtype="i4"))[2:], 2)[1:]
    outer = pa.FixedSizeListArray.from_arrays(inner, 5)[cut]
    wanted = np.arange(4, 24, dtype="i4").reshape(2, 5, 2)[cut]
    for array in (outer, Arrow(outer)):
        view = sv.view(array)
        assert view.shape == wanted.shape and view.tolist() == wanted.tolist()


@pytest.mark.parametrize("permutation", [None, [2, 0, 1], [0, 2, 1]], ids=str)
def test_tensors(permutation):
    values = np.arange(48, dtype="f4").reshape(2, 2, 3, 4)
    type_ = pa.fixed_shape_tensor(pa.float32(), (2, 3, 4), permutation=permutation)
    storage = pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), 24)
    array = pa.ExtensionArray.from_storage(type_, storage)
    wanted = values if permutation is None else values.transpose(0, *(axis + 1 for axis in permutation))
    view = sv.view(Arrow(array))  # DLPack of pyarrow 26 has strides that miss elements where axes go round
    assert view.shape == wanted.shape and view.tolist() == wanted.tolist()
    assert sv.view(Arrow(array[1:])).tolist() == wanted[1:].tolist()


@pytest.mark.parametrize("make, text", [
    (lambda: pa.array([1, None, 3]), "has 1 nulls, .* pass x.fill_null(0)"),
    (lambda: pa.array([None, None, 3, None])[1:3], "has 1 nulls"),
    (lambda: pa.FixedSizeListArray.from_arrays(pa.array([1, None, 3, 4]), 2), "has 1 nulls"),
    (lambda: pa.array([[1, 2], None], pa.list_(pa.int32(), 2)), "nulls"),
    (lambda: pa.array([True, False]), "as bits: pass np.asarray(x)"),
    (lambda: pa.array(["a", "bc"]), "texts at offsets: pass np.array(x.to_pylist(), 'U')"),
    (lambda: pa.array(["a", "bc"], pa.large_string()), "texts at offsets"),
    (lambda: pa.array(["a", "bc"], pa.string_view()), "texts at offsets"),
    (lambda: pa.array([b"a", b"bc"]), "bytes at offsets: pass np.array(x.to_pylist(), 'S')"),
    (lambda: pa.array([b"ab", b"cd"], pa.binary(2)), "bytes of a fixed size: pass np.array(x.to_pylist(), 'S')"),
    (lambda: pa.array(["a", "b", "a"]).dictionary_encode(), "pass x.indices, or x.dictionary_decode()"),
    (lambda: pa.array([[1], [2, 3]]), "different lengths: pass x.flatten()"),
    (lambda: pa.array([{"a": 1}]), "several columns: pass one of them"),
    (lambda: pa.RecordBatch.from_pydict({"a": [1], "b": [2]}), "several columns: pass one of them, x.column(i)"),
    (lambda: pa.array([1, 2], pa.timestamp("s", "UTC")), "time zone, which views do not keep: pass np.asarray(x)"),
    (lambda: pa.array([1, 2], pa.date32()), "dates or times that NumPy has in another size: pass np.asarray(x)"),
    (lambda: pa.array([1, 2], pa.time32("s")), "dates or times that NumPy has in another size"),
    (lambda: pa.array([1, 2], pa.time64("ns")), "dates or times that NumPy has in another size"),
    (lambda: pa.array([1, None], pa.timestamp("s")), "has 1 nulls"),
    (lambda: pa.array([None, None]), "nulls")], ids=range(20))
def test_what_is_no_memory_of_numbers_says_what_to_type(make, text):
    for array in (make(), Arrow(make())):
        for call in (sv.view, lambda x: sv.copy_batch([sv.zeros(2)], [x]), lambda x: sv.copy(sv.zeros(2), x)):
            with pytest.raises(BufferError, match=text.replace("(", r"\(").replace(")", r"\)")):
                call(array)


def test_what_the_texts_say_works():
    assert sv.view(pa.array([1, None, 3]).fill_null(0)).tolist() == [1, 0, 3]
    assert sv.view(np.asarray(pa.array([True, False]))).tolist() == [True, False]
    assert sv.view(np.array(pa.array(["a", "bc"]).to_pylist(), "U")).tolist() == ["a", "bc"]
    assert sv.view(np.array(pa.array([b"a", b"bc"]).to_pylist(), "S")).tolist() == [b"a", b"bc"]
    assert sv.view(pa.array(["a", "b", "a"]).dictionary_encode().indices).tolist() == [0, 1, 0]
    assert sv.view(pa.array([[1], [2, 3]]).flatten()).tolist() == [1, 2, 3]
    assert sv.view(pa.RecordBatch.from_pydict({"a": [1], "b": [2]}).column(1)).tolist() == [2]
    assert sv.view(np.asarray(pa.array([1, 2], pa.timestamp("s", "UTC")))).dtype == "M8[s]"
    assert sv.view(np.asarray(pa.array([1, 2], pa.date32()))).dtype == "M8[D]"
    assert sv.view(np.array(pa.array([1, 2], pa.time32("s")).cast("int32"))).dtype == "int32"


@pytest.mark.parametrize("text", [b"t", b"ts", b"tss", b"tsx:", b"tss:UTC", b"tD", b"tDx", b"tDss", b"td", b"tdD", b"tdmm"])
def test_formats_that_are_no_time_of_numpy(text):
    """Also those that end early: no byte behind a format is read."""
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
    renamed, pair = ctypes.create_string_buffer(text), pa.array([1, 2]).__arrow_c_array__()
    told = ctypes.c_void_p.from_address(get(pair[0], b"arrow_schema"))
    before, told.value = told.value, ctypes.addressof(renamed)

    class Renamed:
        def __arrow_c_array__(self, requested_schema=None):
            return pair
    with pytest.raises(BufferError):
        sv.view(Renamed())
    told.value = before


def test_the_view_keeps_the_memory():
    owner = numbers((1000,)).view(type("Owner", (np.ndarray,), {}))
    gone, view = weakref.ref(owner), sv.view(Arrow(pa.array(owner)))
    del owner
    gc.collect()
    assert view[999].item() == numbers((1000,))[999]
    del view
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("answer", [None, (1, 2), ("a",), [], sv.view(numbers((3,)))], ids=range(5))
def test_what_is_no_pair_of_capsules(answer):
    class Wrong:
        def __arrow_c_array__(self, requested_schema=None):
            return answer
    with pytest.raises((TypeError, BufferError)):
        sv.view(Wrong())


def test_capsules_in_the_wrong_order_and_used_ones():
    array = pa.array([1, 2])

    class Reversed:
        def __arrow_c_array__(self, requested_schema=None):
            return array.__arrow_c_array__()[::-1]

    class Used:
        pair = array.__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.pair
    with pytest.raises(ValueError, match="."):
        sv.view(Reversed())
    assert sv.view(Used()).tolist() == [1, 2]
    with pytest.raises(BufferError, match="released"):
        sv.view(Used())


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, RuntimeError])
def test_what_it_raises_is_raised(error):
    class Failing:
        def __arrow_c_array__(self, requested_schema=None):
            raise error("so")
    with pytest.raises(error):
        sv.view(Failing())


# --- out ---------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", DTYPES)
def test_views_are_arrow_arrays(dtype):
    values = np.arange(5).astype(dtype)
    view = sv.view(values)
    for source, wanted in ((view, values), (view[1:4], values[1:4]), (view[:0], values[:0])):
        array = pa.array(source)
        assert array.type == pa.array(wanted).type and array.to_pylist() == wanted.tolist()
        assert not len(array) or address(np.asarray(array)) == address(wanted)
    assert sv.view(pa.array(view)).ptr == view.ptr


def test_the_array_keeps_the_memory():
    owner = numbers((5,)).view(type("Owner", (np.ndarray,), {}))
    gone, array = weakref.ref(owner), pa.array(sv.view(owner))
    unused = sv.view(owner).__arrow_c_array__()
    del owner
    gc.collect()
    assert gone() is not None and array.to_pylist() == [0, 1, 2, 3, 4]
    del array, unused
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("make, text", [
    (lambda: sv.zeros((2, 3)), "one axis, the view 2: pass view.flatten(), or view[:, i]"),
    (lambda: sv.zeros(()), "one axis"), (lambda: sv.zeros(6)[::2], "pass view.contiguous()"),
    (lambda: sv.zeros(6)[::-1], "pass view.contiguous()"), (lambda: sv.zeros(3, "bool"), "no array of bool"),
    (lambda: sv.zeros(3, "complex64"), "no array of complex64"), (lambda: sv.zeros(3, "M8[D]"), "pass np.asarray(view)"),
    (lambda: sv.zeros(3, ">M8[s]"), "pass np.asarray(view)"), (lambda: sv.zeros(3, "M8[2s]"), "pass np.asarray(view)")],
    ids=range(9))
def test_what_is_no_arrow_array_says_what_to_type(make, text):
    with pytest.raises(BufferError) as told:
        make().__arrow_c_array__()
    assert text in str(told.value)


def test_polars_and_duckdb():
    view = sv.view(np.arange(5, dtype="f8"))
    polars = need("polars")
    assert polars.Series("x", view).to_list() == view.tolist() == polars.DataFrame({"x": view})["x"].to_list()
    duckdb = need("duckdb")
    table = pa.table({"x": view})
    assert duckdb.sql("select sum(value) from view").fetchall() == [(10,)] and table["x"].to_pylist() == view.tolist()


# --- chunks ------------------------------------------------------------------------------

def test_chunks_in_a_batch():
    chunked = pa.chunked_array([[1, 2], [], [3]])
    target = sv.zeros(3, "int64")
    sv.copy_batch(target, chunked)
    assert target.tolist() == [1, 2, 3]
    target.fill(0)
    sv.copy_batch([target[:2], target[:0], target[2:]], chunked)
    assert target.tolist() == [1, 2, 3]
    matrix = sv.zeros((3, 2), "int64")
    sv.copy_batch(matrix[:, 1], chunked)
    sv.copy_batch(np.asarray(matrix)[:, 0], pa.chunked_array([[4, 5, 6]]))
    assert matrix.tolist() == [[4, 1], [5, 2], [6, 3]]


def test_chunks_are_no_view():
    with pytest.raises(sv.CopyError, match=r"sv\.copy_batch\(dst, x\)"):
        sv.view(pa.chunked_array([[1, 2], [3]]))


def test_tables_in_a_batch():
    table = pa.table({"a": pa.chunked_array([[1, 2], [3]]), "b": [4, 5, 6]})
    matrix = sv.zeros((3, 2), "int64")
    sv.copy_batch([matrix[:, 0], matrix[:, 1]], table)
    assert matrix.tolist() == [[1, 4], [2, 5], [3, 6]]
    matrix.fill(0)
    sv.copy_batch(matrix.T, table)
    assert matrix.tolist() == [[1, 4], [2, 5], [3, 6]]
    polars = need("polars")
    matrix.fill(0)
    sv.copy_batch(matrix.T, polars.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}))
    assert matrix.tolist() == [[1, 4], [2, 5], [3, 6]]


def test_bad_batches():
    chunked = pa.chunked_array([[1, 2], [3]])
    target = sv.zeros(4, "int64")
    for dst, src, text in ((target, chunked, r"dst \(4,\) for 3 elements in 2 chunks"), ([target], chunked, "1 destinations for 2"),
                           (target[:3], pa.chunked_array([[1, None], [3]]), "nulls"),
                           ([target], pa.table({"a": [1], "b": [2]}), "1 destinations for 2")):
        with pytest.raises((ValueError, BufferError), match=text):
            sv.copy_batch(dst, src)
    assert target.tolist() == [0] * 4
    sv.copy_batch((part for part in (target[:2], target[2:])), (np.full(2, n) for n in (1, 2)))
    assert target.tolist() == [1, 1, 2, 2]


if __name__ == "__main__":
    import tap
    tap.main(__file__)
