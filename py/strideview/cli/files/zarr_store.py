"""Arrays of Zarr stores in folders, by zarr 3."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import INPUT, CommandError, need, signals_wait
from .hdf5 import items_of
from .items import Items
from .stored import ChunkedArray


AT_WORK = 32 << 20  # bytes of chunks that Zarr reads at once, or writes at once, where one chunk has not more


class Concurrency:
    """How many chunks Zarr has at work, which is a setting of the process: the first who needs few sets it for all, and
    the last one puts back what was."""

    def __init__(self) -> None:
        self.lock, self.users, self.before = threading.Lock(), 0, 0

    @contextmanager
    def few(self, chunk_bytes: int) -> Iterator[None]:
        """For chunks of that size. Without Zarr nothing is set."""
        zarr: Any = sys.modules.get("zarr")
        if zarr is None:
            yield
            return
        with self.lock:
            now = zarr.config.get("async.concurrency")
            self.before = now if self.users == 0 else self.before
            self.users += 1
            zarr.config.set({"async.concurrency": max(1, min(now, AT_WORK // max(chunk_bytes, 1)))})
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    zarr.config.set({"async.concurrency": self.before})


CONCURRENCY = Concurrency()


def walk(node: Any, array_type: type) -> Iterator[Any]:
    if isinstance(node, array_type):
        yield node
        return
    for name in sorted(node.keys()):
        yield from walk(node[name], array_type)


def of_array(path: str, array: Any) -> ChunkedArray:
    items = items_of(array.dtype, f"{path}:{array.path}")
    chunks = getattr(array, "shards", None) or array.chunks
    return ChunkedArray(path, "zarr", tuple(array.shape), items, tuple(chunks), array.path or None, array.__getitem__)


def members(path: str) -> list[ChunkedArray]:
    zarr = need("zarr", f"{path}, a Zarr store,")
    try:
        root = zarr.open(path, mode="r")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandError(f"{path}: {str(error).splitlines()[0] if str(error) else type(error).__name__}", INPUT) from None
    return [of_array(path, array) for array in walk(root, zarr.Array)]


def create(path: str, name: str | None, shape: tuple[int, ...], items: Items, chunks: tuple[int, ...] | None,
           uncompressed: bool = False) -> Any:
    zarr = need("zarr", "a Zarr store")
    dtype = need("numpy", "a Zarr store").dtype(items.descr)
    try:
        with signals_wait():  # threads of the library write
            return zarr.create_array(store=path, name=name, shape=shape, dtype=dtype, chunks=chunks or "auto",
                                     compressors=None if uncompressed else "auto")
    except (TypeError, ValueError) as error:
        raise CommandError(f"Zarr: {error}") from None
