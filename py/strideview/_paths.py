"""Where C programs find the headers and libraries that the package carries; python -m strideview --cflags --libs.

The package is laid out as a prefix of "make install": include/, lib/, lib/cmake/strideview/, lib/pkgconfig/.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

PACKAGE = Path(__file__).parent


def get_include() -> str:
    """Directory of the C headers: sv.h, sv.hpp for C++, and strideview.h for extension modules."""
    installed = PACKAGE / "include"
    return str(installed if installed.exists() else PACKAGE.parent.parent / "include")


def get_library_dir() -> str:
    """Directory of the C library: libsv.so.0, libsv.so, by which linkers find it, and libsv.a. FileNotFoundError where
    the package carries none, as in an editable installation."""
    return _existing("lib")


def get_cmake_dir() -> str:
    """Directory of the CMake package: cmake -Dstrideview_DIR=... FileNotFoundError as for get_library_dir()."""
    return _existing("lib/cmake/strideview")


def _existing(name: str) -> str:
    folder = PACKAGE / name
    if not folder.exists():
        raise FileNotFoundError(f"{folder} is not there: a package that is editable, or was made with SV_INSTALL=system, "
                                "carries no library for C; pkg-config strideview finds an installed one")
    return str(folder)


def _private_libraries() -> str:
    """What a program needs besides that links libsv.a."""
    text = Path(_existing("lib/pkgconfig"), "strideview.pc").read_text()
    found = re.search(r"^Libs\.private: *(.*)$", text, re.MULTILINE)
    assert found is not None  # as setup.py wrote it
    return found[1]


def _libs(static: bool) -> str:
    folder = get_library_dir()
    return f"-L{folder} -l:libsv.a {_private_libraries()}" if static else f"-L{folder} -lsv -Wl,-rpath,{folder}"


# What the command line can ask for, and the answer; whether the static library is meant changes --libs alone.
ANSWERS: dict[str, tuple[Callable[[bool], str], str]] = {
    "--cflags": (lambda static: f"-I{get_include()}", "for the compiler"),
    "--libs": (_libs, "for the linker; with --static, libsv.a and what it needs"),
    "--includedir": (lambda static: get_include(), "of sv.h"),
    "--libdir": (lambda static: get_library_dir(), "of libsv.so and libsv.a"),
    "--cmakedir": (lambda static: get_cmake_dir(), "for cmake -Dstrideview_DIR="),
    "--pkgconfigdir": (lambda static: _existing("lib/pkgconfig"), "for PKG_CONFIG_PATH"),
}
OPTIONS = {*ANSWERS, "--static"}
HELP = "for C programs: " + ", ".join(f"{option} ({words})" for option, (_, words) in ANSWERS.items())


def main(arguments: list[str]) -> None:
    """Print what is asked for on one line, in the order of the options."""
    for option in arguments:
        if option not in OPTIONS:
            raise SystemExit(f"python -m strideview: {option} is none of {', '.join(sorted(OPTIONS))}")
    asked = [option for option in arguments if option != "--static"]
    if not asked:
        raise SystemExit("python -m strideview: --static goes with --libs")
    try:
        print(*(ANSWERS[option][0]("--static" in arguments) for option in asked))
    except FileNotFoundError as error:
        raise SystemExit(f"python -m strideview: {error}") from None
