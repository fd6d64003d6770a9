"""DeviceBuffer: a buffer of device memory with the names of RMM's."""

from __future__ import annotations

from typing import Any, SupportsIndex

from . import Buffer, MemoryResource, _bytes, _resources


class DeviceBuffer(_bytes.HostCopies):
    """Memory of a CUDA device, not initialised, or with a copy of the bytes at ptr, of any kind of memory.

        buffer = DeviceBuffer(size=1024)
        buffer = DeviceBuffer.to_device(b"abc")
        buffer.resize(4096)
        bytes_ = buffer.copy_to_host()

    mr is the MemoryResource that it comes from, None the default one of device 0.
    """

    __slots__ = ()
    __module__ = "strideview.memory"

    def __new__(cls, *, ptr: SupportsIndex = 0, size: SupportsIndex = 0, stream: Any = None,
                mr: MemoryResource | None = None) -> DeviceBuffer:
        nbytes = _bytes.size_of(size, "size")
        made = _bytes.new(cls, _resources.default("device") if mr is None else mr, nbytes, stream=stream)
        if ptr != 0 and nbytes > 0:
            made.copy_from(Buffer.from_handle(ptr, nbytes, borrowed=True), stream=stream)
        return made

    @classmethod
    def to_device(cls, b: Any, stream: Any = None, mr: MemoryResource | None = None) -> DeviceBuffer:
        """A buffer with the bytes of b, which is of host memory and C-contiguous."""
        source = _bytes.flat(b)
        made = cls(size=source.nbytes, stream=stream, mr=mr)
        _bytes.write(made, source, stream)
        return made

    @property
    def ptr(self) -> int:
        """The address; 0 of an empty buffer."""
        return self.handle

    def capacity(self) -> int:  # type: ignore[override]
        """Bytes to which resize() can grow it where it is."""
        return int(Buffer.capacity.__get__(self))

    def resize(self, new_size: SupportsIndex, stream: Any = None, *, zero: bool = False,
               discard: bool = False) -> None:
        """Change how many bytes there are. Within the capacity the memory stays where it is. Keywords as for Buffer."""
        Buffer.resize(self, new_size, stream, zero=zero, discard=discard)

    def reserve(self, new_capacity: SupportsIndex, stream: Any = None) -> None:
        """Get room for as many bytes, for resize(). The capacity never shrinks."""
        Buffer.reserve(self, new_capacity, stream)

    def prefetch(self, device: Any = None, stream: Any = None, *,
                 strict: bool = False) -> None:
        """Let the driver move managed memory to a device, -1: the host; other memory stays, unless strict: ValueError."""
        Buffer.prefetch(self, device, stream, strict=strict)

    def copy(self) -> DeviceBuffer:
        """A buffer with the same bytes, from the same resource."""
        made = _bytes.new(type(self), self.memory_resource or _resources.default("device"), self.size)
        if self.size > 0:
            made.copy_from(self)
        return made

    def __copy__(self) -> DeviceBuffer:
        return self.copy()
