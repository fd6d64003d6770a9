"""Measures what the constants of src/gpu/ should be, and says which constant each number concerns. It changes none."""

import json
import statistics

import copy_report
from copy_race import race
from measure import clock_of
from tune_cases import LIBSV, NOT_ASKED, QUESTIONS
from tune_tools import Tools

ROUNDS = 5
MOST = 64 << 20  # bytes of a copy


def crossing(rows, below, above):
    """The first value from which the second way is the faster one, whatever comes after it; None if there is none."""
    first = None
    for row in rows:
        if row["ns"][above] <= row["ns"][below]:
            first = row["value"] if first is None else first
        else:
            first = None
    return first


def answer(question, rows):
    """In words."""
    ways = [way for way in rows[0]["ns"] if way != LIBSV] if rows else []
    is_now = f"{question.constant} ({question.file}) is {question.value}" if question.constant else question.file
    if len(ways) != 2 or not question.value and question.name != "dense copies" or question.name.startswith("repeated"):
        return f"{question.text}; {is_now}"
    found = crossing(rows, *ways)
    words = f"{ways[1]} is faster from {found} {question.unit} on" if found else f"{ways[1]} is not faster at the end"
    return f"{question.text}: {words}; {is_now}"


def ask(question, tools, rounds, clock):
    rows = []
    for value, nbytes, ways in question.trials(tools):
        times = {name: [] for name in ways}
        if all(map(callable, ways.values())):
            race(ways, rounds, times, clock)
            ns = {name: statistics.median(seconds) * 1e9 for name, seconds in times.items()}
        else:
            ns = ways
        kernels = {name: run.kernel for name, run in ways.items() if hasattr(run, "kernel")}
        rows.append({"value": value, "nbytes": nbytes, "ns": ns, "kernels": kernels,
                     "gbs": {name: nbytes / time for name, time in ns.items()}})
    return {**question._asdict(), "trials": None, "rows": rows, "answer": answer(question, rows)}


def table(asked):
    """Lines: a column of times and speeds for each way."""
    ways = list(dict.fromkeys(way for row in asked["rows"] for way in row["ns"]))
    lines = [[asked["unit"], *(f"{way}, GB/s" for way in ways), *ways, "kernels"]]
    for row in asked["rows"]:
        speeds = [f"{row['gbs'][way]:.1f}" if way in row["gbs"] else "" for way in ways]
        times = [copy_report.time_text(row["ns"][way]) if way in row["ns"] else "" for way in ways]
        lines.append([str(row["value"]), *speeds, *times, ", ".join(dict.fromkeys(row["kernels"].values()))])
    return copy_report.aligned(lines, (len(lines[0]) - 1,))


def text(asked):
    rows = table(asked) if asked["rows"] else "nothing of that size fits into what was given by --most"
    return f"{asked['name']}: {asked['answer']}\n{rows}\n"


def run(machine, folder, part="", rounds=ROUNDS, most=MOST):
    """Prints a table for each question, and writes all of them to the folder."""
    out = {"machine": machine.name, "clock": machine.clock, "questions": []}
    folder.mkdir(parents=True, exist_ok=True)
    with machine.stream() as stream:
        tools = Tools(machine, stream, most)
        clock = clock_of(machine, stream)
        for question in QUESTIONS:
            if part in question.name:
                out["questions"].append(ask(question, tools, rounds, clock))
                print(text(out["questions"][-1]), flush=True)
                (folder / "tune.json").write_text(json.dumps(out, indent=1))
    print(NOT_ASKED)
    tables = [f"{machine.name}, {machine.clock}\n", *map(text, out["questions"]), NOT_ASKED + "\n"]
    (folder / "tune.txt").write_text("\n".join(tables))
    return 0
