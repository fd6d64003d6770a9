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


def to(self: StridedMemoryView, device: SupportsIndex | str | None = None, *, memory: str | MemoryResource | None = None,
       dtype: Any = None, order: Any = "K", copy: bool = False, stream: Any = None, blocking: bool | None = None,
       casting: Any = "unsafe") -> StridedMemoryView:
    """See StridedMemoryView.to()."""
    if not copy and _is_there(*self.device, device, memory):
        if dtype is None or empty_like(self, dtype, shape=0, memory="host").dtype == self.dtype:
            return self
    if memory is None and device is None and self.device[0] != 1:
        memory = _KINDS.get(self.device[0])
        device = self.device[1] if memory in ("device", "managed") else None
    made = empty_like(self, dtype, order=order, memory=memory, device=device, stream=stream)
    made.copy_from(self, stream, blocking=blocking, casting=casting if made.dtype != self.dtype else "no")
    return made


def cpu(self: StridedMemoryView) -> StridedMemoryView:
    """See StridedMemoryView.cpu()."""
    return to(self, "cpu")


def cuda(self: StridedMemoryView, device: SupportsIndex | str | None = None, *, stream: Any = None,
         blocking: bool | None = None) -> StridedMemoryView:
    """See StridedMemoryView.cuda()."""
    if device is None:
        return to(self, memory="device", stream=stream, blocking=blocking)
    if device_number(device) < 0:
        raise ValueError(f"device={device!r} is no CUDA device")
    return to(self, device, memory="device", stream=stream, blocking=blocking)


def buffer_to(self: Buffer, device: SupportsIndex | str | None = None, *,
              memory: str | MemoryResource | None = None, copy: bool = False, stream: Any = None,
              blocking: bool | None = None) -> Buffer:
    """See Buffer.to()."""
    if not copy and _is_there(*self.__dlpack_device__(), device, memory):
        return self
    if memory is None and device is None:
        return self.copy_to(stream=stream, blocking=blocking)
    made = resolve(memory, device).allocate(self.size, stream)
    made.copy_from(self, stream=stream, blocking=blocking)
    return made
