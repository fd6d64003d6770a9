"""Counts of all buffers by kind of memory, and the frees that had to wait for a device."""

from __future__ import annotations

from . import ffi, lib
from ._core import _collect, _count_arrays, _raise

_KINDS = {"host": lib.SV_MEMORY_HOST, "pinned": lib.SV_MEMORY_PINNED, "device": lib.SV_MEMORY_DEVICE,
          "managed": lib.SV_MEMORY_MANAGED, "foreign": lib.SV_MEMORY_FOREIGN, None: lib.SV_MEMORY_UNKNOWN}
_STATS = {f"{what}_{unit}": getattr(lib, f"SV_STAT_{what}_{unit}".upper())
          for what in ("live", "peak", "total", "deferred", "lost", "cached") for unit in ("bytes", "count")}


def collect(wait: bool = False) -> int:
    """Free memory whose free had to wait, as a device may have been using it; how many buffers still wait.

    An allocation of the same kind of memory does so too. What cached() resources keep is given back as well. wait: wait first for the recorded work that uses it. Where a
    free fails, its memory is lost, and the error is raised once; the next call goes on with the rest.
    """
    return int(_collect(wait))


def stats(kind: str | None = None) -> dict[str, int]:
    """How much memory the arrays and buffers of this process own, also those of other users of libsv.

    None: of all kinds together. Peaks are those of small arrays, which come from the C library, and those of everything
    else, added.

    kind is one of sv.memory.KINDS or "foreign". For each of live, peak, total, deferred (released but not yet freed,
    see collect()), lost (a free failed) and cached (freed, and kept for the next array) there are two numbers:
    live_bytes, live_count and so on.
    """
    if kind not in _KINDS:
        names = ", ".join(name for name in _KINDS if name is not None)
        raise ValueError(f"kind is one of {names} or None, not {kind!r}")
    out = ffi.new("int64_t *")
    found = {}
    for name, number in _STATS.items():
        status = lib.sv_memory_stats(_KINDS[kind], number, out)
        if status != lib.SV_OK:
            _raise(status)
        found[name] = int(out[0])
    if kind in ("host", None):  # arrays that are no buffers
        for name, number in _count_arrays().items():
            if name in found:
                found[name] += number
    return found
