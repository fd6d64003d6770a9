"""make install prefix=DIR: what pkg-config and CMake say is where the files are, and programs are built with it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("srcdir", Path(__file__).parents[2])).resolve()
BINDINGS = ["StrideView.jl", "sv.lua", "sv_ctypes.py", "sv_sys.rs"]
# What the tests' own programs and make are run with: neither the options of the make that runs this nor sanitizers.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "LD_PRELOAD", "PYTHONPATH", "DESTDIR")}

PROGRAM_C = r"""
#include <sv.h>

int main(void)
{
    const float from[6] = {0, 1, 2, 3, 4, 5};
    const int64_t shape[2] = {2, 3}, turned[2] = {3, 2};
    float to[6] = {0};
    sv_view *source = NULL, *transposed = NULL, *target = NULL;
    const int done = sv_view_from_host(SV_FLOAT32, 2, shape, NULL, (void *)from, SV_READ_ONLY, &source) == SV_OK &&
                     sv_view_permute(source, 0, NULL, &transposed) == SV_OK &&
                     sv_view_from_host(SV_FLOAT32, 2, turned, NULL, to, 0, &target) == SV_OK &&
                     sv_copy(target, transposed, 0, 0) == SV_OK;

    sv_view_release(target);
    sv_view_release(transposed);
    sv_view_release(source);
    return !(done && to[1] == 3 && to[4] == 2);
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.13)
project(programs {languages})
find_package(strideview 0.1 REQUIRED COMPONENTS shared static)
add_executable(shared program.c)
target_link_libraries(shared PRIVATE strideview::sv)
add_executable(static program.c)
target_link_libraries(static PRIVATE strideview::sv_static)
if(CMAKE_CXX_COMPILER)
    foreach(library sv sv_static)
        add_executable(cpp_${{library}} program.cpp)
        target_compile_features(cpp_${{library}} PRIVATE cxx_std_17)
        target_link_libraries(cpp_${{library}} PRIVATE strideview::${{library}})
    endforeach()
endif()
"""
QUESTION = """
cmake_minimum_required(VERSION 3.19)
project(question NONE)
find_package(strideview {request})
foreach(target sv sv_static)
    if(TARGET strideview::${{target}})
        message(STATUS "there is ${{target}}")
    endif()
endforeach()
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    if not os.path.exists("Makefile") or not os.path.exists("strideview.pc"):
        pytest.skip("this is no build tree")
    folder = tmp_path_factory.mktemp("installed") / "where"
    subprocess.run(["make", "-s", "install-data", "install-exec", f"prefix={folder}"], check=True, capture_output=True,
                   env=ENVIRONMENT)
    return folder


@pytest.fixture
def moved(place):
    """The installation under another name, and nothing under the one that it was made for."""
    folder = place.with_name("elsewhere")
    place.rename(folder)
    yield folder
    folder.rename(place)


def skip_without_both(place):
    if not all((place / "lib" / name).exists() for name in ("libsv.so", "libsv.a")):
        pytest.skip("libsv is configured with one library only")


def skip_where_it_does_not_link(place):
    skip_without_both(place)
    library = (place / "lib/libsv.so").read_bytes()
    if any(name in library for name in (b"__asan_init", b"__ubsan_", b"__tsan_init")):
        pytest.skip("libsv.so is built with sanitizers")


def run(*command, **options):
    """What a command prints. Its failure is one of the test, with all of that."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**ENVIRONMENT, **options})
    assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def block(page, mark):
    """The fenced text behind <!-- mark --> of a page."""
    [text] = re.findall(rf"<!-- {re.escape(mark)} -->\n```\S+\n(.*?)```", (ROOT / page).read_text(), re.S)
    return text


def cmake_builds(folder, prefix):
    if shutil.which("cmake") is None:
        pytest.skip("CMake is not installed")
    run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder / "build")
    return folder / "build"


def cmake_says(folder, prefix, request):
    """(exit status, what CMake prints about a request, on one line)"""
    if shutil.which("cmake") is None:
        pytest.skip("CMake is not installed")
    (folder / "CMakeLists.txt").write_text(QUESTION.format(request=request))
    done = subprocess.run(["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT)
    return done.returncode, " ".join(done.stdout.split())


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


@pytest.mark.parametrize("way", ["shared", "only libsv static", "static"])
def test_pkg_config_links(place, tmp_path, way):
    skip_where_it_does_not_link(place)
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(PROGRAM_C)
    flags = ask(place, *([] if way == "shared" else ["--static"]), "--cflags", "--libs")
    if way == "only libsv static":
        flags = ["-l:libsv.a" if flag == "-lsv" else flag for flag in flags]
    run(*shlex.split(os.environ.get("CC", "cc")), "-o", program, source, *(["-static"] if way == "static" else []), *flags)
    run(program, LD_LIBRARY_PATH=str(place / "lib") if way == "shared" else "")


def test_cmake_builds_programs_from_a_moved_installation(moved, tmp_path):
    skip_where_it_does_not_link(moved)
    cpp = any(shutil.which(name) for name in ("c++", "g++", "clang++"))
    (tmp_path / "program.c").write_text(PROGRAM_C)
    (tmp_path / "program.cpp").write_text(block("doc/linking.md", "a program of tests/py/test_installed.py"))
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(languages="C CXX" if cpp else "C"))
    build = cmake_builds(tmp_path, moved)
    for name in ["shared", "static", *(["cpp_sv", "cpp_sv_static"] if cpp else [])]:
        run(build / name)
    assert "libsv.so.0" in run("ldd", build / "shared") and "libsv" not in run("ldd", build / "static")


def test_cmake_builds_what_the_readme_shows(moved, tmp_path):
    skip_where_it_does_not_link(moved)
    shutil.copy(ROOT / "examples/copy.c", tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(block("doc/c.md", "CMakeLists.txt of tests/py/test_installed.py"))
    (tmp_path / "in.ppm").write_bytes(b"P6\n2 1\n255\nabcdef")
    run(cmake_builds(tmp_path, moved) / "copy", tmp_path / "in.ppm", tmp_path / "out.pgm")
    assert (tmp_path / "out.pgm").read_bytes().startswith(b"P5")


# What is asked for, with the version as "this" and the next minor one as "next"; and what CMake says, nothing where it
# is found.
REQUESTS = [
    ("0.1 REQUIRED", ""),
    ("0.0.9 REQUIRED", ""),
    ("REQUIRED", ""),
    ("this EXACT REQUIRED", ""),
    ("0.1...<next REQUIRED", ""),
    ("0.0...this REQUIRED", ""),
    ("this REQUIRED COMPONENTS static OPTIONAL_COMPONENTS gpu", ""),
    ("99 REQUIRED", 'compatible with requested version "99"'),
    ("next REQUIRED", 'compatible with requested version "next"'),
    ("0.0.9 EXACT REQUIRED", 'exactly matches requested version "0.0.9"'),
    ("0.0...<this REQUIRED", 'compatible with requested version range "0.0...<this"'),
    ("0.1 REQUIRED COMPONENTS gpu", "there is no component gpu, only shared and static"),
]


def of_this_version(text):
    major, minor, patch = re.search(r"^Version: (\d+)\.(\d+)\.(\d+)$", Path("strideview.pc").read_text(), re.M).groups()
    return text.replace("this", f"{major}.{minor}.{patch}").replace("next", f"{major}.{int(minor) + 1}")


@pytest.mark.parametrize("request_text, answer", REQUESTS)
def test_cmake_finds_what_the_version_serves(moved, tmp_path, request_text, answer):
    skip_without_both(moved)
    status, text = cmake_says(tmp_path, moved, of_this_version(request_text))
    assert (status != 0) == bool(answer) and of_this_version(answer) in text, text
    assert answer or "there is sv -- there is sv_static" in text


@pytest.mark.parametrize("gone, component, target", [("libsv.a", "static", "sv_static"), ("libsv.so.0", "shared", "sv")])
def test_cmake_says_which_library_is_missing(moved, tmp_path, gone, component, target):
    skip_without_both(moved)
    library = moved / "lib" / gone
    library.rename(tmp_path / "hidden")
    try:
        status, text = cmake_says(tmp_path, moved, "0.1 REQUIRED")
        assert status == 0 and f"there is {target} " not in text and text.count("there is") == 1, text
        status, text = cmake_says(tmp_path, moved, f"0.1 REQUIRED COMPONENTS {component}")
    finally:
        (tmp_path / "hidden").rename(library)
    assert status != 0 and f"{gone} is not in {moved}/lib, as when libsv was configured with --disable-{component}" in text, text


def test_uninstall_removes_every_file(place):
    subprocess.run(["make", "-s", "uninstall", f"prefix={place}"], check=True, capture_output=True, env=ENVIRONMENT)
    assert [path for path in place.rglob("*") if not path.is_dir()] == []


if __name__ == "__main__":
    import tap
    tap.main(__file__)
