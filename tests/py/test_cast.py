"""Copies that convert: every pair of dtypes beside NumPy and ml_dtypes; all of 8 and 16 bits, edges of the wider."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

import strideview as sv
from dtypes import NARROW
from peers import need

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
WIDE = ["int32", "int64", "uint32", "uint64", "float64", "complex128"]  # ml_dtypes rounds these twice to a narrow one
OF_NUMPY = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
ALL = [*OF_NUMPY, *NARROW]
TABLES = ["plain", "sse2", "avx2", "avx512"]

pytestmark = pytest.mark.filterwarnings("ignore")


def dtype_of(name):
    return np.dtype(getattr(need("ml_dtypes"), name) if name in NARROW else name)


def codes(name):
    dtype = dtype_of(name)
    return np.arange(1 << 8 * dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)


# --- inputs -------------------------------------------------------------------


def wide_floats(dtype):
    """Numbers of the narrow types, the middles between neighbours, what is next to all of these, and noise."""
    rng = np.random.default_rng(1)
    bits = f"u{dtype.itemsize}"
    known = np.concatenate([codes(name).astype("f8") for name in ["float16", *NARROW]])
    known = np.unique(known[np.isfinite(known)])
    middles = (known[:-1] + known[1:]) / 2
    step = 1 if os.environ.get("SV_TEST_SCALE") else 41
    powers = np.concatenate([2.0**k + np.array([-1, 0, .5, 1]) for k in (7, 8, 15, 16, 31, 32, 53, 63, 64, 100, 127)])
    eighths = [codes(name).astype("f8") for name in NARROW[1:]]
    exact = np.concatenate([known[::step], middles[::step], powers, -powers, *eighths]).astype(dtype)
    near = exact.view(bits)[:, None] + np.array([0, 1, -1, 3], "i8").astype(bits)
    noise = rng.integers(0, 1 << 8 * dtype.itemsize, 5000, dtype=bits)
    special = np.array([0., -0., np.inf, -np.inf, np.nan, -np.nan], dtype)
    return np.concatenate([near.ravel().view(dtype), noise.view(dtype), special])


def wide_integers(dtype):
    """One bit, another that is a half of what types round to, and one more or less."""
    info, rng = np.iinfo(dtype), np.random.default_rng(2)
    near = [sign * ((1 << k) + (1 << max(k - cut, 0)) + more) for k in range(info.bits)
            for cut in (4, 5, 8, 9, 11, 12, 24, 25, 53, 54) for more in (-1, 0, 1) for sign in (1, -1)]
    kept = [n for n in [*near, info.min, info.max, 0] if info.min <= n <= info.max]
    return np.concatenate([np.array(kept, dtype), rng.integers(info.min, info.max, 5000, dtype, endpoint=True)])


def values(name):
    dtype = dtype_of(name)
    if name == "bool":
        return np.array([False, True] * 50)
    if dtype.kind == "c":
        parts = values("float32" if name == "complex64" else "float64")
        return np.stack([parts, np.where(np.arange(len(parts)) % 3 == 0, 0, parts[::-1])], -1).view(dtype)[:, 0]
    if dtype.itemsize <= 2:
        return codes(name)
    return wide_floats(dtype) if dtype.kind == "f" else wide_integers(dtype)


# --- what is right ------------------------------------------------------------


def to_integers(numbers, dtype):
    """The fraction cut off, then the low bits; 0 from what is not finite."""
    bits = np.iinfo(dtype).bits
    finite = np.where(np.isfinite(numbers), numbers, 0).astype("f8")
    return np.array([int(n) & ((1 << bits) - 1) for n in finite.tolist()], f"u{bits // 8}").view(dtype)


def rounded_once(numbers, name):
    """To the nearest of all numbers that the type has, even in a tie, by a search for it."""
    dtype = dtype_of(name)
    unsigned = name == "float8_e8m0fnu"
    magnitudes = codes(name)[: None if unsigned else 1 << 8 * dtype.itemsize - 1].astype("f8")
    found = magnitudes[np.isfinite(magnitudes)]
    after = 2 * found[-1] if unsigned else 2 * found[-1] - found[-2]
    middles = (found + np.append(found[1:], after)) / 2
    exact = np.abs(numbers.astype("longdouble"))
    low, high = np.searchsorted(middles, exact, "left"), np.searchsorted(middles, exact, "right")
    code = np.where(low == high, low, high if unsigned else low + low % 2)
    too_large = np.array(np.inf, "f4").astype(dtype).view(f"u{dtype.itemsize}")
    code = np.where(code >= len(found), too_large, code).astype(too_large.dtype)
    if unsigned:
        code[~(numbers > 0)] = 0xff
    elif "fnuz" not in name:
        code |= np.signbit(numbers.astype("f8")).astype(code.dtype) << 8 * dtype.itemsize - 1
    else:
        code[(code > 0) & (numbers < 0)] |= 0x80
    nan = np.isnan(numbers.astype("f8"))
    return np.where(nan, numbers.astype("f8").astype(dtype).view(code.dtype), code).view(dtype)


def expected(source, name):
    dtype = dtype_of(name)
    if source.dtype == dtype:
        return source
    if source.dtype.kind == "c" and dtype.kind != "c" and name != "bool":
        source = source.real
    if dtype.kind in "iu" and source.dtype.kind in "fV":
        return to_integers(source.astype("f8"), dtype)
    if name in NARROW and (source.dtype.name in WIDE or name == "float8_e8m0fnu"):
        return rounded_once(source, name)
    if name in NARROW[1:] and source.dtype.name == "float8_e8m0fnu":
        return source.astype("f4").astype(dtype)
    return source.astype(dtype)


def is_same(got, wanted):
    """Bit for bit, but for what else a NaN says than its sign."""
    if got.dtype.kind == "c":
        got, wanted = (array.view(f"f{array.itemsize // 2}") for array in (got, wanted))
    bits = f"u{got.itemsize}"
    same = got.view(bits) == wanted.view(bits)
    if got.dtype.kind in "fV":
        nan = np.isnan(got) & np.isnan(wanted)
        same |= nan & (np.signbit(got.astype("f8")) == np.signbit(wanted.astype("f8")))
    return same


def cast(source, name):
    target = np.empty(source.shape, dtype_of(name))
    sv.copy(target, source, casting="unsafe")
    return target


# --- every pair ---------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_every_pair(name):
    for other in ALL:
        source = values(other)
        got, wanted = cast(source, name), expected(source, name)
        wrong = np.nonzero(~is_same(got, wanted))[0]
        at = wrong[:3] // (2 if got.dtype.kind == "c" else 1)
        assert not len(wrong), f"{other} to {name}: {len(wrong)} wrong, {source[at]} gave {got[at]}, not {wanted[at]}"


def test_complex32():
    halves = codes("float16")
    pairs = np.stack([halves, halves[::-1]], -1)
    source, back = sv.empty(len(halves), "complex32"), sv.empty(len(halves), "complex32")
    sv.copy(source.view(dtype="uint32"), pairs.view("u4")[:, 0])
    single = np.empty(len(halves), "c8")
    sv.copy(single, source, casting="same_kind")
    assert is_same(single, pairs.astype("f4").view("c8")[:, 0]).all()
    sv.copy(back, single, casting="same_kind")
    again = np.asarray(back.view(dtype="uint32")).view("f2")
    assert is_same(again, pairs.ravel()).all()
    real = np.empty(len(halves), "f2")
    sv.copy(real, source, casting="unsafe")
    assert is_same(real, halves).all()
    truth = np.empty(len(halves), "?")
    sv.copy(truth, source, casting="unsafe")
    assert np.array_equal(truth, (pairs != 0).any(-1))


def digest():
    """Of all results, NaNs included."""
    found = hashlib.sha256()
    for other in ALL:
        source = values(other)
        for name in ALL:
            found.update(cast(source[:4099], name).view("u1"))
    return found.hexdigest()


def test_every_instruction_set_gives_the_same():
    code = "import test_cast; print(test_cast.digest())"
    found = set()
    for table in TABLES:
        environment = {**os.environ, "SV_HOST_ISA": table, "PYTHONWARNINGS": "ignore"}
        run = subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(__file__), env=environment,
                             capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1


# --- layouts ------------------------------------------------------------------

def numbers(shape, dtype):
    return np.resize(np.arange(251), shape).astype(dtype)


LAYOUTS = {  # of the target, in memory of a shape; of the source, from what the target's shape is
    "contiguous": (lambda a: a, numbers),
    "transposed": (lambda a: a, lambda s, d: numbers(s[::-1], d).T),
    "last two": (lambda a: a, lambda s, d: numbers((s[0], s[2], s[1]), d).swapaxes(1, 2)),
    "reversed": (lambda a: a[:, ::-1], lambda s, d: numbers(s, d)[::-1, :, ::-1]),
    "steps": (lambda a: a[::2, :, ::2], lambda s, d: numbers((s[0] * 2, s[1], s[2] * 3), d)[::2, :, 1::3]),
    "rows": (lambda a: a[:, :, 1:], lambda s, d: numbers((s[0], s[1], s[2] + 1), d)[:, :, :-1]),
    "repeated": (lambda a: a, lambda s, d: np.broadcast_to(numbers((s[0], 1, s[2]), d), s)),
    "one item": (lambda a: a, lambda s, d: np.broadcast_to(numbers((), d), s)),
    "columns": (lambda a: a.transpose(1, 2, 0), lambda s, d: numbers((s[1], s[0], s[2]), d).swapaxes(0, 1)),
}
PAIRS = [("float32", "uint8"), ("uint8", "float32"), ("float16", "float32"), ("float64", "float32"), ("int32", "int64"),
         ("complex128", "int8"), ("int8", "complex64"), ("complex64", "complex128"), ("bool", "float64")]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [
    (2, 2, 2), (6, 70, 6), (70, 6, 70), (34, 130, 34), (200, 3, 200), (1, 70000, 1),
], ids=str)
def test_layouts(layout, shape):
    of_target, of_source = LAYOUTS[layout]
    for name, other in PAIRS:
        memory = np.zeros(np.prod(shape) + 7, name)
        wanted = memory.copy()
        target, right = (of_target(whole[3:-4].reshape(shape)) for whole in (memory, wanted))
        source = of_source(target.shape, other)
        np.copyto(right, source, casting="unsafe")
        sv.copy(target, source, casting="unsafe")
        assert np.array_equal(memory, wanted), (name, other)


def test_overlap_reads_first():
    for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1]):
        array = np.arange(2500, dtype="f4").reshape(50, 50) * 1.5
        wanted = view(array).astype("i4")
        sv.copy(array.view("i4"), view(array), casting="unsafe")
        assert np.array_equal(array.view("i4"), wanted)


def test_lanes():
    source = sv.empty((5, 7), "float32x4")
    numbers = np.arange(140, dtype="f4").reshape(5, 28)
    sv.copy(np.asarray(source.view(dtype="opaque")).view("f4"), numbers)
    target = sv.empty((7, 5), "float64x4")
    sv.copy(target, source.T, casting="same_kind")
    found = np.asarray(target.view(dtype="opaque")).view("f8").reshape(7, 5, 4)
    assert np.array_equal(found, numbers.reshape(5, 7, 4).swapaxes(0, 1))


# --- byte order ---------------------------------------------------------------


@pytest.mark.parametrize("name", OF_NUMPY)
def test_byteswap(name):
    source = values(name)[:1000].reshape(-1, 2)
    target = np.empty(source.shape[::-1], source.dtype)
    sv.copy(target, source.T, byteswap=True)
    assert target.tobytes() == source.T.byteswap().tobytes()


def test_byteswap_then_cast():
    source = np.arange(-300, 300, dtype=">i2")
    target = np.empty(600, "f8")
    sv.copy(target, source.view("i2"), casting="same_kind", byteswap=True)
    assert np.array_equal(target, source)


# --- what is refused ----------------------------------------------------------


@pytest.mark.parametrize("name", OF_NUMPY)
def test_same_kind_is_numpys(name):
    for other in OF_NUMPY:
        target, source = np.zeros(3, name), np.ones(3, other)
        if np.can_cast(other, name, "same_kind"):
            sv.copy(target, source, casting="same_kind")
            assert np.array_equal(target, source.astype(name))
        else:
            with pytest.raises(TypeError, match="pass casting='unsafe'"):
                sv.copy(target, source, casting="same_kind")
            assert not target.any()


@pytest.mark.parametrize("call, error", [
    (lambda a, b: sv.copy(a, b), TypeError),
    (lambda a, b: sv.copy(a, b, casting="no"), TypeError),
    (lambda a, b: sv.copy(a, b, casting="safely"), ValueError),
    (lambda a, b: sv.copy(a, b, casting=1), ValueError),
    (lambda a, b: sv.copy(a, b, None, "unsafe"), TypeError),
    (lambda a, b: sv.view(a).copy_from(b), TypeError),
    (lambda a, b: sv.view(b).copy_to(a, casting="no"), TypeError),
    (lambda a, b: sv.copy(sv.view(a).view(dtype="opaque"), b, casting="unsafe"), TypeError),
    (lambda a, b: sv.copy(sv.view(a).view(dtype="opaque"), sv.view(a).view(dtype="opaque"), byteswap=True), TypeError),
    (lambda a, b: sv.copy(a, np.ones((2, 3)), casting="unsafe"), ValueError),
    (lambda a, b: sv.copy(np.broadcast_to(a, (2, 3)), b, casting="unsafe"), ValueError),
])
def test_bad_calls(call, error):
    array = np.zeros(3, "f4")
    with pytest.raises(error):
        call(array, np.ones(3))
    assert not array.any()


def test_methods():
    array = np.zeros(3, "i2")
    sv.view(array).copy_from(np.full(3, 7.5), casting="unsafe")
    assert array.tolist() == [7, 7, 7]
    sv.view(np.full(3, 258, "u2")).copy_to(array.view("u2"), byteswap=True)
    assert array.tolist() == [513, 513, 513]


if __name__ == "__main__":
    import tap
    tap.main(__file__)
