"""copy(executor=, threads=) and copy_batch(): who does the work, and what goes wrong with it."""

import ctypes
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

import numpy as np
import pytest

import strideview as sv
from peers import numbers

SHAPE = (2000, 1200)  # float64: 19 MB, for which an executor is asked at once


class Executor:
    """Calls what it is given by function(task, indices), and remembers the indices."""

    def __init__(self, function):
        self.function, self.indices, self.task = function, None, None

    def map(self, task, indices):
        self.indices, self.task = list(indices), task
        return self.function(task, self.indices)


def in_order(task, indices):
    return map(task, indices)


def sides():
    return np.zeros(SHAPE), numbers(SHAPE[::-1], float).T


def by_plan(dst, src, **threads):
    sv.Plan(dst, src).execute(dst, src, **threads)


def by_copy_from(dst, src, **threads):
    sv.view(dst).copy_from(src, **threads)


def by_copy_to(dst, src, **threads):
    sv.view(src).copy_to(dst, **threads)


WAYS = [sv.copy, by_plan, by_copy_from, by_copy_to]


TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
PARALLEL = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, TASK, ctypes.c_void_p)


def capsule(function, context, name=b"sv_parallel_callback"):
    """The function, and what keeps it."""
    api, parallel = ctypes.pythonapi, PARALLEL(function)
    api.PyCapsule_New.restype, api.PyCapsule_New.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    api.PyCapsule_SetContext.argtypes = ctypes.py_object, ctypes.c_void_p
    made = api.PyCapsule_New(ctypes.cast(parallel, ctypes.c_void_p), name, None)
    api.PyCapsule_SetContext(made, context)
    return made, (parallel, name)


# --- an executor's threads ------------------------------------------------------

@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ThreadPool])
def test_elements_arrive(way, pool):
    dst, src = sides()
    with pool(2) as executor:
        way(dst, src, executor=executor, threads=2)
    assert np.array_equal(dst, src)


def test_tasks_are_shared():
    """By two threads of the executor, while the calling thread waits for its map()."""
    dst, src = sides()
    seen = set()

    def remembering(task, indices):
        def one(index):
            barrier.wait(20)  # so that none does all
            seen.add(threading.get_ident())
            return task(index)

        barrier = threading.Barrier(2)
        with ThreadPoolExecutor(2) as executor:
            return list(executor.map(one, indices))

    executor = Executor(remembering)
    sv.copy(dst, src, executor=executor, threads=2)
    assert len(seen) == 2 and threading.get_ident() not in seen
    assert executor.indices == [0, 1] and np.array_equal(dst, src)


@pytest.mark.parametrize("work", [
    lambda task, indices: [],
    in_order,  # nobody asks for what it would do
    lambda task, indices: list(map(task, indices)),
    lambda task, indices: [task(0)],
    lambda task, indices: [task(i) for i in [0, 0, 99, -1, *indices]],
], ids=["nobody comes", "lazily", "at once", "one comes", "more come"])
@pytest.mark.parametrize("way", WAYS)
def test_the_calling_thread_does_what_nobody_does(way, work):
    dst, src = sides()
    way(dst, src, executor=Executor(work), threads=2)
    assert np.array_equal(dst, src)


def test_a_busy_executor_is_not_waited_for():
    dst, src = sides()
    done = threading.Event()
    with ThreadPoolExecutor(1) as executor:
        executor.submit(done.wait, 60)
        sv.copy(dst, src, executor=executor, threads=2)
        assert np.array_equal(dst, src) and not done.is_set()
        dst[:] = -1
        done.set()
    assert (dst == -1).all()  # what was asked for found nothing to do


@pytest.mark.parametrize("shape, threads, asked", [
    ((2000, 1200), 1, None), ((2000, 1200), 2, 2), ((2000, 1200), 3, 3), ((2000, 1200), 10**6, 1024),
    ((2000, 1200), None, 1024),
    ((40, 50), 8, None), ((300, 100), 8, None),  # done before anybody could come
])
def test_how_many_are_asked(shape, threads, asked):
    """float64 of 19 MB takes long enough to ask at once."""
    dst, src, executor = np.zeros(shape), numbers(shape[::-1], float).T, Executor(in_order)
    sv.copy(dst, src, executor=executor, threads=threads)
    assert np.array_equal(dst, src)
    assert (executor.indices is None) == (asked is None) and len(executor.indices or []) <= (asked or 0)


def test_conversions_are_shared():
    src = numbers(SHAPE, "i4")
    dst, executor = np.zeros(SHAPE, "f8"), Executor(in_order)
    sv.copy(dst, src, casting="same_kind", executor=executor, threads=2)
    assert np.array_equal(dst, src) and executor.indices == [0, 1]


def test_lines_count():
    """One byte of each line is split as all bytes are."""
    src, dst, tasks = np.ones((20000, 64), "i1")[:, 5], np.zeros(20000, "i1"), []

    def run(ctx, count, task, task_ctx):
        tasks.append(count)
        for index in range(count):
            task(task_ctx, index)
        return 0

    executor, _kept = capsule(run, None)
    sv.copy(dst, src, executor=executor, threads=2)
    assert dst.all() and tasks == [4]


@pytest.mark.parametrize("dst, src", [
    (np.zeros(100), np.ones(100)),
    (np.zeros((0, 5)), np.ones((0, 5))),
    ((a := numbers(400000, float))[1:], a[:-1]),  # overlap
])
def test_others_are_not(dst, src):
    expected, executor = src.copy(), Executor(in_order)
    sv.copy(dst, src, executor=executor, threads=4)
    assert np.array_equal(dst, expected) and executor.indices is None


@pytest.mark.parametrize("options, error", [
    ({"threads": 2}, ValueError),
    ({"executor": Executor(in_order), "threads": 0}, ValueError),
    ({"executor": Executor(in_order), "threads": -1}, ValueError),
    ({"executor": Executor(in_order), "threads": 2**31}, ValueError),
    ({"executor": Executor(in_order), "threads": 2**70}, OverflowError),
    ({"executor": Executor(in_order), "threads": "2"}, TypeError),
    ({"executor": 3, "threads": 2}, AttributeError),
    ({"executor": Executor(lambda task, indices: 7), "threads": 2}, TypeError),
    ({"executor": Executor(lambda task, indices: [1 // 0]), "threads": 2}, ZeroDivisionError),
    ({"executor": Executor(lambda task, indices: [task("a")]), "threads": 2}, TypeError),
    ({"executor": Executor(lambda task, indices: [task(0, 1)]), "threads": 2}, TypeError),
])
@pytest.mark.parametrize("way", WAYS)
def test_bad_executors(way, options, error):
    dst, src = sides()
    with pytest.raises(error):
        way(dst, src, **options)


@pytest.mark.parametrize("executor, error", [
    ("x", AttributeError), (3, AttributeError), (type("Odd", (), {"map": 3})(), TypeError),
    (capsule(lambda ctx, count, task, task_ctx: 0, None, b"another")[0], AttributeError),
], ids=["text", "number", "map that is none", "another capsule"])
@pytest.mark.parametrize("way", WAYS)
def test_bad_executors_are_refused_for_small_copies_too(way, executor, error):
    with pytest.raises(error, match="map"):
        way(np.zeros(3), np.ones(3), executor=executor)


def test_tasks_do_not_go_to_other_processes():
    dst, src = sides()
    with pytest.raises(TypeError, match="pickle"):
        sv.copy(dst, src, executor=Executor(lambda task, indices: [pickle.dumps(task)]), threads=2)


def test_an_exception_waits_for_tasks_that_run():
    dst, src = sides()
    begun = threading.Event()
    threads = []

    def interrupted(task, indices):
        def one():
            begun.set()
            for index in indices:
                task(index)

        threads.append(threading.Thread(target=one))
        threads[0].start()
        begun.wait(20)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sv.copy(dst, src, executor=Executor(interrupted), threads=2)
    dst[:] = -1  # nobody may write here any more
    threads[0].join(20)
    assert (dst == -1).all()


def test_tasks_end_with_the_copy():
    dst, src = sides()
    executor = Executor(in_order)
    sv.copy(dst, src, executor=executor, threads=2)
    dst[:] = -1
    assert executor.task(0) is None
    assert (dst == -1).all()
    with pytest.raises(TypeError):
        type(executor.task)()


def test_nothing_leaks():
    dst, src = sides()
    executor = Executor(in_order)
    before = [sys.getrefcount(x) for x in (dst, src, executor)]
    for _ in range(10):
        sv.copy(dst, src, executor=executor, threads=2)
        with pytest.raises(TypeError):
            sv.copy(dst, src, executor=Executor(lambda task, indices: 7), threads=2)
    executor.task = None
    assert [sys.getrefcount(x) for x in (dst, src, executor)] == before


def test_many_copies_by_one_pool():
    src = numbers(SHAPE[::-1], float).T
    targets = [np.zeros(SHAPE) for _ in range(3)]
    with ThreadPoolExecutor(2) as executor:
        copiers = [threading.Thread(target=sv.copy, args=(dst, src), kwargs={"executor": executor, "threads": 2}) for dst in targets]
        for copier in copiers:
            copier.start()
        for copier in copiers:
            copier.join(60)
    assert all(np.array_equal(dst, src) for dst in targets)


# --- a parallel-for in C ----------------------------------------------------------

@pytest.mark.parametrize("way", WAYS)
def test_functions_of_c(way):
    dst, src = sides()
    seen = []

    def backwards(ctx, count, task, task_ctx):
        seen.append((ctx, count))
        for index in reversed(range(count)):
            task(task_ctx, index)
        return 0

    executor, _kept = capsule(backwards, 77)
    way(dst, src, executor=executor, threads=2)
    assert np.array_equal(dst, src) and seen == [(77, 8)]


def test_functions_of_c_fail():
    dst, src = sides()
    executor, _kept = capsule(lambda ctx, count, task, task_ctx: 0, None)
    with pytest.raises(RuntimeError, match="0 tasks of 8"):
        sv.copy(dst, src, executor=executor, threads=2)
    executor, _kept = capsule(lambda ctx, count, task, task_ctx: 0, None, b"another")
    with pytest.raises(AttributeError, match="map"):
        sv.copy(dst, src, executor=executor, threads=2)


# --- many copies in a call ------------------------------------------------------

BATCHES = {
    "none": [],
    "one": [(np.zeros(3), np.arange(3.0))],
    "alike": [(np.zeros((4, 3)), numbers((3, 4), float).T) for _ in range(5)],
    "different": [(np.zeros(3), np.arange(3.0)), (np.zeros((2, 2), "i1"), np.ones((2, 2), "i1")), (np.zeros(()), np.ones(1)[0, ...])],
    "large": [(np.zeros((200, 300)), numbers((300, 200), float).T) for _ in range(2)],
}


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("kind", [list, tuple, iter])
def test_batches(batch, kind):
    pairs = [(dst.copy(), src) for dst, src in BATCHES[batch]]
    assert sv.copy_batch(kind([dst for dst, _ in pairs]), kind([src for _, src in pairs])) is None
    assert all(np.array_equal(dst, src) for dst, src in pairs)


def test_batches_go_in_order():
    """Between arrays of the CPU."""
    a, b, c = np.arange(3), np.zeros(3, int), np.zeros(3, int)
    sv.copy_batch([b, c], [a, b])
    assert c.tolist() == [0, 1, 2]
    for _ in range(100):
        b[:], c[:] = 0, 0
        sv.Plan(b, a).execute_batch([b, c, a], [a, b, c])
        assert a.tolist() == b.tolist() == c.tolist() == [0, 1, 2]


@pytest.mark.parametrize("function", [sv.copy_batch, sv.Plan.execute_batch])
def test_what_is_said_of_the_order(function):
    """What the header says, too; that devices keep none is tested on the fake runtime."""
    text = " ".join(function.__doc__.split())
    assert "for each i: in this order between arrays of the CPU, else in any order" in text


def test_batches_convert():
    dst = [np.zeros(3, "f4"), np.zeros(2, "u1")]
    sv.copy_batch(dst, [np.arange(3), np.array([1.5, 2.5])], casting="unsafe")
    assert dst[0].tolist() == [0, 1, 2] and dst[1].tolist() == [1, 2]
    sv.copy_batch(dst[:1], [np.arange(3, dtype=">f4").view("<f4")], byteswap=True)
    assert dst[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("dst, src, error, text", [
    ([np.zeros(3)], [], ValueError, "1 destinations for 0 sources"),
    ([np.zeros(3)], [np.zeros(3), np.zeros(3)], ValueError, "1 destinations for 2 sources"),
    ([np.zeros(3), np.zeros(3)], [np.ones(3), np.ones(4)], ValueError, "place 1: "),
    ([np.zeros(3), np.zeros(3)], [np.ones(3), np.ones(3, "f4")], TypeError, "place 1: "),
    ([np.zeros(3), np.zeros(3)], [np.ones(3), 3], TypeError, "int"),
    ([np.zeros(3), None], [np.ones(3), np.ones(3)], TypeError, "None is no array"),
    (3, [np.ones(3)], TypeError, "not iterable"),
    ([np.zeros(3)], None, TypeError, "not iterable"),
])
def test_bad_batches(dst, src, error, text):
    with pytest.raises(error, match=text):
        sv.copy_batch(dst, src)
    assert not isinstance(dst, list) or (dst[0] == 0).all()


@pytest.mark.parametrize("call", [
    lambda a: sv.copy_batch([a]),
    lambda a: sv.copy_batch([a], [a], None, "no"),
    lambda a: sv.copy_batch([a], [a], executor=None),
])
def test_bad_arguments_of_batches(call):
    with pytest.raises(TypeError):
        call(np.zeros(3))


def test_batches_of_a_plan():
    dst, src = np.zeros((5, 4, 3)), numbers((5, 3, 4), float)
    plan = sv.Plan(dst[0], src[0].T)
    assert plan.execute_batch(dst, [rows.T for rows in src]) is None
    assert np.array_equal(dst, src.transpose(0, 2, 1))
    plan.execute_batch([], ())
    plan.execute_batch(dst=iter(dst[:1]), src=[src[1].T], stream=None)
    assert np.array_equal(dst[0], src[1].T)


@pytest.mark.parametrize("dst, src, error, text", [
    ([np.zeros(3), np.zeros(4)], [np.ones(3), np.ones(4)], ValueError, "place 1: dst has another layout"),
    ([np.zeros(3), np.zeros(3)], [np.ones(3), np.ones(6)[::2]], ValueError, "place 1: src has another layout"),
    ([np.zeros(3), np.zeros(3)], [np.ones(3), np.ones(3, int)], TypeError, "place 1: src has another dtype"),
    ([np.zeros(3), b"x" * 24], [np.ones(3), np.ones(3)], TypeError, "place 1: dst has another dtype"),
    ([np.zeros(3)], [np.ones(3), np.ones(3)], ValueError, "1 destinations for 2 sources"),
    ([np.zeros(3)], [3], TypeError, "int"),
    (None, [np.ones(3)], TypeError, "not iterable"),
])
def test_bad_batches_of_a_plan(dst, src, error, text):
    with pytest.raises(error, match=text):
        sv.Plan(np.zeros(3), np.ones(3)).execute_batch(dst, src)
    assert dst is None or (dst[0] == 0).all()


def test_bad_arguments_of_a_plans_batches():
    plan = sv.Plan(np.zeros(3), np.ones(3))
    for keywords in ({"executor": None}, {"casting": "no"}, {"stream": -1}, {"stream": "a"}):
        with pytest.raises((TypeError, ValueError)):
            plan.execute_batch([], [], **keywords)


def test_batches_leak_nothing():
    dst, src = np.zeros(3), np.ones(3)
    before = sys.getrefcount(dst), sys.getrefcount(src)
    plan = sv.Plan(dst, src)
    for _ in range(50):
        sv.copy_batch([dst, dst], [src, src])
        plan.execute_batch([dst, sv.view(dst)], [src, sv.view(src)])
        with pytest.raises(ValueError):
            plan.execute_batch([dst, dst], [src, np.ones(4)])
        with pytest.raises(ValueError):
            sv.copy_batch([dst, dst], [src, np.ones(4)])
        with pytest.raises(TypeError):
            sv.copy_batch([dst, dst], [src, 3])
    assert (sys.getrefcount(dst), sys.getrefcount(src)) == before


if __name__ == "__main__":
    import tap
    tap.main(__file__)
