"""The description of records in array interfaces."""

from __future__ import annotations

import re
from typing import Any


def _bytes(type_: Any, shape: int | tuple[int, ...] = ()) -> int:
    size = _sum(type_) if isinstance(type_, list) else _item(type_)
    for extent in (shape,) if isinstance(shape, int) else shape:
        size *= extent
    return size


def _item(typestr: str) -> int:
    found = re.fullmatch(r"[<>|=]?([a-zA-Z])(\d*)(\[.*\])?", typestr)
    if found is None:
        raise TypeError(f"descr has no type {typestr!r}")
    if found[1] == "O":
        raise TypeError("descr holds Python objects, which cannot be moved as bytes")
    return int(found[2]) * (4 if found[1] == "U" else 1)


def _sum(descr: list[Any]) -> int:
    return sum(_bytes(*field[1:]) for field in descr)


def check_descr(descr: Any, typestr: str) -> None:
    """Raise unless a descr describes items of the size that the type string says, without Python objects."""
    if not isinstance(descr, list) or not all(isinstance(field, tuple) and len(field) in (2, 3) for field in descr):
        raise TypeError("descr must be a list of (name, type) or (name, type, shape)")
    try:
        size = _sum(descr)
    except (ValueError, RecursionError) as error:
        raise TypeError(f"descr is malformed: {error}") from None
    if size != _item(typestr):
        raise ValueError(f"descr has {size} bytes, typestr {typestr!r} another number")
