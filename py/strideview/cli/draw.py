"""strideview draw: where the elements of a layout, or of an array in a file, lie in memory."""

from __future__ import annotations

import argparse
import os

import strideview as sv

from .errors import OUTPUT, USAGE, CommandError, need
from .files import opening
from .files.stored import FileArray

SUFFIXES = {".svg": "svg", ".png": "png", ".txt": "text"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", help="a layout, as '(3, 4):(6, 1)*2', or FILE or FILE:NAME of an array in a file")
    parser.add_argument("--form", choices=["text", "svg", "png"], help="default: by the end of --output, else text")
    parser.add_argument("--output", metavar="FILE", help="where the picture goes; default: the standard output")
    parser.add_argument("--title", help="the line above the picture")
    parser.add_argument("--axis", type=int, help="of SVG and PNG: whose index the hue of an element tells")
    parser.add_argument("--path", action="store_true", help="of SVG and PNG: arrows through the elements in C order")
    parser.add_argument("--force", action="store_true", help="replace an output that exists")


def layout_of(what: str) -> sv.StridedLayout:
    if what.lstrip().startswith("(") and not os.path.exists(what):
        return sv.StridedLayout.parse(what)
    stored = opening.one(opening.arrays(what), what)
    return stored.layout if isinstance(stored, FileArray) else sv.StridedLayout.dense(stored.shape, stored.items.itemsize)


def write(path: str, data: bytes, force: bool) -> None:
    try:
        with open(path, "wb" if force else "xb") as file:
            file.write(data)
    except FileExistsError:
        raise CommandError(f"{path} exists: --force replaces it", OUTPUT) from None
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", OUTPUT) from None


def picture(layout: sv.StridedLayout, form: str, options: argparse.Namespace) -> bytes:
    if form == "text":
        if options.axis is not None or options.path:
            raise CommandError("--axis and --path are of SVG and PNG", USAGE)
        return sv.draw(layout, "text", title=options.title).encode() + b"\n"
    text = sv.draw(layout, title=options.title, axis=options.axis, path=options.path)
    if form == "svg":
        return text.encode()
    made: bytes = need("cairosvg", "a picture as PNG").svg2png(bytestring=text.encode())
    return made


def run(options: argparse.Namespace) -> str:
    suffix = os.path.splitext(options.output or "")[1].lower()
    form = options.form or SUFFIXES.get(suffix, "text")
    if form == "png" and options.output is None:
        raise CommandError("a picture as PNG needs --output", USAGE)
    data = picture(layout_of(options.what), form, options)
    if options.output is None:
        return data.decode()
    write(options.output, data, options.force)
    return ""
