"""Makes a folder that checks and measures libsv on a machine with an NVIDIA driver and Python, and nothing else.

    python bundle.py [--build DIR] [--python PYTHON] FOLDER

from a build tree in which the library, the tests and the package are made. --python, which may come often, builds the
package for another Python too, and needs a network.

CC, STRIP and NVCC in the environment are the compilers and strip, CUDA_DIR is the toolkit, and CCCL a folder of newer
headers of CCCL. The folder can be moved: nothing in it refers to the tree.
"""

import argparse
import base64
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import files as files_of
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MOST = 64 << 20  # bytes of the folder
ORIGIN = "-Wl,-rpath,$ORIGIN/../lib"

# Programs that use hidden names have the library in them; the others use the shared one, as a user's program does.
STATIC = ["cuda", "memory_device", "null_arguments"]
SHARED = {name: [f"run/{name}"] for name in ("allocator_device", "allocator_threads", "buffer_states", "memory_soak",
                                             "threads")}
SHARED["device_launch"] = ["gpu/device_launch", "bench/timing"]

MODULES = {"tests/gpu": ["allocations.py", "check_cases.py", "commands.py", "compare.py", "device_cases.txt",
                         "device_peers.py", "device_report.py", "kept_memory.py", "machine.py", "measure.py", "pickles.py",
                         "random_search.py", "suites.py", "torch_graphs.py", "tune.py", "tune_cases.py", "tune_tools.py"],
           "tests/bench": ["copy_list.py", "copy_race.py", "copy_random.py", "copy_report.py", "report.py"]}
CCCL_COPY = "cuda/__mdspan/__copy/mdspan_d2d.h"
CCCL_FLAGS = ["-O2", "-shared", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90",
              "-gencode=arch=compute_90,code=compute_90"]
DISTRIBUTIONS = ["cffi", "pycparser"]  # that the package needs


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def strip(*paths):
    run(*shlex.split(os.environ.get("STRIP") or "strip"), "--strip-all", *paths)


def put(path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy2(path, folder))


def put_library(build, folder):
    library = put((build / ".libs" / "libsv.so.0").resolve(), folder / "lib")
    strip("--strip-unneeded", library)
    library.rename(folder / "lib" / "libsv.so.0")


def put_programs(build, folder):
    tests, compiler = build / "tests", shlex.split(os.environ.get("CC") or "cc")
    made = [put(tests / "run" / name, folder / "bin") for name in STATIC]
    for name, objects in SHARED.items():
        made.append(folder / "bin" / name)
        run(*compiler, "-o", made[-1], *(tests / f"{each}.o" for each in objects), tests / ".libs" / "libtap.a",
            "-L", folder / "lib", "-l:libsv.so.0", "-lpthread", "-ldl", ORIGIN)
    strip(*made)


# --- CCCL ------------------------------------------------------------------------


def cccl_headers():
    """A folder of headers that have cuda::copy() of mdspans; or None."""
    places = [SOURCE / ".venv" / "peers" / "cccl", *sys.path]
    folders = [os.environ.get("CCCL"), *(str(Path(place, "cuda", "cccl", "headers", "include")) for place in places)]
    folders.append(os.environ.get("CUDA_DIR", "") + "/include/cccl")
    return next((folder for folder in folders if folder and (Path(folder) / CCCL_COPY).exists()), None)


def put_cccl(build, folder):
    """CCCL's copies as a library, which is kept in the build tree: it takes minutes to compile."""
    made, source = build / "tests" / "gpu" / "libcccl_copy.so", SOURCE / "tests" / "gpu" / "cccl_copy.cu"
    headers = cccl_headers()
    if headers is None:
        print(f"without CCCL: no headers with {CCCL_COPY} (PyPI has them as cuda-cccl)")
        return
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        flags = shlex.split(os.environ.get("NVCC_FLAGS") or "-std=c++17")
        flags += [*CCCL_FLAGS, "-Xcompiler", f"-fPIC,-ffile-prefix-map={headers}=cccl", "-I", headers]
        run(*shlex.split(os.environ["NVCC"]), *flags, "-o", made, source)
    strip("--strip-unneeded", put(made, folder / "lib"))


# --- the package ----------------------------------------------------------------


def put_distribution(name, folder):
    """A package that is installed here, as pip unpacked it."""
    for file in files_of(name) or []:
        if ".." not in file.parts and "__pycache__" not in file.parts:
            put(file.locate(), folder / file.parent)


def put_package(build, folder):
    package = folder / "python" / "strideview"
    shutil.copytree(build / "py-build" / "strideview", package, ignore=shutil.ignore_patterns("__pycache__", "lib"))
    strip("--strip-unneeded", *package.glob("*.so"))
    for name in DISTRIBUTIONS:
        put_distribution(name, folder / "python")
    wheel(package, folder)


def put_for(python, build, folder):
    """The same for another Python, beside the first: what is compiled has its number in its name."""
    with tempfile.TemporaryDirectory() as place:
        run(python, "-m", "venv", f"{place}/venv")
        there = f"{place}/venv/bin/python"
        run(there, "-m", "pip", "install", "-q", "--disable-pip-version-check", "setuptools>=77", *DISTRIBUTIONS)
        run(there, "setup.py", "-q", "build", f"--build-base={place}/temp", f"--build-lib={place}/lib", cwd=SOURCE,
            env={**os.environ, "SV_BUILD_DIR": str(build), "PYTHONPYCACHEPREFIX": f"{place}/cache"})
        (made,) = Path(place, "lib", "strideview").glob("_strideview.*.so")
        strip("--strip-unneeded", put(made, folder / "python" / "strideview"))
        for path in Path(place, "venv").glob("lib/python3*/site-packages/_cffi_backend.*.so"):
            put(path, folder / "python")


def wheel(package, folder):
    """The package once more as a wheel, for pip. The metadata are those that setuptools makes."""
    with tempfile.TemporaryDirectory() as place:
        run(sys.executable, "setup.py", "-q", "dist_info", "--output-dir", place, cwd=SOURCE, stderr=subprocess.DEVNULL)
        (info,) = Path(place).glob("*.dist-info")
        tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
        tag = f"{tag}-{tag}-linux_x86_64"
        (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: bundle\nRoot-Is-Purelib: false\nTag: {tag}\n")
        tops = {"strideview": package, info.name: info}
        content = {f"{top}/{path.relative_to(base)}": path for top, base in tops.items()
                   for path in sorted(base.rglob("*")) if path.is_file()}
        record, name = [], f"{info.name.removesuffix('.dist-info')}-{tag}.whl"
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as out:
            for name, path in content.items():
                data = path.read_bytes()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.append(f"{name},sha256={digest},{len(data)}\n")
                out.write(path, name)
            out.writestr(f"{info.name}/RECORD", "".join(record) + f"{info.name}/RECORD,,\n")


# --- all --------------------------------------------------------------------------


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def make(build, folder, with_cccl=True, pythons=()):
    """The folder, which must not be there, or be a bundle that is replaced."""
    if folder.exists() and not (folder / "run").exists():
        sys.exit(f"{folder} is there, and is no bundle")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    put_library(build, folder)
    put_programs(build, folder)
    put_package(build, folder)
    for python in pythons:
        put_for(python, build, folder)
    if os.environ.get("NVCC") and with_cccl:
        put_cccl(build, folder)
    for place, names in MODULES.items():
        for name in names:
            put(SOURCE / place / name, folder / "gpu")
    put(SOURCE / "tests" / "gpu" / "run", folder)
    shutil.copy2(SOURCE / "tests" / "gpu" / "README", folder / "README")
    put(SOURCE / "LICENSE", folder)
    if size(folder) > MOST:
        sys.exit(f"{folder} has {size(folder)} bytes, more than {MOST}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--build", type=Path, default=Path("."), help="the build tree [where this runs]")
    parser.add_argument("--python", action="append", default=[], help="another Python that the package is built for")
    options = parser.parse_args()
    make(options.build.resolve(), options.folder.resolve(), pythons=options.python)
    print(f"{options.folder}: {size(options.folder) / (1 << 20):.1f} MiB")


if __name__ == "__main__":
    main()
