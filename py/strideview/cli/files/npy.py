"""The headers of .npy files, as NumPy's format specification has them, versions 1.0 to 3.0."""

from __future__ import annotations

import ast
import struct
from math import prod
from typing import IO

import strideview as sv

from ..errors import INPUT, CommandError
from .items import Items, of_descr
from .stored import FileArray, Order

MAGIC = b"\x93NUMPY"
ALIGNMENT = 64  # of the first element
GROWTH_DIGITS = 21  # room that NumPy leaves, so that files can be appended to
MOST_HEADER = 1 << 20
LENGTHS = {1: "<H", 2: "<I", 3: "<I"}  # of the header, by the major version


def read_text(file: IO[bytes], name: str) -> str:
    """The dictionary of the header; the file then is at the first element."""
    start = file.read(len(MAGIC) + 2)
    if start[:6] != MAGIC or len(start) < 8:
        raise CommandError(f"{name} is no .npy file", INPUT)
    if start[6] not in LENGTHS:
        raise CommandError(f"{name} has version {start[6]}.{start[7]} of .npy, which is unknown", INPUT)
    form = LENGTHS[start[6]]
    packed = file.read(struct.calcsize(form))
    length = struct.unpack(form, packed)[0] if len(packed) == struct.calcsize(form) else MOST_HEADER + 1
    text = file.read(length) if length <= MOST_HEADER else b""
    if length > MOST_HEADER or len(text) < length:
        raise CommandError(f"{name} is cut short: its header is not complete", INPUT)
    return text.decode("utf-8" if start[6] == 3 else "latin1", errors="replace")


def parse(text: str, name: str) -> tuple[tuple[int, ...], Order, Items]:
    try:
        header = ast.literal_eval(text.strip())
        shape, fortran, descr = header["shape"], header["fortran_order"], header["descr"]
        good = isinstance(shape, tuple) and all(type(n) is int and n >= 0 for n in shape) and type(fortran) is bool
    except (ValueError, SyntaxError, TypeError, LookupError, MemoryError, RecursionError):
        good = False
    if not good:
        raise CommandError(f"{name} has a header that is none of .npy", INPUT)
    return shape, "F" if fortran else "C", of_descr(descr)


def read(file: IO[bytes], path: str, member: str | None = None) -> FileArray:
    """What a .npy file, or one in an archive, says of its array; offset is that within it."""
    name = f"{path}:{member}" if member else path
    shape, order, items = parse(read_text(file, name), name)
    found = FileArray(path, "npy", shape, items, order, file.tell(), member)
    try:
        found.layout  # noqa: B018  (elements, bytes and axes are numbers that a layout can have)
    except ValueError as error:
        raise CommandError(f"{name}: {error}", INPUT) from None
    return found


def header(shape: tuple[int, ...], items: Items, order: Order) -> bytes:
    """What numpy.save() writes before the elements."""
    itemsize = max(items.itemsize, 1)
    both = prod(shape) == 0 or sv.StridedLayout.dense(shape, itemsize, order).is_contiguous_c
    fortran = order == "F" and not both
    text = f"{{'descr': {items.descr!r}, 'fortran_order': {fortran}, 'shape': {shape!r}, }}"
    if shape:
        text += " " * (GROWTH_DIGITS - len(repr(shape[-1 if fortran else 0])))
    coded = text.encode("latin1" if text.isascii() else "utf-8")
    for version, form in LENGTHS.items():
        before = len(MAGIC) + 2 + struct.calcsize(form)
        padding = ALIGNMENT - (before + len(coded) + 1) % ALIGNMENT
        length = len(coded) + padding + 1
        if (version == 3 or text.isascii()) and length < 1 << 8 * struct.calcsize(form):
            return MAGIC + bytes([version, 0]) + struct.pack(form, length) + coded + b" " * padding + b"\n"
    raise CommandError("the header is too long for .npy")
