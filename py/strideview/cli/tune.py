"""strideview tune: which tuning of copies is in use here, and how another one is made and tried."""

from __future__ import annotations

import argparse
import os
from typing import Any

import strideview as sv

HOW = """The library never tunes itself. A file of other values is named by the environment variable SV_HOST_TUNING; its
lines are NAME = VALUE, the first one may be "base = amd", zen4, zen3, intel or cautious. It changes how fast
copies are, not what they do.

Measuring which values suit this processor needs the source tree, an idle machine and 1 GiB of memory:

    make tune                                  tries half and twice the value of each field
    make tune TUNE="--seed 2 --count 400"      again, with other copies: what appears once only is noise
    SV_HOST_TUNING=bench/tuning.txt PROGRAM    uses what was found

doc/tuning.md of the source tree describes all fields. "strideview bench" measures with and without a file.
"""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="what is in use, as JSON")


def in_use() -> dict[str, Any]:
    """What explain() says of the machine, for a copy whose loop is chosen by the tuning."""
    side = sv.empty((64, 64), "float32")
    lines = sv.explain(side, sv.empty((64, 64), "float32").T).splitlines()
    return {"machine": [line for line in lines if line.startswith("host: ")], "file": os.environ.get("SV_HOST_TUNING")}


def run(options: argparse.Namespace) -> Any:
    found = in_use()
    if options.json:
        return found
    file = found["file"] or "none (SV_HOST_TUNING is not set)"
    return "".join(f"{line}\n" for line in found["machine"]) + f"file of tuning: {file}\n\n{HOW}"
