"""Arrow's tensors of a fixed shape, its formats, and arrays in chunks."""

from __future__ import annotations

import ctypes
import json
import operator
from collections.abc import Iterator
from math import prod
from typing import Any

from . import view


# --- tensors ----------------------------------------------------------------------

def _metadata(address: int) -> dict[bytes, bytes]:
    """The pairs of a schema's metadata: their number, and before each text its length, all int32."""
    def number() -> int:
        nonlocal address
        found = ctypes.c_int32.from_address(address).value
        address += 4
        return found

    def text() -> bytes:
        nonlocal address
        length = number()
        found = ctypes.string_at(address, length)
        address += length
        return found

    return {text(): text() for _ in range(number())}


def tensor(address: int, count: int, size: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """(shape, strides in elements) of an array of so many tensors of so many numbers; None where it is none of tensors."""
    told = _metadata(address)
    if told.get(b"ARROW:extension:name") != b"arrow.fixed_shape_tensor":
        return None
    fields = json.loads(told.get(b"ARROW:extension:metadata", b"{}"))
    stored = tuple(map(operator.index, fields["shape"]))
    if prod(stored) != size or any(extent < 0 for extent in stored):
        raise BufferError(f"Arrow's tensors of shape {stored} have {size} numbers each")
    steps = [prod(stored[axis + 1:]) for axis in range(len(stored))]
    order = fields.get("permutation") or range(len(stored))
    return ((count, *(stored[axis] for axis in order)), (size, *(steps[axis] for axis in order)))


# --- formats ----------------------------------------------------------------------

def format_of_schema(capsule: Any) -> str:
    """Arrow's format of the array that a capsule "arrow_schema" describes, which is the first thing in it."""
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
    return ctypes.string_at(ctypes.c_void_p.from_address(get(capsule, b"arrow_schema") or 0).value or 0).decode()


# --- chunks -----------------------------------------------------------------------

def _chunks(x: Any) -> list[Any] | None:
    """The chunks of a ChunkedArray of pyarrow or a Series of polars; None of anything else."""
    if isinstance(chunks := getattr(x, "chunks", None), list):
        return chunks
    return list(x.get_chunks()) if callable(getattr(type(x), "get_chunks", None)) else None


def _columns(x: Any) -> list[Any] | None:
    """The columns of a table of pyarrow or a DataFrame of polars; None of anything else."""
    if callable(getattr(type(x), "get_columns", None)):
        return list(x.get_columns())
    return list(x.columns) if hasattr(type(x), "column_names") and hasattr(type(x), "column") else None


def _parts(dst: Any, chunks: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Each chunk, and where along the first axis of dst it goes."""
    target, start = view(dst), 0
    total = sum(map(len, chunks))
    if target.ndim == 0 or target.shape[0] != total:
        raise ValueError(f"dst {target.shape} for {total} elements in {len(chunks)} chunks")
    for chunk in chunks:
        yield target[start:start + len(chunk)], chunk
        start += len(chunk)


def pairs(dst: Any, src: Any) -> tuple[list[Any], list[Any]]:
    """The destinations and sources of copy_batch() for a src that is no list: an array in chunks, a table, an iterable."""
    columns = _columns(src)
    chunks = _chunks(src) if columns is None else None
    if chunks is not None and not isinstance(dst, (list, tuple)):
        found = list(_parts(dst, chunks))
        return [part for part, _ in found], [chunk for _, chunk in found]
    targets, sources = list(dst), columns if columns is not None else list(src if chunks is None else chunks)
    if columns is None or len(targets) != len(sources):
        return targets, sources
    found = [pair for target, column in zip(targets, sources)
             for pair in _parts(target, [column] if _chunks(column) is None else _chunks(column) or [])]
    return [part for part, _ in found], [chunk for _, chunk in found]
