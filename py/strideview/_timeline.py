"""The picture of a recording: live bytes over time. It needs matplotlib: pip install strideview[plot]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol


class Change(Protocol):
    """What is drawn of an event of a recording."""

    @property
    def seconds(self) -> float: ...
    @property
    def what(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def device(self) -> int: ...
    @property
    def tag(self) -> str | None: ...
    @property
    def nbytes(self) -> int: ...


def curves(events: Iterable[Change]) -> dict[str, tuple[list[float], list[int]]]:
    """{label: (seconds, live bytes)}; one for each kind, device and tag, in the order in which they were first met."""
    found: dict[str, tuple[list[float], list[int]]] = {}
    for event in events:
        label = event.kind if event.kind in ("host", "pinned") else f"{event.kind} {event.device}"
        if event.tag is not None:
            label = f"{label}: {event.tag}"
        seconds, live = found.setdefault(label, ([0.0], [0]))
        change = {"allocated": event.nbytes, "freed": -event.nbytes}.get(event.what, 0)
        seconds.append(event.seconds)
        live.append(live[-1] + change)
    return found


def plot(events: Sequence[Change], path: str | Path | None, axes: Any) -> Any:
    """Draw the events of a recording; see Recording.plot()."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plot() needs matplotlib: pip install 'strideview[plot]'") from None
    if axes is None:
        axes = Figure(figsize=(8, 3), layout="constrained").subplots()
    for label, (seconds, live) in curves(events).items():
        axes.step(seconds, [nbytes / 2**20 for nbytes in live], where="post", label=label)
    for event in events:
        if event.what == "failed":
            axes.axvline(event.seconds, linestyle=":", color="black")
    axes.set_xlabel("seconds")
    axes.set_ylabel("live MiB")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left")
    if path is not None:
        axes.figure.savefig(path)
    return axes
