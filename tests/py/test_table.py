"""Plans between addresses that lie in two arrays of the CPU."""

import numpy as np
import pytest

import strideview as sv

PAGES = 37


def pages(shape, dtype="f4", count=PAGES):
    """Pages of numbers in one array, and their addresses."""
    memory = np.arange(count * int(np.prod(shape)), dtype=dtype).reshape(count, *shape)
    return memory, memory.ctypes.data + memory.strides[0] * np.arange(count)


@pytest.mark.parametrize("dtype", ["i8", "u8"])
@pytest.mark.parametrize("options", [{}, {"alignment": 4}, {"alignment": 1}], ids=str)
def test_pages_are_turned(dtype, options):
    (source, src), (target, dst) = pages((3, 5)), pages((5, 3))
    order = np.random.default_rng(1).permutation(PAGES)
    plan = sv.Plan(target[0], source[0].T)
    assert plan.execute_table(dst.astype(dtype), src[order].astype(dtype), **options) is None
    assert np.array_equal(target, source[order].transpose(0, 2, 1))


def test_columns_of_one_array_and_a_conversion():
    (source, src), (target, dst) = pages((6,), "u1"), pages((6,), "f2")
    table = np.stack([dst[::-1], src], 1)
    sv.Plan(target[0], source[0], scale=0.5).execute_table(table[:, 0], table[:, 1], None)
    assert np.array_equal(target[::-1], source * np.float16(0.5))


def test_no_pages():
    source, src = pages((4,))
    sv.Plan(source[0], source[1]).execute_table(src[:0], src[:0])


@pytest.mark.parametrize("change, error, words", [
    (lambda dst, src: (dst.astype("f8"), src), TypeError, "64-bit integers"),
    (lambda dst, src: (dst.astype("i4"), src), TypeError, "64-bit integers"),
    (lambda dst, src: (dst[1:], src), ValueError, "36 addresses"),
    (lambda dst, src: (dst.reshape(1, -1), src), ValueError, "2 axes"),
    (lambda dst, src: (dst, src + 1), ValueError, "place 0: an address is no multiple of 4"),
    (lambda dst, src: (np.where(np.arange(PAGES) == 7, 0, dst), src), ValueError, "place 7: dst is NULL"),
    (lambda dst, src: (dst, list(src)), TypeError, "list"),
])  # fmt: skip
def test_what_is_refused(change, error, words):
    (source, src), (target, dst) = pages((4,)), pages((4,))
    target[...] = 0
    with pytest.raises(error, match=words):
        sv.Plan(target[0], source[0]).execute_table(*change(dst, src))
    assert not target.any()


@pytest.mark.parametrize("alignment, error, words", [(3, ValueError, "no power of two"),
                                                     (-4, ValueError, "alignment must not be negative"),
                                                     ("4", TypeError, "integer")])  # fmt: skip
def test_alignment_is_a_power_of_two(alignment, error, words):
    source, src = pages((4,))
    with pytest.raises(error, match=words):
        sv.Plan(source[0], source[1]).execute_table(src, src, alignment=alignment)


if __name__ == "__main__":
    import tap

    tap.main(__file__)
