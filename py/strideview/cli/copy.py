"""strideview copy: an array from one file to another, rearranged and converted, of which only blocks are in memory."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from math import prod
from typing import Any

import strideview as sv

from . import quantities
from .errors import FAILED, INPUT, OUTPUT, USAGE, CommandError
from .files import opening
from .files.blocks import Blocks
from .files.ends import ChunkReader, FileReader, Reader
from .files.items import Items, of_name
from .files.outputs import Output, open_output
from .files.selection import Selection, arrange
from .files.stored import FileArray, Stored
from .files.target import Target, check_place
from .files.transfer import Change, transfer
from .progress import Progress

CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
EPILOG = """Options that rearrange (--slice, --flip, --permute, --reshape) may be given several times and are done in
the order in which they stand; each is about the array that those before it leave. The output is written to a
temporary file beside it, which is renamed when it is complete."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("input", help="FILE, or FILE:NAME of a file with several arrays")
    parser.add_argument("output", help="FILE or FILE:NAME; the end of the name says the format")
    raw = parser.add_argument_group("the input")
    raw.add_argument("--shape", type=quantities.extents, help="of a raw input, as 480,640,3")
    raw.add_argument("--input-dtype", metavar="DTYPE", help="of a raw input, as uint8 or '>f4'")
    raw.add_argument("--offset", type=quantities.size, default=0, help="bytes before a raw input")
    raw.add_argument("--input-format", choices=opening.FORMATS, help="where the name does not say it")
    steps = parser.add_argument_group("the arrangement")
    for name, reads, what in (
        ("--slice", quantities.key, "what stands between the brackets of array[...]: --slice='::2,:,3'"),
        ("--flip", quantities.axes, "axes to reverse, as 0,1, or all"),
        ("--permute", quantities.integers, "the axes in their new order, as 2,0,1"),
        ("--reshape", quantities.integers, "the new shape, in which one extent may be -1"),
    ):
        steps.add_argument(name, action=quantities.Step, reads=reads, help=what)
    numbers = parser.add_argument_group("the elements")
    numbers.add_argument("--dtype", help="of the output, as float16; default: that of the input")
    numbers.add_argument("--casting", choices=CASTINGS, default="unsafe", help="which conversions are allowed; default: unsafe")
    numbers.add_argument("--scale", type=quantities.numbers, help="multiplies: 1/255, or a list with --scale-axis")
    numbers.add_argument("--bias", type=quantities.numbers, help="is added then: a number, or a list")
    numbers.add_argument("--scale-axis", type=int, metavar="AXIS", help="of the output, which lists go along")
    out = parser.add_argument_group("the output")
    out.add_argument("--order", choices=["C", "F"], default="C", help="of the elements in the output")
    out.add_argument("--chunks", type=quantities.extents, help="of a Zarr or HDF5 output, as 64,64,64")
    out.add_argument("--output-format", choices=opening.FORMATS, help="where the name does not say it")
    out.add_argument("--force", action="store_true", help="replace an output that exists")
    out.add_argument("--memory-limit", type=quantities.size, default=256 << 20, metavar="SIZE",
                     help="of the buffers, as 64M; default: 256M")
    out.add_argument("--quiet", action="store_true", help="no progress and no summary")
    out.add_argument("--json", action="store_true", help="the summary as JSON")


def find_input(options: argparse.Namespace) -> Stored:
    items = of_name(options.input_dtype) if options.input_dtype else None
    found = opening.arrays(options.input, options.input_format, options.shape, items, options.offset, "--input-dtype")
    return opening.one(found, options.input)


def find_output(options: argparse.Namespace) -> tuple[str, str | None, str]:
    path, member = opening.split(options.output, options.output_format)
    form = options.output_format or opening.SUFFIXES.get(os.path.splitext(path.rstrip("/"))[1].lower())
    if form is None:
        raise CommandError(f"{options.output} is of no known format: name one by --output-format", USAGE)
    if member is not None and form not in opening.WITH_MEMBERS:
        raise CommandError(f"{options.output}: a file of {form} has one array, without a name", USAGE)
    return path.rstrip("/"), member, form


def choose_items(stored: Stored, options: argparse.Namespace) -> Items:
    """Of the output."""
    is_scaled = options.scale is not None or options.bias is not None
    items = of_name(options.dtype) if options.dtype else stored.items
    if not stored.items.is_number and (is_scaled or items.descr != stored.items.descr):
        raise CommandError(f"elements of {stored.items.name} are no numbers: they are moved, not converted", FAILED)
    if not is_scaled and stored.items.is_number and not sv.can_cast(stored.items.dtype, items.dtype or items.name, options.casting):
        raise CommandError(f"--dtype: {stored.items.name} is not converted to {items.name} with --casting {options.casting}", FAILED)
    return items


def choose_change(options: argparse.Namespace, shape: tuple[int, ...], final: tuple[int, ...]) -> Change:
    lists = [factor for factor in (options.scale, options.bias) if isinstance(factor, list)]
    axis = options.scale_axis
    if lists and axis is None:
        raise CommandError("--scale-axis is needed with a list of scales or biases", USAGE)
    if not lists:
        return Change(options.casting, options.scale, options.bias)
    if final != shape:
        raise CommandError("--scale-axis: after such a --reshape there is no such axis; scale in a copy before it", FAILED)
    if not -len(shape) <= axis < len(shape):
        raise CommandError(f"--scale-axis: there is no axis {axis} of {len(shape)}", FAILED)
    axis %= len(shape)
    for factor in lists:
        if len(factor) != shape[axis]:
            raise CommandError(f"--scale, --bias: {len(factor)} numbers for the {shape[axis]} indices of axis {axis}", FAILED)
    return Change(options.casting, options.scale, options.bias, axis)


def open_reader(stored: Stored, arranged: Any, stack: ExitStack, folder: str) -> Reader:
    """A member of an archive that is compressed is unpacked to a file without a name, in the folder of the output."""
    if not isinstance(stored, FileArray):
        return ChunkReader(stored, arranged)
    if stored.unpack is None:
        try:
            file: Any = stack.enter_context(open(stored.path, "rb", buffering=0))
        except OSError as error:
            raise CommandError(f"{stored.path}: {error.strerror}", INPUT) from None
    else:
        try:
            file = stack.enter_context(tempfile.TemporaryFile(dir=folder))
            stored.unpack(file)
            file.flush()
        except OSError as error:
            raise CommandError(f"{stored.path} is unpacked to {folder}: {error.strerror}", OUTPUT) from None
    return FileReader(file.fileno(), stored.path, stored.offset, arranged, stored.items)


def copy_elements(reader: Reader, output: Output, shape: tuple[int, ...], change: Change,
                  options: argparse.Namespace, stack: ExitStack) -> tuple[Blocks | None, int]:
    """(the blocks, how many writes there were)"""
    writer = output.writer(shape)
    if prod(shape) == 0:
        return None, 0

    def begin(blocks: Blocks) -> Callable[[int], None]:
        return stack.enter_context(Progress(prod(shape) * writer.items.itemsize, options.quiet or options.json)).update

    return transfer(reader, writer, shape, change, options.memory_limit, begin), writer.calls


def summary(stored: Stored, options: argparse.Namespace, final: tuple[int, ...], items: Items, seconds: float,
            reader: Reader, blocks: Blocks | None, writes: int) -> dict[str, Any]:
    nbytes = prod(final) * items.itemsize
    return {
        "input": options.input, "output": options.output, "shape": list(final), "dtype": items.name, "nbytes": nbytes,
        "seconds": seconds, "bytes_per_second": nbytes / max(seconds, 1e-9), "blocks": blocks.number if blocks else 0,
        "block": list(blocks.extents) if blocks else [], "buffer_bytes": blocks.nbytes if blocks else 0,
        "bytes_read": reader.nbytes, "reads": reader.calls, "writes": writes, "input_bytes": stored.nbytes,
    }


def run(options: argparse.Namespace) -> dict[str, Any] | str:
    stored = find_input(options)
    path, member, form = find_output(options)
    place = check_place(path, [stored.path], options.force)
    start = stored.layout if isinstance(stored, FileArray) else Selection.whole(stored.shape)
    arranged, final = arrange(start, options.steps or [])
    items = choose_items(stored, options)
    change = choose_change(options, arranged.shape, final)
    with ExitStack() as stack:
        reader = open_reader(stored, arranged, stack, os.path.dirname(place))
        target = stack.enter_context(Target(place, options.force))
        output = open_output(target, form, member or stored.member, final, items, options.order, options.chunks)
        begin = time.monotonic()
        blocks, writes = copy_elements(reader, output, arranged.shape, change, options, stack)
        output.finish()
        told = summary(stored, options, final, items, time.monotonic() - begin, reader, blocks, writes)
    if options.json:
        return told
    rate = quantities.human(told["bytes_per_second"])
    text = f"{options.output}: {tuple(final)} of {items.name}, {quantities.human(told['nbytes'])} in {told['seconds']:.2f} s, {rate}/s\n"
    return "" if options.quiet else text
