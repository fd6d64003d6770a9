"""Builds the Python package strideview: pip install .

libsv is compiled from a copy of these sources and linked into the extension.
The environment can ask for something else:

    SV_INSTALL=system   link with the installed libsv that pkg-config finds
    SV_BUILD_DIR=DIR    link with the libsv of a configured build tree
    SV_CONFIGURE=...    arguments for configure, such as --without-cuda
    SV_DLPACK=DIR       directory that holds dlpack/dlpack.h, 1.3 or later
    SV_EXTENSION_CFLAGS=...  more flags for the compiler of the extension, such as warnings
    SV_STRIP=0              install with the symbols that debuggers read

What C programs link with lies in the package, laid out as a prefix of "make install": doc/linking.md.
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
from setuptools.command.install_lib import install_lib
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

ROOT = Path(__file__).parent.resolve()
# What building inside the tree leaves there.
GENERATED = shutil.ignore_patterns(
    ".git", ".venv", "build", "build-py", "dist", "full", "full-*", "gpu-bundle", "mpi-build", "py-build", "py-fake", "rust-target",
    "*.egg-info", "__pycache__", "autom4te.cache", ".deps", ".libs", ".dirstamp", "*.o", "*.lo", "*.la", "*.so",
    "*.fatbin", "*.log", "*.trs", "config.status", "libtool", "Makefile", "strideview.pc", "strideview-mpi.pc", "strideview-[0-9]*",
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
    run(source / "configure", "--quiet", "--with-pic", "--disable-dependency-tracking",
        "--with-criterion=no", "--without-mpi", *([f"--with-dlpack={dlpack}"] if dlpack else []),
        *shlex.split(os.environ.get("SV_CONFIGURE", "")), cwd=build,
        missing="building libsv needs a shell, a C compiler and make")
    run("make", f"-j{os.cpu_count()}", "libsv.la", cwd=build)
    return build


# --- a prefix for C


def put(path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(path, folder / path.name)


def soname(build):
    """The name of the shared library that programs look for; empty where configure had --disable-shared."""
    return re.search(r"^dlname='(.*)'$", (build / "libsv.la").read_text(), re.MULTILINE)[1]


def carried_libraries(words):
    """The static CUDA runtime, where libsv.a needs it: machines without a toolkit lack it."""
    folders = [Path(word[2:]) for word in words if word.startswith("-L") and "-lcudart_static" in words]
    return [folder / "libcudart_static.a" for folder in folders if (folder / "libcudart_static.a").exists()]


def without_folders(words):
    return " ".join(word for word in words if not word.startswith("-L"))


def put_libraries(build, lib):
    """The libraries of a build tree. A wheel holds no links, so that libsv.so, by which linkers know the shared one, is
    a line of a linker's script."""
    lib.mkdir(parents=True, exist_ok=True)
    shared, archive = soname(build), build / ".libs" / "libsv.a"
    if shared:
        put(build / ".libs" / shared, lib)
        (lib / "libsv.so").write_text(f"INPUT(-l:{shared})\n")
    if archive.exists():
        put(archive, lib)
        for library in carried_libraries(private_libraries(build)):
            put(library, lib)


def write_pkg_config(build, lib):
    """strideview.pc, which finds the rest from its own place, with a path for the loader: lib is none of the system's."""
    text = (build / "strideview.pc").read_text()
    lines = {"prefix=": "${pcfiledir}/../..", "exec_prefix=": "${prefix}", "libdir=": "${prefix}/lib",
             "includedir=": "${prefix}/include", "datarootdir=": "${prefix}/share", "datadir=": "${prefix}/share",
             "Libs:": " -L${libdir} -lsv -Wl,-rpath,${libdir}",
             "Libs.private:": " " + without_folders(private_libraries(build))}
    for name, value in lines.items():
        text = re.sub(rf"^{re.escape(name)}.*$", lambda _, line=name + value: line, text, flags=re.MULTILINE)
    (lib / "pkgconfig").mkdir(exist_ok=True)
    (lib / "pkgconfig" / "strideview.pc").write_text(text)


def write_cmake_package(build, lib):
    """The package of "make install", which knows the way from libraries to headers only."""
    text = (build / "strideview-config.cmake").read_text()
    values = {"libdir": '"/lib"', "includedir": '"/include"', "shared": soname(build) or "libsv.so"}
    for name, value in values.items():
        text = re.sub(rf"^set\(_strideview_{name} .*\)$", f"set(_strideview_{name} {value})", text, flags=re.MULTILINE)
    words = private_libraries(build)
    needed = without_folders(words)
    for library in carried_libraries(words):
        needed = needed.replace(f"-l{library.stem[3:]}", f"'${{_strideview_libdir}}/{library.name}'")
    text = re.sub(r'UNIX_COMMAND ".*"\)', f'UNIX_COMMAND "{needed}")', text)
    folder = lib / "cmake" / "strideview"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "strideview-config.cmake").write_text(text)
    put(build / "strideview-config-version.cmake", folder)


def write_prefix(build, package):
    put_libraries(build, package / "lib")
    write_pkg_config(build, package / "lib")
    write_cmake_package(build, package / "lib")
    for name in ("StrideView.jl", "strideview.f90", "sv.lua", "sv_ctypes.py", "sv_sys.rs"):
        put(ROOT / "bindings" / name, package / "share" / "strideview")


def strip(path):
    """Take out of a library what only debuggers read: nine tenths of it."""
    option = {".a": "--strip-debug"}.get(path.suffix, "--strip-unneeded")
    run(*shlex.split(os.environ.get("STRIP") or "strip"), option, path, missing="stripping needs binutils, or SV_STRIP=0")


# --- commands of setuptools


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
            if not self.inplace:
                write_prefix(build, Path(self.build_lib, "strideview"))
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
            for name in ("sv.h", *topics, "sv.hpp", "sv_mdspan.hpp", "sv_kernel.hpp", "strideview.h"):
                shutil.copy2(ROOT / "include" / name, include / name)


# A text, and what NVIDIA's licence lets others pass on unchanged.
AS_THEY_ARE = ("libsv.so", "libcudart_static.a")


class InstallLib(install_lib):
    """Strips what is installed, and so what a wheel holds; the build tree keeps its symbols."""

    def install(self):
        files = super().install()
        if os.environ.get("SV_STRIP") != "0":
            for path in map(Path, files or []):
                if re.search(r"\.(a|so|so\.\d+)$", path.name) and path.name not in AS_THEY_ARE:
                    strip(path)
        return files


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
    cmdclass={"build_ext": BuildExt, "build_py": BuildPy, "install_lib": InstallLib, "sdist": SDist},
)
