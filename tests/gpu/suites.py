"""Suites of `run check`: the library, C programs that speak TAP, and copies compared with the host's."""

import ctypes
import glob
import itertools
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

NO_DRIVER = "no CUDA driver: skipped"
NO_PACKAGE = "the package is built for another Python: skipped"
SHOWN = 10  # failures of a suite
LONGEST = 900  # seconds that a program may take; compute-sanitizer makes it slow

# What is in bin/, and whether it is about devices. Each runs without one, too, and skips what it cannot do.
PROGRAMS = {"cuda": True, "memory_device": True, "allocator_device": True, "device_launch": True,
            "allocator_threads": False, "buffer_states": False, "memory_soak": False, "null_arguments": False,
            "threads": False}
SANITIZED = [("cuda", "memcheck"), ("cuda", "racecheck"), ("cuda", "synccheck"), ("memory_device", "memcheck"),
             ("allocator_device", "memcheck")]
SANITIZER_FOUND = 97  # exit status of compute-sanitizer that found something


class Result(NamedTuple):
    suite: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    note: str = ""


def skipped(suite, why):
    return Result(suite, skipped=1, note=why)


# --- C ------------------------------------------------------------------------


def library(folder):
    """The shared library loads and tells its version."""
    try:
        version = ctypes.CDLL(str(folder / "lib" / "libsv.so.0")).sv_version_text
    except (OSError, AttributeError) as error:
        return Result("library", failed=1, note=str(error))
    version.restype = ctypes.c_char_p
    return Result("library", passed=1, note=f"libsv {version().decode()}")


def tap(suite, text, status):
    """The result that a program told, whose last line must be the plan."""
    lines = text.splitlines()
    failed = [line for line in lines if line.startswith("not ok")]
    skips = sum(line.startswith("ok") and "# SKIP" in line for line in lines)
    passed = sum(line.startswith("ok") for line in lines) - skips
    for line in failed[:SHOWN]:
        print(f"    {suite}: {line}")
    if f"1..{passed + len(failed) + skips}" not in lines[-3:] or (status != 0 and not failed):
        print("\n".join(f"    {line}" for line in lines[-SHOWN:]))
        return Result(suite, passed, len(failed) + 1, skips, f"ended early, status {status}")
    return Result(suite, passed, len(failed), skips)


def program(path, before=(), suite=None):
    """Runs a program, by way of the words before it; (result, output)."""
    suite = suite or path.name
    try:
        done = subprocess.run([*before, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=LONGEST)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Result(suite, failed=1, note=str(error)), ""
    ours = "\n".join(line for line in done.stdout.splitlines() if not line.startswith("========="))
    return tap(suite, ours, 0 if before and done.returncode == SANITIZER_FOUND else done.returncode), done.stdout


def programs(folder, why):
    """They run in any case, and know themselves what they cannot do without a device."""
    for name, on_device in PROGRAMS.items():
        result, _ = program(folder / "bin" / name)
        yield result._replace(note=result.note or why) if on_device and why == NO_DRIVER else result


# --- compute-sanitizer --------------------------------------------------------


def find_sanitizer():
    return shutil.which("compute-sanitizer") or next(iter(sorted(glob.glob("/usr/local/cuda*/bin/compute-sanitizer"),
                                                                  reverse=True)), None)


def sanitized(folder, tool, sanitizer):
    """The programs and a part of the copies under compute-sanitizer, whose own findings are failures."""
    def options(check):
        return [sanitizer, "--tool", check, "--error-exitcode", str(SANITIZER_FOUND), "--report-api-errors", "no"]

    for name, check in SANITIZED:
        result, text = program(folder / "bin" / name, options(check), f"{name} under {check}")
        yield found(result, text)
    suite = "copies under memcheck"
    done = subprocess.run([*options("memcheck"), sys.executable, tool, "check", "--only", "copies", "--every", "10"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    yield found(Result(suite, int(done.returncode == 0), int(done.returncode != 0)), done.stdout)


def found(result, text):
    """With what the last line of compute-sanitizer says."""
    errors = [line for line in text.splitlines() if line.startswith("=========") and ("ERROR SUMMARY" in line or
              "RACECHECK SUMMARY" in line)]
    note = errors[-1].strip("= ") if errors else "compute-sanitizer told nothing"
    clean = " 0 errors" in note or " 0 hazards" in note
    if not clean:
        print("\n".join(f"    {line}" for line in text.splitlines()[:40]))
    return result._replace(failed=result.failed + (not clean), note=note)


# --- the package --------------------------------------------------------------


def package():
    """It imports, and copies on the host."""
    try:
        import strideview as sv

        numbers = sv.view(bytes(range(48))).view(sv.StridedLayout.parse("(6, 8)*1"))
        right = numbers.T.tobytes() == bytes(8 * y + x for x in range(8) for y in range(6))
    except ImportError:
        return skipped("package", NO_PACKAGE)
    return Result("package", passed=int(right), failed=int(not right), note=f"strideview {sv.__version__}")


# --- copies -------------------------------------------------------------------


def compared(suite, rows, every=1):
    """Results by group of a suite of compare.py, of which only every so manieth row is looked at."""
    groups, told = {}, 0
    for group, name, fault in itertools.islice(rows, 0, None, every):
        passed, failed = groups.get(group, (0, 0))
        wrong = fault()
        groups[group] = (passed + (not wrong), failed + bool(wrong))
        if wrong and (told := told + 1) <= SHOWN:
            print(f"    {group}: {name}: {wrong}")
    return [Result(group if suite in group else f"{suite}: {group}", *counts) for group, counts in groups.items()]


def copies(machine, every=1):
    """All suites of compare.py."""
    import compare
    import kept_memory
    import pickles
    import torch_graphs

    ground = compare.Ground(compare.ROOM)
    for suite in (*compare.SUITES, kept_memory.kept_memory, pickles.pickles, torch_graphs.torch_graphs):
        yield from compared(suite.__name__.replace("_", " "), suite(ground, machine), every)


# --- all ----------------------------------------------------------------------


def check(folder, tool, machine, why, every=1, only=None):
    """Results of all suites that there are; machine: None where there is no device or no package, as the words say."""
    begin = time.monotonic()
    if only != "copies" and folder:
        yield library(folder)
        yield package()
        yield from programs(folder, why)
    if only != "programs":
        if machine is None:
            for suite in ("layouts", "conversions", "scales", "random copies", "batches", "captures", "pickles", "torch graphs"):
                yield skipped(suite, why)
        else:
            yield from copies(machine, every)
    if only is None:
        sanitizer = find_sanitizer()
        if machine is None or not folder:
            yield skipped("compute-sanitizer", why or "no bundle: skipped")
        elif sanitizer is None:
            yield skipped("compute-sanitizer", "not installed: skipped")
        else:
            yield from sanitized(folder, tool, sanitizer)
    print(f"    {time.monotonic() - begin:.0f} s", file=sys.stderr)


def run(*arguments, **options):
    """Prints a line for each result, and the sum; the exit status."""
    sums = [0, 0, 0]
    print(f"{'suite':<44} {'passed':>7} {'failed':>7} {'skipped':>8}")
    for result in check(*arguments, **options):
        print(f"{result.suite:<44} {result.passed:>7} {result.failed:>7} {result.skipped:>8}  {result.note}".rstrip(),
              flush=True)
        sums = [a + b for a, b in zip(sums, result[1:4])]
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")
    return int(sums[1] > 0 or sums[0] == 0)
