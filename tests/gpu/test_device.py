"""What `run` does on a GPU, on the fake CUDA runtime: all code runs, no time is looked at."""

import contextlib
import importlib.util
import itertools
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("py", "bench")]

import fake  # noqa: F401  before strideview
import numpy as np
import pytest
from fake import runtime  # noqa: F401  (a fixture)
from fake_machine import machine  # noqa: F401  (a fixture)

import allocations
import check_cases
import commands
import compare
import device_peers
import device_report
import kept_memory
import measure
import pickles
import strideview as sv
import suites
import torch_graphs
from copy_list import span
from peers import exchange_table


def test_check_compares_copies(machine, capsys, monkeypatch):
    monkeypatch.setattr(compare, "ROOM", 4 << 20)
    assert commands.main(["check", "--every", "11"], None, machine) == 0
    text = capsys.readouterr().out
    for group in ("layouts: device from device", "layouts: host from device", "layouts: managed from managed",
                  "conversions, device from pinned", "scales, host from device", "random copies", "batches", "captures", "pickles"):
        assert group in text
    assert " 0 failed, 1 skipped" in text and "compute-sanitizer" in text


@pytest.mark.parametrize("suite", compare.SUITES)
def test_wrong_copies_are_found(machine, suite, monkeypatch, capsys):
    ground, right = compare.Ground(4 << 20), compare.Ground.bytes_after

    def wrong(self, kinds, *arguments):
        found = right(self, kinds, *arguments)
        return found if kinds == ("host", "host") else found[:-1] + bytes([found[-1] ^ 1])

    monkeypatch.setattr(compare.Ground, "bytes_after", wrong)
    rows = itertools.islice(suite(ground, machine), 5)
    results = suites.compared("some", rows)
    assert sum(result.failed for result in results) == 5 and capsys.readouterr().out.count("1 bytes differ") == 5


class Tensor:
    """PyTorch's, as far as torch_graphs.py goes, in memory of the fake runtime."""

    def __init__(self, array):
        self.shape = array.shape
        self.buffer = sv.MemoryResource.device().allocate(array.nbytes)
        self.buffer.write(array)

    def array(self):
        return np.frombuffer(self.buffer.tobytes(), "f4").reshape(self.shape)

    def any(self):
        return self.array().any()

    def item(self):
        return self.array().item()

    def __iadd__(self, number):
        self.buffer.view("f4").fill(number, stream=Torch.stream)  # of zeros
        return self

    def capsule(self, **keywords):
        return self.buffer.view("f4").reshape(self.shape).__dlpack__(stream=-1, **keywords)

    def __dlpack__(self, stream=None, **keywords):
        assert stream == (Torch.stream or 1), "a wait of the producer's would end the capture"
        return self.capsule(**keywords)

    def zero_(self):
        self.buffer.fill(0, stream=1)

    def __dlpack_device__(self):
        return 2, 0

    @property
    def T(self):
        return Tensor(self.array().T.copy())


class Torch:
    """The functions of torch and torch.cuda that torch_graphs.py calls."""

    stream = 0

    def __init__(self, machine):
        self.cuda, self.machine, self.random = self, machine, np.random.default_rng(1)
        self.Tensor, self.stream_made, self.graphs = Tensor, machine.new_stream(), []

    def end(self):
        for graph in self.graphs:
            self.machine.end_graph(graph)
        self.machine.end_stream(self.stream_made)

    def rand(self, *shape, device):
        return Tensor(self.random.random(shape, "f4"))

    def zeros(self, *shape, device):
        return Tensor(np.zeros(shape, "f4"))

    def equal(self, a, b):
        return np.array_equal(a.array(), b.array())

    def synchronize(self):
        self.machine.wait(1)
        self.machine.wait(self.stream_made)

    def current_stream(self):
        return type("Stream", (), {"cuda_stream": Torch.stream, "__cuda_stream__": (0, Torch.stream)})()

    default_stream = current_stream

    def CUDAGraph(self):
        return type("Graph", (), {"replay": lambda graph: self.machine.launch_graph(graph.made, self.stream_made)})()

    @contextlib.contextmanager
    def graph(self, graph):
        Torch.stream = self.stream_made
        self.machine.begin_capture(Torch.stream)
        try:
            yield
        finally:
            Torch.stream = 0
            graph.made = self.machine.end_capture(self.stream_made)
            self.graphs.append(graph.made)


class TensorOfTable(Tensor):
    """As new PyTorch's."""

    __c_dlpack_exchange_api__ = exchange_table(lambda tensor: tensor.capsule(max_version=(1, 3)),
                                               lambda device_id: Torch.stream)


@pytest.mark.parametrize("type_of_tensor, count", [(Tensor, 7), (TensorOfTable, 13)])
def test_captures_by_pytorch(machine, type_of_tensor, count, monkeypatch):
    """The checks themselves, with tensors that have no table, and with such as have."""
    monkeypatch.setitem(globals(), "Tensor", type_of_tensor)
    torch = Torch(machine)
    rows = dict(torch_graphs.rows_of(torch))
    assert {name: check() for name, check in rows.items()} == dict.fromkeys(rows, "") and len(rows) == count
    torch.end()


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


# --- bench ----------------------------------------------------------------------

COPIES = """
some | dense | uint8 | (4000,)*1 | (4000,)*1 | device device | dense | 1.0
some | T 40x50 | float32 | (40, 50)*4 | (40, 50):(1, 40)*4 | device device | dense | .93
some | T 41x51 | float32 | (41, 51)*4 | (41, 51):(1, 41)*4 | device device | T 40x50 | .85
some | backwards | float32 | (60, 50)*4 | (60, 50):(50, -1)*4+196 | device device | dense |
others | splat | uint16 | (3000,)*2 | (3000,):(0,)*2 | device device | write | 1.0
others | f32->f16 | float32->float16 | (500,)*2 | (500,)*4 | device device | dense |
others | H2D pinned T | float32 | (40, 50)*4 | (40, 50):(1, 40)*4 | device pinned | link | .9
others | D2H pageable T | float32 | (40, 50)*4 | (40, 50):(1, 40)*4 | host device | link |
"""
PEER, WRONG, ABSENT, BROKEN = "CuPy", "cuTENSOR", "nvmath", "CCCL"


def absent(dst, src, stream):
    raise ImportError("not here")


def broken(dst, src, stream):
    raise ValueError("refused")


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """A list of small copies, and peers: one that copies, one that does not, one that is not there, one that raises."""
    (tmp_path / "cases.txt").write_text(COPIES)
    ways = {PEER: lambda dst, src, stream: lambda: sv.copy(dst, src, stream=stream, casting="unsafe"),
            WRONG: lambda dst, src, stream: lambda: None, ABSENT: absent, BROKEN: broken}
    monkeypatch.setattr(device_peers, "WAYS", ways)
    return tmp_path / "cases.txt"


def test_bench_measures_every_copy(machine, listed, tmp_path, capsys):
    arguments = ["bench", "--cases", str(listed), "--out", str(tmp_path / "out"), "--rounds", "1"]
    assert commands.main(arguments, None, machine) == 0
    out = json.loads((tmp_path / "out" / "bench.json").read_text())
    text = (tmp_path / "out" / "bench.txt").read_text()
    assert text in capsys.readouterr().out
    assert [row["name"] for row in out["rows"]] == [line.split(" | ")[1] for line in COPIES.strip().splitlines()]
    for row in out["rows"]:
        assert row["ns"] > 0 and row["to_best"] > 0 and row["kernel"] and row["launches"] > 0
        assert row["ahead"].keys() == {PEER} and row["notes"].keys() == {WRONG, BROKEN}
        assert row["notes"][WRONG] == "copies something else" and "refused" in row["notes"][BROKEN]
        assert row["name"] in text
    assert out["rows"][0]["kernel"] == "contiguous" and out["rows"][6]["kernel"] == "mapped"
    assert "0.93" in text and "Targets: " in text and PEER in text
    if importlib.util.find_spec("matplotlib"):
        assert "T 41x51" in (tmp_path / "out" / "bench.svg").read_text()


def test_small_copies_are_timed_by_graphs(machine, tmp_path, monkeypatch):
    (tmp_path / "cases.txt").write_text(COPIES.replace("some |", "small, by graph |"))
    calls, waits = [], lambda dst, src, stream: lambda: machine.wait(stream)

    def copies(dst, src, stream):
        return lambda: (calls.append(1), sv.copy(dst, src, stream=stream, casting="unsafe"))

    def looked_at_only(dst, src, stream):
        """A way that may not be captured: it waits."""
        return lambda: (sv.copy(dst, src, stream=stream, casting="unsafe"), waits(dst, src, stream)())

    monkeypatch.setattr(device_peers, "WAYS", {PEER: copies, BROKEN: looked_at_only})
    arguments = ["bench", "--cases", str(tmp_path / "cases.txt"), "--group", "small", "--out", str(tmp_path),
                 "--rounds", "1"]
    assert commands.main(arguments, None, machine) == 0
    rows = json.loads((tmp_path / "bench.json").read_text())["rows"]
    assert [row["name"] for row in rows] == ["dense", "T 40x50", "T 41x51", "backwards"]
    assert len(calls) == len(rows) * (1 + measure.OF_GRAPH)  # looked at, and captured
    for row in rows:
        assert row["ns"] > 0 and row["ahead"].keys() == {PEER} and "is not captured" in row["notes"][BROKEN]


def test_random_copies_are_timed(machine, monkeypatch, capsys):
    monkeypatch.setattr(device_peers, "WAYS", {device_peers.TORCH: lambda dst, src, stream: lambda: sv.copy(
        dst, src, stream=stream, casting="unsafe")})
    arguments = ["random", "--seed", "3", "--count", "12", "--least", "500", "--most", "20000", "--rounds", "1"]
    assert commands.main(arguments, None, machine) == 0
    text = capsys.readouterr().out
    assert "share of a dense copy: 1 %" in text and "PyTorch: " in text and text.count(" of dense ") >= 10
    monkeypatch.setattr(measure.Place, "result", lambda self, case, kinds, run, wait: kinds)
    assert commands.main(arguments, None, machine) == 1
    assert "libsv copies something else" in capsys.readouterr().out


def test_bench_takes_a_part(machine, listed, tmp_path):
    arguments = ["bench", "T 4", "--group", "some", "--cases", str(listed), "--out", str(tmp_path), "--rounds", "1",
                 "--without", PEER]
    assert commands.main(arguments, None, machine) == 0
    out = json.loads((tmp_path / "bench.json").read_text())
    assert [row["name"] for row in out["rows"]] == ["T 40x50", "T 41x51"]
    assert not any(row["ahead"] for row in out["rows"])


def test_wrong_copies_are_told_by_bench(machine, listed, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measure.Place, "result", lambda self, case, kinds, run, wait: kinds)
    assert commands.main(["bench", "--cases", str(listed), "--out", str(tmp_path), "--rounds", "1"], None, machine) == 1
    assert "libsv copies something else" in capsys.readouterr().out


def test_the_unit_is_of_as_many_bytes(machine, listed):
    cases = measure.read_cases(listed)
    place = measure.Place(cases)
    with machine.stream() as stream:
        for case in cases:
            run, nbytes = measure.unit_run(machine, place, case, stream)
            run()
            assert nbytes == (8000 if case["unit"] == "T 40x50" else case["nbytes"])
    assert cases[5]["nbytes"] == 1500  # what is read and written, halved


def test_the_list_of_copies_is_right():
    cases = measure.read_cases()
    names = [case["name"] for case in cases]
    assert len(cases) >= 100 and len(set(names)) == len(names)
    for k, case in enumerate(cases):
        assert case["dst"].shape == case["src"].shape and case["dst"].is_unique
        assert case["unit"] in ("dense", "write", "link", *names[:k])
        assert set(case["kinds"]) <= {"device", "pinned", "host"}
        assert case["dst"].min_offset >= 0 and case["src"].min_offset >= 0


def test_launches_are_measured():
    if not Path("tests/gpu/device_launch_fake").exists():
        pytest.skip("tests/gpu/device_launch_fake is not built here")
    rows = measure.launch_rows(Path("tests/gpu/device_launch_fake").resolve())
    assert [row["name"] for row in rows] == [
        "planned copy", "planned copy of views", "planned copy, 1.7 KB of parameters",
        "planned copy, 2.5 KB of parameters", "copy"]
    assert rows[0]["target"] == 1000 and rows[1]["target"] == 0 and all(row["ns"] > 0 for row in rows)
    assert "1000 ns" in device_report.cells(rows[0]) and device_report.cells(rows[0])[7] == "missed"
    assert "wrong" in measure.launch_rows(Path("/bin/false"))[0] and measure.launch_rows(None) == []


def test_allocations_are_measured(machine, monkeypatch):
    monkeypatch.setattr(allocations, "SHAPES", ((8, 8),))
    (row,) = allocations.allocation_rows(1)
    assert row["name"] == "sv.empty (8, 8)" and row["ns"] > 0 and (row["target"] > 0) == bool(row["ahead"])
    assert row["name"] in device_report.cells(row)
    assert sv.memory.stats("device")["cached_bytes"] == 0


class OrderedDevice:
    """The calls that kept_memory.py makes of libcuda, of which the fake runtime's streams and fills stand for the rest."""

    def __init__(self, machine, pending):
        self.machine, self.lib, self.pending = machine, self, pending
        self.set, self.new_stream, self.end_stream = machine.set, machine.new_stream, machine.end_stream

    def made(self, name, *arguments):
        return name

    def call(self, name, *arguments):
        return 0

    def cuEventQuery(self, event):
        return kept_memory.NOT_READY if self.pending else 0


@pytest.mark.parametrize("row", list(pickles.pickles(None, None)), ids=lambda row: row[1])
def test_pickles(machine, row):
    assert row[2]() is None


def test_kept_memory(machine, monkeypatch):
    monkeypatch.setattr(kept_memory, "NBYTES", 4096)
    monkeypatch.setattr(kept_memory, "WRITES", 3)
    monkeypatch.setattr(kept_memory, "STREAMS", 3)
    number, block = kept_memory.CHECKS.values()
    assert number(OrderedDevice(machine, True)) is None and "early" in number(OrderedDevice(machine, False))
    assert block(OrderedDevice(machine, True)) is None
    assert list(kept_memory.kept_memory(None, machine)) == []


# What bin/ has of CCCL, for any strides and slow, on the host.
CCCL = """
#include <stdint.h>
#include <string.h>
int cccl_copy(int size, int ndim, const int64_t *shape, const int64_t *to, const int64_t *of, char *dst,
              const char *src, void *stream)
{
    if (ndim > 3)
        return 2;
    if (ndim == 0)
        memcpy(dst, src, (size_t)size);
    for (int64_t i = 0; ndim > 0 && i < shape[0]; i++)
        if (cccl_copy(size, ndim - 1, shape + 1, to + 1, of + 1, dst + i * to[0] * size, src + i * of[0] * size,
                      stream) != 0)
            return 2;
    return 0;
}
"""


def test_cccl_is_told_addresses_and_strides(tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    (tmp_path / "copy.c").write_text(CCCL)
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-o",
                    tmp_path / "lib" / "libcccl_copy.so", tmp_path / "copy.c"], check=True)
    monkeypatch.setattr(device_peers, "HERE", tmp_path / "gpu")
    monkeypatch.setattr(device_peers, "is_within_device", lambda *views: True)
    ground = compare.Ground(1 << 18)
    copied = 0
    for name, dst, src in check_cases.pairs():
        case = {"dtype": "float32", "src_dtype": "float32", "dst": check_cases.layout_of(dst, 4),
                "src": check_cases.layout_of(src, 4)}

        def do(to, of):
            run = device_peers.by_cccl(to, of, 0)
            if run is None:
                sv.copy(to, of)
            else:
                run()
                nonlocal copied
                copied += 1

        if max(span(case["dst"]), span(case["src"])) < (1 << 18) - 256:
            assert ground.fault(("host", "host"), case, do) == "", name
    assert copied > 10


class CuPy:
    """As much of it as the bench uses, on the host. What has no array interface it reads as NumPy would."""

    def __init__(self):
        self.cuda, self.copied = self, []

    def ExternalStream(self, stream):
        return self

    def use(self):
        pass

    def asarray(self, view):
        told = getattr(view, "__cuda_array_interface__", None)
        return np.asarray(view) if told is None else np.dtype(told["typestr"])

    def copyto(self, dst, src, casting):
        self.copied.append((dst.name, src.name))


@pytest.mark.parametrize("to, of, copied", [
    ("bfloat16", "bfloat16", ("uint16", "uint16")), ("float8_e5m2", "float8_e5m2", ("uint8", "uint8")),
    ("float32", "bfloat16", None), ("bfloat16", "float32", None), ("float32", "float32", ("float32", "float32")),
    ("float32", "uint8", ("float32", "uint8")),
])
def test_cupy_is_given_types_that_it_knows(machine, monkeypatch, to, of, copied):
    cupy = CuPy()
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    run = device_peers.by_cupy(*(sv.empty((4, 4), dtype, memory="device") for dtype in (to, of)), 0)
    assert (run is None) == (copied is None)
    if run is not None:
        run()
        assert cupy.copied == [copied]


def test_libraries_that_are_not_there_are_left_out(machine):
    view = sv.empty((4, 4), "float32", memory="device")
    for name in (device_peers.CUPY, device_peers.CUTENSOR, device_peers.NVMATH, device_peers.CCCL):
        with pytest.raises((ImportError, OSError)):
            device_peers.WAYS[name](view, view, 0)
    assert device_peers.CCCL not in device_peers.versions()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
