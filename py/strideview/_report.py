"""sv.memory.report(): what memory is alive, as a table in text and in HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ._counts import stats
from ._html import Section, html, table, text
from ._recording import Block, Recording
from ._resources import KINDS, sources


class Row(NamedTuple):
    """One line of a report: a tracked resource; tag is "" where it is all of a kind and device."""

    kind: str
    device: int
    tag: str
    live_bytes: int
    live_count: int
    peak_bytes: int
    total_bytes: int
    total_count: int
    failed_count: int


class Kind(NamedTuple):
    """All buffers of a kind, whoever made them: also those of C programs in this process."""

    kind: str
    live_bytes: int
    live_count: int
    peak_bytes: int
    total_bytes: int
    total_count: int
    deferred_bytes: int
    deferred_count: int
    lost_bytes: int
    lost_count: int
    cached_bytes: int
    cached_count: int


def human(nbytes: int) -> str:
    """1536 as "1.5 KiB"."""
    size, unit = float(nbytes), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        if abs(size) < 1024:
            break
        size, unit = size / 1024, larger
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"


def _kinds() -> Iterator[Kind]:
    for name in KINDS:
        counts = stats(name)
        yield Kind(name, *(counts[what] for what in Kind._fields[1:]))


@dataclass(frozen=True)
class Report:
    """Kinds, rows and leaks, as they were when it was made: to be printed, shown in a notebook or read."""

    kinds: list[Kind] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    leaks: list[Block] = field(default_factory=list)

    def _tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        yield ("by kind", ["kind", "live", "buffers", "peak", "total", "deferred", "lost", "cached"],
               [[k.kind, human(k.live_bytes), str(k.live_count), human(k.peak_bytes), human(k.total_bytes),
                 human(k.deferred_bytes), human(k.lost_bytes), human(k.cached_bytes)] for k in self.kinds])
        yield ("by resource", ["kind", "device", "tag", "live", "blocks", "peak", "all", "failed"],
               [[r.kind, str(r.device), r.tag, human(r.live_bytes), str(r.live_count), human(r.peak_bytes),
                 human(r.total_bytes), str(r.failed_count)] for r in self.rows])
        if self.leaks:
            yield ("alive, where it was made", ["kind", "device", "tag", "bytes", "where"],
                   [[b.kind, str(b.device), b.tag or "", human(b.nbytes), " < ".join(b.where) or "(no stack was kept)"]
                    for b in self.leaks])

    def __str__(self) -> str:
        return "\n\n".join("\n".join(_text(title, names, lines)) for title, names, lines in self._tables())

    def _repr_html_(self) -> str:
        live = [f"{text(kind.kind)} {human(kind.live_bytes)}" for kind in self.kinds if kind.live_bytes]
        sections = [Section(title, table([list(map(text, line)) for line in lines], names), is_open=True)
                    for title, names, lines in self._tables()]
        return html("memory", live or ["nothing is alive"], sections)


def _text(title: str, names: list[str], lines: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(names, *lines, strict=True)]
    yield f"memory {title}"
    for line in (names, *lines):
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _rows() -> Iterator[Row]:
    for source in sources():
        stats = source.resource.stats()
        name = source.name if source.tagged or source.name != source.kind else ""
        yield Row(source.kind, source.device, name, *(stats[what] for what in Row._fields[3:]))


def report(*recordings: Recording) -> Report:
    """The memory that is alive: by kind, by resource and tag, and the blocks of recordings that are not freed.

    Tagged rows are also counted in the row of their kind and device. print() shows tables, and notebooks do.
    """
    return Report(list(_kinds()), sorted(_rows()), [block for r in recordings for block in r.live()])
