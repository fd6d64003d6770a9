"""Results in TAP, and what the ABI tests share. They run in the build tree."""

import os
import shlex
import subprocess
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True

root = Path(os.environ.get("srcdir", Path(__file__).resolve().parents[2])).resolve()
build = Path.cwd()
os.environ.pop("LD_PRELOAD", None)  # the sanitizers' runtimes, under which compilers crash that are started from here


def makefiles():
    """The text of Makefile.am and of all that it includes."""
    text, left = "", ["Makefile.am"]
    while left:
        more = (root / left.pop()).read_text()
        text += more
        left += [line.split()[1] for line in more.splitlines() if line.startswith("include ")]
    return text


class Skip(Exception):
    """Why a check was not made."""


def report(*checks):
    """Run checks named by their docstrings. Each gives the faults it finds; none is good."""
    print(f"1..{len(checks)}")
    for number, check in enumerate(checks, 1):
        try:
            faults = list(check())
        except Skip as reason:
            print(f"ok {number} - {check.__doc__} # SKIP {reason}")
            continue
        except Exception:
            faults = traceback.format_exc().splitlines()
        print(f"{'not ok' if faults else 'ok'} {number} - {check.__doc__}", *faults, sep="\n# ", flush=True)


def tool(variable, default):
    """A tool as configure found it."""
    return shlex.split(os.environ.get(variable) or default)


def lines(*command):
    """What a command prints. Its failure is an error."""
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{shlex.join(map(str, command))}\n{run.stdout}{run.stderr}")
    return run.stdout.splitlines()


def public_names():
    return (root / "bindings/libsv.sym").read_text().split()


def library(name):
    path = build / ".libs" / name
    if not path.exists():
        raise Skip(f"no {name} was built")
    return path


def loadable():
    """libsv.so, where a program built without sanitizers can load it."""
    path = library("libsv.so")
    undefined = "\n".join(lines(*tool("NM", "nm"), "-D", "--undefined-only", path))
    if "__asan_" in undefined or "__ubsan_" in undefined:
        raise Skip("libsv.so is built with sanitizers")
    return path
