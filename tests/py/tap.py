"""Runs the tests of one file by pytest and tells what comes out as TAP."""

import os
import sys

import pytest


class Tap:
    """A pytest plugin that writes one TAP line a test to the stdout that was there before pytest caught it."""

    def __init__(self):
        self.out = os.fdopen(os.dup(1), "w", buffering=1)
        self.count = 0

    def line(self, ok, name, note=""):
        self.count += 1
        self.out.write(f"{'ok' if ok else 'not ok'} {self.count} - {name.replace('#', '%')}{note}\n")

    def tell(self, report, name):
        if report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.wasxfail
            self.line(True, name, f" # SKIP {reason.removeprefix('Skipped: ')}")
            return
        for text in report.longreprtext.splitlines():
            self.out.write(f"# {text}\n")
        self.line(report.passed, name)

    def pytest_collectreport(self, report):
        if not report.passed:
            self.tell(report, report.nodeid or "collection")

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.partition("::")[2]
        if report.when == "call" or not report.passed:
            self.tell(report, name if report.when == "call" else f"{name} ({report.when})")


def main(path):
    tap = Tap()
    status = pytest.main(["-p", "no:terminal", "-p", "no:cacheprovider", "--rootdir", os.path.dirname(path), path],
                         plugins=[tap])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        tap.line(False, f"pytest stopped: {pytest.ExitCode(status).name}")
    tap.out.write(f"1..{tap.count}\n")
    sys.exit(status)
