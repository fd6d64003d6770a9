"""`run random`: random copies within a device, timed beside a dense copy of as many bytes, and beside PyTorch where it is
installed. Tells how far they are from the dense copy, and which are the furthest: what kinds of copy are slow.

Permutations of axes, conversions, steps, gaps and mirrored axes: the cases of copy_random.py, whose seed names them.
"""

import math
import statistics

import copy_random
import device_peers
import measure
from copy_list import read_text

import strideview as sv

LEAST, MOST = 2 << 20, 256 << 20  # bytes of a copy
CONVERSIONS = 0.2  # their share
ROUNDS = 3
WORST = 20
SECTOR = 32  # bytes that a device reads and writes memory by


def find_cases(seed, count, least=LEAST, most=MOST):
    lines = [line.split(" | ") for line in copy_random.cases(seed, count, least, most, CONVERSIONS)]
    text = "\n".join(" | ".join([*line[:5], "device device", "dense", ""]) for line in lines)
    return measure.completed(read_text(text, measure.FIELDS))


def moved(layout):
    """Bytes of the sectors that hold a layout's elements, if runs of it begin at sectors."""
    run, sectors = layout.itemsize, 1
    for stride, extent in sorted((abs(stride), n) for stride, n in zip(layout.strides_in_bytes, layout.shape) if n > 1):
        if stride == 0:
            continue
        if sectors == 1 and stride - run < SECTOR:
            run += (extent - 1) * stride
        else:
            sectors *= extent
    return sectors * -(-run // SECTOR) * SECTOR


def share(case, row):
    """Of a dense copy's speed, sectors counted that the copy needs."""
    return row["to_best"] * (moved(case["dst"]) + moved(case["src"])) / 2 / case["nbytes"]


def line_of(case, row, part):
    peers = ", ".join(f"{name} {times:.2f}" for name, times in row["ahead"].items())
    return (f"{part:5.2f} of dense  {row['ns'] / 1e3:9.1f} us  {row['kernel']:14} {peers:14} {case['dtype']} "
            f"{case['dst']} <- {case['src_dtype']} {case['src']}")


def quantile(ordered, part):
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def summary(rows):
    """Lines: quantiles of the shares, the geometric mean beside each peer, and the worst."""
    shares = sorted(part for _, _, part in rows)
    yield "share of a dense copy: " + ", ".join(f"{name} {quantile(shares, part):.2f}" for name, part in (
        ("1 %", .01), ("5 %", .05), ("25 %", .25), ("median", .5)))
    for name in device_peers.WAYS:
        times = [row["ahead"][name] for _, row, _ in rows if name in row["ahead"]]
        if times:
            mean = math.exp(statistics.fmean(map(math.log, times)))
            yield f"{name}: {mean:.2f} times as long, ahead by 3 % in {sum(ratio < .97 for ratio in times)} of {len(times)}"
    yield "furthest from dense:"
    for case, row, part in sorted(rows, key=lambda row: row[2])[:WORST]:
        yield line_of(case, row, part)


def run(machine, seed, count, least=LEAST, most=MOST, rounds=ROUNDS):
    """The exit status: 1 where a copy is wrong."""
    cases, rows, wrong = find_cases(seed, count, least, most), [], 0
    place = measure.Place(cases)
    others = [name for name in device_peers.WAYS if name != device_peers.TORCH]
    print(f"{machine.name}, {machine.clock}; libsv {sv.__version__}; seed {seed}, {count} copies", flush=True)
    with machine.stream() as stream:
        for case in cases:
            row = measure.measure(machine, place, case, stream, rounds, others)
            if "wrong" in row:
                wrong += 1
                print(f"{case['name']}: {row['wrong']}", flush=True)
                continue
            rows.append((case, row, share(case, row)))
    print("\n".join(summary(rows)) if rows else "nothing was measured")
    return int(wrong > 0)
