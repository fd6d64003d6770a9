"""What memory costs in Python: each row beside what Python or NumPy has, in turns; medians.

    python memory.py
"""

import statistics
import timeit

import numpy as np

import strideview as sv

ROUNDS, CALLS = 401, 500
RESOURCE = sv.MemoryResource.host()
NAMES = {"sv": sv, "np": np, "resource": RESOURCE, "buffer": RESOURCE.allocate(4096), "lent": memoryview(bytearray(4096))}
ROWS = [  # ours, theirs, how many times as long ours may take
    ("sv.empty((64, 64))", "np.empty((64, 64))", 1.5),
    ("buffer[64:128]", "lent[64:128]", 1),
    ("resource.allocate(4096)", "bytearray(4096)", None),
]


def main():
    timers = {code: timeit.Timer(code, globals=NAMES) for row in ROWS for code in row[:2]}
    times = {code: [] for code in timers}
    for _ in range(ROUNDS):
        for code, timer in timers.items():
            times[code].append(timer.timeit(CALLS) / CALLS * 1e9)
    ns = {code: statistics.median(all_) for code, all_ in times.items()}
    print("| in Python | ns | beside | ns | ratio | target | |\n| --- | --: | --- | --: | --: | --: | --: |")
    for ours, theirs, most in ROWS:
        ratio = ns[ours] / ns[theirs]
        verdict = "" if most is None else "met" if ratio <= most else "**missed**"
        print(f"| `{ours}` | {ns[ours]:.0f} | `{theirs}` | {ns[theirs]:.0f} | {ratio:.2f} | {most or ''} | {verdict} |")


if __name__ == "__main__":
    main()
