"""fill(): which bytes are written, and which values are refused."""

import numpy as np
import pytest

import strideview as sv
from peers import need


@pytest.mark.parametrize("dtype, value", [
    ("?", True), ("?", 0), ("i1", -128), ("u1", 255), ("i2", -7), ("u4", 2**32 - 1), ("i8", -2**63), ("u8", 2**64 - 1),
    ("f2", 1.1), ("f4", 1e-45), ("f8", 1e300), ("f8", 3), ("f4", np.float32(.1)), ("f2", float("-inf")), ("c8", 1 + 2j),
    ("c16", -1.5), ("i4", np.int8(3)), ("f4", 1e-60),
])
@pytest.mark.parametrize("of", [
    lambda a: a, lambda a: a[::2, ::-3], lambda a: a.T, lambda a: a[:, :1], lambda a: a[2, 3, ...],
])
def test_equals_numpys(dtype, value, of):
    array = np.zeros((30, 40), dtype)
    wanted = array.copy()
    of(wanted)[...] = value
    assert sv.fill(of(array), value) is None
    assert array.tobytes() == wanted.tobytes()
    sv.view(array).fill(value)
    assert np.array_equal(array, np.full_like(array, value))


def test_nan():
    array = np.zeros(3, "f2")
    sv.fill(array, float("nan"))
    assert np.isnan(array).all()


@pytest.mark.parametrize("name, value", [("bfloat16", 3.14159), ("float8_e4m3fn", 448), ("float8_e5m2", -.3)])
def test_narrow_types(name, value):
    ml_dtypes = need("ml_dtypes")
    view = sv.empty((5, 9), name)
    view.T.fill(value)
    assert (np.asarray(view) == np.array(value).astype(getattr(ml_dtypes, name))).all()


def test_lanes_and_opaque():
    view = sv.empty(5, "int16x4")
    view.fill(-2)
    assert bytes(memoryview(view.view(dtype="uint64"))) == b"\xfe\xff" * 20
    records = np.zeros(4, "V6")
    sv.fill(records[::2], b"abcdef")
    assert records.tobytes() == (b"abcdef" + bytes(6)) * 2


@pytest.mark.parametrize("dtype, value, error", [
    ("i1", 128, OverflowError), ("i1", -129, OverflowError), ("u1", -1, OverflowError), ("u1", 256, OverflowError),
    ("i8", 2**63, OverflowError), ("u8", 2**64, OverflowError), ("u8", -1, OverflowError), ("i4", 1.5, TypeError),
    ("u2", "1", TypeError), ("f2", 65520, OverflowError), ("f4", -1e39, OverflowError), pytest.param("f8", 2**1024, OverflowError, id="f8-huge"),
    ("f4", 1j, TypeError), ("f4", None, TypeError), ("c8", 1e39j, OverflowError), ("c8", "1", TypeError),
    ("V6", b"abc", ValueError), ("V6", 1, TypeError), ("V17", b"a" * 17, ValueError),
])
def test_values_that_do_not_fit(dtype, value, error):
    array = np.zeros(3, dtype)
    with pytest.raises(error):
        sv.fill(array, value)
    assert not any(array.tobytes())


def test_below_a_byte_has_no_value():
    with pytest.raises(TypeError):
        sv.empty(3, "int4x2").fill(1)


@pytest.mark.parametrize("array", [
    np.broadcast_to(np.zeros(3), (2, 3)), np.lib.stride_tricks.sliding_window_view(np.zeros(5), 3),
])
def test_bad_targets(array):
    with pytest.raises(ValueError):
        sv.fill(array, 1)


def test_bad_calls():
    with pytest.raises(TypeError):
        sv.fill(np.zeros(3))
    with pytest.raises(TypeError):
        sv.view(np.zeros(3)).fill()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
