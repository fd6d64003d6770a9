"""Compiles and imports extension modules: the examples, and those that tests and benchmarks are made of."""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import strideview as sv

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "extensions"


class Missing(Exception):
    """A tool, or a package, that is not there."""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(done.args)}\n{done.stdout}{done.stderr}")


def folder_of(name):
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise Missing(f"{name} is not installed")
    return Path(spec.origin).parent


def compiler(variable, *names):
    given = shlex.split(os.environ.get(variable, ""))
    found = given or next(([name] for name in names if shutil.which(name)), None)
    if found is None:
        raise Missing(f"no compiler: {' '.join(names)}")
    return found


def dlpack():
    """The directory of dlpack/dlpack.h."""
    given = os.environ.get("SV_DLPACK")
    return Path(given) if given else folder_of("tvm_ffi") / "include"


def includes(*folders):
    paths = [sv.get_include(), sysconfig.get_path("include")]
    return [word for path in paths for word in ("-I", path)] + [word for path in folders for word in ("-isystem", path)]


def compile_c(sources, target, *options):
    # Warnings fail, but not those of what Cython writes.
    run(*compiler("CC", "cc", "gcc"), "-std=c11", "-shared", "-fPIC", *options, *includes(), *sources, "-o", target)


def compile_cpp(sources, target, *folders, options=()):
    run(*compiler("CXX", "c++", "g++"), "-std=c++17", "-shared", "-fPIC", "-O0", *options, *includes(*folders), *sources,
        "-o", target)


def build_plain(source, target, optimise="-O1"):
    compile_c([source], target, optimise, "-Wall", "-Wextra", "-Wshadow", "-Werror")


def build_cython(source, target):
    folder_of("Cython")
    written = target.with_suffix(".c")
    run(sys.executable, "-m", "cython", "-3", "-I", Path(sv.__file__).parents[1], source, "-o", written)
    compile_c([written], target, "-O0")


def build_pybind11(source, target):
    compile_cpp([source], target, folder_of("pybind11") / "include", dlpack(), options=["-Wall", "-Wextra", "-Werror"])


def build_nanobind(source, target):
    package = folder_of("nanobind")
    compile_cpp([source, package / "src" / "nb_combined.cpp"], target, package / "include",
                package / "ext" / "robin_map" / "include", options=["-fvisibility=hidden"])


BUILDERS = {"plain": build_plain, "with_cython": build_cython, "with_pybind11": build_pybind11,
            "with_nanobind": build_nanobind}


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(source, folder, builder=build_plain):
    """The module of one source file, compiled into the folder."""
    source = Path(source)
    target = Path(folder) / f"{source.stem}{sysconfig.get_config_var('EXT_SUFFIX')}"
    builder(source, target)
    return load(source.stem, target)


def example(name, folder):
    (source,) = EXAMPLES.glob(f"{name}.*")
    return build(source, folder, BUILDERS[name])
