"""Rounds of random tests. What is random in a round comes from SV_TEST_SEED and the number of the round alone.

With SV_TEST_ROUND=N random tests go through that round alone. When one fails, tests/py/tap.py tells which round it was.
SV_TEST_SCALE=full gives them ten times as long, long a thousand times.
"""

import itertools
import os
import time

LEAST = 10
SCALE = {"": 1, "full": 10, "long": 1000}[os.environ.get("SV_TEST_SCALE", "")]
SEED = int(os.environ.get("SV_TEST_SEED", "0"))
ALONE = int(os.environ["SV_TEST_ROUND"]) if os.environ.get("SV_TEST_ROUND") else None

running = None  # the round that runs, for reports


def seed_of(number, *more):
    """What random.Random() is given in a round; more tells apart what has the same rounds."""
    return " ".join(map(str, (SEED, number, *more)))


def chosen(numbers):
    """Those of the numbers that are to be run."""
    global running
    for running in numbers if ALONE is None else [ALONE]:
        yield running
    running = None


def rounds_within(seconds, first=0, step=1):
    """first, first + step and so on until so much time of the processor is spent, but at least ten."""
    def numbers():
        end = time.process_time() + seconds * SCALE
        for number in itertools.count():
            if number >= LEAST and time.process_time() > end:
                return
            yield first + number * step
    if ALONE is None or (ALONE - first) % step == 0:
        yield from chosen(numbers())


def rounds_of(count):
    """0 to count - 1"""
    return chosen(range(count))


def are_enough(found, wanted):
    """Whether more than wanted were found of what rounds look for; one round alone need not find any."""
    return ALONE is not None or found > wanted
