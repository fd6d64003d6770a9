"""Memory resources of other libraries, as resources of ours: adapt() is called where a MemoryResource is taken.

cuda.core's interface is allocate(size, *, stream) that gives a Buffer, deallocate(ptr, size, *, stream),
is_device_accessible, is_host_accessible and device_id. RMM's gives addresses, of device memory, and says nothing of it.
"""

from __future__ import annotations

import sys
from typing import Any

from . import MemoryResource

INTERFACES = ("a MemoryResource, or an object with the interface of cuda.core's (allocate(size, stream=), "
              "deallocate(ptr, size, stream=), is_device_accessible, is_host_accessible, device_id) or of RMM's "
              "DeviceMemoryResource")


class _Stream:
    """A stream as other libraries take it."""

    __slots__ = ("handle",)

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle


def _stream_for(resource: Any, stream: int | None) -> Any:
    """RMM's functions and cuda.core's take no other class than their own, also by way of a class derived from theirs."""
    told = _Stream(1 if stream is None else stream)
    for base in type(resource).__mro__:
        library = base.__module__
        if library.startswith("rmm.") and "rmm.pylibrmm.stream" in sys.modules:
            return sys.modules["rmm.pylibrmm.stream"].Stream(told)
        if library.startswith("cuda.core.") and hasattr(sys.modules["cuda.core"], "Stream"):
            return sys.modules["cuda.core"].Stream.from_handle(told.handle)
    return told


class Adapted(MemoryResource):
    """A resource of another library as one of ours. Each block of its memory keeps it alive."""

    def __init__(self, resource: Any) -> None:
        self.resource = resource
        self._buffers: dict[int, Any] = {}  # what allocate() gave, by address
        self._is_device = bool(getattr(resource, "is_device_accessible", True))
        self._is_host = bool(getattr(resource, "is_host_accessible", False))
        self._is_managed = bool(getattr(resource, "is_managed", False))
        self._device = getattr(resource, "device_id", 0 if self._is_device else -1)

    @property
    def is_device_accessible(self) -> bool:
        return self._is_device

    @property
    def is_host_accessible(self) -> bool:
        return self._is_host

    @property
    def is_managed(self) -> bool:
        return self._is_managed

    @property
    def device_id(self) -> int:
        return int(self._device)

    def allocate(self, size: int, stream: int | None = None) -> int:  # type: ignore[override]
        made = self.resource.allocate(size, stream=_stream_for(self.resource, stream))
        if isinstance(made, int) and not isinstance(made, bool):
            return made
        try:
            address, given = int(made.handle), int(getattr(made, "size", size))
        except (AttributeError, TypeError, ValueError):
            raise TypeError(f"allocate({size}) of {type(self.resource).__name__} gave {type(made).__name__}: it must give "
                            "an object with a handle, or an address, which is an int") from None
        if given < size:
            raise ValueError(f"allocate({size}) of {type(self.resource).__name__} gave {given} bytes")
        self._buffers[address] = made
        return address

    def deallocate(self, ptr: int, size: int, stream: int | None = None) -> None:  # type: ignore[override]
        buffer, told = self._buffers.pop(ptr, None), _stream_for(self.resource, stream)
        if hasattr(buffer, "close"):
            buffer.close(stream=told)
        else:
            self.resource.deallocate(ptr, size, stream=told)


def adapt(resource: Any, name: str) -> MemoryResource:
    """The resource itself, or one of ours that calls it; name is that of the argument."""
    if isinstance(resource, MemoryResource):
        return resource
    if isinstance(resource, type) or not all(callable(getattr(resource, verb, None))
                                             for verb in ("allocate", "deallocate")):
        raise TypeError(f"{name} must be {INTERFACES}, not {type(resource).__name__}")
    return Adapted(resource)
