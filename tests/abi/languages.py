"""TAP: the program of examples/*/main.* in each language: its numbers, and the text of an error. The tests are named by
the languages, so that their lines tell which ones ran."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PLANES = "[0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]"
COMPLAINT = "SV_ERROR_DTYPE: dst has float32 of 4 bytes, src uint8 of 1: pass SV_COPY_CAST to convert"
EXAMPLES = tap.root / "examples"
BINDINGS = tap.root / "bindings"


def needs(program):
    path = shutil.which(program)
    if not path:
        raise tap.Skip(f"no {program}")
    return path


def library():
    """libsv.so, where a program of another language can load it."""
    path = tap.loadable()
    if "__tsan_" in "\n".join(tap.lines(*tap.tool("NM", "nm"), "-D", "--undefined-only", path)):
        raise tap.Skip("libsv.so is built with a sanitizer")
    return path


def prints(lines, *command, **environment):
    """What a program prints instead of the lines."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library().parent), **environment}
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, cwd=tap.build)
    if run.returncode != 0 or run.stdout.splitlines() != lines:
        yield from (run.stdout + run.stderr).splitlines()
        yield f"status {run.returncode}, not {lines}"


def compiled(program, *command):
    """Compiles, links with libsv.so, and runs the program, whose path the command has to write."""
    directory = library().parent
    tap.lines(*command, f"-L{directory}", "-lsv", "-o", program)
    yield from prints([COMPLAINT, PLANES], program)


def c(folder):
    """C"""
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-I", tap.root / "include"]
    yield from compiled(folder / "main", *tap.tool("CC", "cc"), *options, EXAMPLES / "c/main.c")


def cpp(folder):
    """C++"""
    compiler = tap.tool("CXX", "c++")
    needs(compiler[0])
    options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", tap.root / "include"]
    yield from compiled(folder / "main", *compiler, *options, EXAMPLES / "cpp/main.cpp")


def python(folder):
    """Python"""
    library()
    if not list((tap.build / "py-build/strideview").glob("_strideview.*")):
        raise tap.Skip("no package in py-build")
    complaint = "TypeError: " + re.sub(".*?: (.*) SV_COPY_CAST", r"\1 casting='same_kind'", COMPLAINT)
    package = str(tap.build / "py-build")
    yield from prints([complaint, PLANES], sys.executable, EXAMPLES / "python/main.py", PYTHONPATH=package)


def rust(folder):
    """Rust"""
    rustc = needs("rustc")
    found = subprocess.run([rustc, "--version"], capture_output=True, text=True)
    if found.returncode != 0:
        raise tap.Skip("rustc does not run: " + " ".join(found.stderr.split()))
    version = tuple(map(int, re.search(r"(\d+)\.(\d+)", found.stdout).groups()))
    if version < (1, 82):
        raise tap.Skip("rustc is older than 1.82")
    program = folder / "main"
    for edition in ("2021", "2024") if version >= (1, 85) else ("2021",):
        options = ["--edition", edition, "-D", "warnings", "-L", library().parent]
        tap.lines(rustc, *options, "-o", program, EXAMPLES / "rust/main.rs")
        yield from prints([COMPLAINT, PLANES], program)


def luajit(folder):
    """LuaJIT"""
    command = [needs("luajit"), EXAMPLES / "luajit/main.lua"]
    yield from prints([COMPLAINT, PLANES], *command, LIBSV=str(library()), LUA_PATH=str(BINDINGS / "?.lua"))


def fortran(folder):
    """Fortran"""
    compiler = tap.tool("FC", "gfortran")
    needs(compiler[0])
    standard = ["-std=f2018", "-Wall", "-Wextra", "-Werror"] if "gfortran" in compiler[0] else []
    modules = ["-J", folder] if "gfortran" in compiler[0] else ["-module", folder]
    sources = [BINDINGS / "strideview.f90", EXAMPLES / "fortran/main.f90"]
    yield from compiled(folder / "main", *compiler, *standard, *modules, *sources)


def pkg_config_file(folder):
    """strideview.pc for the library of the build tree, which cgo asks pkg-config for."""
    if not shutil.which(os.environ.get("PKG_CONFIG", "pkg-config")):
        raise tap.Skip("no pkg-config")
    text = (tap.build / "strideview.pc").read_text()
    for name, directory in ("libdir", library().parent), ("includedir", tap.root / "include"):
        text = re.sub(f"(?m)^{name}=.*", f"{name}={directory}", text)
    (folder / "strideview.pc").write_text(text)


def go(folder):
    """Go"""
    command = needs("go")
    pkg_config_file(folder)
    if tap.lines(command, "env", "CGO_ENABLED") != ["1"]:
        raise tap.Skip("go without cgo")
    offline = {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GO111MODULE": "auto", "GOENV": "off"}
    places = {"GOCACHE": str(tap.build / "go-build"), "GOPATH": str(folder), "PKG_CONFIG_PATH": str(folder)}
    program = folder / "main"
    build = [command, "build", "-o", program, EXAMPLES / "go/main.go"]
    run = subprocess.run(build, capture_output=True, text=True, env={**os.environ, **offline, **places}, cwd=folder)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    yield from prints([COMPLAINT, PLANES], program)


def julia(folder):
    """Julia"""
    command = needs("julia")
    yield from prints([COMPLAINT, PLANES], command, EXAMPLES / "julia/main.jl", LIBSV=str(library()))


def in_folder(check):
    def checked():
        with tempfile.TemporaryDirectory() as folder:
            yield from check(Path(folder))

    checked.__doc__ = check.__doc__
    return checked


if __name__ == "__main__":
    tap.report(*map(in_folder, (c, cpp, python, rust, luajit, fortran, go, julia)))
