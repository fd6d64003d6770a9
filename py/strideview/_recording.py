"""Recordings: what the default resources allocated and freed, and for which lines of the program.

A recording is a listener of the default resources. It costs a call of Python for each allocation and each free, so that
nothing is recorded unless it is asked for.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from . import _resources, _timeline

_PACKAGE = str(Path(__file__).parent)


class Event(NamedTuple):
    """One line of a recording. what is "allocated", "freed" or "failed"."""

    seconds: float
    what: str
    kind: str
    device: int
    tag: str | None
    nbytes: int
    pointer: int
    stream: int


class Block(NamedTuple):
    """Memory that is alive, and the lines of the program that asked for it, the innermost first."""

    kind: str
    device: int
    tag: str | None
    nbytes: int
    pointer: int
    where: tuple[str, ...]



def _stack(depth: int) -> tuple[str, ...]:
    """File, line and function of those who called the package."""
    lines: list[str] = []
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and len(lines) < depth:
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            lines.append(f"{code.co_filename}:{frame.f_lineno} in {code.co_name}")
        frame = frame.f_back
    return tuple(lines)


class Recording:
    """Events and live blocks. See record()."""

    def __init__(self, stacks: int = 0, limit: int | None = None) -> None:
        self.stacks = stacks
        self.events: deque[Event] = deque(maxlen=limit)
        self._live: dict[int, Block] = {}
        self._begin = time.perf_counter()

    def listener(self, kind: str, device: int, tag: str | None) -> Callable[[str, int, int, int], None]:
        """The callable of a logged resource. It runs on any thread, and at any point where garbage is collected.

        So it takes no lock. Each step is one of a deque or a dict.
        """

        def listen(what: str, address: int, nbytes: int, stream: int) -> None:
            seconds = time.perf_counter() - self._begin
            where = _stack(self.stacks) if self.stacks > 0 and what == "allocated" else ()
            self.events.append(Event(seconds, what, kind, device, tag, nbytes, address, stream))
            if what == "allocated":
                self._live[address] = Block(kind, device, tag, nbytes, address, where)
            elif what == "freed":
                self._live.pop(address, None)

        return listen

    def live(self) -> list[Block]:
        """What was allocated while the recording ran and is not freed yet, the largest first."""
        return sorted(list(self._live.values()), key=lambda block: -block.nbytes)

    def plot(self, path: str | Path | None = None, *, axes: Any = None) -> Any:
        """Draw live bytes over time, by kind, device and tag; matplotlib's Axes. path: write the picture there, too."""
        return _timeline.plot(list(self.events), path, axes)

    def __repr__(self) -> str:
        return f"<Recording of {len(self.events)} events, {len(self._live)} blocks alive>"


@contextmanager
def record(*, stacks: int = 0, limit: int | None = None) -> Iterator[Recording]:
    """Record what the default resources allocate and free meanwhile, in all threads.

    stacks: how many lines of the program to keep for each allocation, so that report() can tell where blocks
    that are still alive were made. limit: how many events to keep, the last ones; None: all. Frees of
    what was allocated meanwhile are recorded afterwards, too.

        with sv.memory.record(stacks=3) as recording:
            run()
        recording.plot("memory.svg")
        print(sv.memory.report(recording))
    """
    recording = Recording(stacks, limit)
    _resources.set_recordings(lambda recordings: (*recordings, recording))
    try:
        yield recording
    finally:
        _resources.set_recordings(lambda recordings: tuple(r for r in recordings if r is not recording))
