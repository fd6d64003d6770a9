"""Finds the libraries of other makers that are installed in Python's environment, for tests/bench/copy.

    python copy_libraries.py [FILE[:FILE]]     prints an option -l with those given and those found, or nothing
"""

import importlib.util
import sys
from pathlib import Path

NAMES = ["libdnnl.so.3", "libdnnl.so.2", "libmkl_rt.so.3", "libmkl_rt.so.2"]  # wheels put these into lib


def in_package(package, file):
    found = importlib.util.find_spec(package)
    return [Path(place, file) for place in (found.submodule_search_locations if found else [])]


def libraries():
    """OpenBLAS of the wheel scipy-openblas32, oneDNN and MKL."""
    found = in_package("scipy_openblas32", "lib/libscipy_openblas.so")
    found += [Path(sys.prefix, "lib", name) for name in NAMES]
    return [str(path) for path in found if path.exists()]


def main(given):
    files = [file for file in given.split(":") if file] + libraries()
    if files:
        print("-l", ":".join(files))


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
