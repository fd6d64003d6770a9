"""Structures of ctypes, told as a format of the buffer protocol by the fields of their class.

CPython's own format of them is wrong: packed structures and unions are "B", bit fields are full numbers at places of
their own, and before Python 3.12 there is no padding. Here all padding is written out, and a union or a structure with
bit fields is as many bytes as it has.
"""

from __future__ import annotations

import sys
from typing import Any

_NATIVE = {"little": "<", "big": ">"}[sys.byteorder]
_NUMBERS = set("?bBhHiIlLqQefdgFDG") | {"Zf", "Zd", "Zg"}
_LETTERS = {1: "bB", 2: "hH", 4: "iI", 8: "qQ"}  # of integers by their size, which C chooses for l and q


class _Untold(Exception):
    """There are only bytes."""


def element(owner: Any) -> type | None:
    """The class of the items of an object of ctypes; None for any other object."""
    module = sys.modules.get("_ctypes")
    if module is None or not isinstance(owner, (module.Structure, module.Union, module.Array)):
        return None
    kind: Any = type(owner)
    while issubclass(kind, module.Array):
        kind = kind._type_
    return kind if issubclass(kind, (module.Structure, module.Union)) else None


def format_of(kind: Any) -> str:
    """The format of items of a class, which has the size of the class exactly."""
    module = sys.modules["_ctypes"]
    size = module.sizeof(kind)
    try:
        if issubclass(kind, module.Structure):
            return _structure(kind, size)
        if issubclass(kind, module.Array):
            return f"({kind._length_}){format_of(kind._type_)}"
        if issubclass(kind, module._SimpleCData):
            return _simple(kind, size)
    except _Untold:
        pass
    return f"{size}x"


def _simple(kind: Any, size: int) -> str:
    letter: str = {"v": "h"}.get(kind._type_, kind._type_)
    if letter == "c" or letter == "u" and size == 4:
        return letter if letter == "c" else _NATIVE + "w"
    if letter not in _NUMBERS:
        raise _Untold
    if letter in "hHiIlLqQ":
        letter = _LETTERS[size][letter.isupper()]
    swapped = getattr(kind, "__ctype_be__" if _NATIVE == "<" else "__ctype_le__", None) is kind and size > 1
    return {"<": ">", ">": "<"}[_NATIVE] + letter if swapped else _NATIVE + letter


def _structure(kind: Any, size: int) -> str:
    text, end = ["T{"], 0
    for name, field, start, nbytes in _fields(kind):
        if start < end or nbytes != sys.modules["_ctypes"].sizeof(field) or ":" in name or "\0" in name:
            raise _Untold
        text += ["x" * (start - end), format_of(field), f":{name}:"]
        end = start + nbytes
    if end > size:
        raise _Untold
    return "".join([*text, "x" * (size - end), "}"])


def _declared(kind: Any) -> list[tuple[Any, str, Any, bool]]:
    """(class, name, class of the field, whether it is of bits) of all fields, also of those of base classes."""
    found = []
    for base in reversed(kind.__mro__):
        for field in base.__dict__.get("_fields_", ()):
            if not isinstance(field, tuple) or len(field) < 2 or not isinstance(field[1], type):
                raise _Untold  # the list was changed after the class was made
            found.append((base, field[0], field[1], len(field) > 2))
    return found


def _fields(kind: Any) -> list[tuple[str, Any, int, int]]:
    """(name, class, offset, bytes) of all fields, the first one first."""
    found = []
    for base, name, field, is_of_bits in _declared(kind):
        place = base.__dict__.get(name)
        if is_of_bits or type(place).__name__ != "CField":
            raise _Untold
        found.append((name, field, place.offset, place.size))
    return sorted(found, key=lambda field: field[2:])


def check(owner: Any, itemsize: int) -> bool:
    """Whether items of an object of ctypes are structures or unions. BufferError where they hold references to Python
    objects, which their format does not always tell."""
    kind = element(owner)
    if kind is None or sys.modules["_ctypes"].sizeof(kind) != itemsize:
        return False  # other items, or what was cast to bytes
    try:
        if _has_objects(kind, sys.modules["_ctypes"]):
            raise BufferError(f"{kind.__name__} holds references to Python objects, which cannot be moved as bytes")
    except _Untold:
        raise BufferError(f"the _fields_ of {kind} are not those that it was made with") from None
    return True


def _has_objects(kind: Any, module: Any) -> bool:
    if issubclass(kind, module.Array):
        return _has_objects(kind._type_, module)
    if issubclass(kind, module._SimpleCData):
        return bool(kind._type_ == "O")
    return issubclass(kind, (module.Structure, module.Union)) and any(
        _has_objects(field[2], module) for field in _declared(kind))
