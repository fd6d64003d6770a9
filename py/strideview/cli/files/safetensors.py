"""Tensors of .safetensors files: a header in JSON, then the bytes of all tensors."""

from __future__ import annotations

import json
import os
import struct
from math import prod
from typing import Any

from ..errors import INPUT, CommandError
from .items import Items, of_safetensors, to_safetensors
from .stored import FileArray

MOST_HEADER = 100_000_000  # as the library of safetensors has it
ALIGNMENT = 8


def read_header(path: str) -> tuple[dict[str, Any], int]:
    """(the header, where the tensors begin)"""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        packed = file.read(8)
        length = struct.unpack("<Q", packed)[0] if len(packed) == 8 else MOST_HEADER + 1
        if length > MOST_HEADER or length > size - 8:
            raise CommandError(f"{path} is no .safetensors file, or is cut short within its header", INPUT)
        text = file.read(length)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise CommandError(f"{path} has a header that is none of .safetensors", INPUT)
    return found, 8 + length


def tensor(path: str, name: str, told: Any, begin: int) -> FileArray:
    try:
        items, shape, (first, last) = of_safetensors(told["dtype"]), tuple(told["shape"]), told["data_offsets"]
        good = all(type(number) is int and number >= 0 for number in (*shape, first, last))
    except (TypeError, LookupError, ValueError):
        good = False
    if not good or prod(shape) * items.itemsize != last - first:
        raise CommandError(f"{path}: tensor {name!r} has a wrong entry in the header", INPUT)
    return FileArray(path, "safetensors", shape, items, "C", begin + first, name)


def members(path: str) -> list[FileArray]:
    header, begin = read_header(path)
    return [tensor(path, name, told, begin) for name, told in header.items() if name != "__metadata__"]


def header(shape: tuple[int, ...], items: Items, name: str) -> tuple[bytes, Items]:
    """(what stands before the bytes of a file with one tensor, the items as they are there)"""
    code, written = to_safetensors(items)
    nbytes = prod(shape) * written.itemsize
    text = json.dumps({name: {"dtype": code, "shape": list(shape), "data_offsets": [0, nbytes]}}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    return struct.pack("<Q", len(text)) + text, written
