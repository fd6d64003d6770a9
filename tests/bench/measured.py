"""What measuring a plan gains: random copies, alternately by a plan and by a measured plan.

    python measured.py [--seed N] [--count N] [--least BYTES] [--most BYTES] [--conversions SHARE] [--rounds N]

Prints each copy for which measuring kept another loop than the chosen one, and a summary of all copies by size.
"""

import argparse
import math
import re
import statistics
import tempfile
from pathlib import Path

import copy_race
import copy_random
import strideview as sv
from copy_sides import Sides, read_cases

SIZES = (1 << 20, 8 << 20, math.inf)  # bytes of a copy: upper ends of the summary's rows
TIMED = re.compile(r"^   (\S+) +(?:[\d.]+ ns|not timed)(, as [\w ]+)?(, chosen without measuring)?(, kept)?$", re.M)


def cases_of(lines):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.txt"
        path.write_text("\n".join(lines) + "\n")
        return read_cases(path)


def measure(case, rounds, limit=True):
    """A copy by both plans. ratio: plain / measured, the median of the rounds."""
    sides = Sides(case)
    dst, src = sv.view(sides.dst), sv.view(sides.src)
    how = {"casting": "unsafe"} if sides.converts else {}
    plans = {"plain": sv.Plan(dst, src, **how), "measured": sv.Plan(dst, src, measure=limit, **how)}
    times = {name: [] for name in plans}
    copy_race.race({name: lambda plan=plan: plan.execute(dst, src) for name, plan in plans.items()}, rounds, times)
    loops = TIMED.findall(plans["measured"].explain())
    kept = next(k for k, loop in enumerate(loops) if loop[3])
    return {"name": case["name"], "nbytes": sides.nbytes, "loops": len(loops), "replaced": kept > 0,
            "change": f"{loops[0][0]} -> {loops[kept][0]}{loops[kept][1]}",
            **{name: statistics.median(of) for name, of in times.items()},
            "ratio": statistics.median(a / b for a, b in zip(times["plain"], times["measured"]))}


def mean(rows):
    """Geometric."""
    return math.exp(statistics.mean(math.log(row["ratio"]) for row in rows)) if rows else math.nan


def summary(rows):
    replaced = [row for row in rows if row["replaced"]]
    clear = sum(row["ratio"] > 1.1 for row in rows)
    return (f"{len(rows)} copies, {len(replaced)} by another loop; plain / measured: {mean(rows):.3f}, of the replaced "
            f"{mean(replaced):.2f}, above 1.1 {clear}, least "
            f"{min((row['ratio'] for row in rows), default=math.nan):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--least", type=int, default=30000, help="bytes of a copy")
    parser.add_argument("--most", type=int, default=1 << 25)
    parser.add_argument("--conversions", type=float, default=0.2, help="share of copies that convert")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    rows = []
    for case in cases_of(copy_random.cases(options.seed, options.count, options.least, options.most,
                                           options.conversions)):
        rows.append(row := measure(case, options.rounds))
        if row["replaced"]:
            print(f"{row['ratio']:5.2f}  {row['plain'] * 1e6:9.1f} -> {row['measured'] * 1e6:9.1f} us  {row['name']}: "
                  f"{row['change']}, of {row['loops']}", flush=True)
    least = 0
    for most in SIZES:
        print(f"{least} to {most} bytes:", summary([row for row in rows if least <= row["nbytes"] < most]))
        least = most
    print("all:", summary(rows))


if __name__ == "__main__":
    main()
