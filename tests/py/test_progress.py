"""progress=: how far a copy is, who is told, and what it raises."""

import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import strideview as sv
from peers import need

LONG = 300 << 20  # bytes, of a copy that is made of pieces


@pytest.fixture(scope="module")
def arrays():
    return np.zeros(LONG, "u1"), np.ones(LONG, "u1")


WAYS = [lambda dst, src, **how: sv.copy(dst, src, **how), lambda dst, src, **how: sv.view(dst).copy_from(src, **how),
        lambda dst, src, **how: sv.view(src).copy_to(dst, **how),
        lambda dst, src, **how: sv.Plan(dst, src).execute(dst, src, **how)]


@pytest.mark.parametrize("way", range(4))
def test_progress_of_a_long_copy(arrays, way):
    dst, src = arrays
    dst[:] = 0
    told = []
    WAYS[way](dst, src, progress=lambda done, total: told.append((done, total)))
    assert len(told) >= 4 and told[-1] == (LONG, LONG) and {total for _, total in told} == {LONG}
    assert [done for done, _ in told] == sorted({done for done, _ in told}) and dst.min() == 1


def test_what_is_done_is_told(arrays):
    """When it is told, so many of the elements have arrived."""
    dst, src = arrays
    dst[:] = 0
    seen = []
    sv.copy(dst, src, progress=lambda done, total: seen.append((done, int(np.count_nonzero(dst)))))
    for done, there in seen:
        assert abs(done - there) <= 4096


def test_scaled_copies_tell_too():
    dst, src = np.zeros(LONG // 4, "f4"), np.ones(LONG // 4, "u1")
    told = []
    sv.copy(dst, src, scale=2, progress=lambda done, total: told.append((done, total)))
    assert len(told) >= 2 and told[-1] == (LONG, LONG) and dst[-1] == 2


@pytest.mark.parametrize("nbytes", [0, 1, 1000, 1 << 20])
def test_short_copies_tell_once(nbytes):
    dst, told = np.zeros(nbytes, "u1"), []
    for way in WAYS:
        way(dst, np.ones(nbytes, "u1"), progress=lambda *both: told.append(both))
    sv.copy(dst, np.ones(nbytes, "u1"), scale=2, progress=lambda *both: told.append(both))
    sv.copy(dst, np.ones(nbytes, "u1"), executor=ThreadPoolExecutor(2), threads=2, progress=lambda *both: told.append(both))
    assert told == [(nbytes, nbytes)] * 6


def test_executors_tell(arrays):
    dst, src = arrays
    dst[:] = 0
    told = []
    with ThreadPoolExecutor(2) as executor:
        sv.copy(dst, src, executor=executor, threads=2, progress=lambda done, total: told.append(done))
    assert told == sorted(told) and told[-1] == LONG and dst.min() == 1


@pytest.mark.parametrize("executor", [None, 2])
def test_what_it_raises_ends_the_copy(arrays, executor):
    dst, src = arrays
    dst[:] = 0

    def stop(done, total):
        raise InterruptedError(f"at {done} of {total}")

    how = {} if executor is None else {"executor": ThreadPoolExecutor(2), "threads": 2}
    with pytest.raises(InterruptedError, match=f"of {LONG}"):
        sv.copy(dst, src, progress=stop, **how)
    if executor is None:
        assert 0 < np.count_nonzero(dst) < LONG
    with pytest.raises(InterruptedError, match="at 4 of 4"):
        sv.copy(np.zeros(4, "u1"), np.zeros(4, "u1"), progress=stop)


class Bar:
    """As tqdm's."""

    def __init__(self):
        self.n, self.calls = 0, 0

    def update(self, n=1):
        self.n += n
        self.calls += 1


def test_functions_of_one_argument_get_what_is_new(arrays):
    bar = Bar()
    sv.copy(*arrays, progress=bar.update)
    assert bar.n == LONG and bar.calls >= 4
    steps = []
    sv.copy(*arrays, progress=steps.append)
    assert sum(steps) == LONG
    both = []
    sv.copy(np.zeros(3, "u1"), np.zeros(3, "u1"), progress=functools.partial(lambda name, done, total: both.append(
        (name, done, total)), "x"))
    assert both == [("x", 3, 3)]


def test_tqdm(arrays):
    tqdm = need("tqdm")
    with tqdm.tqdm(total=LONG, unit="B", unit_scale=True, disable=None, file=open("/dev/null", "w")) as bar:
        sv.copy(*arrays, progress=bar.update)
        assert bar.disable or bar.n == LONG


@pytest.mark.parametrize("bad", [3, "x", [print]])
def test_refused(bad):
    dst = np.zeros(3)
    for way in WAYS:
        with pytest.raises(TypeError, match="progress must be a callable or None"):
            way(dst, np.ones(3), progress=bad)
    assert not dst.any()
    with pytest.raises(TypeError, match="unexpected keyword argument 'progress'"):
        sv.copy_batch([dst], [dst], progress=print)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
