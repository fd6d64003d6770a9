"""Questions from the command line: python -m strideview explain DESTINATION SOURCE."""

from __future__ import annotations

import argparse
import sys
from types import SimpleNamespace

import strideview as sv

UNITS = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "complex128"}  # by bytes
PAGE = 4096


def array(text: str, dtype: str | None, address: int) -> sv.StridedMemoryView:
    """A view of a layout at an address without memory, which nobody reads or writes."""
    layout = sv.StridedLayout.parse(text)
    nbytes = layout.required_size_in_bytes()
    if address + nbytes >= 1 << 63:
        raise ValueError(f"{text!r} reaches over {nbytes} bytes: more than there are addresses")
    told = {"version": 3, "typestr": "|u1", "shape": (nbytes,), "data": (address, False)}
    return sv.view(SimpleNamespace(__array_interface__=told)).view(layout, dtype or UNITS.get(layout.itemsize, "opaque"))


def explain(options: argparse.Namespace) -> str:
    dst = array(options.dst, options.dtype, PAGE)
    behind = PAGE * (2 + dst.layout.required_size_in_bytes() // PAGE)
    return sv.explain(dst, array(options.src, options.src_dtype or options.dtype, behind), casting="unsafe")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m strideview", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("explain", help="which loop does a copy on this machine, and why")
    command.add_argument("dst", help="layout of the destination, as '(64, 64)*4'")
    command.add_argument("src", help="layout of the source, as '(64, 64):(1, 64)*4'")
    command.add_argument("--dtype", default=None, help="of the elements; default: unsigned integers of the layout's item size")
    command.add_argument("--src-dtype", default=None, help="of the source, where it is converted")
    command.set_defaults(run=explain)
    options = parser.parse_args()
    try:
        print(options.run(options), end="")
    except Exception as error:  # whatever is wrong with the arguments is one line
        sys.exit(f"{parser.prog}: {error or type(error).__name__}")


if __name__ == "__main__":
    main()
