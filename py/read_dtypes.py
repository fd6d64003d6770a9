"""Reads src/dtype/dtypes.def, and writes what is made of it: the constants of sv/dtype.h and the table of doc/casts.md."""

import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOATS = {"FLOATING", "COMPLEX"}


class Dtype(NamedTuple):
    macro: str
    kind: str
    constant: str
    op: str
    code: int
    bits: int
    name: str
    typestr: str
    format: str
    fraction: int
    bias: int
    special: str

    @property
    def constants(self):
        """(name, value) of its constant, if it has one."""
        if self.macro == "SVI_UNNAMED":
            return []
        lanes = 2 if self.macro == "SVI_PAIR" else 1
        suffix = "_X2" if lanes == 2 else ""
        return [(f"SV_{self.constant}{suffix}", self.code | self.bits << 8 | lanes << 16)]

    @property
    def converts(self):
        return self.kind != "MOVED"


def read(path=ROOT / "src/dtype/dtypes.def"):
    """The rows, in their order."""
    rows = []
    for macro, columns in re.findall(r"^(SVI_[A-Z]+)\(([A-Z].*)\)$", path.read_text(), re.M):
        parts = [part.strip('"').replace("NULL", "") for part in columns.split(", ")]
        rows.append(Dtype(macro, *(int(part) if part.isdigit() else part for part in parts)))
    return rows


def constants(rows):
    """The enum of sv/dtype.h."""
    lines = [f"    {name} = 0x{value:06x}" for row in rows for name, value in row.constants]
    return "enum {\n    SV_OPAQUE = 0,\n" + ",\n".join(lines) + "\n};"


# --- the table


def exponents(row):
    """Of the smallest positive number and of the largest one, as powers of two."""
    bits = row.bits // 2 if row.kind == "COMPLEX" else row.bits
    size = 1 << (bits - 1 - row.fraction)
    if row.special == "SVI_FNU":
        return -row.bias, 2 * size - 2 - row.bias
    return 1 - row.bias - row.fraction, size - 1 - row.bias - (row.special == "SVI_IEEE")


def largest(row):
    """As C and Python write it."""
    ones = (1 << row.fraction + 1) - (2 if row.special == "SVI_FN" else 1)
    number = ones * 2.0 ** (exponents(row)[1] - row.fraction)
    return f"{number:g}" if number < 1e5 else f"{number:.5g}"


def numbers(row):
    """Columns of what values a type has: significant bits, the smallest and the largest number, and others."""
    if not row.converts:
        return ["", "", "", "is not converted"]
    if row.kind == "BOOLEAN":
        return ["1", "", "1", ""]
    if row.kind not in FLOATS:
        digits = row.bits - (row.kind == "SIGNED")
        return [str(digits), "", f"2^{digits} - 1", f"-2^{digits}" if row.kind == "SIGNED" else ""]
    has = {"SVI_IEEE": "-0, infinities, NaN", "SVI_FN": "-0, NaN", "SVI_FNUZ": "NaN", "SVI_FNU": "NaN; no 0, no sign"}
    return [str(row.fraction + 1), f"2^{exponents(row)[0]}", largest(row), has[row.special]]


def table(rows):
    titles = ["type", "kind", "type string", "format", "significant bits", "smallest", "largest", "besides"]
    lines = [titles, ["---"] * 4 + ["--:"] * 3 + ["---"]]
    for row in rows:
        lines.append([row.name, row.kind.lower() if row.converts else "", row.typestr, row.format, *numbers(row)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# --- the files


def put(text, begin, end, new):
    """The text with what is from begin up to and with end replaced."""
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"no {begin!r} up to {end!r}")
    return before + new + after


def outputs():
    """Text of each file that is made of the list, by path."""
    rows = read()
    header, page = "include/sv/dtype.h", "doc/casts.md"
    begin, end = "<!-- Made of src/dtype/dtypes.def by make bindings. -->", "<!-- Up to here. -->"
    made = f"{begin}\n\n{table(rows)}\n\n{end}"
    return {
        header: put((ROOT / header).read_text(), "enum {\n    SV_OPAQUE", "};", constants(rows)),
        page: put((ROOT / page).read_text(), begin, end, made),
    }
