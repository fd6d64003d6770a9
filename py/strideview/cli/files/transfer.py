"""A copy by blocks: one thread reads and rearranges, another writes, with two buffers of the output between them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from itertools import islice
from math import prod
from typing import Any, NamedTuple

import strideview as sv

from ..errors import SIGNALS, CommandError
from .blocks import TARGET_BUFFERS, Blocks
from .ends import Extents, Reader, Writer
from .items import Items
from .sides import ChunkSide
from .zarr_store import CONCURRENCY


class Change(NamedTuple):
    """What happens to the elements on the way; the numbers are those of strideview.copy()."""

    casting: str = "unsafe"
    scale: float | list[float] | None = None
    bias: float | list[float] | None = None
    axis: int | None = None

    def of_block(self, begin: Extents, extents: Extents) -> dict[str, Any]:
        """The options of copy(): of lists, what is along the block."""
        if self.scale is None and self.bias is None:
            return {"casting": self.casting}
        options: dict[str, Any] = {}
        for name, factor in (("scale", self.scale), ("bias", self.bias)):
            if isinstance(factor, list) and self.axis is not None:
                first = begin[self.axis]
                options |= {name: factor[first:first + extents[self.axis]], "axis": self.axis}
            elif factor is not None:
                options[name] = factor
        return options


def copy_block(target: sv.StridedMemoryView, to: Items, source: sv.StridedMemoryView, items: Items, options: dict[str, Any]) -> None:
    """Numbers in the other byte order are swapped before they are converted, and after that."""
    is_moved = items.dtype == to.dtype and "scale" not in options and "bias" not in options
    if is_moved:
        sv.copy(target, source, byteswap=items.is_swapped != to.is_swapped)
        return
    sv.copy(target, source, byteswap=items.is_swapped, **options)
    if to.is_swapped:
        sv.copy(target, target, byteswap=True)


class WriterThread:
    """Writes blocks in the order in which they come; what fails there is raised by the next call here."""

    def __init__(self, writer: Writer, done: Callable[[int], None], count: int, nbytes: int) -> None:
        self.writer, self.done = writer, done
        self.free: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for _ in range(count):
            self.free.put(sv.empty((nbytes,), "uint8"))
        self.filled: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.failed: BaseException | None = None
        self.thread = threading.Thread(target=self.run, name="strideview-write", daemon=True)
        SIGNALS.unfinished.append(self)
        self.thread.start()

    def run(self) -> None:
        while (block := self.filled.get()) is not None:
            memory, begin, extents, nbytes = block
            try:
                if self.failed is None:
                    self.writer.write(memory, begin, extents)
                    self.done(nbytes)
            except BaseException as error:  # raised by finish() or memory()
                self.failed = error
            self.free.put(memory)

    def memory(self) -> Any:
        """A buffer that nobody reads."""
        found = self.free.get()
        if self.failed is not None:
            raise self.failed
        return found

    def put(self, memory: Any, begin: Extents, extents: Extents, nbytes: int) -> None:
        self.filled.put((memory, begin, extents, nbytes))

    def finish(self) -> None:
        self.filled.put(None)
        self.thread.join()
        if self.failed is not None:
            raise self.failed

    def end(self) -> None:
        """Write no more than the block that is being written."""
        self.failed = self.failed or CommandError("the copy has ended")
        self.filled.put(None)
        if self.thread.is_alive():
            self.thread.join()
        SIGNALS.unfinished.remove(self)


class Stage(NamedTuple):
    """A copy of every element of an array that is not empty: two ends, the boxes it goes by, and what changes."""

    reader: Reader
    writer: Writer
    blocks: Blocks
    change: Change

    @property
    def nbytes(self) -> int:
        """Of all elements as they are written."""
        return prod(self.blocks.shape) * self.writer.items.itemsize

    @property
    def chunk_bytes(self) -> int:
        """Of the larger chunk of both sides; 0: both are files."""
        sides = [end.side for end in (self.reader, self.writer) if isinstance(end.side, ChunkSide)]
        return max((prod(side.chunks) * side.itemsize for side in sides), default=0)

    def close(self) -> None:
        """The files, in a process that opened them for this stage alone."""
        self.reader.close()
        self.writer.close()


def transfer(stage: Stage, first: int, last: int, done: Callable[[int], None]) -> None:
    """Copy the blocks from number first up to last."""
    reader, writer, blocks, change = stage
    reader.reserve(blocks.source_bytes)
    thread = WriterThread(writer, done, min(last - first, TARGET_BUFFERS), blocks.target_bytes)
    try:
        with CONCURRENCY.few(stage.chunk_bytes):
            for begin, extents in islice(blocks, first, last):
                source = reader.read(begin, extents)
                memory = thread.memory()
                target = writer.view(memory, extents)
                copy_block(target, writer.items, source, reader.items, change.of_block(begin, extents))
                thread.put(memory, begin, extents, target.nbytes)
            thread.finish()
    finally:
        thread.end()
