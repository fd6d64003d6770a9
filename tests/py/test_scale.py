"""Copies with a scale and a bias beside NumPy: all of 8 and 16 bits, any layout, and what is refused."""

import os
import runpy
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from peers import need
from rounds import SEED, rounds_within

SMALL = ["bool", "int8", "uint8", "int16", "uint16", "float16", "float32"]
WIDE = ["int32", "uint32", "int64", "uint64", "float64"]
NARROW = ["bfloat16", "float8_e4m3fn", "float8_e5m2"]
TABLES = ["plain", "sse2", "avx2", "avx512"]
ROOT = Path(__file__).parents[2]
MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])

pytestmark = pytest.mark.filterwarnings("ignore")


def dtype_of(name):
    return np.dtype(getattr(need("ml_dtypes"), name) if name in NARROW else name)


def is_small(dtype):
    return dtype.itemsize <= 2 or dtype == np.float32


def expected(src, dtype, scale=None, bias=None):
    """scale and bias broadcast to src."""
    number = np.float32 if is_small(src.dtype) and is_small(dtype) else np.float64
    value = src.astype(number)
    if scale is not None:
        value = value * np.asarray(scale, number)
    if bias is not None:
        value = value + np.asarray(bias, number)
    if dtype.kind not in "iu":
        return value.astype(dtype)
    info, whole = np.iinfo(dtype), np.rint(value.astype("f8"))
    low, high = whole <= info.min, whole >= float(info.max) + (dtype.itemsize == 8)
    out = np.where(low | high | np.isnan(whole), 0, whole).astype(dtype)
    out[low], out[high] = info.min, info.max
    return out


def same(a, b):
    """The same bits; of NaN any."""
    bits = f"u{a.dtype.itemsize}"
    return bool(((np.asarray(a).view(bits) == np.asarray(b).view(bits)) | ((a != a) & (b != b))).all())


def values(name):
    dtype = dtype_of(name)
    if name == "bool":
        return np.array([False, True] * 50)
    if dtype.itemsize <= 2:
        return np.arange(1 << 8 * dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)
    rng = np.random.default_rng(3)
    if dtype.kind == "f":
        near = np.arange(-70000, 70000, 0.5)
        edges = [0.0, -0.0, np.inf, -np.inf, np.nan, *(s * 2.0**k for k in (15, 16, 31, 32, 63, 64) for s in (1, -1))]
        bits = rng.integers(0, 1 << 8 * dtype.itemsize, 5000, dtype=f"u{dtype.itemsize}").view(dtype)
        return np.concatenate([near.astype(dtype), np.array(edges, dtype), bits])
    info = np.iinfo(dtype)
    return np.concatenate([rng.integers(info.min, info.max, 5000, dtype, endpoint=True),
                           np.array([info.min, info.max, 0, 1], dtype)])


# --- every number ---------------------------------------------------------------


@pytest.mark.parametrize("source", [*SMALL, *WIDE, *NARROW])
@pytest.mark.parametrize("target", [*SMALL, *WIDE, *NARROW])
def test_every_number(source, target):
    src, dtype = values(source), dtype_of(target)
    dst = np.zeros(src.shape, dtype)
    for factors in ({"scale": 1 / 255}, {"scale": -3.7, "bias": 128}, {"bias": 0.5}, {"scale": 2.0**-3}):
        sv.copy(dst, src, **factors)
        number = np.float32 if is_small(src.dtype) and is_small(dtype) else np.float64
        right = expected(src, dtype, **factors)
        if target in NARROW and number == np.float64:
            value = src.astype("f8") * factors.get("scale", 1) + factors.get("bias", -0.0)
            right = rounded_once(value, dtype)
        assert same(dst, right), factors


def rounded_once(value, dtype):
    """float64 to what ml_dtypes rounds twice: as copies without a scale convert it, which test_cast.py looks at."""
    out = np.zeros(value.shape, dtype)
    sv.copy(out, np.ascontiguousarray(value), casting="unsafe")
    return out


@pytest.mark.parametrize("table", TABLES)
def test_every_table(table):
    """The numbers above, by each instruction set."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", __file__, "-k",
               "test_every_number or test_layouts or test_images"]
    done = subprocess.run(command, env={**os.environ, "SV_HOST_ISA": table}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("casting, target, source, refused", [
    ("no", "f4", "u1", True), ("no", "f4", "f4", False), ("equiv", "f4", "f8", True), ("safe", "f4", "u1", False),
    ("safe", "u1", "f4", True), ("safe", "f4", "i4", True), ("same_kind", "f4", "f8", False), ("same_kind", "u1", "f4", True),
    ("same_kind", "f4", "u1", False), ("unsafe", "u1", "f4", False), ("none", "f4", "f4", True),
])
def test_casting_holds_where_it_is_given(casting, target, source, refused):
    src, dst = values(source), np.full(values(source).shape, 7, target)
    ways = [lambda **more: sv.copy(dst, src, scale=2, **more), lambda **more: sv.copy(dst, src, bias=1, **more),
            lambda **more: sv.view(dst).copy_from(src, scale=2, **more),
            lambda **more: sv.view(src).copy_to(dst, scale=2, **more)]
    for way in ways:
        dst[...] = 7
        if refused:
            with pytest.raises((TypeError, ValueError), match="casting"):
                way(casting=casting)
            assert (dst == 7).all()
        else:
            way(casting=casting)
        way()  # as ever where nothing was said


# --- any layout -----------------------------------------------------------------


def random_array(rng, shape, dtype, repeats):
    """An array of this shape: axes in any order, steps and directions, and axes of one element where it may repeat."""
    order = rng.permutation(len(shape))
    steps = [int(rng.choice([1, 1, 2, -1, -2])) for _ in shape]
    kept = [1 if repeats and rng.random() < 0.1 else n for n in shape]
    base = np.zeros([kept[k] * abs(steps[k]) for k in order], dtype)
    base[...] = (rng.integers(0, 2, base.shape) if dtype.kind == "b" else
                 rng.normal(0, 90, base.shape) if dtype.kind == "f" else
                 rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, base.shape, dtype, endpoint=True))
    return base.transpose(np.argsort(order))[(..., *(slice(None, None, s) for s in steps))]


def random_factor(rng, shape, axis):
    kind = rng.integers(3)
    if kind == 0 or not shape:
        return None if kind == 0 else float(rng.normal())
    return float(rng.normal()) if kind == 1 else rng.normal(0, 2, shape[axis])


def broadcast(factor, ndim, axis):
    if factor is None or np.ndim(factor) == 0:
        return factor
    return np.reshape(factor, [-1 if k == axis % ndim else 1 for k in range(ndim)])


def test_layouts():
    for number in rounds_within(2):
        rng = np.random.default_rng([SEED, number])
        ndim = int(rng.integers(0, 5))
        shape = tuple(int(n) for n in rng.integers(0 if rng.random() < 0.03 else 1, rng.choice([4, 12, 40]) + 1, ndim))
        if np.prod(shape) > 30_000:
            continue
        source, target = (np.dtype(name) for name in rng.choice([*SMALL, *WIDE], 2))
        src, dst = random_array(rng, shape, source, True), random_array(rng, shape, target, False)
        axis = int(rng.integers(-ndim, ndim)) if ndim else 0
        scale, bias = random_factor(rng, shape, axis), random_factor(rng, shape, axis)
        if scale is None and bias is None:
            continue
        right = expected(np.broadcast_to(src, shape), target, broadcast(scale, ndim, axis), broadcast(bias, ndim, axis))
        sv.copy(dst, src, scale=scale, bias=bias, axis=axis)
        assert same(np.ascontiguousarray(dst), np.ascontiguousarray(right)), (source, target, shape, src.strides,
                                                                             dst.strides, axis)


@pytest.mark.parametrize("target", ["float32", "float16", "uint8"])
def test_images(target):
    """A batch larger than caches are taken to be, HWC to CHW and back."""
    images = np.random.default_rng(5).integers(0, 256, (8, 224, 224, 3), dtype="uint8")
    planes = np.zeros((8, 3, 224, 224), target)
    scale, bias = 1 / (255 * DEVIATION), -MEAN / DEVIATION
    sv.view(planes).permute([0, 2, 3, 1]).copy_from(images, scale=scale, bias=bias, axis=3)
    right = expected(images.transpose(0, 3, 1, 2), np.dtype(target), scale.reshape(3, 1, 1), bias.reshape(3, 1, 1))
    assert same(planes, np.ascontiguousarray(right))
    back = np.zeros_like(images)
    sv.view(planes).permute([0, 2, 3, 1]).copy_to(back, scale=255 * DEVIATION, bias=255 * MEAN, axis=-1)
    right = expected(planes.transpose(0, 2, 3, 1), back.dtype, 255 * DEVIATION, 255 * MEAN)
    assert (back == right).all()
    assert target == "uint8" or (back == images).all()


def test_overlap():
    cells = np.arange(10_000, dtype="float32")
    sv.copy(cells, cells, scale=2, bias=1)
    assert (cells == np.arange(10_000) * 2 + 1).all()
    sv.copy(cells, cells[::-1], scale=0.5)
    assert (cells == (np.arange(10_000) * 2 + 1)[::-1] / 2).all()
    square = np.arange(90_000, dtype="float32").reshape(300, 300)
    sv.copy(square, square.T, scale=3)
    assert (square == np.arange(90_000).reshape(300, 300).T * 3).all()


def test_byteswap():
    src = np.arange(1000, dtype="uint16")
    dst = np.zeros(1000, "float32")
    sv.copy(dst, src.byteswap(), scale=2, byteswap=True)
    assert (dst == src * 2.0).all()


def test_threads():
    """Calls of several threads at a time."""
    images = np.random.default_rng(6).integers(0, 256, (8, 64, 64, 3), dtype="uint8")
    planes = np.zeros((8, 3, 64, 64), "float32")
    scale = np.array([1, 2, 3])

    def work(k):
        for _ in range(20):
            sv.view(planes[k]).permute([1, 2, 0]).copy_from(images[k], scale=scale, axis=-1)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (planes == images.transpose(0, 3, 1, 2) * scale.reshape(3, 1, 1)).all()


class Failing(ThreadPoolExecutor):
    def map(self, function, *iterables, **options):
        raise LookupError("no threads today")


def test_executor():
    """Threads of an executor share a large one; what the executor raises is raised."""
    images = np.random.default_rng(8).integers(0, 256, (100, 128, 128, 3), dtype="uint8")
    alone, shared = np.zeros((100, 3, 128, 128), "float32"), np.zeros((100, 3, 128, 128), "float32")
    factors = {"scale": 1 / (255 * DEVIATION), "bias": -MEAN / DEVIATION, "axis": 3}
    sv.copy(alone.transpose(0, 2, 3, 1), images, **factors)
    with ThreadPoolExecutor(3) as executor:
        sv.copy(shared.transpose(0, 2, 3, 1), images, executor=executor, threads=3, **factors)
    assert alone.any() and (shared == alone).all()
    with Failing(2) as executor, pytest.raises(LookupError, match="no threads today"):
        sv.copy(shared.transpose(0, 2, 3, 1), images, executor=executor, threads=2, **factors)


# --- arguments ------------------------------------------------------------------


class Odd:
    """A sequence that fails."""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        raise KeyError(index)


@pytest.mark.parametrize("factor", [2, 2.0, np.float32(2), np.array(2), np.array([2]), [2], (2.0,),
                                    sv.view(np.array(2.0))])
def test_what_is_a_number(factor):
    dst = np.zeros(4, "float32")
    sv.copy(dst, np.arange(4, dtype="uint8"), scale=factor)
    assert dst.tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("factor", [[1, 2, 3], (1.0, 2.0, 3.0), np.array([1, 2, 3], "i2"), range(1, 4),
                                    sv.view(np.array([1, 2, 3.0]))])
def test_what_is_a_sequence(factor):
    dst = np.zeros((2, 3), "float32")
    sv.copy(dst, np.ones(3, "uint8"), bias=factor, axis=1)
    assert dst.tolist() == [[2, 3, 4]] * 2


def test_tensors_are_sequences():
    torch = need("torch")
    dst = torch.zeros(2, 3)
    sv.copy(dst, torch.ones(2, 3, dtype=torch.uint8), scale=torch.tensor([1.0, 2, 3]), axis=1)
    assert dst.tolist() == [[1, 2, 3]] * 2


@pytest.mark.parametrize(("factors", "error", "text"), [
    ({"scale": [1, 2, 3]}, TypeError, "axis="),
    ({"scale": [1, 2], "axis": 1}, ValueError, "2 values, axis 1 of dst has 3"),
    ({"bias": [1, 2, 3], "axis": 0}, ValueError, "3 values, axis 0 of dst has 2"),
    ({"scale": [1, 2, 3], "axis": 2}, (ValueError, IndexError), "axis"),
    ({"scale": [], "axis": 1}, ValueError, "scale has no numbers"),
    ({"scale": "x"}, TypeError, "number"),
    ({"scale": object()}, TypeError, "number"),
    ({"scale": 1j}, TypeError, "complex"),
    ({"bias": Odd(), "axis": 1}, KeyError, "0"),
    ({"scale": [[1, 2], [3, 4], [5, 6]], "axis": 1}, TypeError, "number"),
    ({"scale": 2, "executor": 5}, AttributeError, "map"),
    ({"scale": 2, "axis": "x"}, TypeError, "str"),
])
def test_refused(factors, error, text):
    dst, src = np.full((2, 3), 7, "float32"), np.ones((2, 3), "uint8")
    with pytest.raises(error, match=text):
        sv.copy(dst, src, **factors)
    assert (dst == 7).all()


def test_refused_dtypes():
    for pair in (("complex64", "float32"), ("float32", "complex64")):
        with pytest.raises(Exception, match="complex numbers are not scaled"):
            sv.copy(np.zeros(3, pair[0]), np.zeros(3, pair[1]), scale=2)
    with pytest.raises(TypeError):
        sv.copy(np.zeros(3, "V4"), np.zeros(3, "V4"), scale=2)


# --- the example ------------------------------------------------------------------


@pytest.mark.parametrize("with_torch", [True, False])
def test_example(with_torch, monkeypatch, capsys):
    if with_torch:
        need("torch")
    else:
        monkeypatch.setitem(sys.modules, "torch", None)
    example = runpy.run_path(str(ROOT / "examples" / "collate.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed[1] == "the same images come back: True"
    images = np.random.default_rng(7).integers(0, 256, (3, 5, 7, 3), dtype="uint8")
    batch, labels = example["collate"]([(image, k) for k, image in enumerate(images)])
    right = (images.transpose(0, 3, 1, 2) / 255 - MEAN.reshape(3, 1, 1)) / DEVIATION.reshape(3, 1, 1)
    assert labels == [0, 1, 2] and np.abs(np.asarray(batch) - right).max() < 1e-5
    if with_torch:
        loader = need("torch.utils.data").DataLoader(images, batch_size=2, collate_fn=example["collate"])
        batches = [np.asarray(batch) for batch in loader]
        assert [len(batch) for batch in batches] == [2, 1] and np.abs(np.concatenate(batches) - right).max() < 1e-5


@pytest.mark.parametrize("with_torch", [True, False])
def test_example_of_a_device_says_what_it_lacks(with_torch, monkeypatch, capsys):
    if with_torch:
        need("torch")
    else:
        monkeypatch.setitem(sys.modules, "torch", None)
    example = runpy.run_path(str(ROOT / "examples" / "device_batch.py"))
    if example["has_device"]():
        pytest.skip("there is a device, on which tests/gpu checks it")
    example["main"]()
    assert "no CUDA device" in capsys.readouterr().out
    images = np.random.default_rng(7).integers(0, 256, (3, 5, 7, 3), dtype="uint8")
    batch = np.zeros((3, 3, 5, 7), "f4")
    example["send"](batch, images, None)
    assert np.array_equal(batch, normalised(images, 1 / 255).transpose(0, 3, 1, 2))


# --- plans, batches, patterns, mean and std --------------------------------------


def normalised(images, scale=1.0):
    factors = scale / DEVIATION, (0 - MEAN) / DEVIATION
    return images.astype("f4") * factors[0].astype("f4") + factors[1].astype("f4")


@pytest.mark.parametrize("way", ["copy", "copy_from", "copy_to", "plan", "batch", "plan batch", "rearrange"])
def test_mean_and_deviation(way):
    """As torchvision's normalize() after to_tensor()."""
    images = np.random.default_rng(1).integers(0, 256, (3, 20, 30, 3), "u1")
    out, pixels = np.zeros((3, 3, 20, 30), "f4"), images.transpose(0, 3, 1, 2)
    options = {"scale": 1 / 255, "mean": MEAN, "std": list(DEVIATION), "axis": 1}
    if way == "copy":
        sv.copy(out, pixels, **options)
    elif way == "copy_from":
        sv.view(out).copy_from(pixels, **options)
    elif way == "copy_to":
        sv.view(pixels).copy_to(out, **options)
    elif way == "plan":
        sv.Plan(out, pixels, **options).execute(out, pixels)
    elif way == "batch":
        sv.copy_batch(list(out), list(pixels), **{**options, "axis": 0})
    elif way == "plan batch":
        sv.Plan(out[0], pixels[0], **{**options, "axis": 0}).execute_batch(list(out), list(pixels))
    else:
        sv.rearrange(images, "b h w c -> b c h w", out=out, **options)
    assert np.array_equal(out, normalised(images, 1 / 255).transpose(0, 3, 1, 2))


@pytest.mark.parametrize("given, scale, bias", [
    ({"std": 2}, 0.5, None), ({"mean": 3}, 1, -3), ({"mean": 3, "std": 4}, 0.25, -0.75),
    ({"scale": 2, "bias": 1, "mean": 3, "std": 4}, 0.5, -0.5), ({"mean": [1, 2, 3], "std": 2}, 0.5, [-0.5, -1, -1.5]),
    ({"scale": [1, 2, 3], "std": [2, 2, 4]}, [0.5, 1, 0.75], None), ({"bias": [1, 2, 3], "std": 0.5}, 2, [2, 4, 6]),
])
def test_what_mean_and_std_come_to(given, scale, bias):
    src = np.array([[-0.0, 1, 2], [3, 4, 5]], "f4")
    dst, want = np.zeros((2, 3), "f4"), np.zeros((2, 3), "f4")
    sv.copy(dst, src, axis=1, **given)
    sv.copy(want, src, axis=1, scale=scale, bias=bias)
    assert dst.tobytes() == want.tobytes()


@pytest.mark.parametrize("options, error, text", [
    ({"mean": [1, 2], "std": [1, 2, 3], "axis": 1}, ValueError, "2 numbers and 3 numbers|3 numbers and 2 numbers"),
    ({"mean": [1, 2, 3]}, TypeError, "several numbers need axis="), ({"std": "x"}, TypeError, "std"),
    ({"mean": object()}, TypeError, "mean"), ({"std": [], "axis": 1}, ValueError, "no numbers"),
])
def test_mean_and_std_refused(options, error, text):
    src, dst = np.ones((2, 3), "f4"), np.full((2, 3), 7, "f4")
    for way in (sv.copy, sv.Plan, lambda dst, src, **more: sv.copy_batch([dst], [src], **more)):
        with pytest.raises(error, match=text):
            way(dst, src, **options)
    assert (dst == 7).all()


def test_plans_keep_their_numbers():
    factors = [1.0, 2.0, 3.0]
    src, dst = np.arange(12, dtype="u1").reshape(4, 3), np.zeros((4, 3), "f4")
    plan = sv.Plan(dst, src, scale=factors, axis=1)
    factors[:] = [0, 0, 0]
    plan.execute(dst, src)
    assert np.array_equal(dst, src * np.array([1, 2, 3], "f4"))
    assert plan.kind == "cast" and "times 3 numbers along axis 1" in plan.explain()
    with ThreadPoolExecutor(2) as executor:
        many, out = np.ones((1000, 1000, 3), "u1"), np.zeros((1000, 1000, 3), "f4")
        large = sv.Plan(out, many, scale=[1, 2, 3], axis=2)
        large.execute(out, many, executor=executor, threads=2)
    assert (out == [1, 2, 3]).all()
    assert np.array_equal(numbers_measured(dst, src), src * np.float32(2))


def numbers_measured(dst, src):
    plan = sv.Plan(dst, src, scale=2, measure=0.01)
    dst[...] = 0
    plan.execute(dst, src)
    return dst


@pytest.mark.parametrize("casting, refused", [("no", True), ("safe", True), ("unsafe", False), (None, False)])
def test_casting_of_plans_and_batches(casting, refused):
    src, dst = np.ones(4, "f4"), np.zeros(4, "u1")
    more = {} if casting is None else {"casting": casting}
    for way in (lambda: sv.Plan(dst, src, scale=2, **more).execute(dst, src),
                lambda: sv.copy_batch([dst], [src], scale=2, **more),
                lambda: sv.rearrange(src, "a -> a", out=dst, scale=2, **more)):
        dst[:] = 0
        if refused:
            with pytest.raises(TypeError):
                way()
            assert (dst == 0).all()
        else:
            way()
            assert (dst == 2).all()


def test_batches_name_the_place():
    src, dst = [np.ones(3, "f4"), np.ones(2, "f4")], [np.zeros(3, "f4"), np.zeros(2, "f4")]
    with pytest.raises(ValueError, match="place 1"):
        sv.copy_batch(dst, src, scale=[1, 2, 3], axis=0)
    assert not dst[0].any()


@pytest.mark.parametrize("axis, error", [("h", None), (1, None), (-2, None), ("x", ValueError), (0, ValueError),
                                         (5, IndexError)])
def test_axes_of_patterns(axis, error):
    src, out = np.ones((2, 3, 4), "u1"), np.zeros((8, 3, 1), "f4")
    if error is not None:
        with pytest.raises(error):
            sv.rearrange(src, "b h w -> (b w) h 1", out=out, scale=[1, 2, 3], axis=axis)
        return
    sv.rearrange(src, "b h w -> (b w) h 1", out=out, scale=[1, 2, 3], axis=axis)
    assert (out[:, :, 0] == [1, 2, 3]).all()


def test_patterns_scale_into_out_only():
    with pytest.raises(TypeError, match="scale= is for a copy into out="):
        sv.rearrange(np.ones((2, 3)), "a b -> b a", scale=2)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
