"""`run tune` on the fake CUDA runtime: every question is asked, and what it puts together copies the same."""

import json
import random
import re
import sys
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("py", "bench")]

import fake  # noqa: F401  before strideview
import pytest
from fake import runtime  # noqa: F401  (a fixture)
from fake_machine import machine  # noqa: F401  (a fixture)

import commands
import tune
import tune_cases
import tune_tools


def test_tune_answers_every_question(machine, tmp_path, capsys):
    assert commands.main(["tune", "--out", str(tmp_path), "--rounds", "1", "--most", "32768"], None, machine) == 0
    out, text = json.loads((tmp_path / "tune.json").read_text()), (tmp_path / "tune.txt").read_text()
    assert text.partition("\n\n")[2] in capsys.readouterr().out
    asked = {question["name"]: question for question in out["questions"]}
    assert list(asked) == [question.name for question in tune.QUESTIONS]
    for name, question in asked.items():
        assert question["rows"] and all(ns > 0 for row in question["rows"] for ns in row["ns"].values())
        assert f"{name}: {question['answer']}" in text
        assert question["file"] in question["answer"] and question["constant"] in question["answer"]
    staged = asked["small transposes from pinned memory"]["rows"]
    assert all(row["ns"].keys() == {"mapped", "staged", "libsv"} for row in staged)
    assert {row["kernels"]["libsv"] for row in asked["rows from pinned memory"]["rows"]} == {"mapped", "pitched"}


def test_tune_takes_a_part(machine, tmp_path):
    arguments = ["tune", "short runs", "--out", str(tmp_path), "--rounds", "1", "--most", str(4 << 20)]
    assert commands.main(arguments, None, machine) == 0
    (question,) = json.loads((tmp_path / "tune.json").read_text())["questions"]
    kernels = [row["kernels"]["libsv"] for row in question["rows"]]
    assert kernels[0].startswith(("together", "permute")) and kernels[-1].startswith("tile")


def test_constants_are_those_of_the_sources():
    source = Path(__file__).resolve().parents[2]
    for question in tune.QUESTIONS:
        text = (source / question.file).read_text()
        if question.constant:
            found = re.search(rf"\b{question.constant} = ([\d <]+)", text)
            left, _, right = found[1].partition("<<")
            assert int(left) << int(right or 0) == question.value, question.name


@pytest.mark.parametrize("ahead, first", [([9, 5, 2], 1), ([9, 12, 2], 3), ([12, 11, 9], 3), ([1, 12, 12], None),
                                          ([12, 1, 12], None), ([10, 10, 10], 1)])
def test_a_crossing_holds_from_there_on(ahead, first):
    rows = [{"value": k + 1, "ns": {"a": 10, "b": ns}} for k, ns in enumerate(ahead)]
    assert tune.crossing(rows, "a", "b") == first


def test_pieces_by_hand_copy_the_same(machine):
    """The ways that are put together from others do what libsv's own does."""
    with machine.stream() as stream:
        tools = tune.Tools(machine, stream, 32768)
        for trials in (tune_cases.to_device, tune_cases.from_device, tune_cases.pinned_rows):
            for value, nbytes, ways in trials(tools):
                kinds = ("pinned", "device") if trials is tune_cases.from_device else ("device", "pinned")
                tools.buffer("src", kinds[1]).write(random.Random(value).randbytes(2 * nbytes + 8192))
                found = {}
                for name, run in ways.items():
                    tools.buffer("dst", kinds[0]).fill(0)
                    tools.buffer("dst", kinds[0]).read(0, 1)
                    run()
                    machine.wait(stream)
                    found[name] = tools.buffer("dst", kinds[0]).read(tune_tools.START, nbytes)
                assert any(found["libsv"]) and len(set(found.values())) == 1, (trials.__name__, value)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
