"""can_cast(): beside NumPy's for its own dtypes, and beside the values themselves for those of ml_dtypes."""

import itertools

import numpy as np
import pytest

import strideview as sv
from dtypes import BELOW_A_BYTE, CONVERTING, NARROW
from peers import NUMPY_DTYPES, need

LEVELS = ["no", "equiv", "safe", "same_kind", "unsafe"]
FEW_VALUES = [*NARROW, "float16", "int8", "uint8", "int16", "uint16", "bool"]  # up to 16 bits


def dtype_of(name):
    return np.dtype(getattr(need("ml_dtypes"), name) if name in NARROW else name)


def values(name):
    """All that a dtype of up to 16 bits has, in float64."""
    dtype = dtype_of(name)
    codes = np.arange(2 if name == "bool" else 1 << 8 * dtype.itemsize).astype(f"u{dtype.itemsize}")
    return codes.view(dtype).astype("f8")


def told_apart(numbers):
    """As a set in which 0 and -0 are two, and all NaNs one."""
    return set(np.where(np.isnan(numbers), np.nan, numbers).view("u8").tolist())


@pytest.mark.parametrize("casting", LEVELS)
def test_dtypes_of_numpy_as_numpy_has_them(casting):
    for source, target in itertools.product(NUMPY_DTYPES, NUMPY_DTYPES):
        assert sv.can_cast(source, target, casting) == np.can_cast(source, target, casting), (source, target)


def test_safe_keeps_every_value():
    has = {name: told_apart(values(name)) for name in FEW_VALUES}
    for source, target in itertools.product(FEW_VALUES, FEW_VALUES):
        assert sv.can_cast(source, target) == (has[source] <= has[target]), (source, target)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("target", ["float32", "float64"])
def test_safe_keeps_every_value_in_wider_types(target):
    for source in FEW_VALUES:
        assert sv.can_cast(source, target)
        assert told_apart(values(source).astype(target).astype("f8")) == told_apart(values(source)), source


def test_dtypes_of_ml_dtypes():
    """What ml_dtypes calls safe is safe, but for types of 8 bits, some values of which become others; all are floating."""
    for source, target in itertools.product(NARROW, [*NARROW, *NUMPY_DTYPES]):
        for one, other in ((source, target), (target, source)):
            if dtype_of(other).itemsize > 1 and np.can_cast(dtype_of(one), dtype_of(other)):
                assert sv.can_cast(one, other), (one, other)
            for casting in ("same_kind", "unsafe"):
                wanted = np.can_cast("f2" if one in NARROW else one, "f2" if other in NARROW else other, casting)
                assert sv.can_cast(one, other, casting) == wanted, (one, other, casting)


def test_answers_are_those_of_copies():
    for source, target in itertools.product(CONVERTING, CONVERTING):
        for casting in LEVELS:
            dst, src = sv.empty(1, target), sv.full(1, 1, source)
            try:
                sv.copy(dst, src, casting=casting)
                copied = True
            except TypeError:
                copied = False
            assert sv.can_cast(source, target, casting) is copied, (source, target, casting)


def test_dtypes_that_no_copy_converts():
    for name in [*BELOW_A_BYTE, "float128", "opaque"]:
        assert sv.can_cast(name, name, "no")
        assert not sv.can_cast(name, "float64", "unsafe") and not sv.can_cast("int8", name, "unsafe")
    assert sv.can_cast("float16x2", "float32x2") and not sv.can_cast("float16x2", "float32x4", "unsafe")


def test_arguments():
    assert sv.can_cast(from_="int8", to=np.float64) is True and sv.can_cast(np.dtype("f8"), int) is False
    assert sv.can_cast(float, "f4", casting="same_kind") is True
    for wrong in ("Safe", "", None, 2):
        with pytest.raises(ValueError, match="casting must be 'no', 'equiv', 'safe', 'same_kind' or 'unsafe'"):
            sv.can_cast("int8", "int8", wrong)
    for arguments in (("int8",), ("int8", "no such dtype"), (None, "int8")):
        with pytest.raises(TypeError):
            sv.can_cast(*arguments)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
