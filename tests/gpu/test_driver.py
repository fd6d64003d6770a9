"""How machine.py calls the CUDA driver, on a stub that has the toolkit's prototypes and checks what it is given."""

import ctypes
import os
import shlex
import subprocess
from pathlib import Path

import machine
import pytest

import commands
import strideview as sv
import suites

CUDA = Path(os.environ.get("CUDA_DIR") or "/usr/local/cuda")


@pytest.fixture
def driver(tmp_path):
    if not (CUDA / "include" / "cuda.h").exists():
        pytest.skip(f"no cuda.h in {CUDA}")
    source = Path(__file__).with_name("driver_stub.c")
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-Werror", f"-I{CUDA}/include", "-o",
                    tmp_path / "stub.so", source], check=True)
    made = machine.Driver(1, str(tmp_path / "stub.so"))
    made.lib.stub_log.restype = ctypes.c_char_p
    return made


def log(driver):
    return driver.lib.stub_log().decode().replace("_v2", "").split()


def memory(text):
    return sv.view(bytearray(text))


def test_the_device_is_opened(driver):
    assert driver.name == "device 41"
    assert log(driver) == ["cuInit", "cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuDeviceGetName",
                           "cuEventCreate", "cuEventCreate"]


def test_copies_and_fills(driver):
    to, of = memory(b"........"), memory(b"abcdefgh")
    with driver.stream() as stream:
        assert stream > 2**32
        driver.copy(to.ptr + 1, of.ptr, 3, stream)
        assert to.tobytes() == b".abc...."
        driver.copy_rows(to.ptr, 4, of.ptr + 1, 3, 2, 2, stream)
        assert to.tobytes() == b"bcbcef.."
        driver.set(to.ptr + 6, 2, stream)
        assert to.tobytes()[6:] == b"\7\7"
    assert log(driver)[-2:] == ["cuStreamSynchronize", "cuStreamDestroy"]


def test_times_are_of_one_call(driver):
    calls = []
    with driver.stream() as stream:
        assert driver.seconds(lambda: calls.append(1), stream, 6) == pytest.approx(0.5e-3)
    assert len(calls) == 6 and log(driver).count("cuEventRecord") == 2


def test_a_capture_runs_when_it_is_launched(driver):
    to, of = memory(b"...."), memory(b"abcd")
    with driver.stream() as stream:
        with driver.graph(stream, lambda: driver.copy(to.ptr, of.ptr, 4, stream)) as graph:
            assert to.tobytes() == b"...."
            driver.launch_graph(graph, stream)
        assert to.tobytes() == b"abcd"
        with pytest.raises(ZeroDivisionError), driver.graph(stream, lambda: 1 / 0):
            pass
    called = log(driver)
    assert called.count("cuGraphDestroy") == called.count("cuStreamEndCapture") == 2
    assert called.count("cuGraphExecDestroy") == called.count("cuGraphInstantiateWithFlags") == 1


def test_a_pinned_block_is_freed(driver):
    driver.pinned_block(1 << 20)()
    assert log(driver)[-2:] == ["cuMemAllocHost", "cuMemFreeHost"]


def test_a_bare_launch(driver):
    with driver.stream() as stream:
        assert driver.bare_launch(stream)() == 0


def test_errors_have_words(driver):
    with pytest.raises(RuntimeError, match=r"cuStreamSynchronize: invalid argument \(1\)"):
        driver.wait(12)


@pytest.mark.parametrize("state, ready", [("ready", True), ("broken", False)])
def test_the_first_device_is_found(monkeypatch, state, ready):
    names = [("cpu", "ready"), ("cuda:0", state), ("cuda:1", "ready")] if ready else [("cpu", "ready"), ("cuda", state)]
    found = [machine.sv.Device(name, (2, 0), state, f"{name} is {state}", {}) for name, state in names]
    monkeypatch.setattr(machine.sv, "devices", lambda: found)
    assert machine.cuda_words() == (f"{names[1][0]} is {state}", ready)


def test_no_machine_has_words(monkeypatch):
    found, why = commands.find_machine()
    assert (found is None) == bool(why)
    monkeypatch.setattr(machine, "cuda_words", lambda: ("words", False))
    assert commands.find_machine() == (None, f"{suites.NO_DRIVER} (words)")
    monkeypatch.setattr(machine, "cuda_words", lambda: ("words", True))
    monkeypatch.setattr(machine, "Driver", lambda: ctypes.CDLL("/nowhere/libcuda.so.1"))
    found, why = commands.find_machine()
    assert found is None and "libcuda.so.1" in why and "skipped" in why
    assert commands.main(["bench"], None) == 1


if __name__ == "__main__":
    import sys
    sys.path.append(str(Path(__file__).parents[1] / "py"))
    import tap
    tap.main(__file__)
