"""Faults of other libraries that doc/python.md and doc/interchange.md warn of, and the calls that they name instead.

A skipped test says that the library installed here no longer has the fault: then the warning can go.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from peers import need, numbers

ROOT = Path(__file__).resolve().parents[2]


def fate(code):
    """How a process ends that views an array of float64 and does something with it: its exit status, and what it said."""
    script = f"""
import numpy as np
import strideview as sv
import torch

array = np.arange(6.0).reshape(2, 3)
view = sv.view(array)
{code}
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("call", ["from_dlpack(view[:, ::-1])", "from_dlpack(array[:, ::-1])", "as_tensor(view[::-1])"])
def test_torch_ends_the_process_over_negative_strides(call):
    need("torch")
    status, said = fate(f"torch.{call}")
    if status >= 0:
        pytest.skip(f"this PyTorch does not: {said[-200:]}")
    assert status == -6 and "c10::Error" in said


def test_torch_asarray_reads_bytes():
    torch = need("torch")
    read = torch.asarray(sv.view(numbers((2, 3), float)))
    if read.dtype == torch.float64:
        pytest.skip("this PyTorch does not")
    assert (read.dtype, tuple(read.shape)) == (torch.float32, (12,))


def test_what_is_named_instead():
    torch = need("torch")
    array = numbers((2, 3), float)
    for x in (array[:, ::-1], sv.view(array)[:, ::-1]):
        assert np.array_equal(torch.from_dlpack(sv.view(x).copy()).numpy(), array[:, ::-1])
    for take in (torch.from_dlpack, torch.as_tensor):
        taken = take(sv.view(array))
        assert taken.dtype == torch.float64 and np.array_equal(taken.numpy(), array)


@pytest.mark.parametrize("page", ["doc/python.md", "doc/interchange.md"])
def test_the_warnings_are_there(page):
    text = " ".join((ROOT / page).read_text().split())
    for said in ("torch.asarray", "negative", "torch.from_dlpack(sv.view(x).copy())", "torch.as_tensor"):
        assert said in text


if __name__ == "__main__":
    import tap
    tap.main(__file__)
