"""The output of a copy in each format: what is written before and after the elements, and who writes these."""

from __future__ import annotations

import os
from math import prod
from typing import Protocol

import strideview as sv

from ..errors import FAILED, CommandError
from . import hdf5, npy, npz, safetensors, zarr_store
from .ends import ChunkWriter, FileWriter, Writer
from .items import Items, to_npy
from .selection import target_layout
from .stored import Order
from .target import OpenFile, Target, failure

Shape = tuple[int, ...]


class Output(Protocol):
    """An output that is being written."""

    def writer(self, shape: Shape) -> Writer:
        """Who writes an array of that shape, which has the final shape in the file."""

    def finish(self) -> None:
        """All elements are written."""


class FileOutput:
    """A file whose elements are at one place."""

    def __init__(self, target: Target, before: bytes, shape: Shape, items: Items, order: Order) -> None:
        self.shape, self.items, self.order, self.offset = shape, items, order, len(before)
        self.target = target
        self.file = target.make(len(before) + prod(shape) * items.itemsize)
        self.file.write(0, before)

    def writer(self, shape: Shape) -> Writer:
        layout = target_layout(shape, self.shape, self.items.itemsize, self.order)
        return FileWriter(self.file, self.offset, layout, self.items)

    def finish(self) -> None:
        self.target.publish()


class ArchiveOutput(FileOutput):
    """A .npz file with one member, whose checksum stands before it."""

    def __init__(self, target: Target, name: str, shape: Shape, items: Items, order: Order) -> None:
        head = npy.header(shape, items, order)
        self.nbytes = len(head) + prod(shape) * items.itemsize
        self.info = npz.info_of(name, self.nbytes)
        self.start = len(npz.header(self.info))
        super().__init__(target, npz.header(self.info) + head, shape, items, order)

    def finish(self) -> None:
        with os.fdopen(os.dup(self.file.fd), "rb") as file:
            self.info.CRC = npz.checksum(file, self.start, self.nbytes)
        self.file.write(0, npz.header(self.info))
        self.file.write(self.start + self.nbytes, npz.directory(self.info, self.start + self.nbytes))
        super().finish()


class StoreOutput:
    """What a library makes: an HDF5 file or a Zarr store."""

    def __init__(self, target: Target, form: str, name: str | None, shape: Shape, items: Items, chunks: Shape | None,
                 uncompressed: bool) -> None:
        self.target, self.path, self.shape, self.items = target, target.path, shape, items
        self.file: OpenFile | None = None
        offset = None
        try:
            if form == "zarr":
                dataset = zarr_store.create(self.target.temporary, name, shape, items, chunks, uncompressed)
                self.chunks = tuple(getattr(dataset, "shards", None) or dataset.chunks)
            else:
                dataset, offset = hdf5.create(self.target.temporary, name or "data", shape, items, chunks)
                self.chunks = tuple(dataset.chunks or shape)
        except OSError as error:
            raise failure(self.path, error) from None
        self.form, self.dataset, self.offset = form, dataset, offset

    def writer(self, shape: Shape) -> Writer:
        if shape != self.shape:
            raise CommandError("--reshape of elements that are rearranged needs a file that is not in chunks", FAILED)
        if self.offset is None:
            return ChunkWriter(self.path, self.dataset, self.chunks, self.items)
        self.close()  # the elements have their place in the file, which the library need not write
        self.file = OpenFile(self.path, self.target.temporary)
        self.file.take_space(self.offset + prod(shape) * self.items.itemsize)
        return FileWriter(self.file, self.offset, sv.StridedLayout.dense(shape, self.items.itemsize), self.items)

    def close(self) -> None:
        if self.form == "hdf5" and self.dataset is not None:
            self.dataset.file.close()
        self.dataset = None

    def finish(self) -> None:
        self.close()
        if self.file is not None:
            self.file.close()
        self.target.publish()


def open_output(target: Target, form: str, name: str | None, shape: Shape, items: Items, order: Order,
                chunks: Shape | None, uncompressed: bool = False) -> Output:
    """Take the space of a new file, or make a store, for an array of shape. The target removes it where it fails."""
    if chunks is not None and form not in ("zarr", "hdf5"):
        raise CommandError(f"--chunks: {form} has none", FAILED)
    if uncompressed and form != "zarr":
        raise CommandError(f"--uncompressed: {form} is never compressed here", FAILED)
    if order == "F" and form not in ("npy", "npz", "raw"):
        raise CommandError(f"--order F: {form} has C order alone", FAILED)
    if form == "npy":
        return FileOutput(target, npy.header(shape, to_npy(items), order), shape, items, order)
    if form == "npz":
        return ArchiveOutput(target, name or "arr_0", shape, to_npy(items), order)
    if form == "safetensors":
        before, items = safetensors.header(shape, items, name or "data")
        return FileOutput(target, before, shape, items, order)
    if form == "raw":
        return FileOutput(target, b"", shape, items, order)
    return StoreOutput(target, form, name, shape, to_npy(items, form), chunks, uncompressed)
