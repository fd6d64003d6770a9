"""How long random tests go on, and where they begin.

SV_TEST_SCALE=full gives them ten times as long, long a thousand times. SV_TEST_SEED=N is where they begin; tests/py/tap.py
tells it.
"""

import itertools
import os
import time

LEAST = 10
SCALE = {"": 1, "full": 10, "long": 1000}[os.environ.get("SV_TEST_SCALE", "")]
SEED = int(os.environ.get("SV_TEST_SEED", "1"))


def seeds(seconds, first=SEED, step=1):
    """first, first + step and so on until so much time of the processor is spent, but at least ten."""
    end = time.process_time() + seconds * SCALE
    for number in itertools.count():
        if number >= LEAST and time.process_time() > end:
            return
        yield first + number * step
