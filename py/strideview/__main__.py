"""Questions from the command line: python -m strideview explain DESTINATION SOURCE."""

from __future__ import annotations

import argparse
import mmap
import sys

import strideview as sv

UNITS = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "complex128"}  # by bytes


def array(text: str, dtype: str | None) -> sv.StridedMemoryView:
    """A view of a layout on memory that is not touched."""
    layout = sv.StridedLayout.parse(text)
    lower, upper = layout.offset_bounds
    memory = sv.view(mmap.mmap(-1, max((upper + 1) * layout.itemsize, 1)))
    return memory.view(layout, dtype or UNITS.get(layout.itemsize, "uint8"))


def explain(options: argparse.Namespace) -> str:
    dst, src = array(options.dst, options.dtype), array(options.src, options.src_dtype or options.dtype)
    return sv.explain(dst, src, casting="unsafe")


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
    except (ValueError, TypeError) as error:
        sys.exit(f"{parser.prog}: {error}")


if __name__ == "__main__":
    main()
