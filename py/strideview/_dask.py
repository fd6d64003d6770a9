"""What Dask asks of views and buffers: how much memory they hold (the entry point dask.sizeof)."""

from __future__ import annotations

from typing import Any

from . import Buffer, StridedMemoryView


def register_sizeof(sizeof: Any) -> None:
    """Called by Dask, when it is imported, with its dispatcher: workers count the elements of what they keep."""

    def size_of_view(view: StridedMemoryView) -> int:
        return object.__sizeof__(view) + view.nbytes

    def size_of_buffer(buffer: Buffer) -> int:
        return object.__sizeof__(buffer) + buffer.size

    sizeof.register(StridedMemoryView, size_of_view)
    sizeof.register(Buffer, size_of_buffer)
