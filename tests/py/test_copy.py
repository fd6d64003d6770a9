"""sv.copy(), copy_from() and copy_to(): which bytes move, and what is refused."""

import sys

import numpy as np
import pytest

import strideview as sv
from peers import NUMPY_DTYPES, Exporter, OldExporter, need, numbers
from together import together


def by_copy(dst, src):
    sv.copy(dst, src)


def by_copy_from(dst, src):
    sv.view(dst).copy_from(src)


def by_copy_to(dst, src):
    sv.view(src).copy_to(dst, stream=None)


WAYS = [by_copy, by_copy_from, by_copy_to]
PAIRS = {
    "plain": (lambda: np.zeros((3, 4)), lambda: numbers((3, 4), float)),
    "transposed": (lambda: np.zeros((3, 4)), lambda: numbers((4, 3), float).T),
    "into gaps": (lambda: np.zeros((6, 8))[::2, 1::2], lambda: numbers((3, 4), float)),
    "reversed": (lambda: np.zeros((3, 4))[::-1], lambda: numbers((3, 4), float)[:, ::-1]),
    "repeated row": (lambda: np.zeros((3, 4)), lambda: numbers(4, float)),
    "one number": (lambda: np.zeros((3, 4)), lambda: numbers((), float)),
    "no axes": (lambda: np.zeros(()), lambda: numbers((1,), float)[0, ...]),
    "nothing": (lambda: np.zeros((0, 4)), lambda: numbers((0, 4), float)),
    "large": (lambda: np.zeros((200, 300)), lambda: numbers((300, 200), float).T),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pair", PAIRS)
def test_elements_arrive(pair, way):
    dst, src = (make() for make in PAIRS[pair])
    expected = dst.copy()
    np.copyto(expected, src)
    way(dst, src)
    assert np.array_equal(dst, expected)


@pytest.mark.parametrize("dtype", [*NUMPY_DTYPES, "bfloat16", "float8_e4m3fn"])
def test_every_type(dtype):
    if dtype not in NUMPY_DTYPES:
        need("ml_dtypes")
    src, dst = sv.empty((4, 5), dtype), sv.empty((5, 4), dtype)
    np.asarray(src)[...] = numbers((4, 5)).astype(src.dtype)
    sv.copy(dst, src.T)
    assert np.array_equal(np.asarray(dst), np.asarray(src).T)


@pytest.mark.parametrize("dst, src", [
    (np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:]), (np.s_[::-1], np.s_[:]), (np.s_[::2], np.s_[:5]),
], ids=str)
def test_overlap_reads_first(dst, src):
    array = numbers((10, 3))
    expected = array.copy()
    expected[dst] = array[src].copy()
    sv.copy(array[dst], array[src])
    assert np.array_equal(array, expected)


def test_square_transposed_onto_itself():
    array = numbers((50, 50))
    expected = array.T.copy()
    sv.copy(array, array.T)
    assert np.array_equal(array, expected)


def locked(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dst, src, error", [
    (locked(np.zeros((2, 3))), np.ones((2, 3)), ValueError),
    (OldExporter(np.zeros((2, 3))), np.ones((2, 3)), ValueError),
    (np.zeros((2, 3)), np.ones((2, 3), "f4"), TypeError),
    (np.zeros((2, 3)), np.ones((2, 4)), ValueError),
    (np.zeros((2, 3)), np.ones((3, 2)), ValueError),
    (np.zeros((2, 3)), np.ones((2, 2, 3)), ValueError),
    (np.lib.stride_tricks.as_strided(np.zeros(3), (2, 3), (0, 8)), np.ones((2, 3)), ValueError),
    (np.zeros((2, 3)), "text", TypeError),
    (None, np.ones((2, 3)), TypeError),
    (np.zeros((2, 3)), np.ones((2, 3), object), BufferError),
], ids=str)
def test_bad_pairs(dst, src, error, way):
    with pytest.raises(error) as caught:
        way(dst, src)
    assert str(caught.value)
    assert not isinstance(dst, np.ndarray) or not dst.any()


@pytest.mark.parametrize("call, error", [
    (lambda a: sv.copy(a), TypeError),
    (lambda a: sv.copy(a, a, None, None), TypeError),
    (lambda a: sv.copy(a, a, stream=-2), ValueError),
    (lambda a: sv.copy(sv.view(a), sv.view(a), stream=-1), ValueError),
    (lambda a: sv.copy(sv.view(a), sv.view(a), stream="1"), TypeError),
    (lambda a: sv.view(a).copy_from(), TypeError),
    (lambda a: sv.view(a).copy_to(a, nothing=1), TypeError),
])
def test_bad_arguments(call, error):
    with pytest.raises(error):
        call(np.zeros(3))


def test_keywords_and_answers():
    array = np.zeros(3)
    assert sv.copy(dst=array, src=np.ones(3), stream=None) is None
    assert sv.view(array).copy_from(other=np.full(3, 2.0), stream=7) is None
    assert array.tolist() == [2, 2, 2]


def test_any_producer():
    array = np.zeros(3)
    sv.copy(Exporter(array), OldExporter(np.arange(3.0)))
    assert array.tolist() == [0, 1, 2]


def test_torch():
    torch = need("torch")
    tensor = torch.zeros(4, 3)
    sv.copy(tensor, numbers((3, 4)).T)
    assert torch.equal(tensor, torch.from_numpy(numbers((3, 4))).T)


def test_nothing_leaks():
    dst, src = np.zeros((2, 3)), np.ones((2, 3))
    before = sys.getrefcount(dst), sys.getrefcount(src)
    for _ in range(50):
        sv.copy(dst, src)
        sv.view(dst).copy_from(src)
        sv.view(src).copy_to(dst)
        with pytest.raises(ValueError):
            sv.copy(dst, src.T)
        with pytest.raises(TypeError):
            sv.copy(dst, 3)
    assert (sys.getrefcount(dst), sys.getrefcount(src)) == before


def test_threads_copy_side_by_side():
    src = numbers((400, 300), float)
    targets = [np.zeros((300, 400)) for _ in range(4)]
    together(4, lambda number: sv.copy(targets[number], src.T))
    assert all(np.array_equal(dst, src.T) for dst in targets)


def test_plan_is_executed_with_other_arrays():
    first, second = numbers((30, 40), float), numbers((30, 40), float)[::-1].copy()
    dst = np.zeros((40, 30))
    plan = sv.Plan(dst, first.T)
    for src in (first, second):
        plan.execute(dst, src.T)
        assert np.array_equal(dst, src.T)
    assert plan.kind == "transpose" and plan.nbytes == dst.nbytes and plan.traffic == (9600, 9600)
    assert plan.launches == 0
    assert repr(plan).startswith("<strideview.Plan transpose by ")


def test_plan_converts():
    dst, src = np.zeros(5, "f4"), np.arange(5, dtype="u1")
    sv.Plan(dst, src, casting="same_kind").execute(dst, src)
    assert np.array_equal(dst, src)


@pytest.mark.parametrize("seed", range(20))
def test_plan_with_non_temporal_stores(seed):
    """The same elements, of any order of axes, steps and beginnings."""
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 70, random.integers(1, 4)))
    for dtype, target in (("u1", "u1"), ("f4", "f4"), ("i2", "f8"), ("c16", "c16")):
        wide = random.integers(0, 200, [2 * extent + 3 for extent in shape]).astype(dtype)
        src = wide[tuple(slice(random.integers(0, 3), None, random.choice([1, 2])) for _ in shape)]
        src = src[tuple(slice(extent) for extent in shape)].transpose(random.permutation(len(shape)))
        dst, usual = np.full(src.size + 16, 77, target), np.full(src.size + 16, 77, target)
        at = random.integers(0, 16)
        for array, options in (dst, {"non_temporal": True}), (usual, {}):
            part = array[at:at + src.size].reshape(src.shape)
            sv.Plan(part, src, casting="unsafe", **options).execute(part, src)
        assert np.array_equal(dst, usual) and np.array_equal(usual[at:at + src.size].reshape(src.shape), src)


def test_plan_tells_that_its_stores_are_non_temporal():
    dst, src = np.zeros(4096), np.ones(4096)
    plan = sv.Plan(dst, src, non_temporal=True)
    assert plan.kernel == "non-temporal" and "SV_COPY_NON_TEMPORAL" in plan.explain()
    assert sv.Plan(dst, src).kernel != "non-temporal"


def test_plan_refuses_other_arrays():
    dst, src = np.zeros((3, 4)), numbers((3, 4), float)
    plan = sv.Plan(dst, src)
    for wrong in (np.zeros((4, 3)), np.zeros((3, 4), "f4"), np.zeros((6, 4))[::2]):
        with pytest.raises((ValueError, TypeError)):
            plan.execute(wrong, src)
    dst.flags.writeable = False
    with pytest.raises(ValueError):
        plan.execute(dst, src)
    with pytest.raises((ValueError, TypeError)):
        sv.Plan(np.zeros(3, "f4"), np.zeros(3))
    with pytest.raises(TypeError):
        sv.Plan(dst)


@pytest.mark.parametrize("dst, src, said", [
    ((4, 3), (2, 3), "src (2, 3) does not broadcast to dst (4, 3)"), ((3,), (2, 3), "src (2, 3) does not broadcast to dst (3,)"),
    ((), (5,), "src (5,) does not broadcast to dst ()"), ((2, 0), (3,), "src (3,) does not broadcast to dst (2, 0)"),
    ((1,) * 32, (2,) * 32, "src (2, 2, 2"),
])
def test_shapes_that_do_not_meet_are_both_told(dst, src, said):
    target, source = np.zeros(dst), np.zeros((1,) * len(src))
    source = np.lib.stride_tricks.as_strided(source, src, (0,) * len(src))
    for way in [*WAYS, lambda dst, src: sv.copy(dst, src, scale=2), sv.Plan, sv.explain,
                lambda dst, src: sv.copy_batch([dst], [src]), lambda dst, src: sv.view(dst).__setitem__(..., src)]:
        with pytest.raises(ValueError) as caught:
            way(target, source)
        assert said in str(caught.value) and "broadcast to dst (" in str(caught.value)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
