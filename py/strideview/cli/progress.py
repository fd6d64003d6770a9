"""How far a command is: a bar of tqdm where it is installed, else a line of text; nothing where no terminal reads it."""

from __future__ import annotations

import sys
import time
from typing import Any, Self, TextIO

from .errors import optional
from .quantities import human

INTERVAL = 0.2  # seconds between two lines


class Progress:
    """A number of bytes of which more and more are done."""

    def __init__(self, total: int, quiet: bool = False, file: TextIO | None = None) -> None:
        self.total, self.done, self.file = total, 0, file or sys.stderr
        self.begin = self.shown = time.monotonic()
        self.bar: Any = None
        self.is_shown = not quiet and self.file.isatty()
        tqdm = optional("tqdm") if self.is_shown else None
        if tqdm is not None:
            self.bar = tqdm.tqdm(total=total, unit="B", unit_scale=True, unit_divisor=1024, file=self.file, leave=False)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begin

    def line(self) -> str:
        rate = self.done / max(self.seconds, 1e-9)
        left = (self.total - self.done) / rate if rate > 0 else 0
        share = 100 * self.done // max(self.total, 1)
        return f"{share:3d} %  {human(self.done)} of {human(self.total)}  {human(rate)}/s  {left:.0f} s left"

    def update(self, nbytes: int) -> None:
        self.done += nbytes
        if self.bar is not None:
            self.bar.update(nbytes)
        elif self.is_shown and time.monotonic() - self.shown >= INTERVAL:
            self.shown = time.monotonic()
            self.file.write(f"\r\x1b[K{self.line()}")
            self.file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.is_shown:
            self.file.write("\r\x1b[K")
            self.file.flush()
