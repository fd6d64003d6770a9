"""Races between functions that copy: in turns, there and back, and again where another program was in the way.

Needs nothing but Python, so that it runs where nothing else is installed.
"""

import contextlib
import statistics
import time
import timeit
from pathlib import Path

OURS = "libsv"
BATCH = 2e-3  # seconds that short copies are repeated for, after a run that is not timed
IDLE = 5e-5  # seconds that sleeping threads may take in a millisecond
LOST, TRIES = 0.02, 5  # what part of a batch a thread may have waited for a processor; longer: once more
CLOSE = 0.08
SLOW, SLOW_ROUNDS = 0.15, 3  # a copy of more seconds runs in so many rounds only


def seconds_of(run):
    once = timeit.timeit(run, number=1)
    if once >= BATCH:
        return once
    calls = max(1, int(BATCH / (once + 1e-7)))
    return timeit.timeit(run, number=calls) / calls


def wait_for_other_threads():
    """OpenMP's threads wait for work at full speed, for milliseconds: who comes next would have a processor less."""
    after = time.process_time() - time.thread_time()
    while True:
        before = after
        time.sleep(1e-3)
        after = time.process_time() - time.thread_time()
        if after - before < IDLE:
            return


def waited():
    """Seconds that this process' threads had to wait since they began, because others had the processors; 0 where the
    system does not tell."""
    total = 0
    for thread in Path("/proc/self/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # a thread that has ended
            total += int(thread.read_text().split()[1])
    return total * 1e-9


def undisturbed(run):
    """seconds_of(), again where another program wanted a processor: by two threads 10 us become milliseconds."""
    for _ in range(TRIES):
        wait_for_other_threads()
        before, begin = waited(), time.perf_counter()
        seconds = seconds_of(run)
        if waited() - before <= LOST * (time.perf_counter() - begin):
            break
    return seconds


def race(runs, rounds, times, clock=undisturbed):
    """Append the seconds of each run in each round, by this clock, in turns, there and back."""
    for k in range(rounds):
        for name in list(runs) if k % 2 == 0 else reversed(runs):
            if len(times[name]) < SLOW_ROUNDS or times[name][-1] < SLOW:
                times[name].append(clock(runs[name]))


def ratios(times):
    """How many times longer each takes than libsv, round by round."""
    return {name: sorted(a / b for a, b in zip(of, times[OURS])) for name, of in times.items() if name != OURS}


def ahead(times):
    return {name: statistics.median(of) for name, of in ratios(times).items()}


def is_close(times, apart=()):
    """So near a peer, or in some rounds behind it, in others ahead, that more rounds are to tell who is first.
    Those apart are no peers."""
    return any(of[0] < 1 + CLOSE and of[-1] > 1 - CLOSE for name, of in ratios(times).items() if name not in apart)
