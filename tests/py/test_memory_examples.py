"""examples/memory: each prints what it should, on the fake CUDA runtime, and on a GPU where there is one."""

import os
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from kinds import KINDS, kinds  # noqa: F401  (a fixture; before strideview)

import strideview as sv

FOLDER = Path(__file__).parents[2] / "examples" / "memory"
PRINTED = {
    "tensor": """\
96 bytes, shape (4, 2, 3), strides (1, 12, 4)
came back: True
came back: True
""",
    "usm": """\
shared  32 bytes  as in a program for dpctl
device  32 bytes  as in a program for dpctl
host    32 bytes  as in a program for dpctl
shared  32 bytes  as in a program for dpctl
the same memory: True - its bytes as int32: [1763734369  543236206]
""",
    "device_buffer": """\
a copy on the device: True
1 frame of 8000 bytes, the rest is short: True
loaded: DeviceBuffer True True
""",
    "managed_vector": """\
a kernel gets shape (3, 3) and strides of (24, 8) bytes
a slice has the pointer of its first element: True
[[ 6.  8. 10.]
 [12. 14. 16.]
 [18. 20. 22.]]
what is computed is NumPy's: True 135.0
""",
    "pinned": """\
float64 (5,) of the host's memory: True
[16.  9.  4.  1.  0.]
""",
}
FOR_ALL = ("tensor", "pinned")  # that need no CUDA


def library(folder):
    """pinned.c, linked with the libsv that the package has."""
    path = folder / "libpinned.so"
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror",
                    f"-I{sv.get_include()}", "-o", path, FOLDER / "pinned.c", sv.library_path()], check=True)
    return path


@pytest.mark.parametrize("name", PRINTED)
def test_prints(kinds, name, tmp_path, monkeypatch, capsys):
    if name not in FOR_ALL and "device" not in KINDS:
        pytest.skip("the package was not built on the fake CUDA runtime")
    monkeypatch.setattr(sys, "argv", [name, str(library(tmp_path))] if name == "pinned" else [name])
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out == PRINTED[name]


READY = "import strideview as sv, sys; sys.exit(not any(d.name == 'cuda:0' and d.state == 'ready' for d in sv.devices()))"


@pytest.mark.parametrize("name", PRINTED)
def test_prints_on_a_gpu(name, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(os.environ.get("builddir", ".")).resolve() / "py-build")}
    if subprocess.run([sys.executable, "-c", READY], env=environment, capture_output=True).returncode != 0:
        pytest.skip("there is no CUDA device")
    arguments = [library(tmp_path)] if name == "pinned" else []
    done = subprocess.run([sys.executable, FOLDER / f"{name}.py", *arguments], env=environment, capture_output=True,
                          text=True)
    assert (done.stdout, done.stderr) == (PRINTED[name], "")


def test_every_example_is_run():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(PRINTED)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
