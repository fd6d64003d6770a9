"""Pickling of buffers: class, kind, alignment and bytes, out of band from protocol 5 on."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, SupportsIndex

from . import Buffer, MemoryResource, _bytes, _resources

# An address often has a larger alignment than was asked for; memory for more than this is not reserved for it.
_LARGEST_ALIGNMENT = 4096

target: ContextVar[MemoryResource | None] = ContextVar("strideview.memory.loading", default=None)


@contextmanager
def loading(memory: str | MemoryResource | None = None, *, device: SupportsIndex | str | None = None) -> Iterator[None]:
    """Let pickle.loads() make buffers in other memory than they came from, in this thread or asyncio task.

    Without it a buffer is loaded into memory of its kind, of device 0, and so is a view of memory of a device. Views
    of memory that the host reads are of the memory that the pickle lies in, with this or without.
    """
    token = target.set(_resources.resolve(memory, device))
    try:
        yield
    finally:
        target.reset(token)


def reduce(buffer: Buffer, protocol: int) -> tuple[Any, ...]:
    """buffer.__reduce_ex__(protocol)."""
    if buffer.kind not in _resources.KINDS:
        raise TypeError(f"{buffer.kind} memory cannot be pickled")
    memory: pickle.PickleBuffer | bytes
    if protocol >= 5 and buffer.is_host_accessible:
        memory = pickle.PickleBuffer(buffer)
    else:
        data = buffer.tobytes()
        memory = pickle.PickleBuffer(data) if protocol >= 5 else data
    return rebuild, (type(buffer), buffer.kind, min(buffer.alignment, _LARGEST_ALIGNMENT), memory)


def rebuild(type_: type[Buffer], kind: str, alignment: int, memory: Any) -> Buffer:
    """The buffer that reduce() told of, in memory of its own."""
    if not (isinstance(type_, type) and issubclass(type_, Buffer)):
        raise TypeError(f"a class of buffers is needed, not {type_!r}")
    if kind not in _resources.KINDS:
        raise ValueError(f"the pickle names a kind of memory that there is not: {kind!r}")
    if type(alignment) is not int or not 0 <= alignment <= _LARGEST_ALIGNMENT:
        raise ValueError(f"the pickle asks for an alignment of {alignment!r}, at most {_LARGEST_ALIGNMENT} is told")
    resource = target.get() or _resources.default(kind)
    source = _bytes.flat(memory)
    made = _bytes.new(type_, resource, source.nbytes, alignment=alignment)
    _bytes.write(made, source)
    return made
