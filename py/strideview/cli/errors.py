"""How commands end: the exit codes that --help and doc/command_line.md state, and the exceptions that lead to them."""

from __future__ import annotations

import importlib
import signal
from contextlib import contextmanager
from collections.abc import Iterator
from types import FrameType
from typing import Any

DONE, FAILED, USAGE, INPUT, OUTPUT, SPACE, MISSING = range(7)
CODES = {
    DONE: "done",
    FAILED: "what was asked cannot be done: an axis, a shape, a dtype or a layout is wrong",
    USAGE: "the arguments are wrong",
    INPUT: "the input is missing, is cut short or is no such file",
    OUTPUT: "the output exists already (--force), is the input, or its folder cannot be written",
    SPACE: "there is not enough space for the output",
    MISSING: "a Python package that the file needs is not installed",
    130: "ended by Ctrl-C; 143: by SIGTERM, 129: by SIGHUP",
}


class CommandError(Exception):
    """One line for the user, and the exit code."""

    def __init__(self, text: str, code: int = FAILED) -> None:
        super().__init__(text)
        self.code = code


class Stopped(BaseException):
    """A signal that ends the program, raised so that temporary files are removed."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


def stop(number: int, _frame: FrameType | None) -> None:
    raise Stopped(number)


@contextmanager
def signals_raise() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP end the block by Stopped; one that was ignored before stays ignored."""
    numbers = [number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
               if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def signals_wait() -> Iterator[None]:
    """Signals are answered after the block, which removes or renames files."""
    numbers = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def optional(name: str) -> Any:
    """A package that may be absent, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def need(name: str, what: str) -> Any:
    """A package without which a file cannot be read or written."""
    found = optional(name)
    if found is None:
        raise CommandError(f"{what} needs the Python package {name}: pip install {name}", MISSING)
    return found
