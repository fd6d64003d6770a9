"""TAP: the crates of rust/ find the library in each way that they know, and pass their tests, without a registry."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import tap

MANIFEST = tap.root / "rust/Cargo.toml"
PLANES = "[0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]"  # what the example prints
LEAST_CARGO = (1, 85)


def cargo():
    """The command, where it runs: rustup's needs a home with a toolchain."""
    program = shutil.which("cargo")
    if not program:
        raise tap.Skip("no cargo")
    run = subprocess.run([program, "--version"], capture_output=True, text=True, env=environment())
    if run.returncode != 0:
        raise tap.Skip("cargo does not run: " + " ".join(run.stderr.split()))
    if tuple(map(int, re.search(r"(\d+)\.(\d+)", run.stdout).groups())) < LEAST_CARGO:
        raise tap.Skip("cargo is older than 1.85")
    return program


def environment(**more):
    """That of this process without settings of make, cargo and the crates. Files are written to the build tree alone."""
    settings = r"MAKE(FLAGS|LEVEL)|MFLAGS|CARGO_|RUST(C|DOC)?(_|FLAGS)|STRIDEVIEW_|PKG_CONFIG|LD_LIBRARY_PATH"
    kept = {name: value for name, value in os.environ.items() if not re.match(settings, name)}
    target = tap.build / "rust-target"
    return kept | {"CARGO_TARGET_DIR": str(target), "CARGO_HOME": str(target / "home")} | more


def run_cargo(command, *arguments, **variables):
    words = [cargo(), command, "--offline", "--locked", "--manifest-path", MANIFEST, *arguments]
    return subprocess.run(words, capture_output=True, text=True, env=environment(**variables), cwd=tap.build)


def shared():
    """The directory of libsv.so. ThreadSanitizer's runtime cannot be loaded by a program without it."""
    path = tap.loadable()
    if "__tsan_" in "\n".join(tap.lines(*tap.tool("NM", "nm"), "-D", "--undefined-only", path)):
        raise tap.Skip("libsv.so is built with a sanitizer")
    return str(path.parent)


def prints_planes(**variables):
    """What the example prints instead, linked as the variables say."""
    run = run_cargo("run", "--quiet", "--example", "planes", **variables)
    if run.returncode != 0 or run.stdout.strip() != PLANES:
        yield from (run.stdout + run.stderr).splitlines()
        yield f"status {run.returncode}, not {PLANES}"


def tests_pass():
    """tests and doctests pass with the shared library of STRIDEVIEW_LIB_DIR"""
    directory = shared()
    # Else rustdoc does not look with which error an example fails that is not to compile.
    run = run_cargo("test", STRIDEVIEW_LIB_DIR=directory, LD_LIBRARY_PATH=directory, RUSTC_BOOTSTRAP="1")
    passed = sum(map(int, re.findall(r"^test result: ok\. (\d+) passed", run.stdout, re.M)))
    refused = len(re.findall(r"- compile fail \.\.\. ok$", run.stdout, re.M))
    if run.returncode != 0 or passed < 50 or refused < 8:
        yield from (run.stdout + run.stderr).splitlines()
        yield f"status {run.returncode}, {passed} passed, {refused} of them by not compiling"


def links_statically():
    """STRIDEVIEW_STATIC=1 links libsv.a and what it needs: the program runs without the library"""
    shared()
    directory = str(tap.library("libsv.a").parent)
    yield from prints_planes(STRIDEVIEW_LIB_DIR=directory, STRIDEVIEW_STATIC="1")


def asks_pkg_config():
    """pkg-config tells where the library is, for the shared and for the static one"""
    if not shutil.which("pkg-config"):
        raise tap.Skip("no pkg-config")
    directory = shared()
    text = (tap.build / "strideview.pc").read_text()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "strideview.pc").write_text(re.sub("(?m)^libdir=.*", f"libdir={directory}", text))
        yield from prints_planes(PKG_CONFIG_PATH=folder, LD_LIBRARY_PATH=directory)
        if Path(directory, "libsv.a").exists():
            yield from prints_planes(PKG_CONFIG_PATH=folder, STRIDEVIEW_STATIC="1")


def refusals_say_what_to_do():
    """a library that is not where it is said to be is told, and what to do"""
    with tempfile.TemporaryDirectory() as folder:
        for variables, wanted in (
            ({"STRIDEVIEW_LIB_DIR": folder}, [f"{folder}: no libsv.so is there", "--features vendored"]),
            ({"STRIDEVIEW_LIB_DIR": folder, "STRIDEVIEW_STATIC": "1"}, ["no libsv.a is there", "PKG_CONFIG_PATH"]),
            ({"STRIDEVIEW_LIB_DIR": folder + "/none"}, ["No such file", "set STRIDEVIEW_LIB_DIR to"]),
            ({"STRIDEVIEW_STATIC": "yes"}, ['STRIDEVIEW_STATIC is "yes", and takes 1 or 0']),
        ):
            run = run_cargo("check", **variables)
            missing = [text for text in wanted if text not in run.stderr]
            if run.returncode == 0 or missing:
                yield from run.stderr.splitlines()
                yield f"{variables}: status {run.returncode}, without {missing}"


def builds_from_source():
    """the feature vendored, and no pkg-config, build the library from the sources"""
    if os.environ.get("SV_TEST_SCALE", "quick") not in ("full", "long"):
        raise tap.Skip("minutes: only with SV_TEST_SCALE=full")
    shared()
    flags, dlpack = "--without-cuda", os.environ.get("SV_DLPACK")
    if dlpack:
        flags += f" --with-dlpack={dlpack}"
    run = run_cargo("run", "--quiet", "--features", "vendored", "--example", "planes", STRIDEVIEW_CONFIGURE=flags)
    if run.returncode != 0 or run.stdout.strip() != PLANES:
        yield from (run.stdout + run.stderr).splitlines()
        yield f"status {run.returncode}"


def is_formatted():
    """the sources are laid out by rustfmt"""
    cargo()
    if not shutil.which("rustfmt"):
        raise tap.Skip("no rustfmt")
    words = [cargo(), "fmt", "--all", "--check", "--manifest-path", MANIFEST]
    run = subprocess.run(words, capture_output=True, text=True, env=environment())
    if run.returncode != 0:
        yield from (run.stdout + run.stderr).splitlines()


if __name__ == "__main__":
    tap.report(
        tests_pass,
        links_statically,
        asks_pkg_config,
        refusals_say_what_to_do,
        builds_from_source,
        is_formatted,
    )
