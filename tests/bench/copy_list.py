"""Reads lists of copies such as copy_cases.txt. Needs strideview alone, so that it runs where there is nothing else."""

from pathlib import Path

import strideview as sv

FIELDS = ("group", "name", "dtype", "dst", "src", "unit", "target", "kind")


def read_lines(path, fields=FIELDS):
    return read_text(Path(path).read_text(), fields)


def read_text(text, fields=FIELDS):
    """A dictionary of texts for every line of the list; but dst and src are layouts, and src_dtype is a field, too."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            case = dict(zip(fields, (text.strip() for text in line.split("|")), strict=True))
            case["src_dtype"], arrow, dtype = case["dtype"].partition("->")
            case["dtype"] = dtype if arrow else case["src_dtype"]
            case["dst"], case["src"] = (sv.StridedLayout.parse(case[side]) for side in ("dst", "src"))
            yield case


def span(layout):
    """Bytes from the address that a layout counts from to the end of its last element."""
    forward = sum((n - 1) * stride for n, stride in zip(layout.shape, layout.strides_in_bytes) if stride > 0)
    return layout.slice_offset_in_bytes + forward + layout.itemsize
