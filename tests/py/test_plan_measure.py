"""Plans that are measured when they are made: Plan(dst, src, measure=True)."""

import numpy as np
import pytest

import strideview as sv

CASES = {
    "run": (lambda: np.zeros(1000, "u1"), lambda: np.arange(1000).astype("u1")),
    "transpose": (lambda: np.zeros((201, 199), "i2"), lambda: np.arange(201 * 199).astype("i2").reshape(199, 201).T),
    "reversed": (lambda: np.zeros(3000, "f4"), lambda: np.arange(3000, dtype="f4")[::-1]),
    "planes": (lambda: np.zeros((3, 40, 50), "u1"),
               lambda: np.arange(6000).astype("u1").reshape(40, 50, 3).transpose(2, 0, 1)),
    "empty": (lambda: np.zeros((0, 3)), lambda: np.zeros((0, 3))),
    "one": (lambda: np.zeros(()), lambda: np.array(7.0)),
}


@pytest.mark.parametrize("measure", [True, 0.01, np.float32(0.01), 1e-12, float("inf")])
@pytest.mark.parametrize("name", CASES)
def test_copies_and_executes(name, measure):
    dst, src = (make() for make in CASES[name])
    plan = sv.Plan(dst, src, measure=measure)
    assert np.array_equal(dst, src)
    assert (", kept" in plan.explain()) == (dst.size > 0)
    dst[...] = 0
    plan.execute(dst, src)
    assert np.array_equal(dst, src)


@pytest.mark.parametrize("measure", [False, 0, 0.0])
def test_is_not_measured(measure):
    dst, src = np.zeros(100), np.ones(100)
    plan = sv.Plan(dst, src, measure=measure)
    assert not dst.any()
    assert "measured" not in plan.explain()


@pytest.mark.parametrize("skew", [1, 2, 8, 33, 63])
def test_other_alignments(skew):
    def aligned(skew):
        memory = np.zeros(64 * 66 * 4 + 128, "u1")
        start = -memory.ctypes.data % 64 + skew
        return memory[start : start + 64 * 66 * 4].view("f4").reshape(64, 66)

    dst, src = aligned(0), aligned(0).reshape(66, 64).T
    plan = sv.Plan(dst, src, measure=0.05)
    there, here = aligned(skew), aligned(64 - skew).reshape(66, 64).T
    here[...] = np.arange(64 * 66).reshape(64, 66)
    plan.execute(there, here)
    assert np.array_equal(there, here)


def test_conversions():
    dst, src = np.zeros((90, 91)), np.arange(90 * 91, dtype="f4").reshape(91, 90).T
    plan = sv.Plan(dst, src, casting="safe", measure=0.05)
    assert np.array_equal(dst, src)
    dst[...] = 0
    plan.execute(dst, src)
    assert np.array_equal(dst, src)


def test_threads_keep_the_loop():
    from concurrent.futures import ThreadPoolExecutor

    dst, src = np.zeros((700, 600), "f4"), np.arange(420000, dtype="f4").reshape(600, 700).T
    plan = sv.Plan(dst, src, measure=0.1)
    dst[...] = 0
    with ThreadPoolExecutor(2) as executor:
        plan.execute(dst, src, executor=executor, threads=2)
    assert np.array_equal(dst, src)


def test_refusals():
    memory = np.arange(100.0)
    for measure in (-1, -0.5, float("nan")):
        with pytest.raises(ValueError, match="measure="):
            sv.Plan(np.zeros(3), np.ones(3), measure=measure)
    for measure in ("yes", [], None):
        with pytest.raises(TypeError):
            sv.Plan(np.zeros(3), np.ones(3), measure=measure)
    with pytest.raises((ValueError, BufferError), match="share bytes"):
        sv.Plan(memory[1:], memory[:-1], measure=True)
    assert np.array_equal(memory, np.arange(100.0))
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    with pytest.raises((ValueError, BufferError), match="read-only"):
        sv.Plan(fixed, np.ones(3), measure=True)
    assert not fixed.any()
