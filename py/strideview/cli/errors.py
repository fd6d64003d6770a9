"""How commands end: the exit codes that --help and doc/command_line.md state, and the exceptions that lead to them."""

from __future__ import annotations

import importlib
import signal
from contextlib import contextmanager
from collections.abc import Iterator
from types import FrameType
from typing import Any, Protocol

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


class Unfinished(Protocol):
    """What must not be left as it is by a signal, wherever that comes: it is in SIGNALS.unfinished before it begins."""

    def end(self) -> None:
        """End it, and take it from the list."""


class Signals:
    """SIGINT, SIGTERM and SIGHUP of this program. Masks of threads would not do: any thread may be given a signal, and
    Python answers it in the main thread all the same."""

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self) -> None:
        self.wait, self.pending = False, 0
        self.unfinished: list[Unfinished] = []

    def stop(self, number: int, _frame: FrameType | None = None) -> None:
        if self.wait:
            self.pending = number
            return
        for other in self.numbers:  # a second one must not end what the first one has begun to tidy up
            signal.signal(other, signal.SIG_IGN)
        raise Stopped(number)

    def end_all(self) -> None:
        while self.unfinished:
            self.unfinished[-1].end()


SIGNALS = Signals()


@contextmanager
def signals_raise() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP end the block by Stopped, with nothing unfinished; one that was ignored before stays
    ignored."""
    before = {number: signal.getsignal(number) for number in SIGNALS.numbers}
    before = {number: handler for number, handler in before.items() if handler not in (None, signal.SIG_IGN)}
    try:
        for number in before:
            signal.signal(number, SIGNALS.stop)
        yield
    except Stopped:
        SIGNALS.end_all()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def signals_wait() -> Iterator[None]:
    """Signals are answered after the block, which renames files."""
    SIGNALS.wait = True
    try:
        yield
    finally:
        SIGNALS.wait = False
        number, SIGNALS.pending = SIGNALS.pending, 0
        if number:
            SIGNALS.stop(number)


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
