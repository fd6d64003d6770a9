"""An array as it lies in a file, by strides or by chunks; nothing of it is in memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import IO, Any, Literal

import strideview as sv

from ..errors import INPUT, CommandError
from .items import Items

Order = Literal["C", "F"]


@dataclass(frozen=True)
class FileArray:
    """Elements at a place of a file, dense in C or Fortran order."""

    path: str
    format: str
    shape: tuple[int, ...]
    items: Items
    order: Order = "C"
    offset: int = 0  # of the first element
    member: str | None = None
    unpack: Callable[[IO[bytes]], None] | None = field(default=None, compare=False)  # writes the member of an archive
    packed: int | None = None  # bytes that a compressed member takes

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.items.itemsize

    @property
    def layout(self) -> sv.StridedLayout:
        return sv.StridedLayout.dense(self.shape, self.items.itemsize, self.order)

    def check_size(self) -> FileArray:
        """That the file has all of its bytes."""
        try:
            there = max(os.stat(self.path).st_size - self.offset, 0)
        except OSError as error:
            raise CommandError(f"{self.path}: {error.strerror}", INPUT) from None
        if self.unpack is None and self.nbytes > there:
            raise CommandError(f"{self.path} is cut short: it has {there} of {self.nbytes} bytes of data", INPUT)
        return self

    def describe(self) -> dict[str, Any]:
        strides = self.layout.strides_in_bytes
        told: dict[str, Any] = {
            "file": self.path, "format": self.format, "member": self.member, "shape": list(self.shape),
            "dtype": self.items.name, "itemsize": self.items.itemsize, "order": self.order, "strides": list(strides),
            "nbytes": self.nbytes, "offset": None if self.unpack else self.offset,
        }
        if self.items.dtype is None:
            told["descr"] = self.items.descr
        if self.packed is not None:
            told["packed_bytes"] = self.packed
        return told


@dataclass(frozen=True)
class ChunkedArray:
    """An array that a library reads, chunk by chunk."""

    path: str
    format: str
    shape: tuple[int, ...]
    items: Items
    chunks: tuple[int, ...]
    member: str | None
    read: Callable[[tuple[slice, ...]], Any] = field(compare=False)  # an array of NumPy's

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.items.itemsize

    def describe(self) -> dict[str, Any]:
        return {
            "file": self.path, "format": self.format, "member": self.member, "shape": list(self.shape),
            "dtype": self.items.name, "itemsize": self.items.itemsize, "chunks": list(self.chunks), "nbytes": self.nbytes,
        }


Stored = FileArray | ChunkedArray
