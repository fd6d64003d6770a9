"""make install prefix=DIR: what pkg-config says is where the files are."""

import os
import shutil
import subprocess
import sys

import pytest

BINDINGS = ["StrideView.jl", "sv.lua", "sv_ctypes.py", "sv_sys.rs"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    if not os.path.exists("Makefile") or not os.path.exists("strideview.pc"):
        pytest.skip("this is no build tree")
    folder = tmp_path_factory.mktemp("installed") / "where"
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    subprocess.run(["make", "-s", "install-data", f"prefix={folder}"], check=True, capture_output=True, env=environment)
    return folder


def ask(place, *arguments):
    if shutil.which("pkg-config") is None:
        pytest.skip("pkg-config is not installed")
    done = subprocess.run(["pkg-config", *arguments, "strideview"], check=True, capture_output=True, text=True,
                          env={**os.environ, "PKG_CONFIG_PATH": str(place / "lib/pkgconfig")})
    return done.stdout.split()


def test_pkg_config_tells_the_prefix_of_the_installation(place):
    assert ask(place, "--variable=prefix") == [str(place)]
    assert f"-I{place}/include" in ask(place, "--cflags") and f"-L{place}/lib" in ask(place, "--libs")
    assert (place / "include/sv.h").exists() and (place / "include/sv/copy.h").exists()


def test_bindings_are_found(place):
    [folder] = ask(place, "--variable=bindingsdir")
    assert folder == str(place / "share/strideview") and sorted(os.listdir(folder)) == BINDINGS
    program = "import sv_ctypes; print(sv_ctypes.SV_OK)"
    done = subprocess.run([sys.executable, "-B", "-c", program], check=True, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": folder})
    assert done.stdout == "0\n"


def test_nothing_of_the_build_is_left_in_it(place):
    lines = (place / "lib/pkgconfig/strideview.pc").read_text().splitlines()
    assert [line for line in lines if line.startswith(("prefix=", "libdir="))] == [f"prefix={place}", f"libdir={place}/lib"]


if __name__ == "__main__":
    import tap
    tap.main(__file__)
