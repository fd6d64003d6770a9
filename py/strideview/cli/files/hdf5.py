"""Datasets of HDF5 files, by h5py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import INPUT, CommandError, need
from .items import Items, of_descr
from .stored import ChunkedArray, FileArray, Stored


def items_of(dtype: Any, name: str) -> Items:
    """Of a dtype of NumPy's."""
    if dtype.hasobject:
        raise CommandError(f"{name} has elements of no fixed size ({dtype}), which are not read", INPUT)
    found = of_descr(dtype.descr if dtype.names else dtype.str)
    if found.itemsize != dtype.itemsize:  # a record with gaps that its descr does not name
        found = Items("record", dtype.itemsize, f"|V{dtype.itemsize}", None)
    return found


class DatasetReader:
    """Parts of a dataset. Another process that gets it by pickle opens the file again."""

    def __init__(self, path: str, name: str, dataset: Any = None) -> None:
        self.path, self.name = path, name
        if dataset is None:
            try:
                dataset = need("h5py", f"{path}, an HDF5 file,").File(path, "r")[name]
            except (OSError, KeyError) as error:
                raise CommandError(f"{path}: {error}", INPUT) from None
        self.dataset = dataset

    def __call__(self, key: tuple[slice, ...]) -> Any:
        return self.dataset[key]

    def __reduce__(self) -> tuple[Any, ...]:
        return DatasetReader, (self.path, self.name)


def of_dataset(path: str, dataset: Any) -> Stored:
    """In place where its bytes are dense in this file, else by the library."""
    name = dataset.name.lstrip("/")
    if dataset.shape is None:
        raise CommandError(f"{path}:{name} is empty, without a shape", INPUT)
    items = items_of(dataset.dtype, f"{path}:{name}")
    offset = dataset.id.get_offset()
    if offset is not None and not dataset.external and dataset.chunks is None:
        return FileArray(path, "hdf5", tuple(dataset.shape), items, "C", offset, name)
    return ChunkedArray(path, "hdf5", tuple(dataset.shape), items, tuple(dataset.chunks or dataset.shape), name,
                        DatasetReader(path, name, dataset))


def datasets(path: str) -> Iterator[Any]:
    """The datasets of a file, which stays open as long as one of them is used."""
    h5py = need("h5py", f"{path}, an HDF5 file,")
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise CommandError(f"{path}: {error}", INPUT) from None
    found: list[Any] = []
    file.visititems(lambda _, thing: found.append(thing) if isinstance(thing, h5py.Dataset) else None)
    return iter(found)


def members(path: str) -> list[Stored]:
    found: list[Stored] = []
    for dataset in datasets(path):
        try:
            found.append(of_dataset(path, dataset))
        except CommandError:  # of another kind than arrays of numbers
            continue
    return found


def create(path: str, name: str, shape: tuple[int, ...], items: Items, chunks: tuple[int, ...] | None) -> tuple[Any, int | None]:
    """(the open dataset, where its bytes are in the file if they are dense): a new file with one dataset."""
    h5py, numpy = need("h5py", "an HDF5 file"), need("numpy", "an HDF5 file")
    file = h5py.File(path, "w")
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if chunks is None and 0 not in shape:
        properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    try:
        dataset = file.create_dataset(name, shape, numpy.dtype(items.descr), chunks=chunks, dcpl=properties)
    except (TypeError, ValueError) as error:
        file.close()
        raise CommandError(f"HDF5: {error}") from None
    return dataset, dataset.id.get_offset() if chunks is None else None
