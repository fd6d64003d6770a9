"""Scaled copies of arrays on the fake CUDA runtime: the numbers are NumPy's, on every way, and streams are in order."""

import gc

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import any_order, runtime, stream  # noqa: F401  (fixtures)
from test_fake_capture import captured

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
IMAGES = np.arange(2 * 30 * 40 * 3, dtype="u4").astype("u1").reshape(2, 30, 40, 3)
KINDS = ["device", "device1", "pinned", "managed", "host"]


def memory(kind, array):
    """Memory of a kind with the elements of an array."""
    if kind == "host":
        return array.copy()
    resource = getattr(sv.MemoryResource, kind.rstrip("1"))
    owner = resource(int(kind.endswith("1"))) if kind.startswith(("device", "managed")) else resource()
    view = owner.allocate(max(array.nbytes, 1)).view(array.dtype).reshape(array.shape)
    sv.copy(view, array)
    return view


def numbers_of(view):
    back = np.zeros(view.shape, view.dtype if isinstance(view, np.ndarray) else str(view.dtype))
    sv.copy(back, view)
    return back


def normalised(images, dtype):
    scale = [1 / 255 / std for std in STD]
    bias = [(0 - mean) / std for mean, std in zip(MEAN, STD)]
    return (images.astype("f4") * np.array(scale, "f4") + np.array(bias, "f4")).transpose(0, 3, 1, 2).astype(dtype)


@pytest.mark.parametrize("dtype", ["f4", "f2"])
@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_every_way(runtime, target, source, dtype):
    want = normalised(IMAGES, dtype)
    src, dst = memory(source, IMAGES), memory(target, np.zeros(want.shape, dtype))
    pixels = sv.view(src).permute(0, 3, 1, 2)
    sv.copy(dst, pixels, scale=1 / 255, mean=MEAN, std=STD, axis=1)
    assert np.array_equal(numbers_of(dst), want)
    plan = sv.Plan(dst, pixels, scale=1 / 255, mean=MEAN, std=STD, axis=1)
    sv.copy(dst, np.zeros(want.shape, dtype))
    plan.execute(dst, pixels)
    assert np.array_equal(numbers_of(dst), want)
    del src, dst, pixels, plan
    gc.collect()
    sv.memory.collect()


@pytest.mark.parametrize("target, source", [("device", "device"), ("device", "host"), ("host", "device"),
                                            ("managed", "managed"), ("pinned", "device")])
def test_in_the_order_of_the_stream(any_order, stream, target, source):
    """With a stream: elements are written after what is on it, and read before what comes then."""
    src, dst = memory(source, IMAGES), memory(target, np.zeros(IMAGES.shape, "f4"))
    sv.copy(dst, src, stream, scale=2, bias=-1)
    again = memory(target, np.zeros(IMAGES.shape, "f4"))
    sv.copy(again, dst, stream, scale=0.5)
    fake.lib.sv_stream_synchronize(2, 0, fake.ctypes.c_size_t(stream))
    assert np.array_equal(numbers_of(again), (IMAGES.astype("f4") * 2 - 1) * 0.5)
    del src, dst, again
    gc.collect()
    sv.memory.collect()


def test_batches(runtime):
    sources = [memory("device", IMAGES + k) for k in range(5)]
    targets = [memory("device", np.zeros(IMAGES.shape, "f4")) for _ in range(5)]
    sv.copy_batch(targets, sources, scale=[1, 2, 3], bias=0.5, axis=-1)
    want = [(IMAGES + k).astype("f4") * np.array([1, 2, 3], "f4") + np.float32(0.5) for k in range(5)]
    assert all(np.array_equal(numbers_of(t), w) for t, w in zip(targets, want))
    plan = sv.Plan(targets[0], sources[0], scale=[1, 2, 3], bias=0.5, axis=3)
    for target in targets:
        sv.copy(target, np.zeros(IMAGES.shape, "f4"))
    plan.execute_batch(targets, sources)
    assert all(np.array_equal(numbers_of(t), w) for t, w in zip(targets, want))
    assert plan.kernel == "scale" and plan.launches == 1
    assert "scales in float32, times 3 numbers along axis" in plan.explain()
    del sources, targets, plan, target
    gc.collect()
    sv.memory.collect()


def test_captured(any_order, stream):
    """One launch, with the numbers in it."""
    src, dst = memory("device", IMAGES), memory("device", np.zeros((2, 3, 30, 40), "f4"))
    src, dst = (sv.view(v.__dlpack__(stream=-1, max_version=(1, 3)), -1) for v in (src, dst))
    pixels = src.permute(0, 3, 1, 2)
    sv.copy(dst, pixels, scale=1)
    captured(stream, lambda: sv.copy(dst, pixels, stream, scale=1 / 255, mean=MEAN, std=STD, axis=1))
    del src, dst, pixels
    gc.collect()
    sv.memory.collect()


def test_in_place_and_overlapping(runtime):
    whole = memory("device", np.arange(1000, dtype="f4"))
    sv.copy(whole, whole, scale=2)
    sv.copy(whole[1:], whole[:-1], bias=1)
    want = np.arange(1000, dtype="f4") * 2
    want[1:] = want[:-1] + 1
    assert np.array_equal(numbers_of(whole), want)
    del whole
    gc.collect()
    sv.memory.collect()


def test_rearrange(runtime):
    src, out = memory("device", IMAGES), memory("device", np.zeros((2, 3, 30, 40), "f4"))
    answer = sv.rearrange(src, "b h w c -> b c h w", out=out, scale=1 / 255, mean=MEAN, std=STD, axis="c")
    assert np.array_equal(numbers_of(answer), normalised(IMAGES, "f4"))
    del src, out, answer
    gc.collect()
    sv.memory.collect()


@pytest.mark.parametrize("options, error", [({"casting": "same_kind"}, TypeError), ({"axis": 9}, IndexError),
                                            ({"scale": [1, 2]}, ValueError), ({"scale": "x"}, TypeError)])
def test_refused(runtime, options, error):
    """Nothing is put on a stream."""
    src, dst = memory("device", np.ones((2, 3), "f4")), memory("device", np.zeros((2, 3), "u1"))
    runtime.fake_reset()
    with pytest.raises(error):
        sv.copy(dst, src, **{"scale": [1, 2, 3], "axis": 1, **options})
    assert not any(":launch" in line or ":copy" in line for line in fake.log())
    del src, dst
    gc.collect()
    sv.memory.collect()
