"""kernel_arg(): what a kernel is given, and what it is not; the examples of doc/kernels.md as far as they need no GPU."""

import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from peers import need

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "doc/kernels.md").read_text()


class OnDevice:
    """Memory that is said to be a device's, which nobody reads."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3, strides=array.strides, stream=None)


def numbers(block):
    return struct.unpack(f"={len(block) // 8}q", block)


@pytest.mark.parametrize("of", [
    lambda a: a, lambda a: a.T, lambda a: a[::-1, ::2], lambda a: a[1:, 3], lambda a: a[2, 3, ...], lambda a: a[None],
    lambda a: np.broadcast_to(a[:, :1], (5, 4, 7)), lambda a: a[:0], lambda a: a.view("i2"), lambda a: a.view("c16"),
])
def test_tells_address_shape_and_strides(of):
    array = of(np.arange(24, dtype="f8").reshape(4, 6))
    ndim = array.ndim
    for block in sv.view(array).kernel_arg(host=True), sv.view(array).kernel_arg(ndim, array.itemsize, host=True):
        address, *rest = numbers(block)
        assert address == (array.ctypes.data if array.size else 0)
        assert tuple(rest[:ndim]) == array.shape
        assert array.size == 0 or [s * array.itemsize for s in rest[ndim:]] == list(array.strides)


def test_memory_of_a_device():
    array = np.zeros((3, 5), "f4")
    assert numbers(sv.view(OnDevice(array)).kernel_arg(writable=True)) == (array.ctypes.data, 3, 5, 5, 1)


GOOD = np.zeros((4, 6), "f8")
FIXED = GOOD.copy()
FIXED.flags.writeable = False
ODD = np.zeros(49, "u1")[1:].view("f8").reshape(2, 3)
RECORDS = np.zeros(4, [("a", "f8"), ("b", "f4")])


@pytest.mark.parametrize("array, arguments, error, text", [
    (GOOD, {"host": False}, ValueError, "memory of cpu:0"),
    (GOOD, {"ndim": 1}, ValueError, "has 2 axes, the kernel expects 1"),
    (GOOD, {"ndim": -1}, ValueError, "ndim=-1"),
    (GOOD, {"ndim": 2**40}, ValueError, "ndim=1099511627776"),
    (GOOD, {"ndim": "2"}, TypeError, "integer"),
    (GOOD, {"itemsize": 4}, TypeError, "have 8 bytes, the kernel expects 4"),
    (GOOD, {"dtype": "f8"}, TypeError, "dtype"),
    (FIXED, {"writable": True}, ValueError, "read-only"),
    (ODD, {}, ValueError, "no multiple of 8"),
    (RECORDS["a"], {}, ValueError, "multiple of the item size"),
])
def test_refused(array, arguments, error, text):
    with pytest.raises(error, match=text):
        sv.view(array).kernel_arg(**{"host": True, **arguments})


# --- doc/kernels.md ------------------------------------------------------------------------------------------------


def example(word):
    (text,) = (t for t in re.findall(r"^```python\n(.*?)^```", DOCUMENT, re.M | re.S) if word in t)
    return text


def sides():
    """The same values twice: y upside down and x transposed, as arrays of a device."""
    y, x = np.arange(12, dtype="f4").reshape(3, 4)[::-1], np.arange(100, 112, dtype="f4").reshape(4, 3).T
    return y, x, {"y": OnDevice(y), "x": OnDevice(x)}


def wanted(array):
    return (array.ctypes.data, *array.shape, *(s // array.itemsize for s in array.strides))


def test_kernel_of_the_document():
    (text,) = re.findall(r"<!-- from (\S+) -->\n```c\+\+\n(.*?)```", DOCUMENT, re.S)
    assert text[1] in (ROOT / text[0]).read_text()


def test_cupy_example(monkeypatch):
    calls = []
    cupy = types.ModuleType("cupy")
    cupy.RawKernel = lambda source, name, options: lambda *launch: calls.append((name, options, launch))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    y, x, names = sides()
    exec(example("RawKernel"), {"source": "", **names})
    ((name, options, (grid, block, arguments)),) = calls
    assert name == "saxpy" and Path(options[1][2:], "sv_kernel.hpp").exists() and len(grid) == len(block) == 1
    assert [a.shape for a in arguments[:2]] == [(1,), (1,)]  # which CuPy passes by value
    assert [numbers(a.tobytes()) for a in arguments[:2]] == [wanted(y), wanted(x)]


def test_ctypes_example():
    y, x, names = sides()
    kept = {}

    def launch(addresses):
        kept["arguments"] = [ctypes.string_at(p, n) for p, n in zip((ctypes.c_void_p * 3).from_address(addresses), (40, 40, 4))]

    exec(example("class Block2"), {"launch": launch, **names})
    assert [numbers(a) for a in kept["arguments"][:2]] == [wanted(y), wanted(x)]
    assert kept["arguments"][2] == struct.pack("f", 2)


def test_cuda_core_example():
    """cuda.core takes the numbers as 64-bit parameters."""
    need("cuda.core")
    handler = pytest.importorskip("cuda.core.cu13._kernel_arg_handler", reason="another cuda.core")
    y, x, names = sides()
    exec(example("parameters ="), names)
    holder = handler.ParamHolder(names["parameters"])
    addresses = (ctypes.c_void_p * 10).from_address(holder.ptr)
    assert tuple(ctypes.c_int64.from_address(a).value for a in addresses) == wanted(y) + wanted(x)


COMPILE = """
from numba import from_dtype, types
float32s = types.Array(types.float32, 1, "C")
ptx, _ = cuda.compile_ptx(add_rows, (float32s, from_dtype(block_of_2), float32s), cc=(9, 0))
assert ".entry" in ptx and "ld.global" in ptx
"""


def test_numba_example(tmp_path):
    """It is compiled for a device: that needs none. Its compiler is the toolkit's."""
    pytest.importorskip("numba.cuda", reason="no Numba")
    toolkit = os.environ.get("CUDA_DIR") or "/usr/local/cuda"
    if not Path(toolkit, "nvvm").is_dir():
        pytest.skip("no toolkit")
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("compilers crash under the sanitizers' runtimes")
    program = tmp_path / "program.py"
    program.write_text(example("add_rows") + COMPILE)
    environment = {**os.environ, "CUDA_HOME": toolkit}
    run = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_array_by_value(tmp_path):
    """A function of C++ gets the block by value, as a kernel does."""
    compiler = shutil.which("g++") or shutil.which("clang++") or pytest.skip("no C++ compiler")
    source, library = tmp_path / "saxpy.cpp", tmp_path / "saxpy.so"
    source.write_text("""
        #include "sv_kernel.hpp"
        extern "C" void saxpy(strideview::array<float, 2> y, strideview::array<const float, 2> x, float a)
        {
            for (int i = 0; i < y.extent(0); i++)
                for (int j = 0; j < y.extent(1); j++)
                    y(i, j) += a * x(i, j);
        }""")
    subprocess.run([compiler, "-std=c++17", "-shared", "-fPIC", "-I", sv.get_include(), "-o", library, source], check=True)
    y, x, names = sides()
    expected = y + 2 * x

    def launch(_):
        ctypes.CDLL(str(library)).saxpy(*names["arguments"])

    names["launch"] = launch
    exec(example("class Block2"), names)
    assert (y == expected).all()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
