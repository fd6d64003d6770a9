"""Ctrl-C and other threads during long calls: who waits, and for how long."""

import subprocess
import sys
import textwrap
import threading
import time

import pytest

import strideview as sv

# Which of 60 even steps add up to the same takes more than 10**9 steps to find out, which is minutes.
HARD = sv.StridedLayout.from_byte_strides((2,) * 60, [2**55 + 2 * (3 ** (40 + i) % 2**54) for i in range(60)], 2)


def others_run(call):
    """How often another thread got its turn during a call, which takes long."""
    turns, done = 0, threading.Event()

    def count():
        nonlocal turns
        while not done.is_set():
            time.sleep(0.002)
            turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    try:
        turns = 0
        call()
        return turns
    finally:
        done.set()
        counter.join()


def refused(call):
    with pytest.raises(sv.TooHardError):
        call()


QUESTIONS = {
    "is_unique": lambda work: sv.is_unique(HARD, work=work),
    "overlaps": lambda work: HARD.overlaps(HARD, other_address=1 << 20 | 2, work=work),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_hard_questions_let_other_threads_run(question):
    assert others_run(lambda: refused(lambda: QUESTIONS[question](10_000_000))) >= 10


def test_dlpack_copies_let_other_threads_run():
    view = sv.empty((6000, 6000)).T
    assert others_run(lambda: [view.__dlpack__(copy=True, max_version=(1, 3)) for _ in range(3)]) >= 10


# --- Ctrl-C ------------------------------------------------------------------

def interrupted(code, after=0.2, timeout=60):
    """Runs code in a process that gets SIGINT after so many seconds. What it printed."""
    script = f"""
import signal
import time

signal.signal(signal.SIGALRM, signal.default_int_handler)


def interrupt():
    signal.setitimer(signal.ITIMER_REAL, {after})


{textwrap.dedent(code)}
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_hard_questions_are_interrupted():
    told = interrupted("""
        import strideview as sv

        hard = sv.StridedLayout.from_byte_strides((2,) * 60, [2**55 + 2 * (3 ** (40 + i) % 2**54) for i in range(60)], 2)
        interrupt()
        try:
            sv.is_unique(hard, work=10**9)
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert told == ["interrupted"]


# What takes long, of 320 MiB that begin as zeros and end as ones.
LONG = {
    "copy": "sv.copy(dst, one)",
    "transpose": "sv.copy(dst, np.ones((10240, 8192), 'f4').T)",
    "conversion": "sv.copy(dst, one.astype('u1'), casting='unsafe')",
    "copy_from": "sv.view(dst).copy_from(one)",
    "fill": "sv.fill(dst, 1)",
    "view.fill": "sv.view(dst).fill(1)",
    "plan": "plan.execute(dst, one)",
    "executor of one thread": "sv.copy(dst, one, executor=pool, threads=1)",
    "executor": "sv.copy(dst, one, executor=pool, threads=2)",
}
SETTING = """
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    import strideview as sv

    dst, one, pool = np.zeros((8192, 10240), "f4"), np.ones((), "f4"), ThreadPoolExecutor(2)
    plan = sv.Plan(dst, one)
    seen = set()


    def look(*_):
        seen.add((float(dst[0, 0]), float(dst[-1, -1])))
        if stop and dst[0, 0]:
            raise KeyboardInterrupt


    def run(call):
        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
"""


@pytest.mark.parametrize("way", LONG)
def test_long_copies_look_at_signals(way):
    """A handler runs when the first element is written and the last is not. Then the copy goes on, or, where the handler
    raises, ends: part of the destination is written, and nobody writes the rest later."""
    told = interrupted(textwrap.dedent(SETTING) + textwrap.dedent(f"""
        stop = False
        run(lambda: {LONG[way]})
        print((1.0, 0.0) in seen, bool((dst == 1).all()))
        dst, stop = np.zeros_like(dst), True  # fresh pages take longer
        try:
            run(lambda: {LONG[way]})
        except KeyboardInterrupt:
            print("interrupted")
        written = int((dst == 1).sum())
        pool.shutdown()
        print(0 < written, written < dst.size, written == int((dst == 1).sum()))
    """))
    assert told[:4] == ["True", "True", "interrupted", "True"] and told[5] == "True"
    assert told[4] == "True" or way == "executor"  # whose threads may have begun all there is


if __name__ == "__main__":
    import tap
    tap.main(__file__)
