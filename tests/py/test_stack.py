"""stack(), concatenate(), repeat() and lists in rearrange(): NumPy's and einops' results, and what they refuse."""

import random

import numpy as np
import pytest

import strideview as sv
from peers import need, numbers
from rounds import rounds_of, seed_of


def any_array(rng, shape, dtype):
    """Of random strides."""
    order = rng.sample(range(len(shape)), len(shape))
    made = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape([shape[i] for i in order])
    made = made.transpose([order.index(i) for i in range(len(shape))])
    return made[(..., *(slice(None, None, rng.choice((1, 1, -1))) for _ in shape))]


def test_random_arrays():
    for number in rounds_of(400):
        rng = random.Random(seed_of(number))
        ndim = rng.randint(0, 4)
        shape = [rng.choice((0, 1, 2, 3, 5, 40 if ndim < 3 else 4, 3000 if ndim < 2 else 6)) for _ in range(ndim)]
        dtype = rng.choice(["u1", "i2", "f4", "f8", "c16", "S5"])
        count = rng.choice((1, 2, 4, 7, 20))
        arrays = [any_array(rng, shape, dtype) for _ in range(count)]
        axis = rng.randint(-ndim - 1, ndim)
        wanted = np.stack(arrays, axis)
        made = sv.stack(arrays, axis)
        assert np.array_equal(np.asarray(made), wanted) and made.dtype == wanted.dtype and made.is_contiguous_c
        out = any_array(rng, wanted.shape, dtype)
        assert np.array_equal(np.asarray(sv.stack(map(sv.view, arrays), axis, out)), wanted)
        assert np.array_equal(out, wanted)
        if ndim:
            axis = rng.randint(-ndim, ndim - 1)
            for k in range(count):
                other = list(shape)
                other[axis] = rng.choice((0, 1, 2, 3, 9))
                arrays[k] = any_array(rng, other, dtype)
            wanted = np.concatenate(arrays, axis)
            assert np.array_equal(np.asarray(sv.concatenate(arrays, axis)), wanted)


@pytest.mark.parametrize("dtype", ["f4", "u1", "f8"])
def test_columns_become_rows(dtype):
    """Large enough for the copies to be done together, with a part of a block left over."""
    columns = [(np.arange(70001) * (k + 3)).astype(dtype) for k in range(19)]
    assert np.array_equal(np.asarray(sv.stack(columns, 1)), np.stack(columns, 1))
    pixels = [(np.arange(300 * 211 * c) * 7).astype(dtype).reshape(300, 211, c) for c in (1, 2, 1, 1, 2, 1)]
    assert np.array_equal(np.asarray(sv.concatenate(pixels, -1)), np.concatenate(pixels, -1))
    turned = [np.asfortranarray(numbers((301, 211)) * k).astype(dtype) for k in range(5)]
    assert np.array_equal(np.asarray(sv.stack(turned, -1)), np.stack(turned, -1))


def test_dtypes():
    mixed = [np.arange(5, dtype="i4"), np.arange(5, dtype="f4")]
    with pytest.raises(TypeError, match="array 1 has dtype float32, the first int32: .* dtype= or out="):
        sv.stack(mixed)
    assert sv.stack(mixed, dtype="f8").tolist() == np.stack(mixed).tolist()
    assert sv.concatenate(mixed, out=np.zeros(10, "f8")).dtype == "f8"
    with pytest.raises(TypeError, match="casting='unsafe'"):
        sv.stack(mixed, dtype="i4")
    assert sv.stack(mixed, dtype="i4", casting="unsafe").tolist() == [[0, 1, 2, 3, 4]] * 2
    records = np.zeros(3, [("a", "f4"), ("b", "S3")])
    assert sv.stack([records, records]).dtype == records.dtype
    with pytest.raises(TypeError, match="dtype= says nothing"):
        sv.stack(mixed, out=np.zeros((2, 5)), dtype="f8")


def test_any_producer():
    torch = need("torch")
    made = sv.stack([torch.arange(3.0), np.arange(3, dtype="f4"), memoryview(np.ones(3, "f4")), sv.zeros(3)], axis=1)
    assert made.tolist() == [[0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 1, 0]]
    out = torch.zeros(2, 3)
    sv.stack([torch.arange(3.0)] * 2, out=out)
    assert out.tolist() == [[0, 1, 2]] * 2


@pytest.mark.parametrize("call, error, text", [
    (lambda: sv.stack([]), ValueError, "one array or more"), (lambda: sv.concatenate(()), ValueError, "one array or more"),
    (lambda: sv.stack([np.zeros(2), np.zeros(3)]), ValueError, r"array 1 has shape \(3,\), the first \(2,\)"),
    (lambda: sv.stack([np.zeros(2), np.zeros((2, 1))]), ValueError, "array 1"),
    (lambda: sv.stack([np.zeros(2)], 2), IndexError, "axis 2 of 2 axes"),
    (lambda: sv.stack([np.zeros(2)], -3), IndexError, "axis -3"),
    (lambda: sv.stack([np.zeros(2)], None), TypeError, "NoneType"),
    (lambda: sv.concatenate([np.zeros(())]), ValueError, "stack"),
    (lambda: sv.concatenate([np.zeros((2, 3)), np.zeros((2, 2))]), ValueError, "but along axis 0"),
    (lambda: sv.concatenate([np.zeros((2, 3))], 2), IndexError, "axis 2"),
    (lambda: sv.stack([np.zeros(2)] * 2, out=np.zeros((2, 3))), ValueError, r"out has shape \(2, 3\), the result \(2, 2\)"),
    (lambda: sv.stack([np.zeros(2)], out=sv.view(np.zeros((1, 2)), readonly=True)), ValueError, "read-only"),
    (lambda: sv.stack([[1, 2]]), TypeError, r"np\.asarray"), (lambda: sv.stack(3), TypeError, "iterable"),
])
def test_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_nothing_is_written_by_what_is_refused():
    out = np.zeros((2, 3), "i4")
    with pytest.raises(TypeError):
        sv.stack([np.ones(3, "i4"), np.ones(3, "f4")], out=out)
    assert not out.any()


# --- einops ------------------------------------------------------------------------

IMAGES = [numbers((6, 4, 3)) + k for k in range(4)]


@pytest.mark.parametrize("pattern, sizes", [
    ("b h w c -> b c h w", {}), ("b h w c -> h w (b c)", {}), ("b h w c -> (b h) w c", {}), ("b h w c -> h (b w) c", {}),
    ("(b1 b2) h w c -> (b1 h) (b2 w) c", {"b1": 2}), ("b (h s) w c -> b h (w s c)", {"s": 2}), ("b ... -> ... b", {}),
    ("... -> (...)", {}), ("4 h w c -> w 4 (h c)", {}), ("(b 1) h w c -> h w c b 1", {}),
])
def test_lists_are_rearranged(pattern, sizes):
    einops = need("einops")
    wanted = einops.rearrange(IMAGES, pattern.replace("4", "n"), **sizes)
    for images in (IMAGES, tuple(map(sv.view, IMAGES))):
        made = sv.rearrange(images, pattern, **sizes)
        assert np.array_equal(np.asarray(made), wanted)
        out = np.zeros(wanted.shape, wanted.dtype)
        sv.rearrange(images, pattern, out=out, **sizes)
        assert np.array_equal(out, wanted)


def test_bad_lists():
    with pytest.raises(ValueError, match="array 1 has shape"):
        sv.rearrange([np.zeros(2), np.zeros(3)], "a b -> b a")
    with pytest.raises(ValueError, match="out has shape"):
        sv.rearrange([np.zeros(2)] * 2, "a b -> b a", out=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="axes on the left"):
        sv.rearrange([np.zeros(2)] * 2, "a -> a")
    for numbers_ in ([1, 2], [[1, 2]], (1.5,), []):
        with pytest.raises(TypeError, match=r"np\.asarray"):
            sv.rearrange(numbers_, "a -> a")


@pytest.mark.parametrize("pattern, sizes", [
    ("h w -> h w c", {"c": 3}), ("h w -> 2 h w", {}), ("h w -> h c w", {"c": 1}), ("h w -> h w", {}), ("... -> n ...", {"n": 2}),
    ("h w -> (n h) w", {"n": 2}), ("h w -> (h a) (w b)", {"a": 2, "b": 3}), ("(h s) w -> s (w n) h", {"s": 2, "n": 2}),
    ("h w -> h w 1 c", {"c": 0}),
])
def test_repeat(pattern, sizes):
    einops = need("einops")
    array = numbers((6, 4))
    wanted = np.zeros((6, 4, 1, 0)) if 0 in sizes.values() else einops.repeat(array, pattern, **sizes)
    out = np.zeros(wanted.shape, array.dtype)
    assert np.array_equal(np.asarray(sv.repeat(array, pattern, out=out, **sizes)), wanted)
    try:
        made = sv.repeat(array, pattern, **sizes)
    except ValueError as error:
        assert "pass out= to copy" in str(error) and ")" in pattern
    else:
        assert np.array_equal(np.asarray(made), wanted) and sv.shares_memory(made, array) == (made.size > 0)
        assert sv.repeat(sv.view(array).layout, pattern, **sizes) == made.layout


def test_repeats_are_views():
    made = sv.repeat(numbers((2, 3)), "h w -> h w c", c=4)
    assert made.shape == (2, 3, 4) and made.strides == (3, 1, 0)


@pytest.mark.parametrize("pattern, sizes, error, text", [
    ("h w -> h w c", {}, ValueError, "the extent of 'c' is not known: give it, as c="), (2, {}, TypeError, r"np\.repeat"),
    ("h w -> h", {}, ValueError, "left only"), ("h w -> h w c c", {"c": 2}, ValueError, "twice"),
    ("h w -> h w c", {"c": -1}, ValueError, "negative"), ("h w -> h w", {"c": 2}, TypeError, "a size for 'c'"),
    ("h w -> h w c", {"c": 1.5}, TypeError, "float"), ("h w", {}, ValueError, "no '->'"), ("h -> h c", {"c": 2}, ValueError, "axes"),
])
def test_bad_repeats(pattern, sizes, error, text):
    with pytest.raises(error, match=text):
        sv.repeat(numbers((2, 3)), pattern, **sizes)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
