"""The two ends of a copy by blocks: what reads a block of a stored array into memory, and what writes one to the output.

Ends of files and of Zarr stores can be pickled: another process, which gets them so, opens the same files again.
"""

from __future__ import annotations

import os
from math import prod
from typing import Any

import strideview as sv
from strideview._core import _move_runs

from ..errors import INPUT, CommandError, need
from .items import Items
from .selection import Selection
from .sides import WRITE_CALL, Box, ChunkSide, FileSide
from .target import OpenFile, failure

Extents = tuple[int, ...]


def view_of(memory: Any, items: Items, extents: Extents, box: Box) -> sv.StridedMemoryView:
    return sv.StridedMemoryView.from_buffer(memory, extents, strides_in_bytes=box.strides, offset=box.first,
                                            itemsize=items.itemsize if items.dtype is None else None, dtype=items.dtype)


def dense_view(memory: Any, items: Items, extents: Extents) -> sv.StridedMemoryView:
    return sv.StridedMemoryView.from_buffer(memory, extents, dtype=items.dtype,
                                            itemsize=items.itemsize if items.dtype is None else None)


class InputFile:
    """A file that is read at given places. Another process that gets it by pickle opens it again."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self.fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", INPUT) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return InputFile, (self.path,)

    def fileno(self) -> int:
        return self.fd

    def close(self) -> None:
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)


class FileReader:
    """Blocks of a file, by the layout of what is read of it. file: an InputFile, or one without a name."""

    def __init__(self, file: Any, name: str, offset: int, layout: sv.StridedLayout, items: Items) -> None:
        self.file, self.name, self.items = file, name, items
        self.offset = offset + layout.slice_offset_in_bytes
        self.side = FileSide(layout.strides_in_bytes, items.itemsize)
        self.memory: Any = None
        self.calls = self.nbytes = 0

    def reserve(self, nbytes: int) -> None:
        self.memory = sv.empty((nbytes,), "uint8")

    def read(self, begin: Extents, extents: Extents) -> sv.StridedMemoryView:
        box = self.side.box(extents)
        offset = self.offset + self.side.start(begin) + box.low
        try:
            moved = _move_runs(self.file.fileno(), self.memory, False, box.run, box.extents, box.steps, box.pitches, offset)
        except OSError as error:
            raise CommandError(f"{self.name}: {error.strerror}", INPUT) from None
        self.calls += count(box)
        self.nbytes += moved
        if moved < count(box) * box.run:
            raise CommandError(f"{self.name} is cut short: it ends while it is read", INPUT)
        return view_of(self.memory, self.items, extents, box)

    def close(self) -> None:
        self.file.close()


class ChunkReader:
    """Blocks of an array that a library reads."""

    def __init__(self, stored: Any, selection: Selection) -> None:
        self.stored, self.selection, self.items = stored, selection, stored.items
        chunks = tuple(max(1, stored.chunks[along.axis] // abs(along.step)) for along in selection.along)
        starts = tuple(along.start % stored.chunks[along.axis] // abs(along.step) for along in selection.along)
        self.side = ChunkSide(chunks, stored.items.itemsize, starts)
        self.calls = self.nbytes = 0

    def reserve(self, nbytes: int) -> None:
        """The library allocates."""

    def close(self) -> None:
        """The library closes what it opened."""

    def read(self, begin: Extents, extents: Extents) -> sv.StridedMemoryView:
        """Steps that go backwards are read forwards, for some libraries know no others."""
        parts = {axis: slice(index, index + 1) for axis, index in self.selection.fixed.items()}
        backwards = []
        for place, (along, first, extent) in enumerate(zip(self.selection.along, begin, extents)):
            low, high = sorted((along.start + first * along.step, along.start + (first + extent - 1) * along.step))
            parts[along.axis] = slice(low, high + 1, abs(along.step))
            if along.step < 0:
                backwards.append(place)
        name = f"{self.stored.path}:{self.stored.member or ''}"
        try:
            array = self.stored.read(tuple(parts[axis] for axis in range(len(parts))))
        except (OSError, ValueError, RuntimeError) as error:
            raise CommandError(f"{name}: {error}", INPUT) from None
        self.calls += 1
        self.nbytes += array.nbytes
        items = self.stored.items
        whole = dense_view(array.tobytes() if not array.flags.c_contiguous else array.reshape(-1).view("u1"), items, array.shape)
        axes = [along.axis for along in self.selection.along]
        dropped = tuple(0 if axis in self.selection.fixed else slice(None) for axis in range(len(parts)))
        kept = sorted(axes)
        return whole[dropped].permute(tuple(kept.index(axis) for axis in axes)).flip(tuple(backwards))


class FileWriter:
    """Blocks into a file, from one of several buffers."""

    def __init__(self, file: OpenFile, offset: int, layout: sv.StridedLayout, items: Items) -> None:
        self.file, self.offset, self.items = file, offset, items
        self.side = FileSide(layout.strides_in_bytes, items.itemsize, WRITE_CALL, 0)
        self.calls = 0

    def view(self, memory: Any, extents: Extents) -> sv.StridedMemoryView:
        return view_of(memory, self.items, extents, self.side.box(extents))

    def write(self, memory: Any, begin: Extents, extents: Extents) -> None:
        box = self.side.box(extents)
        offset = self.offset + self.side.start(begin) + box.low
        try:
            _move_runs(self.file.fd, memory, True, box.run, box.extents, box.steps, box.pitches, offset)
        except OSError as error:
            raise failure(self.file.path, error) from None
        self.calls += count(box)

    def close(self) -> None:
        self.file.close()


class ChunkWriter:
    """Blocks of whole chunks into an array that a library writes."""

    def __init__(self, path: str, dataset: Any, chunks: Extents, items: Items) -> None:
        self.path, self.dataset, self.items = path, dataset, items
        self.side = ChunkSide(chunks, items.itemsize, (0,) * len(chunks))
        self.calls = 0

    def view(self, memory: Any, extents: Extents) -> sv.StridedMemoryView:
        return dense_view(memory, self.items, extents)

    def write(self, memory: Any, begin: Extents, extents: Extents) -> None:
        numpy = need("numpy", "an output in chunks")
        size = prod(extents) * self.items.itemsize
        array = numpy.asarray(memory)[:size].view(numpy.dtype(self.items.descr)).reshape(extents)
        place = tuple(slice(first, first + extent) for first, extent in zip(begin, extents))
        try:
            self.dataset[place] = array
        except OSError as error:
            raise failure(self.path, error) from None
        self.calls += 1

    def close(self) -> None:
        """The library has written each chunk when it returned."""


def count(box: Box) -> int:
    return prod(box.extents)


Reader = FileReader | ChunkReader
Writer = FileWriter | ChunkWriter
