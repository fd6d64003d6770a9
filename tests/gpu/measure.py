"""Measures copies of device_cases.txt, each in turns with its unit and with other libraries."""

import contextlib
import json
import random
import statistics
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import compare
import device_peers
from allocations import allocation_rows
from copy_list import read_lines, span
from copy_race import BATCH, OURS, ahead, race

import strideview as sv

CASES = Path(__file__).with_name("device_cases.txt")
FIELDS = ("group", "name", "dtype", "dst", "src", "memory", "unit", "target")
ROUNDS = 9
MOST_CALLS = 1000
GUARD = 256  # bytes in front of what is copied, as CUDA aligns its blocks
UNIT = "unit"  # in the race
BY_GRAPH, OF_GRAPH = "by graph", 50  # what names of groups end with whose copies are captured, so many in a graph
CHUNK = 1 << 20
MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def read_cases(path=CASES):
    return completed(read_lines(path, FIELDS))


def completed(cases):
    """The cases with what is known of each."""
    found = list(cases)
    for case in found:
        case["kinds"] = tuple(case["memory"].split())
        case["target"] = float(case["target"] or 0)
        if case["group"] == "scales":  # pixels of three channels, normalised
            case["options"] = {"scale": 1 / 255, "mean": MEAN, "std": STD, "axis": case["dst"].shape.index(3)}
        case["nbytes"] = (case["dst"].nbytes + case["dst"].size * case["src"].itemsize) // 2
    return found


class Place(compare.Ground):
    """Memory for all cases, that of the sources filled once with positive numbers of every type."""

    def __init__(self, cases):
        super().__init__(0, GUARD)
        self.cases, self.filled, self.rooms = {case["name"]: case for case in cases}, set(), {}
        most = max(case["nbytes"] for case in cases)
        for case in cases:
            for side, kind in zip(("dst", "src"), case["kinds"]):
                for each in {kind, "host", "device"}:
                    room = max(span(case[side]), most if each == "device" else 0) + 2 * GUARD
                    self.rooms[side, each] = max(room, self.rooms.get((side, each), 0))
            for side in ("dst", "src"):
                if case["unit"] == "link":
                    self.rooms[side, "pinned"] = max(span(case[side]) + 2 * GUARD, self.rooms.get((side, "pinned"), 0))

    def buffer(self, side, kind):
        self.room = self.rooms[side, kind]
        made = super().buffer(side, kind)
        if side == "src" and kind not in self.filled:
            self.filled.add(kind)
            some = bytes(0x30 + byte % 16 for byte in random.Random(1).randbytes(min(CHUNK, self.room)))
            for begin in range(0, self.room, len(some)):
                made.write(some[: self.room - begin], begin)
        return made

    def result(self, case, kinds, run, wait):
        """Bytes of the destination, which was zeros before."""
        target = self.buffer("dst", kinds[0])
        target.fill(0)
        target.read(0, 1)  # waits for the fill, which is on another stream
        run()
        wait()
        return target.read(0, span(case["dst"]) + 2 * GUARD)


# --- what takes part ------------------------------------------------------------


def planned(case, views, stream):
    dst, src = views
    plan = sv.Plan(dst, src, **compare.options_of(case))
    return plan, lambda: plan.execute(dst, src, stream)


def unit_run(machine, place, case, stream):
    """A function that does what the case is compared with, and how many bytes it copies."""
    nbytes, kinds = case["nbytes"], {"dense": ("device", "device"), "write": ("device", "device")}.get(case["unit"])
    if case["unit"] == "link":
        kinds = tuple("device" if kind == "device" else "pinned" for kind in case["kinds"])
    if kinds is None:
        other = place.cases[case["unit"]]
        return planned(other, place.views(other["kinds"], other), stream)[1], other["nbytes"]
    dst, src = (place.buffer(side, kind).handle for side, kind in zip(("dst", "src"), kinds))
    if case["unit"] == "write":
        return lambda: machine.set(dst, nbytes, stream), nbytes
    return lambda: machine.copy(dst, src, nbytes, stream), nbytes


def peers_of(place, case, views, stream, expected, wait, without):
    """Those that can do it, each looked at once; and why others do not."""
    runs, notes = {}, {}
    for name, make in device_peers.WAYS.items():
        if name in without:
            continue
        try:
            run = make(*views, stream)
            if run is None:
                continue
            if place.result(case, case["kinds"], run, wait) != expected:
                notes[name] = "copies something else"
            else:
                runs[name] = run
        except (ImportError, OSError):
            continue  # not installed
        except Exception as error:  # whatever another library raises is told, and the rest is measured
            notes[name] = f"{type(error).__name__}: {error}"
    return runs, notes


def clock_of(machine, stream, copies=1):
    """Of one of the copies that a run has."""
    def clock(run):
        once = machine.seconds(run, stream, 1)
        if once >= BATCH:
            return once / copies
        return machine.seconds(run, stream, min(MOST_CALLS, max(1, int(BATCH / (once + 1e-7))))) / copies

    return clock


def captured(machine, stream, runs, notes, graphs):
    """Functions that launch a graph of OF_GRAPH runs, and why others are left out. graphs is an ExitStack."""
    made = {}
    for name, run in runs.items():
        def work(run=run):
            for _ in range(OF_GRAPH):
                run()

        try:
            graph = graphs.enter_context(machine.graph(stream, work))
        except Exception as error:  # what another library does may not be captured
            if name in (OURS, UNIT):
                raise
            notes[name] = f"is not captured: {error}"
            continue
        made[name] = partial(machine.launch_graph, graph, stream)
    return made


# --- a row ------------------------------------------------------------------------


def measure(machine, place, case, stream, rounds=ROUNDS, without=()):
    def wait():
        machine.wait(stream)

    views = place.views(case["kinds"], case)
    plan, ours = planned(case, views, stream)
    on_host = planned(case, place.views(("host", "host"), case), None)[1]
    expected = place.result(case, ("host", "host"), on_host, lambda: None)
    if place.result(case, case["kinds"], ours, wait) != expected:
        return {**told(case), "wrong": "libsv copies something else than on the host: run check"}
    runs, notes = peers_of(place, case, views, stream, expected, wait, without)
    unit, unit_bytes = unit_run(machine, place, case, stream)
    runs = {OURS: ours, UNIT: unit, **runs}
    by_graph = case["group"].endswith(BY_GRAPH)
    with contextlib.ExitStack() as graphs:
        if by_graph:
            runs = captured(machine, stream, runs, notes, graphs)
        times = {name: [] for name in runs}
        race(runs, rounds, times, clock_of(machine, stream, OF_GRAPH if by_graph else 1))
    medians = {name: statistics.median(seconds) * 1e9 for name, seconds in times.items()}
    others = ahead(times)
    row = {**told(case), "kernel": plan.kernel, "launches": plan.launches, "ns": medians[OURS], "all_ns": medians}
    row["to_best"] = others.pop(UNIT) * case["nbytes"] / unit_bytes
    return {**row, "gbs": case["nbytes"] / medians[OURS], "ahead": others, "notes": notes}


def told(case):
    return {"group": case["group"], "name": case["name"], "nbytes": case["nbytes"], "of": case["unit"],
            "unit": "copy", "target": case["target"], "ahead": {}, "notes": {}}


def launch_rows(program):
    """What bin/device_launch measures: how much longer the host takes for a copy than to launch an empty kernel."""
    if program is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "launch.json")
        done = subprocess.run([str(program), str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return [{"group": "launch", "name": "launches", "wrong": done.stdout.strip(), "target": 0, "ahead": {}}]
        bare, *others = json.loads(path.read_text())["rows"]
    rows = [{"group": "launch", "name": row["name"], "ns": row["ns"] - bare["ns"], "unit": "ns",
             "of": f"above {bare['ns']:.0f} ns, a bare launch", "ahead": {}, "notes": {},
             "target": row["limit"] and round(row["limit"] - bare["ns"])} for row in others]
    return rows


def measure_all(machine, cases, program=None, rounds=ROUNDS, without=(), wanted=lambda case: True,
                each=lambda out: None):
    """Everything, as a dictionary for JSON; each() gets it after every row."""
    place = Place(cases)
    out = {"machine": machine.name, "clock": machine.clock, "libsv": sv.__version__,
           "versions": device_peers.versions(), "rows": []}
    with machine.stream() as stream:
        for case in filter(wanted, cases):
            out["rows"].append(measure(machine, place, case, stream, rounds, without))
            each(out)
    for row in [*launch_rows(program), *(allocation_rows(rounds) if program else [])]:
        out["rows"].append(row)
        each(out)
    return out
