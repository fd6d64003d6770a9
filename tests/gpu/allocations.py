"""Measures the host time to allocate and free a device array, in turns with torch.empty()."""

import statistics

import device_peers
from copy_race import OURS, ahead, race

import strideview as sv

SHAPES = ((64, 64), (1024, 1024), (64, 1024, 1024))  # of float32: 16 KiB, 4 MiB and 256 MiB
WARM = 3  # the first ones call the driver
MOST = 1.5  # times PyTorch's


def ways(shape):
    """What makes an array and drops it, by library; and why PyTorch is not there, or nothing."""
    runs = {OURS: lambda: sv.empty(shape, "float32", memory="device")}
    try:
        import torch
    except ImportError:
        return runs, "not installed"
    if not torch.cuda.is_available():
        return runs, "without CUDA"
    runs[device_peers.TORCH] = lambda: torch.empty(shape, dtype=torch.float32, device="cuda")
    return runs, ""


def allocation_row(shape, rounds):
    runs, absent = ways(shape)
    for run in [*runs.values()] * WARM:
        run()
    times = {name: [] for name in runs}
    race(runs, rounds, times)
    medians = {name: statistics.median(seconds) * 1e9 for name, seconds in times.items()}
    torch = medians.get(device_peers.TORCH)
    return {"group": "allocation", "name": f"sv.empty {shape}", "ns": medians[OURS], "all_ns": medians, "unit": "ns",
            "of": f"torch.empty, {torch:.0f} ns" if torch else "", "target": round(MOST * torch) if torch else 0,
            "ahead": ahead(times), "notes": {device_peers.TORCH: absent} if absent else {}}


def allocation_rows(rounds):
    """One for each size; at the end what was kept is given back."""
    rows = [allocation_row(shape, rounds) for shape in SHAPES]
    sv.memory.collect(wait=True)
    return rows
