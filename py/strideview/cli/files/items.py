"""The element types of files: how .npy, .safetensors and libsv spell them."""

from __future__ import annotations

import sys
from math import prod
from typing import Any, NamedTuple

import strideview as sv

from ..errors import FAILED, INPUT, CommandError

NATIVE = "<" if sys.byteorder == "little" else ">"
# What NumPy calls a type in a header, without the byte order.
NUMPY = {
    "bool": "b1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4",
    "uint64": "u8", "float16": "f2", "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16",
}
PLAIN = {code: name for name, code in NUMPY.items()}
SAFETENSORS = {
    "BOOL": "bool", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64", "U8": "uint8", "U16": "uint16",
    "U32": "uint32", "U64": "uint64", "F16": "float16", "F32": "float32", "F64": "float64", "BF16": "bfloat16",
    "C64": "complex64", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2",
}


class Items(NamedTuple):
    """Elements of one type."""

    name: str  # as libsv and NumPy call it; what a user reads
    itemsize: int
    descr: Any  # NumPy's, as in the header of .npy; None where NumPy has no such type
    dtype: str | None  # what a view of them is made with, in this machine's byte order; None: opaque bytes
    is_swapped: bool = False  # numbers in the other byte order

    @property
    def is_number(self) -> bool:
        return self.dtype is not None


def little(code: str) -> str:
    return ("|" if code.endswith("1") else "<") + code


def of_name(name: str) -> Items:
    """By a name of libsv or of NumPy: float16, bfloat16, >f4, M8[ns]."""
    try:
        sample = sv.empty((0,), name)
    except (TypeError, ValueError) as error:
        raise CommandError(f"dtype {name!r}: {error}", FAILED) from None
    found = str(sample.dtype)
    if found in NUMPY:
        code = NUMPY[found]
        return Items(found, sample.itemsize, ("|" if code.endswith("1") else NATIVE) + code, found)
    if found[:1] in "<>" and found[1:] in NUMPY.values():
        return Items(found, sample.itemsize, found, PLAIN[found[1:]], True)
    is_moved = name.lstrip("<>|=")[:1] in "MmSUV" or found[:1] in "<>|"
    return Items(found, sample.itemsize, name if is_moved else None, None if is_moved else found)


def field_size(field: Any) -> int:
    """Bytes of a field of a record, by its descr."""
    shape = field[2] if len(field) > 2 else ()
    return of_descr(field[1]).itemsize * prod((shape,) if isinstance(shape, int) else shape)


def of_descr(descr: Any) -> Items:
    """By what the header of a .npy file says."""
    try:
        if isinstance(descr, list):
            return Items("record", sum(field_size(field) for field in descr), descr, None)
        if isinstance(descr, tuple):  # a subarray: (base, shape)
            return Items("record", field_size(("", *descr)), descr, None)
        if not isinstance(descr, str) or descr.lstrip("|<>=")[:1] == "O":
            raise CommandError(f"elements are Python objects ({descr!r}), which are no bytes of the file", INPUT)
        found = of_name(descr)
        return found._replace(descr=descr, dtype=None if found.descr is None else found.dtype)
    except (TypeError, LookupError):
        raise CommandError(f"unknown dtype {descr!r}", INPUT) from None


def of_safetensors(code: Any) -> Items:
    if code not in SAFETENSORS:
        raise CommandError(f"unknown dtype {code!r} of safetensors", INPUT)
    name = SAFETENSORS[code]
    return of_name(little(NUMPY[name])) if name in NUMPY else of_name(name)


def to_safetensors(items: Items) -> tuple[str, Items]:
    """(its name there, the items as they are written): numbers are little-endian there."""
    name = PLAIN.get(items.name[1:], items.name) if items.name[:1] in "<>" else items.name
    for code, known in SAFETENSORS.items():
        if known == name:
            return code, of_name(little(NUMPY[name])) if name in NUMPY else items
    raise CommandError(f"safetensors has no elements of {items.name}: choose --dtype", FAILED)


def to_npy(items: Items, kind: str = "NumPy") -> Items:
    if items.descr is None:
        raise CommandError(f"{kind} has no elements of {items.name}: choose --dtype, or write .safetensors or .raw", FAILED)
    return items
