"""What Dask asks of views and buffers: how much memory they hold (the entry point dask.sizeof), and what they are called."""

from __future__ import annotations

import importlib
import uuid
from collections.abc import Iterator
from typing import Any

from . import Buffer, StridedLayout, StridedMemoryView
from ._dask_cuda import register_when_imported

BLOCK_BYTES = 1 << 20  # of elements that are packed at once where they have gaps


def register_sizeof(sizeof: Any) -> None:
    """Called by Dask, when it is imported, with its dispatcher: workers count the elements of what they keep.

    There is no such call for serializers: it is a sign that distributed may be imported, too.
    """

    def size_of_view(view: StridedMemoryView) -> int:
        return object.__sizeof__(view) + view.nbytes

    def size_of_buffer(buffer: Buffer) -> int:
        return object.__sizeof__(buffer) + buffer.size

    sizeof.register(StridedMemoryView, size_of_view)
    sizeof.register(Buffer, size_of_buffer)
    register_when_imported()


def name_of(view: StridedMemoryView) -> tuple[Any, ...]:
    """view.__dask_tokenize__(). Dask would pickle a view twice for its name: whole copies, where it has gaps."""
    if not view.is_host_accessible:
        return "strideview", uuid.uuid4().hex
    hash_of: Any = importlib.import_module("dask.hashing").hash_buffer_hex
    hashes = [hash_of(memory) for memory in bytes_of(view)]
    return "strideview", view.shape, view.layout.to_dense("K").strides_in_bytes, str(view.dtype), view.readonly, hashes


def bytes_of(view: StridedMemoryView) -> Iterator[Any]:
    """The elements, in place where they have no gaps, else packed part by part."""
    layout = view.layout.to_dense("K")
    if view.layout.strides_in_bytes == layout.strides_in_bytes:
        flat = StridedLayout.parse(f"({view.nbytes})*1+{view.layout.slice_offset_in_bytes}")
        yield memoryview(view.view(flat, "uint8"))
    elif view.nbytes <= BLOCK_BYTES or not view.shape:
        yield view.tobytes()
    elif view.shape[0] == 1:
        yield from bytes_of(view[0])
    else:
        count = max(1, BLOCK_BYTES * view.shape[0] // view.nbytes)
        for first in range(0, view.shape[0], count):
            yield from bytes_of(view[first:first + count])
