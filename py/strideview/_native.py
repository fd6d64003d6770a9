"""The number of this machine's byte order that a dtype of the other one means."""

from __future__ import annotations

import re
import sys
from typing import Any

from ._dtype import numpy

_OTHER = {"little": ">!", "big": "<"}[sys.byteorder]
_FORMATS = {"h": "int16", "H": "uint16", "i": "int32", "I": "uint32", "l": "int32", "L": "uint32", "q": "int64",
            "Q": "uint64", "e": "float16", "f": "float32", "d": "float64", "Zf": "complex64", "Zd": "complex128",
            "F": "complex64", "D": "complex128"}
_TYPESTRS = {"i2": "int16", "u2": "uint16", "i4": "int32", "u4": "uint32", "i8": "int64", "u8": "uint64",
             "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128"}


def native(dtype: Any) -> str | None:
    """Its name; None for whatever is no number in the other order. dtype may also be the text of a protocol."""
    if isinstance(dtype, str):
        found = re.fullmatch(rf"[{_OTHER}]\s*(\w+)", dtype)
        return None if found is None else _FORMATS.get(found[1]) or _TYPESTRS.get(found[1])
    if numpy is None or not isinstance(dtype, numpy.dtype) or dtype.isnative or dtype.kind not in "iufc":
        return None
    return None if dtype.char in "gG" or dtype.type.__module__ != "numpy" else str(dtype.newbyteorder("=").name)
