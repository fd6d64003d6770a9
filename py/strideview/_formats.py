"""The numpy.dtype of the items that a format of the buffer protocol tells of (PEP 3118), read by the whole grammar.

NumPy's own reader knows one order of the modifiers, no array of arrays (which NumPy writes), and no item that is longer
than its format. This one is asked for items that are no number to libsv, after libsv has checked the grammar.
"""

from __future__ import annotations

import functools
import math
import re
import sys
from typing import Any

from ._dtype import numpy

# What the letters are to NumPy: by the sizes of C, after "@" and "^", and by the sizes of the standard.
_STANDARD = {"?": "?", "b": "i1", "B": "u1", "h": "i2", "H": "u2", "i": "i4", "I": "u4", "l": "i4", "L": "u4", "q": "i8",
             "Q": "u8", "e": "f2", "f": "f4", "d": "f8", "F": "c8", "D": "c16", "Zf": "c8", "Zd": "c16", "c": "S1"}
_NATIVE = {**_STANDARD, "l": "l", "L": "L", "n": "p", "N": "P"}
_OF_THE_PLATFORM = {"g": "g", "G": "G", "Zg": "G"}
_LENGTHS = {"s": "S", "w": "U", "p": "V", "x": "V"}  # letters whose count is a length, not of an array
_ORDERS = {"<": "<", ">": ">", "!": ">"}
_NATIVE_ORDER = {"little": "<", "big": ">"}[sys.byteorder]


class _Item:
    """end: bytes up to the last part of a record, without what follows it to keep an array aligned."""

    def __init__(self, dtype: Any, align: int, is_padding: bool = False, end: int | None = None) -> None:
        self.dtype, self.align, self.is_padding = dtype, align, is_padding
        self.end = dtype.itemsize if end is None else end


class _Reader:
    """One text, read from left to right. aligned: as if nothing but "@" could say how items are placed."""

    def __init__(self, text: str, aligned: bool = False) -> None:
        self.text, self.at, self.order, self.aligned = text, 0, "@", aligned

    def take(self, pattern: str) -> str | None:
        """What the pattern matches here; None where it does not."""
        found = re.compile(pattern).match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found[0]

    def all(self) -> _Item:
        """One item without a name is itself, all else a record."""
        names, items, record = self.items(r"\s*\Z")
        return items[0] if names == [None] and record.end == items[0].dtype.itemsize else record

    def items(self, end: str) -> tuple[list[str | None], list[_Item], _Item]:
        """Names, items without those that only fill gaps, and the record that they are."""
        names: list[str | None] = []
        items, offsets = [], []
        size, align = 0, 1
        while self.take(end) is None:
            item = self.item()
            name = self.take(":[^:]*:")
            size += -size % item.align
            if name or not item.is_padding:
                names.append(name[1:-1] if name else None)
                items.append(item)
                offsets.append(size)
            size += item.dtype.itemsize
            align = math.lcm(align, item.align)
        rounded = size + -size % align if self.is_aligned() else size
        dtype = numpy.dtype({"names": _named(names), "formats": [item.dtype for item in items], "offsets": offsets,
                             "itemsize": rounded})
        return names, items, _Item(dtype, align, end=size)

    def is_aligned(self) -> bool:
        return self.aligned or self.order == "@"

    def item(self) -> _Item:
        shapes, count = self.prefixes()
        if self.take(r"T\{"):
            found = self.items(r"\s*\}")[2]
        elif self.take("&"):
            self.item()
            found = _Item(numpy.dtype(f"V{numpy.dtype('p').itemsize}"), numpy.dtype("p").alignment)
        else:
            found, count = self.letter(count)
        if count not in (None, 1):
            shapes.append((count,))
        for shape in reversed(shapes):
            found = _Item(numpy.dtype((found.dtype, shape)), found.align, found.is_padding)
        found.align = found.align if self.is_aligned() else 1
        return found

    def prefixes(self) -> tuple[list[tuple[int | None, ...]], int | None]:
        """Shapes, the outermost first, and the count."""
        shapes: list[tuple[int | None, ...]] = []
        count = None
        while found := (self.take(r"\s*(?:[@=<>!^]|\([^)]*\)|\d+)\s*") or "").strip():
            if found[0] == "(":
                shapes.append(tuple(int(extent) for extent in found[1:-1].split(",")))
            elif found.isdecimal():
                count = int(found)
            else:
                self.order = found
        self.take(r"\s*")
        return shapes, count

    def letter(self, count: int | None) -> tuple[_Item, int | None]:
        """An item of one letter, and the count unless it is the length of the item."""
        letter = self.take("Z[efdg]|[a-zA-Z?]") or ""
        if letter in _LENGTHS:
            dtype = numpy.dtype(f"{_LENGTHS[letter]}{1 if count is None else count}")
            return _Item(self.ordered(dtype), dtype.alignment, letter == "x"), None
        if letter in ("P", "z", "Z") or letter == "X" and self.take(r"\{[^{}]*\}"):
            return _Item(numpy.dtype(f"V{numpy.dtype('p').itemsize}"), numpy.dtype("p").alignment), count
        dtype = numpy.dtype({**(_NATIVE if self.order in "@^" else _STANDARD), **_OF_THE_PLATFORM}[letter])
        return _Item(self.ordered(dtype), dtype.alignment), count

    def ordered(self, dtype: Any) -> Any:
        return dtype.newbyteorder(_ORDERS.get(self.order, _NATIVE_ORDER))


def _named(names: list[str | None]) -> list[str]:
    """Names for the items that have none, as NumPy gives them."""
    taken = set(names)
    free = (name for name in map("f{}".format, range(2 * len(names))) if name not in taken)
    return [next(free) if name is None else name for name in names]


def _with_size(item: _Item, text: str, itemsize: int) -> Any:
    """The dtype of items of a stated size; None where it is not that of the text.

    Bytes missing at the end are padding, unless the text may as well have lost its padding between fields.
    """
    dtype = item.dtype
    if dtype.itemsize == itemsize or dtype.names is None or item.end > itemsize:
        return dtype if dtype.itemsize == itemsize else None
    fields = {"names": list(dtype.names), "formats": [dtype.fields[name][0] for name in dtype.names],
              "offsets": [dtype.fields[name][1] for name in dtype.names], "itemsize": itemsize}
    padded = numpy.dtype(fields)
    other = _Reader(text, aligned=True).all().dtype
    is_certain = other.itemsize != itemsize or [field[1] for field in other.fields.values()] == fields["offsets"]
    return padded if is_certain else None


@functools.lru_cache(maxsize=256)
def dtype_of(text: str, itemsize: int) -> Any:
    """The numpy.dtype of a format, or None where there is none for items of this size."""
    try:
        return _with_size(_Reader(text).all(), text, itemsize)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
