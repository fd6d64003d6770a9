"""strideview bench: a dozen typical copies on this machine by one thread, beside NumPy and PyTorch where installed.

Contestants take turns within each round, so that what else the machine does meets all of them; the median counts.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from math import prod
from statistics import median
from typing import Any, NamedTuple

import strideview as sv

from . import quantities
from .errors import OUTPUT, USAGE, CommandError, need, optional

LEAST_SECONDS = 0.002  # of one measurement; shorter copies are repeated

View = sv.StridedMemoryView


class Case(NamedTuple):
    """A copy to a dense array."""

    name: str
    shape: tuple[int, ...]  # of the array that is read, whose first extent grows with --size
    dtype: str
    arrange: Callable[[View], View]
    to: str | None = None  # dtype of the result
    scale: float | None = None


CASES = [
    Case("contiguous", (1, 1024), "float32", lambda x: x),
    Case("transpose, 1 byte", (1, 1000), "uint8", lambda x: x.T),
    Case("transpose, 4 bytes", (1, 1000), "float32", lambda x: x.T),
    Case("transpose, 8 bytes", (1, 1024), "float64", lambda x: x.T),
    Case("pixels to planes", (1, 640, 3), "uint8", lambda x: x.permute(2, 0, 1)),
    Case("planes to pixels", (1, 3, 224, 224), "float32", lambda x: x.permute(0, 2, 3, 1)),
    Case("axes reversed", (1, 20, 30, 40), "float32", lambda x: x.permute(3, 2, 1, 0)),
    Case("inner axes swapped", (1, 64, 8, 64), "float16", lambda x: x.permute(0, 2, 1, 3)),
    Case("columns cropped", (1, 1920), "uint8", lambda x: x[:, 100:1000]),
    Case("every second element", (1, 2048), "float32", lambda x: x[:, ::2]),
    Case("mirrored", (1, 1024), "uint8", lambda x: x[:, ::-1]),
    Case("to half precision", (1, 1024), "float32", lambda x: x, "float16"),
    Case("pixels to scaled planes", (1, 640, 3), "uint8", lambda x: x.permute(2, 0, 1), "float32", 1 / 255),
]


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", type=quantities.size, default=16 << 20, help="bytes that each copy reads at least; default: 16M")
    parser.add_argument("--rounds", type=int, default=7, help="default: 7")
    parser.add_argument("--only", metavar="WORDS", help="the copies whose names contain this")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    parser.add_argument("--plot", metavar="FILE", help="a diagram, by matplotlib")


def arrays(case: Case, size: int) -> tuple[View, View]:
    """(where the result goes, what is read)"""
    row = prod(case.shape[1:]) * sv.empty((0,), case.dtype).itemsize
    whole = sv.empty((max(1, -(-size // row)), *case.shape[1:]), case.dtype)
    whole.fill(1)
    source = case.arrange(whole)
    target = sv.empty(source.shape, case.to or case.dtype)
    target.fill(0)  # its pages are there before the first round
    return target, source


def by_strideview(case: Case, dst: View, src: View) -> Callable[[], Any]:
    if case.scale is not None:
        return lambda: sv.copy(dst, src, scale=case.scale)
    return lambda: sv.copy(dst, src, casting="unsafe")


def by_numpy(case: Case, dst: View, src: View) -> Callable[[], Any] | None:
    numpy = optional("numpy")
    if numpy is None:
        return None
    to, of = numpy.asarray(dst), numpy.asarray(src)
    if case.scale is not None:
        scale = numpy.float32(case.scale)
        return lambda: numpy.multiply(of, scale, out=to)
    return lambda: numpy.copyto(to, of, casting="unsafe")


def by_torch(case: Case, dst: View, src: View) -> Callable[[], Any] | None:
    torch = optional("torch")
    if torch is None or min(src.strides) < 0:  # it has no negative strides
        return None
    torch.set_num_threads(1)
    to, of = torch.from_dlpack(dst), torch.from_dlpack(src)
    if case.scale is not None:
        return lambda: torch.mul(of, case.scale, out=to)
    return lambda: to.copy_(of)


CONTESTANTS: dict[str, Callable[[Case, View, View], Callable[[], Any] | None]] = {
    "strideview": by_strideview, "numpy": by_numpy, "torch": by_torch}


def seconds_of(call: Callable[[], Any], repeats: int) -> float:
    begin = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - begin) / repeats


def measure(case: Case, size: int, rounds: int) -> dict[str, Any]:
    dst, src = arrays(case, size)
    made = {name: make(case, dst, src) for name, make in CONTESTANTS.items()}
    calls = {name: call for name, call in made.items() if call is not None}
    repeats = {name: max(1, round(LEAST_SECONDS / max(seconds_of(call, 2), 1e-9))) for name, call in calls.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds):
        order = list(calls)
        for name in order[number % len(order):] + order[:number % len(order)]:
            times[name].append(seconds_of(calls[name], repeats[name]))
    return {"name": case.name, "shape": list(src.shape), "dtype": case.dtype, "to": case.to or case.dtype,
            "nbytes": src.nbytes + dst.nbytes, "seconds": {name: median(found) for name, found in times.items()}}


def table(rows: list[dict[str, Any]]) -> str:
    names = [name for name in CONTESTANTS if any(name in row["seconds"] for row in rows)]
    lines = ["".join([f"{'GB/s, read and written':26}", *(f"{name:>12}" for name in names), f"{'times best':>12}"])]
    for row in rows:
        rates = {name: row["nbytes"] / time / 1e9 for name, time in row["seconds"].items()}
        others = [rate for name, rate in rates.items() if name != "strideview"]
        ratio = f"{rates['strideview'] / max(others):12.2f}" if others else ""
        lines.append(f"{row['name']:26}" + "".join(f"{rates[name]:12.2f}" if name in rates else " " * 11 + "-" for name in names) + ratio)
    return "\n".join(lines) + "\n"


def plot(rows: list[dict[str, Any]], path: str) -> None:
    need("matplotlib", "a diagram").use("agg")
    pyplot = need("matplotlib.pyplot", "a diagram")
    figure, axes = pyplot.subplots(figsize=(8, 0.5 * len(rows) + 1.5), layout="constrained")
    names = [name for name in CONTESTANTS if any(name in row["seconds"] for row in rows)]
    for place, name in enumerate(names):
        drawn = [(y + 0.8 * place / len(names), row["nbytes"] / row["seconds"][name] / 1e9)
                 for y, row in enumerate(rows) if name in row["seconds"]]
        axes.barh([y for y, _ in drawn], [rate for _, rate in drawn], 0.8 / len(names), label=name)
    axes.set_yticks([y + 0.3 for y in range(len(rows))], [row["name"] for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("GB/s, bytes read and written")
    axes.legend()
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}", OUTPUT) from None
    finally:
        pyplot.close(figure)


def run(options: argparse.Namespace) -> Any:
    cases = [case for case in CASES if (options.only or "") in case.name]
    if not cases or options.rounds < 1:
        raise CommandError("--only: no copy has such a name" if options.rounds > 0 else "--rounds: at least one", USAGE)
    rows = [measure(case, options.size, options.rounds) for case in cases]
    if options.plot:
        plot(rows, options.plot)
    if options.json:
        versions = {name: getattr(optional(name), "__version__", None) for name in ("numpy", "torch")}
        return {"strideview": sv.__version__, **versions, "size": options.size, "rounds": options.rounds,
                "tuning": os.environ.get("SV_HOST_TUNING"), "copies": rows}
    return table(rows)
