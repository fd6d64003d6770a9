"""Objects that people have their numbers in: with nothing but __array__(), with elements that are no plain memory, and with
several protocols, of which one says less than another.
"""

import ctypes
import gc
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import address, need, numbers


class Series:
    """As pandas': __array__() gives its memory, unless it cannot."""

    def __init__(self, array, copies=False, keyword=True):
        self.array, self.copies, self.keyword, self.asked = array, copies, keyword, []

    def __array__(self, *args, **how):
        self.asked.append(how)
        if how and not self.keyword:
            raise TypeError("__array__() got an unexpected keyword argument 'copy'")
        if self.copies and how.get("copy") is False:
            raise ValueError("Unable to avoid copy")
        return self.array.copy() if self.copies else self.array


class Lying(Series):
    """A copy, whatever is asked for, as xarray gives of arrays that are not loaded."""

    def __array__(self, *args, **how):
        return self.array.copy()


SHAPES = [(), (0,), (5,), (3, 4), (2, 0, 3), (1,) * 32]
FORMS = [lambda a: a, lambda a: a.T, lambda a: a[..., ::-1] if a.ndim else a, lambda a: a[::2] if a.ndim else a]


# --- __array__() ---------------------------------------------------------------------------

@pytest.mark.parametrize("keyword", [True, False])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
def test_memory_of_array(form, shape, keyword):
    array = form(numbers(shape, "float64"))
    view = sv.view(Series(array, keyword=keyword))
    assert view.ptr == (address(array) if array.size else view.ptr) and view.shape == array.shape
    assert np.array_equal(np.asarray(view), array) and not view.readonly
    target = sv.zeros(array.shape, "float64")
    sv.copy(target, Series(array, keyword=keyword))
    assert np.array_equal(np.asarray(target), array)


def test_the_memory_lives_as_long_as_the_view():
    array = numbers((3,)).view(type("Owner", (np.ndarray,), {}))
    gone, view = weakref.ref(array), sv.view(Series(array))
    del array
    gc.collect()
    assert gone() is not None and view.tolist() == [0, 1, 2]
    del view
    gc.collect()
    assert gone() is None


def test_what_is_read_only_stays_so():
    array = numbers((3,))
    array.flags.writeable = False
    assert sv.view(Series(array)).readonly
    with pytest.raises(ValueError, match="read-only"):
        sv.copy(Series(array), numbers((3,)))


@pytest.mark.parametrize("kind", [lambda array: Series(array, copies=True), Lying])
def test_a_copy_is_no_view_but_a_source(kind):
    array, target = numbers((3,)), sv.zeros(3)
    for call in (lambda x: sv.view(x), lambda x: sv.copy(x, target), lambda x: sv.fill(x, 1), lambda x: sv.empty_like(x),
                 lambda x: target.copy_to(x)):
        with pytest.raises(sv.CopyError, match=r"by a copy only: view np\.asarray\(x\)"):
            call(kind(array))
    for call in (lambda x: sv.copy(target, x), lambda x: target.copy_from(x), lambda x: target.__setitem__(..., x),
                 lambda x: sv.copy_batch([target], [x]), lambda x: sv.Plan(target, target).execute(target, x)):
        target.fill(9)
        call(kind(array))
        assert target.tolist() == [0, 1, 2]


def test_what_array_answers_must_be_an_array():
    class Wrong:
        def __array__(self, dtype=None, copy=None):
            return [1, 2]
    for call in (sv.view, lambda x: sv.copy(sv.zeros(2), x)):
        with pytest.raises(TypeError, match=r"__array__\(\) of Wrong returned list, not an ndarray"):
            call(Wrong())


@pytest.mark.parametrize("error", [MemoryError, RecursionError, KeyboardInterrupt])
def test_what_nobody_may_catch_is_raised(error):
    class Failing:
        def __array__(self, dtype=None, copy=None):
            raise error
    for call in (sv.view, lambda x: sv.copy(sv.zeros(2), x)):
        with pytest.raises(error):
            call(Failing())


def test_another_protocol_goes_first():
    class Both(Series):
        def __dlpack__(self, **how):
            return self.array.__dlpack__(**how)

        def __dlpack_device__(self):
            return 1, 0
    both = Both(numbers((3,)), copies=True)
    assert sv.view(both).tolist() == [0, 1, 2] and both.asked == []


def test_pandas():
    pandas = need("pandas")
    frame = pandas.DataFrame({"f": [1.5, 2.5, 3.5], "i": [1, 2, 3], "d": pandas.to_datetime(["2020-01-01"] * 3)})
    matrix = sv.zeros((3, 2), "float64")
    assert sv.view(frame["f"]).ptr == address(frame["f"].to_numpy()) and sv.view(frame["f"]).tolist() == [1.5, 2.5, 3.5]
    sv.copy(matrix[:, 0], frame["f"])
    matrix[:, 1] = frame["i"]
    assert matrix.tolist() == [[1.5, 1], [2.5, 2], [3.5, 3]]
    assert sv.view(frame.index).tolist() == [0, 1, 2] and sv.view(frame[["f"]]).shape == (3, 1)
    assert sv.view(frame["d"]).dtype == frame["d"].dtype
    two = pandas.DataFrame(np.arange(6.0).reshape(3, 2))
    assert np.array_equal(np.asarray(sv.view(two)), two.to_numpy())
    sv.copy(matrix, two)
    assert matrix.tolist() == two.to_numpy().tolist()
    with pytest.raises(sv.CopyError, match=r"view one, x\['name'\]"):
        sv.view(frame)
    nullable = pandas.Series([1, None, 3], dtype="Int64")
    sv.copy(matrix[:, 0], nullable)
    assert np.isnan(matrix[1, 0].item()) and matrix[2, 0].item() == 3


def test_xarray():
    xarray = need("xarray")
    array = numbers((2, 3), "float64")
    for x in (xarray.DataArray(array), xarray.DataArray(array).variable):
        assert sv.view(x).ptr == address(array) and sv.view(x).tolist() == array.tolist()
    target = sv.zeros((3, 2), "float64")
    target[...] = xarray.DataArray(array, dims=("y", "x")).transpose("x", "y")
    assert target.tolist() == array.T.tolist()


def test_polars():
    polars = need("polars")
    target = sv.zeros(3, "float64")
    sv.copy(target, polars.Series([1.0, 2.0, 3.0]))
    assert target.tolist() == [1, 2, 3] and sv.view(polars.Series([1.0, 2.0])).tolist() == [1, 2]


# --- masks ---------------------------------------------------------------------------------

@pytest.mark.parametrize("mask", [np.ma.nomask, [False, True]])
@pytest.mark.parametrize("call", [
    sv.view, sv.StridedMemoryView, sv.StridedMemoryView.from_dlpack, sv.StridedMemoryView.from_array_interface,
    lambda x: sv.copy(sv.zeros(2, "float64"), x), lambda x: sv.copy(x, sv.zeros(2, "float64")),
    lambda x: sv.copy_batch([np.zeros(2)], [x]), lambda x: sv.zeros(2, "float64").__setitem__(..., x),
    lambda x: sv.view(Series(x))], ids=range(9))
def test_a_mask_is_refused(call, mask):
    masked = np.ma.masked_array([1.0, 2.0], mask)
    for _ in range(2):
        with pytest.raises(BufferError, match=r"has a mask: view x\.data, or x\.filled\(value\)"):
            call(masked)
    assert sv.view(masked.data).tolist() == [1, 2] and sv.view(masked.filled(7)).shape == (2,)


# --- elements that are no plain memory -----------------------------------------------------

def columns():
    pandas = need("pandas")
    dates = pandas.date_range("2020-01-01", periods=2)
    return {"strings": (pandas.Series(["a", "b"]), "x.to_numpy('U')"),
            "nullable strings": (pandas.Series(["a", "b"], dtype="string"), "x.to_numpy('U')"),
            "objects": (pandas.Series([1, 2], dtype=object), "x.to_numpy('float64')"),
            "categories": (pandas.Series(["a", "b"], dtype="category"), "x.cat.codes"),
            "an index of categories": (pandas.CategoricalIndex(["a", "b"]), "x.codes"),
            "nullable integers": (pandas.Series([1, None], dtype="Int64"), "x.to_numpy('float64', na_value=np.nan)"),
            "nullable truths": (pandas.Series([True, None], dtype="boolean"), "x.to_numpy('bool', na_value=False)"),
            "dates of a zone": (pandas.Series(dates.tz_localize("UTC")), "x.dt.tz_convert(None)"),
            "an index of them": (dates.tz_localize("UTC"), "x.tz_convert(None)"),
            "periods": (pandas.Series(dates.to_period("D")), "x.dt.to_timestamp()"),
            "intervals": (pandas.Series(pandas.interval_range(0, 2)), "x.array.left"),
            "sparse numbers": (pandas.Series(pandas.arrays.SparseArray([0, 1])), "x.sparse.to_dense()")}


def typed_result(x, advice):
    """What the text says to type."""
    found = eval(advice, {"x": x, "np": np})
    return sv.view(found if sv_can_view(found) else np.asarray(found))


def sv_can_view(x):
    try:
        sv.view(x)
    except BufferError:
        return False
    return True


@pytest.mark.parametrize("name", [
    "strings", "nullable strings", "objects", "categories", "an index of categories", "nullable integers",
    "nullable truths", "dates of a zone", "an index of them", "periods", "intervals", "sparse numbers"])
def test_columns_say_what_to_type(name):
    column, advice = columns()[name]
    with pytest.raises(BufferError) as told:
        sv.view(column)
    assert advice in str(told.value) and str(told.value).count("pass") == 1
    assert typed_result(column, advice).shape == (2,)


@pytest.mark.parametrize("make, advice", [
    (lambda: np.array([1, None, "a"], object)[:2], "x.astype('float64')"),
    (lambda: np.array(["a", "b"], object), "x.astype('U')"),
    (lambda: np.array(["a", "bcd"], np.dtypes.StringDType()), "np.array(x.tolist(), 'U')"),
    (lambda: np.zeros(2, [("a", "O"), ("b", "i4")]), "pass the other fields")], ids=["numbers", "texts", "T", "record"])
@pytest.mark.parametrize("call", [sv.view, lambda x: sv.copy(sv.zeros(2), x), lambda x: sv.copy(x, sv.zeros(2)),
                                  sv.empty_like], ids=range(4))
def test_objects_say_what_to_type(call, make, advice):
    with pytest.raises(BufferError) as told:
        call(make())
    assert advice in str(told.value) and "DLPack" not in str(told.value) and "\n" not in str(told.value)


# --- several protocols -----------------------------------------------------------------------

class Plane(bytearray):
    """As PyAV's: an old capsule, which cannot say that it may be written, and a buffer, which can."""

    def __dlpack__(self, stream=None):
        return np.frombuffer(self, "u1").reshape(2, -1).__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


class Elsewhere(Plane):
    """The capsule is of other memory than the buffer."""

    other = np.arange(8, dtype="u1")

    def __dlpack__(self, stream=None):
        return self.other.reshape(2, 4).__dlpack__()


class Shorter(Plane):
    """The buffer is shorter than the memory of the capsule."""

    whole = np.arange(8, dtype="u1")

    def __dlpack__(self, stream=None):
        return self.whole.reshape(2, 4).__dlpack__()

    def __buffer__(self, flags):
        return memoryview(self.whole)[:4]


class Upset(bytearray):
    """Its DLPack raises for a reason, and its buffer knows nothing of it."""

    def __dlpack__(self, **how):
        raise NotImplementedError("planes with a negative line size")

    def __dlpack_device__(self):
        return 1, 0


def test_the_buffer_says_that_writing_is_allowed():
    plane = Plane(8)
    for view in (sv.view(plane), sv.StridedMemoryView.from_dlpack(plane)):
        assert not view.readonly and view.shape == (2, 4)
        view[1, 3] = 7
        assert plane[7] == 7
        plane[7] = 0
    sv.copy(plane, np.full((2, 4), 5, "u1"))
    assert bytes(plane) == b"\5" * 8
    with pytest.raises(BufferError):
        plane.extend(b"12345678" * 1000)  # the view still has it
    assert sv.view(Elsewhere(8)).readonly and sv.view(Shorter(4)).readonly


def test_a_read_only_buffer_allows_nothing():
    class Frozen(bytes):
        __dlpack__, __dlpack_device__ = Plane.__dlpack__, Plane.__dlpack_device__

        def __dlpack__(self, stream=None):
            self.kept = (ctypes.c_char * 8)(*self)
            return np.frombuffer(self.kept, "u1").reshape(2, 4).__dlpack__()
    assert sv.view(Frozen(8)).readonly


def test_a_reason_is_told_and_not_passed_by():
    for call in (sv.view, lambda x: sv.copy(x, b"12345678"), lambda x: sv.copy(bytearray(8), x), sv.empty_like):
        with pytest.raises(NotImplementedError, match="negative line size"):
            call(Upset(8))

    class Told(Upset):
        shape = (8,)
    assert sv.view(Told(8)).shape == (8,)  # it says itself that this is its shape


def test_pyav():
    av = need("av")
    frame = av.VideoFrame(64, 48, "yuv420p")
    picture = np.arange(48 * 64, dtype="u1").reshape(48, 64)
    sv.copy(frame.planes[0], picture)
    assert np.array_equal(np.asarray(frame.planes[0]).reshape(48, 64), picture)
    with pytest.raises(TypeError, match=r"try x\.to_ndarray\(\)"):
        sv.view(frame)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
