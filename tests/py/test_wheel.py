"""The wheel is enough for C: programs are built by what python -m strideview, pkg-config and CMake say of an installed one."""

import importlib.metadata
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import strideview
from test_installed import ENVIRONMENT, PROGRAM_C, PROJECT, ROOT, block, cmake_builds, run

BUILT = Path(strideview.__file__).parent
CC = shlex.split(os.environ.get("CC", "cc"))

# Two copies of libsv in one process, in either order: each has its own error text, and both survive a fork.
TOGETHER = """
import ctypes, os, sys
def load():
    global other
    other = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
    other.sv_last_message.restype = ctypes.c_char_p
if sys.argv[2] == "first":
    load()
import strideview as sv
if sys.argv[2] == "last":
    ctypes.CDLL(sv.library_path(), mode=ctypes.RTLD_GLOBAL)
    load()
assert sv.lib.sv_layout_parse(b"?", sv.ffi.new("sv_layout **")) != 0
assert sv.ffi.string(sv.lib.sv_last_message()) and not other.sv_last_message()
handle = ctypes.c_void_p()
def works():
    assert other.sv_layout_parse(b"(2, 3)*4", ctypes.byref(handle)) == 0
    assert sv.full((2, 3), 7.0).tolist() == [[7.0] * 3] * 2
works()
child = os.fork()
if not child:
    works()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel of the package of this build tree, which setup.py packs without building it again."""
    if not os.path.exists("libsv.la") or not (BUILT / "lib").exists():
        pytest.skip("this is no build tree")
    for name in ("libsv.so.0", "libsv.a"):
        if not (BUILT / "lib" / name).exists():
            pytest.skip(f"configured without {name}")
    if any(name in (BUILT / "lib/libsv.so.0").read_bytes() for name in (b"__asan_init", b"__ubsan_", b"__tsan_init")):
        pytest.skip("libsv.so is built with sanitizers")
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(BUILT, folder / "lib/strideview", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "config").write_text(f"[build]\nbuild_lib={folder}/lib\nbuild_base={folder}/temp\n"
                                   f"[egg_info]\negg_base={folder}\n")
    done = subprocess.run([sys.executable, "setup.py", "-q", "bdist_wheel", "--skip-build", "--bdist-dir", folder / "bdist",
                           "--dist-dir", folder], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**ENVIRONMENT, "DIST_EXTRA_CONFIG": str(folder / "config"), "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stdout
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel):
    """The Python of a new environment with the wheel in it; cffi, which the package needs, is that of this one."""
    folder = wheel.parent / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    path = folder / "bin/python"
    run(sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "--python", path, "install", "--no-index", "--no-deps",
        wheel)
    site = run(path, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip()
    Path(site, "cffi.pth").write_text(sysconfig.get_path("platlib") + "\n")
    return path


@pytest.fixture(scope="module")
def package(python):
    folder = Path(run(python, "-c", "import strideview; print(strideview.__path__[0])").strip())
    assert folder.is_relative_to(python.parent.parent)
    return folder


def compiled(folder, *flags):
    (folder / "program.c").write_text(PROGRAM_C)
    run(*CC, "-o", folder / "program", folder / "program.c", *flags)
    return folder / "program"


def test_what_the_wheel_holds(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = {name.removeprefix("strideview/") for name in file.namelist()}
    assert names >= {"include/sv.h", "include/sv/copy.h", "include/sv.hpp", "include/sv_mdspan.hpp", "include/strideview.h",
                     "lib/libsv.so.0", "lib/libsv.so", "lib/libsv.a", "lib/cmake/strideview/strideview-config.cmake",
                     "lib/cmake/strideview/strideview-config-version.cmake", "lib/pkgconfig/strideview.pc",
                     "share/strideview/sv.lua"}
    assert {name.partition(".dist-info/licenses/")[2] for name in names} >= {"LICENSE", "packaging/licences.md"}


def test_it_is_stripped(package):
    for path in (*package.glob("_strideview*.so"), package / "lib/libsv.so.0", package / "lib/libsv.a"):
        assert ".debug_info" not in run("readelf", "-SW", path), path


def test_the_cuda_runtime_is_unchanged(package):
    """NVIDIA's licence lets others pass it on as it is only."""
    made = BUILT / "lib/libcudart_static.a"
    if not made.exists():
        pytest.skip("configured without CUDA")
    assert (package / "lib/libcudart_static.a").read_bytes() == made.read_bytes()


def test_no_path_of_this_machine_is_told(package):
    for path in ("lib/pkgconfig/strideview.pc", "lib/cmake/strideview/strideview-config.cmake"):
        text = (package / path).read_text()
        assert os.getcwd() not in text and "-L/" not in text and "=/" not in text, text


@pytest.mark.parametrize("options", [["--cflags", "--libs"], ["--static", "--cflags", "--libs"]], ids=["shared", "static"])
def test_the_command_line_tells_flags(python, package, tmp_path, options):
    program = compiled(tmp_path, *run(python, "-m", "strideview", *options).split())
    run(program)
    assert (str(package / "lib/libsv.so.0") in run("ldd", program)) == ("--static" not in options)


def test_the_command_line_tells_directories(python, package):
    answer = run(python, "-m", "strideview", "--includedir", "--libdir", "--cmakedir", "--pkgconfigdir").split()
    assert answer == [str(package / name) for name in ("include", "lib", "lib/cmake/strideview", "lib/pkgconfig")]
    functions = "import strideview as sv; print(sv.get_include(), sv.get_library_dir(), sv.get_cmake_dir())"
    assert run(python, "-c", functions).split() == answer[:3]


@pytest.mark.parametrize("options, text", [(["--libs", "--lib"], "--lib is none of"), (["--static"], "goes with --libs")])
def test_the_command_line_refuses(python, options, text):
    done = subprocess.run([python, "-m", "strideview", *options], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 1 and text in done.stderr and not done.stdout


def test_a_package_without_libraries_says_so(python, package, tmp_path):
    shutil.copytree(package, tmp_path / "strideview", ignore=shutil.ignore_patterns("lib"))
    done = subprocess.run([python, "-m", "strideview", "--libs"], capture_output=True, text=True, cwd=tmp_path,
                          env={**ENVIRONMENT, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1 and "SV_INSTALL=system" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("way", ["shared", "static"])
def test_pkg_config_from_a_moved_package(package, tmp_path, way):
    if shutil.which("pkg-config") is None:
        pytest.skip("pkg-config is not installed")
    moved = shutil.copytree(package, tmp_path / "moved")
    flags = run("pkg-config", *(["--static"] if way == "static" else []), "--cflags", "--libs", "strideview",
                PKG_CONFIG_PATH=str(moved / "lib/pkgconfig")).split()
    if way == "static":
        flags = ["-l:libsv.a" if flag == "-lsv" else flag for flag in flags]
    program = compiled(tmp_path, *flags)
    run(program)
    assert ("libsv.so.0" in run("ldd", program)) == (way == "shared")


def test_cmake_from_a_moved_package(package, tmp_path):
    moved = shutil.copytree(package, tmp_path / "a place" / "strideview")
    cpp = any(shutil.which(name) for name in ("c++", "g++", "clang++"))
    (tmp_path / "program.c").write_text(PROGRAM_C)
    (tmp_path / "program.cpp").write_text(block("doc/linking.md", "a program of tests/py/test_installed.py"))
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(languages="C CXX" if cpp else "C"))
    build = cmake_builds(tmp_path, moved)
    for name in ["shared", "static", *(["cpp_sv", "cpp_sv_static"] if cpp else [])]:
        run(build / name)
    assert str(moved / "lib/libsv.so.0") in run("ldd", build / "shared") and "libsv" not in run("ldd", build / "static")


def test_entry_points(package):
    """For scikit-build-core, and the program."""
    [distribution] = importlib.metadata.distributions(name="strideview", path=[str(package.parent)])
    assert {(entry.group, entry.name, entry.value) for entry in distribution.entry_points} == {
        ("cmake.root", "strideview", "strideview"), ("cmake.prefix", "strideview", "strideview"),
        ("console_scripts", "strideview", "strideview.cli.main:main"),
        ("dask.sizeof", "strideview", "strideview._dask:register_sizeof")}


def test_calls_within_the_library_stay_there(package):
    """Else a copy that the process has loaded before would be called."""
    assert " sv_" not in run("readelf", "-rW", package / "lib/libsv.so.0")


@pytest.mark.parametrize("order", ["first", "last"])
def test_two_copies_in_one_process(python, package, order):
    run(python, "-c", TOGETHER, package / "lib/libsv.so.0", order)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
