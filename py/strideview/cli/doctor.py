"""strideview doctor: what this machine and this installation have, and what to do about what is missing."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import re
from pathlib import Path
from typing import Any, NamedTuple

import strideview as sv

from . import quantities
from .tune import in_use

HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"
# Packages, and what is done with each of them.
PEERS = {
    "numpy": "records, views of arrays, Zarr and HDF5 files", "torch": "strideview bench, tensors", "jax": "arrays by DLPack",
    "cupy": "arrays of CUDA devices", "pyarrow": "columns", "h5py": "HDF5 files of info and copy",
    "zarr": "Zarr stores of info and copy", "tqdm": "the bar of strideview copy", "shtab": "strideview completion",
    "matplotlib": "strideview bench --plot", "cairosvg": "strideview draw --form png", "ml_dtypes": "bfloat16 and fp8 in NumPy",
}


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    state: str  # "good", "note", or "missing"
    text: str
    advice: str | None = None


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="a list of objects")


def library() -> list[Finding]:
    python = f"Python {platform.python_version()} on {platform.system()} {platform.release()}, {platform.machine()}"
    return [Finding("strideview", "good", f"{sv.__version__}, {sv.library_path()}"), Finding("python", "good", python)]


def processor() -> list[Finding]:
    """What the text of explain() says of it."""
    found = []
    for line in in_use()["machine"]:
        text = line.removeprefix("host: ")
        if "SV_HOST_TUNING is ignored" in text:
            found.append(Finding("tuning", "missing", text, "correct or unset SV_HOST_TUNING; doc/tuning.md describes the file"))
        elif match := re.match(r"(\w+), tuned for (.*?); (.*?);", text):
            found += [Finding("instructions", *instructions(match[1])), Finding("tuning", *tuning(match[2])),
                      Finding("caches", "good", match[3])]
    return found


def instructions(name: str) -> tuple[str, str, str | None]:
    if os.environ.get("SV_HOST_ISA"):
        return "note", f"{name}, as SV_HOST_ISA says", "unset SV_HOST_ISA to use the best instructions of this processor"
    return "good", name, None


def tuning(name: str) -> tuple[str, str, str | None]:
    if "cautious" in name or "other" in name:
        return "note", name, "this processor's family was not measured: 'strideview tune' tells how to do that"
    return "good", name, None


def cores() -> Finding:
    usable = len(os.sched_getaffinity(0))
    if usable < (os.cpu_count() or 1):
        return Finding("threads", "note", f"{usable} of {os.cpu_count()} processors", "this process is bound to some of them (taskset, cgroup)")
    return Finding("threads", "good", f"{usable} processors; copies use one of them unless executor= is given")


def huge_pages() -> Finding:
    try:
        chosen = re.search(r"\[(\w+)\]", Path(HUGE_PAGES).read_text())
    except OSError:
        chosen = None
    name = chosen[1] if chosen else "unknown"
    if name in ("always", "madvise"):
        return Finding("huge pages", "good", f"{name}: arrays of 4 MiB and more ask for them")
    return Finding("huge pages", "note", name, f"as root: echo madvise > {HUGE_PAGES}; large arrays then are filled faster the first time")


def memory() -> Finding:
    total = next((device.properties.get("memory_total", 0) for device in sv.devices() if device.name == "cpu"), 0)
    return Finding("memory", "good", quantities.human(total))


# What to do, by the state of a device.
ADVICE = {
    "no driver": "for GPUs: install NVIDIA's driver, and give containers the device (--gpus all)",
    "no device": "for GPUs: nvidia-smi tells whether the driver sees one, CUDA_VISIBLE_DEVICES may hide it",
    "no backend": "for GPUs: build libsv with nvcc, without --without-cuda",
    "driver too old": "for GPUs: install a newer driver of NVIDIA",
    "stub driver": "for GPUs: take the stub libcuda of the toolkit out of LD_LIBRARY_PATH",
}


def cuda() -> list[Finding]:
    return [Finding(device.name, "good" if device.state == "ready" else "note", device.text,
                    None if device.state == "ready" else ADVICE.get(device.state, "the text says what is wrong"))
            for device in sv.devices() if device.name != "cpu"]


def peers() -> list[Finding]:
    found = []
    for name, use in PEERS.items():
        try:
            found.append(Finding(name, "good", importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            found.append(Finding(name, "note", "not installed", f"pip install {name}, for {use}"))
    return found


def findings() -> list[Finding]:
    return [*library(), *processor(), cores(), memory(), huge_pages(), *cuda(), *peers()]


def run(options: argparse.Namespace) -> Any:
    found = findings()
    if options.json:
        return [finding._asdict() for finding in found]
    marks = {"good": " ", "note": "-", "missing": "!"}
    lines = []
    for finding in found:
        lines.append(f"{marks[finding.state]} {finding.name:14}{finding.text}")
        if finding.advice:
            lines.append(f"{'':16}{finding.advice}")
    return "\n".join(lines) + "\n"
