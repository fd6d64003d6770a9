"""The picture of a recording: live bytes over time. It needs matplotlib: pip install strideview[plot]."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._recording import Recording


def curves(recording: Recording) -> dict[str, tuple[list[float], list[int]]]:
    """{label: (seconds, live bytes)}; one for each kind, device and tag, in the order in which they were first met."""
    found: dict[str, tuple[list[float], list[int]]] = {}
    for event in list(recording.events):
        label = event.kind if event.kind in ("host", "pinned") else f"{event.kind} {event.device}"
        if event.tag is not None:
            label = f"{label}: {event.tag}"
        seconds, live = found.setdefault(label, ([0.0], [0]))
        change = {"allocated": event.nbytes, "freed": -event.nbytes}.get(event.what, 0)
        seconds.append(event.seconds)
        live.append(live[-1] + change)
    return found


def plot(recording: Recording, path: str | Path | None, axes: Any) -> Any:
    """See Recording.plot()."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plot() needs matplotlib: pip install 'strideview[plot]'") from None
    if axes is None:
        axes = Figure(figsize=(8, 3), layout="constrained").subplots()
    for label, (seconds, live) in curves(recording).items():
        axes.step(seconds, [nbytes / 2**20 for nbytes in live], where="post", label=label)
    for event in list(recording.events):
        if event.what == "failed":
            axes.axvline(event.seconds, linestyle=":", color="black")
    axes.set_xlabel("seconds")
    axes.set_ylabel("live MiB")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left")
    if path is not None:
        axes.figure.savefig(path)
    return axes
