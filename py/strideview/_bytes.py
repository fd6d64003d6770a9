"""Bytes in and out of buffers, from and to any array: what the classes of buffers share."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex, TypeVar

from . import Buffer, MemoryResource, StridedLayout, StridedMemoryView, copy, view

_Made = TypeVar("_Made", bound=Buffer)


def size_of(value: SupportsIndex, name: str) -> int:
    """A number of bytes."""
    if isinstance(value, bool):
        raise TypeError(f"{name} is a number of bytes, not a bool")
    size = operator.index(value)
    if size < 0:
        raise ValueError(f"{name}={size} is negative")
    return size


def new(type_: type[_Made], resource: MemoryResource, size: int, *, alignment: int = 0, stream: Any = None) -> _Made:
    """A buffer of this class with fresh memory."""
    return type_._allocate(resource, size, stream, alignment=alignment)


def flat(array: Any, stream: Any = None) -> StridedMemoryView:
    """The bytes of a C-contiguous array as a view of one axis."""
    if isinstance(array, Buffer):
        return array.view()
    try:
        lent = memoryview(array)  # first, as it takes items of any type
    except (TypeError, BufferError):
        whole = view(array, stream)
    else:
        if not lent.c_contiguous:
            raise ValueError(f"the array is not C-contiguous: shape {lent.shape}, strides {lent.strides} in bytes")
        return StridedMemoryView.from_buffer(lent, (lent.nbytes,), dtype="uint8", is_readonly=lent.readonly)
    if not whole.layout.is_contiguous_c:
        raise ValueError(f"the array is not C-contiguous: {whole.layout}")
    return whole.view(StridedLayout((whole.nbytes,), None, 1), "uint8")


def _part(buffer: Buffer, nbytes: int, what: str) -> StridedMemoryView:
    if nbytes > buffer.size:
        raise ValueError(f"{what} has {nbytes} bytes, the buffer {buffer.size}")
    return buffer.view()[:nbytes]


def write(buffer: Buffer, source: StridedMemoryView, stream: Any = None) -> None:
    """The first bytes of the buffer, from a flat view."""
    copy(_part(buffer, source.nbytes, "the source"), source, stream)


def read(buffer: Buffer, target: StridedMemoryView, stream: Any = None) -> None:
    """All bytes of the buffer, into a flat view. They are there on return."""
    if target.nbytes < buffer.size:
        raise ValueError(f"the target has {target.nbytes} bytes, the buffer {buffer.size}")
    copy(target[: buffer.size], buffer.view(), stream, blocking=True)


def _fresh(size: int) -> Any:
    """Memory of the host for size bytes: NumPy's where it is installed, as dpctl's and RMM's."""
    try:
        import numpy
    except ImportError:
        return bytearray(size)
    return numpy.empty(size, "u1")


class HostCopies(Buffer):
    """Methods that dpctl's memory objects and RMM's have in common."""

    __slots__ = ()

    def copy_to_host(self, obj: Any = None, stream: Any = None) -> Any:
        """Copy all bytes to the first bytes of obj, which is writable and C-contiguous; obj.

        None: to a fresh array of bytes. They are there on return.
        """
        target = _fresh(self.size) if obj is None else obj
        read(self, flat(target), stream)
        return target

    def copy_from_host(self, obj: Any, stream: Any = None) -> None:
        """Copy the bytes of obj, which is C-contiguous, to the first bytes of the buffer."""
        source = flat(obj)
        if not source.is_host_accessible:
            raise ValueError("the source is memory of a device: use copy_from_device()")
        write(self, source, stream)

    def copy_from_device(self, obj: Any, stream: Any = None) -> None:
        """Copy the bytes of an array of a device, which is C-contiguous, to the first bytes of the buffer."""
        write(self, flat(obj, stream), stream)

    def __bytes__(self) -> bytes:
        return self.tobytes()
