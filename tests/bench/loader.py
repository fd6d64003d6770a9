"""The loop of a data loader: a batch of pictures, bytes in rows of pixels, becomes planes of float32, which are used once
and dropped while the next ones are made. Time and page faults of a batch, each in a new array or in arrays that are kept.

    python loader.py [BATCHES]
"""

import collections
import functools
import resource
import statistics
import sys
import time

import numpy as np

import strideview as sv

IMAGES, SIDE = 64, 224
AHEAD = 2  # batches that are ready before they are used
ROUNDS = 5


def ways(images=IMAGES):
    """{name: a function that makes a batch}."""
    pictures = np.random.default_rng(1).integers(0, 256, (images, SIDE, SIDE, 3), np.uint8)
    planes = pictures.transpose(0, 3, 1, 2)
    kept = collections.deque(np.empty(planes.shape, np.float32) for _ in range(AHEAD + 1))

    def kept_by(copy):
        kept.rotate()
        copy(kept[0], planes)
        return kept[0]

    return {
        "libsv, new arrays": lambda: np.asarray(sv.view(planes).astype("float32")),
        "NumPy, new arrays": lambda: planes.astype(np.float32, order="C"),
        "libsv, arrays that are kept": lambda: kept_by(functools.partial(sv.copy, casting="same_kind")),
        "NumPy, arrays that are kept": lambda: kept_by(np.copyto),
    }


def measure(way, batches):
    """Seconds and page faults of a batch."""
    ready = collections.deque(way() for _ in range(AHEAD))
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    begin = time.perf_counter()
    for _ in range(batches):
        ready.append(way())
        ready.popleft()[:, :, 0, 0].sum()  # hardly any use: what the arrays cost by themselves
    seconds = time.perf_counter() - begin
    return seconds / batches, (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults) / batches


def main():
    batches = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    found = ways()
    results = {name: [] for name in found}
    for _ in range(ROUNDS):
        for name, way in found.items():
            results[name].append(measure(way, batches))
    nbytes = IMAGES * 3 * SIDE * SIDE * 4
    print(f"| a batch of {IMAGES} pictures, {nbytes / 1e6:.1f} MB | ms | page faults |\n| --- | --: | --: |")
    for name, rounds in results.items():
        seconds, faults = (statistics.median(column) for column in zip(*rounds))
        print(f"| {name} | {seconds * 1e3:.1f} | {faults:.0f} |")


if __name__ == "__main__":
    main()
