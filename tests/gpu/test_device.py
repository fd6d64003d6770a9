"""What `run` does on a GPU, on the fake CUDA runtime: all code runs, no time is looked at."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("py", "bench")]

import fake  # noqa: F401  before strideview
import fake_machine
import pytest
from fake import runtime  # noqa: F401  (a fixture)

import check_cases
import commands
import compare
import strideview as sv
import suites


@pytest.fixture
def machine(runtime):
    yield fake_machine.FakeMachine()
    sv.memory.collect(wait=True)  # what a release would have had to wait for


def test_check_compares_copies(machine, capsys, monkeypatch):
    monkeypatch.setattr(compare, "ROOM", 4 << 20)
    assert commands.main(["check", "--every", "7"], None, machine) == 0
    text = capsys.readouterr().out
    for group in ("layouts: device from device", "layouts: host from device", "layouts: managed from managed",
                  "conversions, device from pinned", "random copies", "batches", "captures"):
        assert group in text
    assert " 0 failed, 1 skipped" in text and "compute-sanitizer" in text


@pytest.mark.parametrize("suite", compare.SUITES)
def test_wrong_copies_are_found(machine, suite, monkeypatch, capsys):
    ground, right = compare.Ground(4 << 20), compare.Ground.bytes_after

    def wrong(self, kinds, *arguments):
        found = right(self, kinds, *arguments)
        return found if kinds == ("host", "host") else found[:-1] + bytes([found[-1] ^ 1])

    monkeypatch.setattr(compare.Ground, "bytes_after", wrong)
    rows = []
    for row in suite(ground, machine):
        rows.append(row)
        if len(rows) == 5:
            break
    assert all("1 bytes differ" in row[2] for row in rows)
    results = suites.compared("some", rows)
    assert sum(result.failed for result in results) == 5 and "1 bytes differ" in capsys.readouterr().out


def test_errors_are_failures(machine):
    ground = compare.Ground(1 << 16)
    case = {"dtype": "float32", "src_dtype": "float32", "dst": check_cases.layout_of("(4,)*S", 4),
            "src": check_cases.layout_of("(4,)*S", 4)}

    def refuse(dst, src):
        raise MemoryError("too much")

    assert ground.fault(("device", "device"), case, refuse) == "MemoryError: too much"
    assert ground.fault(("device", "device"), case, sv.copy) == ""


def test_layouts_are_of_any_size():
    for _, dst, src in check_cases.pairs():
        for itemsize in check_cases.ITEMSIZES:
            assert check_cases.layout_of(dst, itemsize).shape == check_cases.layout_of(src, itemsize).shape
            assert check_cases.layout_of(dst, itemsize).is_unique
    assert check_cases.layout_of("(4,):(-1,)*S+3S", 8).slice_offset_in_bytes == 24


if __name__ == "__main__":
    import tap
    tap.main(__file__)
