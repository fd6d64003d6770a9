"""strideview copy: an array from one file to another, rearranged and converted, of which only blocks are in memory."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from contextlib import ExitStack
from math import prod
from typing import Any

import strideview as sv

from . import quantities
from .errors import FAILED, OUTPUT, USAGE, CommandError
from .engines import Counts, Dask, Engine, Here
from .files import opening
from .files.ends import ChunkReader, ChunkWriter, FileReader, InputFile, Reader, Writer
from .files.items import Items, of_name
from .files.outputs import open_output
from .files.selection import Selection, arrange
from .files.staging import stages
from .files.stored import FileArray, Stored
from .files.target import Target, check_place
from .files.transfer import Change, Stage
from .progress import Progress
from .ranks import Mpi

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
    out.add_argument("--uncompressed", action="store_true", help="of a Zarr output; else Zarr compresses as it does by itself")
    out.add_argument("--output-format", choices=opening.FORMATS, help="where the name does not say it")
    out.add_argument("--force", action="store_true", help="replace an output that exists")
    out.add_argument("--memory-limit", type=quantities.size, default=256 << 20, metavar="SIZE",
                     help="of the buffers, as 64M; default: 256M")
    out.add_argument("--quiet", action="store_true", help="no progress and no summary")
    out.add_argument("--json", action="store_true", help="the summary as JSON")
    many = parser.add_argument_group("several processes, each with buffers of --memory-limit")
    only = many.add_mutually_exclusive_group()
    only.add_argument("--dask", metavar="ADDRESS", help="of a scheduler whose workers copy; or a number of processes here")
    only.add_argument("--mpi", action="store_true", help="the ranks copy: mpiexec -n 4 strideview copy ... --mpi")


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
        file: Any = InputFile(stored.path)
        stack.callback(file.close)
    else:
        try:
            file = stack.enter_context(tempfile.TemporaryFile(dir=folder))
            stored.unpack(file)
            file.flush()
        except OSError as error:
            raise CommandError(f"{stored.path} is unpacked to {folder}: {error.strerror}", OUTPUT) from None
    return FileReader(file, stored.path, stored.offset, arranged, stored.items)


def open_engine(options: argparse.Namespace) -> Engine:
    if options.mpi:
        return Mpi()
    return Dask(options.dask) if options.dask else Here()


def check_shared(stored: Stored, writer: Writer, form: str) -> None:
    """What other processes cannot open."""
    if isinstance(stored, FileArray) and stored.unpack is not None:
        raise CommandError(f"{stored.path}: a compressed member is unpacked by one process, without --dask and --mpi", FAILED)
    if form == "hdf5" and isinstance(writer, ChunkWriter):
        raise CommandError("an HDF5 file in chunks is written by one process, without --dask and --mpi", FAILED)


def copy_elements(reader: Reader, writer: Writer, shape: tuple[int, ...], change: Change, engine: Engine,
                  options: argparse.Namespace, stack: ExitStack, place: str) -> tuple[list[Stage], Counts]:
    if prod(shape) == 0:
        return [], Counts()

    def file_between() -> Target:
        return stack.enter_context(Target(place, True))

    found = stages(reader, writer, shape, change, options.memory_limit, engine.plan, file_between)
    progress = stack.enter_context(Progress(sum(stage.nbytes for stage in found), options.quiet or options.json))
    counts = Counts()
    try:
        for stage in found:
            counts = counts.plus(engine.run(stage, progress.update))
    except BaseException:
        engine.end()  # before the file between is removed
        raise
    return found, counts


def summary(stored: Stored, options: argparse.Namespace, final: tuple[int, ...], items: Items, seconds: float,
            engine: Engine, done: list[Stage], counts: Counts) -> dict[str, Any]:
    nbytes = prod(final) * items.itemsize
    last = done[-1].blocks if done else None
    return {
        "input": options.input, "output": options.output, "shape": list(final), "dtype": items.name, "nbytes": nbytes,
        "seconds": seconds, "bytes_per_second": nbytes / max(seconds, 1e-9), "processes": engine.processes,
        "stages": len(done), "blocks": sum(stage.blocks.number for stage in done), "block": list(last.extents) if last else [],
        "buffer_bytes": max((stage.blocks.nbytes for stage in done), default=0),
        "bytes_read": counts.bytes_read, "bytes_written": counts.nbytes, "bytes_sent": counts.bytes_sent,
        "reads": counts.reads, "writes": counts.writes, "input_bytes": stored.nbytes,
    }


def lead(options: argparse.Namespace, engine: Engine) -> dict[str, Any]:
    """The copy, as the one process has it done that speaks with the user."""
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
        stack.callback(engine.end)
        engine.begin()
        output = open_output(target, form, member or stored.member, final, items, options.order, options.chunks,
                             options.uncompressed)
        begin = time.monotonic()
        writer = output.writer(arranged.shape)
        if engine.is_shared:
            check_shared(stored, writer, form)
        done, counts = copy_elements(reader, writer, arranged.shape, change, engine, options, stack, place)
        output.finish()
        return summary(stored, options, final, items, time.monotonic() - begin, engine, done, counts)


def run(options: argparse.Namespace) -> dict[str, Any] | str:
    engine = open_engine(options)
    if isinstance(engine, Mpi) and not engine.leads:
        engine.follow()
        return ""
    try:
        told = lead(options, engine)
    finally:
        engine.end()
    if options.json:
        return told
    rate = quantities.human(told["bytes_per_second"])
    text = f"{options.output}: {tuple(told['shape'])} of {told['dtype']}, {quantities.human(told['nbytes'])} in {told['seconds']:.2f} s, {rate}/s\n"
    return "" if options.quiet else text
