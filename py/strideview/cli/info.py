"""strideview info: what arrays a file has, without reading their elements."""

from __future__ import annotations

import argparse
from typing import Any

from . import quantities
from .files import opening
from .files.items import of_name
from .files.stored import FileArray, Stored


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="FILE, or FILE:NAME for one of its arrays")
    parser.add_argument("--shape", type=quantities.extents, help="of a raw file, as 480,640,3")
    parser.add_argument("--dtype", help="of a raw file, as uint8 or '>f4'")
    parser.add_argument("--offset", type=quantities.size, default=0, help="bytes before the elements of a raw file")
    parser.add_argument("--format", choices=opening.FORMATS, help="where the name does not say it")
    parser.add_argument("--json", action="store_true", help="a list of objects, one for each array")


def lines(stored: Stored) -> list[str]:
    told = [f"{stored.path}:{stored.member}" if stored.member else stored.path]
    rows: list[tuple[str, Any]] = [("format", stored.format), ("shape", stored.shape), ("dtype", stored.items.name)]
    if isinstance(stored, FileArray):
        rows += [("order", stored.order), ("strides", f"{stored.layout.strides_in_bytes} bytes")]
    else:
        rows += [("chunks", stored.chunks)]
    rows.append(("size", f"{stored.nbytes} bytes ({quantities.human(stored.nbytes)})"))
    if isinstance(stored, FileArray) and stored.unpack is None:
        rows.append(("offset", f"{stored.offset} bytes"))
    if isinstance(stored, FileArray) and stored.packed is not None:
        rows.append(("compressed", f"to {stored.packed} bytes"))
    return told + [f"  {name:8}{value}" for name, value in rows]


def run(options: argparse.Namespace) -> Any:
    items = of_name(options.dtype) if options.dtype else None
    found = opening.arrays(options.file, options.format, options.shape, items, options.offset)
    if options.json:
        return [stored.describe() for stored in found]
    return "\n".join(line for stored in found for line in lines(stored)) + "\n" if found else f"{options.file} has no arrays\n"
