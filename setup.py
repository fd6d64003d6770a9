"""Builds the Python package strideview: pip install .

libsv is compiled from a copy of these sources and linked into the extension.
The environment can ask for something else:

    SV_INSTALL=system   link with the installed libsv that pkg-config finds
    SV_BUILD_DIR=DIR    link with the libsv of a configured build tree
    SV_CONFIGURE=...    arguments for configure, such as --without-cuda
    SV_DLPACK=DIR       directory that holds dlpack/dlpack.h, 1.3 or later
    SV_EXTENSION_CFLAGS=...  more flags for the compiler of the extension, such as warnings
"""

import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

ROOT = Path(__file__).parent.resolve()
# What building inside the tree leaves there.
GENERATED = shutil.ignore_patterns(
    ".git", ".venv", "build", "build-py", "dist", "full", "full-*", "gpu-bundle", "py-build", "py-fake", "rust-target",
    "*.egg-info", "__pycache__", "autom4te.cache", ".deps", ".libs", ".dirstamp", "*.o", "*.lo", "*.la", "*.so",
    "*.fatbin", "*.log", "*.trs", "config.status", "libtool", "Makefile", "strideview.pc", "strideview-[0-9]*",
    "strideview-config*.cmake")


def run(*command, cwd=None, missing=None):
    """Run a command; what it prints is shown by the build only when it fails."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise SetupError(missing or f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise SetupError(f"{shlex.join(command)} failed:\n{done.stdout[-6000:]}")
    return done.stdout.strip()


def version():
    header = (ROOT / "include" / "sv" / "base.h").read_text()
    return ".".join(re.search(rf"SV_VERSION_{part} = (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def tracked_files():
    """The files of a git checkout; None where there is none, as in an unpacked tarball."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return None
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def copy_sources(target):
    """Copy the clean sources: a tree that was configured cannot be built from elsewhere."""
    files = tracked_files()
    if files is None:
        shutil.copytree(ROOT, target, ignore=GENERATED, dirs_exist_ok=True)
        return
    for name in files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)


def write_configure(tree):
    if (tree / "configure").exists():
        return
    run("autoreconf", "-fi", cwd=tree,
        missing="a git checkout has no configure; to make it, install autoconf, automake, libtool and pkg-config")


def dlpack_directory():
    """Directory of the DLPack header, of the package that build-requires names; None leaves it to the compiler."""
    if os.environ.get("SV_DLPACK"):
        return Path(os.environ["SV_DLPACK"])
    try:
        files = importlib.metadata.files("apache-tvm-ffi") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.as_posix().endswith("tvm_ffi/include/dlpack/dlpack.h"):
            return Path(file.locate()).resolve().parent.parent
    return None


def private_libraries(build):
    """What a program that links libsv.a needs besides: Libs.private of the build tree's strideview.pc."""
    pc = (build / "strideview.pc").read_text()
    return shlex.split(re.search(r"^Libs.private:(.*)$", pc, re.MULTILINE)[1])


def make_library(temp):
    """Configure and make libsv under temp; the build tree."""
    source, build = temp / "libsv-source", temp / "libsv"
    dlpack = dlpack_directory()
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    copy_sources(source)
    write_configure(source)
    run(source / "configure", "--quiet", "--disable-shared", "--with-pic", "--disable-dependency-tracking",
        "--with-criterion=no", *([f"--with-dlpack={dlpack}"] if dlpack else []),
        *shlex.split(os.environ.get("SV_CONFIGURE", "")), cwd=build,
        missing="building libsv needs a shell, a C compiler and make")
    run("make", f"-j{os.cpu_count()}", "libsv.la", cwd=build)
    return build


class BuildExt(build_ext):
    """Finds or makes libsv before the extension is compiled."""

    def build_extensions(self):
        (extension,) = self.extensions
        extension.include_dirs.append(str(ROOT / "include"))
        extension.extra_compile_args += shlex.split(os.environ.get("SV_EXTENSION_CFLAGS", ""))
        if dlpack_directory():
            extension.extra_compile_args += ["-isystem", str(dlpack_directory())]
        if os.environ.get("SV_INSTALL") == "system":
            extension.extra_link_args += shlex.split(run("pkg-config", "--libs", "strideview"))
        else:
            given = os.environ.get("SV_BUILD_DIR")
            build = Path(given) if given else make_library(Path(self.build_temp).resolve())
            archive = str(build / ".libs" / "libsvcore.a")  # there even in a tree without static libraries
            extension.extra_objects.append(archive)
            extension.depends.append(archive)
            extension.extra_link_args += private_libraries(build)
        super().build_extensions()


class BuildPy(build_py):
    """Ships the headers and the generated declarations with the package."""

    def run(self):
        super().run()
        package = Path(ROOT / "py" if self.editable_mode else self.build_lib, "strideview")
        for name in ("_cdef.h", "api.pxd", "sv.pxd", "sv_ctypes.py"):
            shutil.copy2(ROOT / "bindings" / name, package / name)
        if not self.editable_mode:
            include = package / "include"
            include.joinpath("sv").mkdir(parents=True, exist_ok=True)
            topics = sorted(f"sv/{path.name}" for path in (ROOT / "include/sv").glob("*.h"))
            for name in ("sv.h", *topics, "sv_kernel.hpp", "strideview.h"):
                shutil.copy2(ROOT / "include" / name, include / name)


class SDist(sdist):
    """Packs the C sources too, with configure, so that it builds without the Autotools."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        copy_sources(Path(base_dir))
        write_configure(Path(base_dir))
        shutil.rmtree(Path(base_dir, "autom4te.cache"), ignore_errors=True)


setup(
    version=version(),
    cffi_modules=["py/strideview/_build.py:ffibuilder"],
    cmdclass={"build_ext": BuildExt, "build_py": BuildPy, "sdist": SDist},
)
