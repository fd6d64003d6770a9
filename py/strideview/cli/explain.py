"""strideview explain: which loop does a copy between two layouts on this machine, and why."""

from __future__ import annotations

import argparse
from typing import Any

import strideview as sv
from strideview._core import _raise
from strideview._strideview import ffi, lib

UNITS = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "complex128"}  # by bytes
PAGE = 4096
EXPLANATION = 16384  # bytes, always enough
DEVICES = {ffi.string(lib.sv_device_name(k)).decode(): k for k in range(32) if lib.sv_device_name(k) != ffi.NULL}


def check(status: int) -> None:
    if status != lib.SV_OK:
        _raise(status)


def made(release: Any, function: Any, kind: str, *arguments: Any) -> Any:
    """The handle that a function of libsv makes."""
    out = ffi.new(f"{kind} **")
    check(function(*arguments, out))
    return ffi.gc(out[0], release)


def device_of(name: str) -> tuple[int, int]:
    kind, _, number = name.partition(":")
    if kind not in DEVICES or not (number or "0").isdecimal():
        raise ValueError(f"{name!r} is no device: {', '.join(DEVICES)}, and a number as in cuda:1")
    return DEVICES[kind], int(number or 0)


def array(text: str, dtype: str | None, device: str, address: int) -> tuple[Any, int]:
    """A view of a layout at an address without memory, which nobody reads or writes, and its number of bytes."""
    nbytes = sv.StridedLayout.parse(text).required_size_in_bytes()
    if address + nbytes >= 1 << 63:
        raise ValueError(f"{text!r} reaches over {nbytes} bytes: more than there are addresses")
    layout = made(lib.sv_layout_release, lib.sv_layout_parse, "sv_layout", text.encode())
    number = ffi.new("sv_dtype *")
    check(lib.sv_dtype_parse((dtype or UNITS.get(lib.sv_layout_itemsize(layout), "opaque")).encode(), number))
    where = ffi.cast("void *", address), 0, nbytes, *device_of(device), 0, ffi.NULL, ffi.NULL
    return made(lib.sv_view_release, lib.sv_view_new, "sv_view", layout, number[0], *where), nbytes


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dst", help="layout of the destination, as '(64, 64)*4'")
    parser.add_argument("src", help="layout of the source, as '(64, 64):(1, 64)*4'")
    parser.add_argument("--dtype", default=None, help="of the elements; default: unsigned integers of the layout's item size")
    parser.add_argument("--src-dtype", default=None, help="of the source, where it is converted")
    for side, words in ("dst", "destination"), ("src", "source"):
        parser.add_argument(f"--{side}-device", default="cpu", help=f"memory of the {words}: {', '.join(DEVICES)}, cuda:1")


def run(options: argparse.Namespace) -> str:
    dst, nbytes = array(options.dst, options.dtype, options.dst_device, PAGE)
    behind = PAGE * (2 + nbytes // PAGE)
    src, _ = array(options.src, options.src_dtype or options.dtype, options.src_device, behind)
    plan = made(lib.sv_plan_release, lib.sv_plan_new, "sv_plan", dst, src, lib.SV_COPY_CAST_UNSAFE)
    text = ffi.new("char[]", EXPLANATION)
    check(lib.sv_plan_explain(plan, lib.sv_view_data(dst), lib.sv_view_data(src), EXPLANATION, text, ffi.NULL))
    return bytes(ffi.string(text)).decode()
