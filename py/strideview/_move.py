"""Arrays and Buffers in memory of another kind or device: what is there already stays as it is."""

from __future__ import annotations

from typing import Any, SupportsIndex

from . import Buffer, MemoryResource, StridedMemoryView, empty_like
from ._arguments import device_number
from ._resources import KINDS, resolve

# DLPack's device types of kinds of memory.
_KINDS = {1: "host", 3: "pinned", 2: "device", 13: "managed"}


def _is_there(device_type: int, device_id: int, device: SupportsIndex | str | None,
              memory: str | MemoryResource | None) -> bool:
    """Whether memory of a device type and number is what device= and memory= ask for."""
    kind = _KINDS.get(device_type)
    if memory is None and device is None:
        return True
    if isinstance(memory, str) and memory not in KINDS:
        raise ValueError(f"memory= is one of {', '.join(KINDS)} or a MemoryResource, not {memory!r}")
    if memory is not None and (not isinstance(memory, str) or kind != memory):
        return False
    if device is None:
        return True
    if device_number(device) < 0:  # the CPU
        return kind in ("host", "pinned")
    return kind in ("device", "managed") and device_number(device) == device_id


def to(view: StridedMemoryView, device: SupportsIndex | str | None = None, *, memory: str | MemoryResource | None = None,
       dtype: Any = None, order: Any = "K", copy: bool = False, stream: Any = None, blocking: bool | None = None,
       casting: Any = "unsafe") -> StridedMemoryView:
    """See StridedMemoryView.to()."""
    if not copy and _is_there(*view.device, device, memory):
        if dtype is None or empty_like(view, dtype, shape=0, memory="host").dtype == view.dtype:
            return view
    if memory is None and device is None and view.device[0] != 1:
        memory = _KINDS.get(view.device[0])
        device = view.device[1] if memory in ("device", "managed") else None
    made = empty_like(view, dtype, order=order, memory=memory, device=device, stream=stream)
    made.copy_from(view, stream, blocking=blocking, casting=casting if made.dtype != view.dtype else "no")
    return made


def cpu(view: StridedMemoryView) -> StridedMemoryView:
    """See StridedMemoryView.cpu()."""
    return to(view, "cpu")


def cuda(view: StridedMemoryView, device: SupportsIndex | str | None = None, *, stream: Any = None,
         blocking: bool | None = None) -> StridedMemoryView:
    """See StridedMemoryView.cuda()."""
    if device is None:
        return to(view, memory="device", stream=stream, blocking=blocking)
    if device_number(device) < 0:
        raise ValueError(f"device={device!r} is no CUDA device")
    return to(view, device, memory="device", stream=stream, blocking=blocking)


def buffer_to(buffer: Buffer, device: SupportsIndex | str | None = None, *,
              memory: str | MemoryResource | None = None, copy: bool = False, stream: Any = None,
              blocking: bool | None = None) -> Buffer:
    """See Buffer.to()."""
    if not copy and _is_there(*buffer.__dlpack_device__(), device, memory):
        return buffer
    if memory is None and device is None:
        return buffer.copy_to(stream=stream, blocking=blocking)
    made = resolve(memory, device).allocate(buffer.size, stream)
    made.copy_from(buffer, stream=stream, blocking=blocking)
    return made
