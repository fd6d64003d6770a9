"""Runs the tests of one file and tells what comes out as TAP: tap.py FILE.

A file named test_* is given to pytest, which may skip it as a whole while it imports it; any other writes TAP itself.
"""

import gc
import os
import runpy
import sys

import pytest


class Tap:
    """A pytest plugin that writes one TAP line a test to the stdout that was there before pytest caught it."""

    def __init__(self):
        self.out = os.fdopen(os.dup(1), "w", buffering=1)
        self.count = 0
        self.skipped = ""  # why the whole file is

    def line(self, ok, name, note=""):
        self.count += 1
        self.out.write(f"{'ok' if ok else 'not ok'} {self.count} - {name.replace('#', '%')}{note}\n")

    @staticmethod
    def reason(report):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.wasxfail
        return reason.removeprefix("Skipped: ")

    def plan(self):
        self.out.write(f"1..{self.count}\n" if self.count or not self.skipped else f"1..0 # SKIP {self.skipped}\n")

    def tell(self, report, name):
        if report.skipped:
            self.line(True, name, f" # SKIP {self.reason(report)}")
            return
        for text in report.longreprtext.splitlines():
            self.out.write(f"# {text}\n")
        rounds = sys.modules.get("rounds")
        if rounds and not report.passed and rounds.running is not None:
            self.out.write(f"# SV_TEST_SEED={rounds.SEED} SV_TEST_ROUND={rounds.running}\n")
            rounds.running = None
        self.line(report.passed, name)

    def pytest_collectreport(self, report):
        if report.skipped:
            self.skipped = self.reason(report)
        elif not report.passed:
            self.tell(report, report.nodeid or "collection")

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.partition("::")[2]
        if report.when == "call" or not report.passed:
            self.tell(report, name if report.when == "call" else f"{name} ({report.when})")


def what_is_left():
    """Buffers that live, or wait to be freed, after all tests passed; "" if there are none."""
    sv = sys.modules.get("strideview")
    if not hasattr(sv, "memory"):
        return ""
    gc.collect()
    try:
        sv.memory.collect(wait=True)
    except RuntimeError:  # a free failed, as a test wanted, and nobody was told
        sv.memory.collect(wait=True)
    counts = sv.memory.stats()
    left = [f"{name}={counts[name]}" for name in ("live_count", "live_bytes", "deferred_count", "deferred_bytes")]
    return "" if counts["live_count"] == counts["deferred_count"] == counts["live_bytes"] == 0 else ", ".join(left)


def main(path):
    tap = Tap()
    status = pytest.main(["-p", "no:terminal", "-p", "no:cacheprovider", "--rootdir", os.path.dirname(path), path],
                         plugins=[tap])
    if status == pytest.ExitCode.NO_TESTS_COLLECTED and tap.skipped:
        status = pytest.ExitCode.OK
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        tap.line(False, f"pytest stopped: {pytest.ExitCode(status).name}")
    if status == pytest.ExitCode.OK and (left := what_is_left()):  # of failed tests, tracebacks keep buffers alive
        tap.line(False, f"buffers are left: {left}")
        status = pytest.ExitCode.TESTS_FAILED
    tap.plan()
    sys.exit(status)


if __name__ == "__main__":
    file = os.path.abspath(sys.argv[1])
    if os.path.basename(file).startswith("test_"):
        main(file)
    sys.path[0] = os.path.dirname(file)
    sys.argv[:] = [file]
    runpy.run_path(file, run_name="__main__")
