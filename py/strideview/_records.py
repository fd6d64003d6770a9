"""The text by which the buffer protocol tells of records, strings and other items that are no number (PEP 3118).

NumPy's own text of a record may be one that NumPy reads as another: "T{f:a:h:b:}" has 8 bytes for it, and the record 6.
Here every item names its byte order, which rules out alignment, and all padding is written out.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

from ._dtype import numpy

NATIVE = {"little": "<", "big": ">"}[sys.byteorder]
LETTERS = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e",
           "f4": "f", "f8": "d", "c8": "Zf", "c16": "Zd"}


class Untold(Exception):
    """There is no text for it."""


def _number(dtype: Any) -> tuple[str, str]:
    """The byte order, and the letter."""
    if dtype.type in (numpy.longdouble, numpy.clongdouble) and dtype.isnative:
        return "^", "g" if dtype.kind == "f" else "Zg"  # has a size of the platform's own
    order = {"=": NATIVE, "|": NATIVE}.get(dtype.byteorder, dtype.byteorder)
    letter = LETTERS.get(f"{dtype.kind}{dtype.itemsize}")
    if letter is None or dtype.type.__module__ != "numpy":
        raise Untold
    return order, letter


def _item(dtype: Any) -> tuple[str, str]:
    """The byte order and what follows it, of anything that has no fields."""
    lengths = {"S": ("s", 1), "U": ("w", 4), "V": ("x", 1)}
    if dtype.kind not in lengths or dtype.type not in (numpy.bytes_, numpy.str_, numpy.void):
        return _number(dtype)
    letter, size = lengths[dtype.kind]
    order = NATIVE if dtype.isnative else {"<": ">", ">": "<"}[NATIVE]
    return order, f"{dtype.itemsize // size}{letter}"


def flat(dtype: Any) -> tuple[Any, tuple[int, ...]]:
    """The dtype of the elements of an item that is an array, and all its extents; arrays of arrays are one array."""
    extents: tuple[int, ...] = ()
    while dtype.subdtype is not None:
        extents += dtype.shape
        dtype = dtype.subdtype[0]
    return dtype, extents


def _record(dtype: Any) -> str:
    """T{...}, its fields in the order of their places, padding between them."""
    text, end = ["T{"], 0
    order: str | None = None
    for name in sorted(dtype.names, key=lambda name: (dtype.fields[name][1], dtype.fields[name][0].itemsize)):
        field, start = dtype.fields[name][:2]
        if start < end or ":" in name or "\0" in name:
            raise Untold
        shape = ""
        if field.subdtype is not None:
            field, extents = flat(field)
            shape = f"({','.join(map(str, extents))})"
        before, order = order, None
        item = _record(field) if field.names is not None else None
        if item is None:
            order, item = _item(field)
        text += ["x" * (start - end), shape, order if order not in (None, before) else "", item, f":{name}:"]
        end = start + dtype.fields[name][0].itemsize
    return "".join([*text, "x" * (dtype.itemsize - end), "}"])


@functools.lru_cache(maxsize=256)
def record_format(dtype: Any) -> str | None:
    """The text for a dtype, or None where there is none."""
    if numpy is None:
        return None
    dtype = numpy.dtype(dtype)
    try:
        if dtype.names is not None:
            return _record(dtype)
        if dtype.kind == "V":
            raise Untold  # NumPy reads "7x" as a record without fields; the array interface says it right
        return "".join(_item(dtype))
    except Untold:
        return None
