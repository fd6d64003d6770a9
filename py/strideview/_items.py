"""What is known of items that are no number to libsv: records, dates, strings. Their memory alone does not tell."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from . import StridedLayout, StridedMemoryView
from ._arrow import format_of_schema
from ._ctypes_items import element, format_of
from ._dtype import numpy
from ._formats import dtype_of
from ._native import native
from ._records import flat, record_format

# Formats of the buffer protocol that are numbers, or bytes without a meaning.
_PLAIN_FORMATS = set("?bBhHiIlLqQnNefdx") | {"Zf", "Zd", "Zg"}


def identity(exporter: Any, itemsize: int) -> Any:
    """A value that two kinds of items of one size share only where they are alike; None: nothing is known.

    It is a numpy.dtype where NumPy is there, whichever protocol tells: so the same items are alike however they came.
    """
    for ask in (_dtype, _interface, _arrow, _buffer):
        found = ask(exporter, itemsize)
        if found is not None:
            return found
    return None


def described(exporter: Any, itemsize: int) -> Any:
    """The numpy.dtype that identity() finds, or None. Not S1, which single characters are to NumPy: it drops b"\\0"."""
    found = identity(exporter, itemsize) if numpy is not None else None
    return found if numpy is not None and isinstance(found, numpy.dtype) and found.str != "|S1" else None


def is_plain(dtype: Any, itemsize: int) -> bool:
    """Whether a dtype is of items of this size that are bytes and nothing else, all of them within the item.

    The one gate for dtypes that views keep, whatever tells of them: an exporter may lie, a pickle may be tampered with,
    and NumPy follows the pointers that a dtype of Python objects sees in any bytes.
    """
    if getattr(dtype, "itemsize", None) != itemsize:
        return False
    return numpy is None or not isinstance(dtype, numpy.dtype) or _holds_bytes(dtype)


def _holds_bytes(dtype: Any) -> bool:
    if dtype.hasobject:
        return False
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return bool(math.prod(shape) * base.itemsize == dtype.itemsize) and _holds_bytes(base)
    if dtype.names is not None:
        return all(0 <= field[1] <= dtype.itemsize - field[0].itemsize and _holds_bytes(field[0])
                   for field in dtype.fields.values())
    if dtype.type.__module__ != "numpy":
        return bool(numpy.dtype(dtype.type).itemsize == dtype.itemsize)
    return dtype.kind in "SUV" or (dtype.kind in "biufcmM" and numpy.dtype(dtype.str).itemsize == dtype.itemsize)


def plain(given: Any) -> tuple[Any, int] | None:
    """(the dtype to keep, the size) of items that a caller's dtype means, where they are no number to libsv but plain bytes.

    None where it is no dtype of NumPy's.
    """
    if numpy is None or isinstance(given, str) and "\0" in given:
        return None
    try:
        dtype = numpy.dtype(given)
    except (TypeError, ValueError):
        return None
    if dtype.hasobject or dtype.char == "T":
        raise TypeError(f"dtype {dtype} is of Python objects, which cannot be moved as bytes: texts are 'U10' or 'S10'")
    if dtype.subdtype is not None:
        raise TypeError(f"dtype {dtype} is of arrays: give its extents {dtype.shape} to the shape")
    if dtype.itemsize == 0:
        raise TypeError(f"dtype {dtype} has no length: '{dtype.kind}10' has one of 10")
    if not is_plain(dtype, dtype.itemsize):
        return None
    return known(dtype, dtype.itemsize), dtype.itemsize


def known(dtype: Any, itemsize: int) -> Any:
    """The dtype, unless it is of other items, of numbers (which somebody chose to see as bytes), or of raw bytes."""
    if not is_plain(dtype, itemsize):
        return None
    if numpy is not None and isinstance(dtype, numpy.dtype):
        raw = dtype.kind == "V" and dtype.fields is None and dtype.subdtype is None and dtype.type is numpy.void
        number = dtype.isbuiltin == 1 and dtype.kind in "biufc" and dtype.char not in "gG" and dtype.isnative
        return None if raw or number else dtype
    return dtype


def _dtype(exporter: Any, itemsize: int) -> Any:
    try:
        dtype = exporter.dtype
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return None
    return known(dtype, itemsize)


def _interface(exporter: Any, itemsize: int) -> Any:
    try:
        told = exporter.__array_interface__
        typestr, descr = told["typestr"], told.get("descr")
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return None
    fields = descr if typestr[1:2] == "V" and descr not in (None, [("", typestr)]) else None
    if numpy is not None:
        try:
            return known(numpy.dtype(typestr if fields is None else fields), itemsize)
        except (TypeError, ValueError):
            pass
    if typestr[1:2] == "V" and fields is None or typestr[1:2] in "biufc" and native(typestr) is None:
        return None
    return typestr if fields is None else f"{typestr} {fields}"


def _arrow(exporter: Any, itemsize: int) -> Any:
    """Dates and times of Arrow, whose format ends in the unit: s, m, u or n."""
    if not hasattr(type(exporter), "__arrow_c_array__"):
        return None
    try:
        text = format_of_schema(exporter.__arrow_c_array__()[0]).rstrip(":")
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return None
    unit = {"s": "s", "m": "ms", "u": "us", "n": "ns"}.get(text[-1:])
    kind = {"td": "M8", "ts": "M8", "tD": "m8"}.get(text[:2])
    if unit is None or kind is None or len(text) != 3:
        return None
    name = f"{kind}[{unit}]"
    return name if numpy is None else known(numpy.dtype(name), itemsize)


def _buffer(exporter: Any, itemsize: int) -> Any:
    try:
        lent = memoryview(exporter)
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return None
    with lent:
        if lent.itemsize != itemsize:
            return None
        owner = _owner(lent)
        if numpy is not None and isinstance(owner, numpy.ndarray):
            return known(owner.dtype, itemsize)
        kind = element(owner)
        text = lent.format if kind is None else format_of(kind)
    if text.lstrip("@=<>!0123456789") in _PLAIN_FORMATS and native(text) is None:
        return None
    found = None if numpy is None else dtype_of(text, itemsize)
    return text if found is None else known(found, itemsize)


def _owner(lent: memoryview) -> Any:
    """The object that lends the items, unless they were cast to others. It knows them better than its format tells:
    NumPy's text of a record may be one that NumPy reads as another, and CPython's of structures is worse."""
    try:
        with memoryview(lent.obj) as whole:
            return lent.obj if (whole.format, whole.itemsize) == (lent.format, lent.itemsize) else None
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return None


def refusal(dst: Any, dst_size: int, src: Any, src_size: int) -> str:
    """The text for a copy between these items, dtypes or names of dtypes or None, of which some are no number."""
    return (f"dst holds items of {_described(dst, dst_size)}, src of {_described(src, src_size)}: "
            + (_both_ways(dst, src) or _way_out("dst", dst) or _way_out("src", src)
               or "items that are no number are copied between equal dtypes only, whatever casting says"))


def _described(dtype: Any, itemsize: int) -> str:
    if dtype is None:
        return f"{itemsize} raw bytes"
    text = str(dtype)
    return text if len(text) <= 100 else text[:97] + "..."


def _both_ways(dst: Any, src: Any) -> str | None:
    """Where numbers would be converted and then stored in the other byte order, which copy() alone does in two passes."""
    if numpy is None or not isinstance(dst, numpy.dtype) or dst.isnative or dst.kind not in "iufc":
        return None
    try:
        numbers = numpy.dtype(src).newbyteorder("=")
    except TypeError:
        return None
    converts = numbers.kind in "biufc" and numbers != dst.newbyteorder("=")
    return "sv.copy(dst, src) converts and swaps bytes, plans and batches do one of the two" if converts else None


def _way_out(side: str, dtype: Any) -> str | None:
    """How items that are no number to libsv are copied as numbers, or None."""
    if numpy is None or not isinstance(dtype, numpy.dtype) or dtype.kind not in "iufcmM" or dtype.char in "gG":
        return None
    number = f"i{dtype.itemsize}" if dtype.kind in "mM" else dtype.str[1:]
    swaps = "" if dtype.isnative else " and byteswap=True"
    return f"to copy numbers, pass {side}.view(dtype={number!r}){swaps}"


def lent_format(exporter: Any, itemsize: int) -> str | None:
    """The text of the buffer protocol for items of this size in the buffer of an exporter, or None.

    The exporter's own text is not handed on as it is: that of ctypes' structures lacks padding before Python 3.12.
    """
    found = _buffer(exporter, itemsize)
    return None if found is None or isinstance(found, str) else record_format(found)


def values(view: StridedMemoryView, dtype: Any) -> Any:
    """item() and tolist() of opaque items with this dtype: what NumPy makes of them, else bytes."""
    if numpy is None or not isinstance(dtype, numpy.dtype):
        return _nested(iter(view.view(dtype="opaque").tobytes()[i:i + view.itemsize]
                            for i in range(0, view.nbytes, view.itemsize)), view.shape)
    found = numpy.frombuffer(view.tobytes(), dtype) if view.nbytes else numpy.empty(view.size, dtype)
    return found.reshape(view.shape + dtype.shape).tolist()


def _nested(items: Iterator[bytes], shape: tuple[int, ...]) -> Any:
    return [_nested(items, shape[1:]) for _ in range(shape[0])] if shape else next(items)


def packed(value: Any, dtype: Any) -> bytes:
    """The bytes of one item of this dtype that a value becomes, a tuple of a record's fields above all."""
    if numpy is None or not isinstance(dtype, numpy.dtype):
        raise TypeError(f"items of {dtype} are assigned as bytes, not as {type(value).__name__}")
    if isinstance(value, bytes) and dtype.kind == "V" and len(value) != dtype.itemsize:
        raise ValueError(f"{len(value)} bytes for items of {dtype.itemsize}")
    made = numpy.empty((), dtype)
    if made.shape:  # of an array in each item
        made[...] = value
    else:
        made[()] = value
    return bytes(made.tobytes())


def assignable(value: Any, dtype: Any) -> Any:
    """What can be viewed instead of an array of this dtype of numbers that are none to libsv: its raw bytes."""
    if numpy is None or not isinstance(value, numpy.ndarray) or not isinstance(dtype, numpy.dtype):
        return value
    same = value.dtype == dtype and dtype.kind in "biufc"
    return value.view(f"V{dtype.itemsize}") if same else value


def field(view: StridedMemoryView, key: str | list[str]) -> tuple[StridedLayout, Any, Any]:
    """(layout, dtype, dtype to keep or None) of the part of each record that a field, or a list of fields, is."""
    record = view.dtype
    fields = getattr(record, "fields", None)
    if not fields:
        raise TypeError(f"elements of {record} have no fields: an index is an int, a slice, Ellipsis or None")
    if isinstance(key, list):
        part, offset = record[key], 0
    elif key in fields:
        part, offset = fields[key][:2]
    else:
        raise KeyError(f"no field {key!r} among {', '.join(map(repr, record.names))}")
    base, inner = flat(part)
    steps: list[int] = []
    layout, step = view.layout, base.itemsize
    for extent in reversed(inner):
        steps.insert(0, step)
        step *= extent
    shape, strides = (*layout.shape, *inner), (*layout.strides_in_bytes, *steps)
    text = (f"({', '.join(map(str, shape))}):({', '.join(map(str, strides))})b*{base.itemsize}"
            f"+{layout.slice_offset_in_bytes + offset}")
    return StridedLayout.parse(text), *_element(base)


def _element(dtype: Any) -> tuple[Any, Any]:
    """The dtype of a view of such items, and what else is to be known of them."""
    if dtype.isbuiltin == 1 and dtype.isnative and dtype.kind in "biufc" and dtype.char not in "gG":
        return dtype, None
    if dtype.type.__module__ != "numpy":
        return dtype, None
    return "opaque", dtype
