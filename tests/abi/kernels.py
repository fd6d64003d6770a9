"""The CUDA kernels of the sources are those of src/gpu/kernel_list.h, from which the library and the emulator have theirs.

Asked of the objects that the emulator is built of, so neither nvcc nor a device is needed.
"""

import re

import kernel_table
import tap


def compiled():
    """Kernels, which are the functions with names of the library in what the emulator is built of."""
    path = tap.build / "tests/emulated/.libs/libkernels.a"
    if not path.exists():
        raise tap.Skip("no kernel was compiled for the emulator")
    symbols = tap.lines(*tap.tool("NM", "nm"), "--defined-only", path)
    return [line.split()[2] for line in symbols if re.search(r" [TW] svi_\w+$", line)]


def each_once():
    """kernel_list.h has each kernel once"""
    names = kernel_table.listed()
    if not names:
        yield "no kernel is found"
    yield from sorted({name for name in names if names.count(name) > 1})


def same_names():
    """what the sources define is what kernel_list.h has"""
    names, listed = {name.removeprefix("svi_") for name in compiled()}, set(kernel_table.listed())
    yield from (f"{name} is not in kernel_list.h" for name in sorted(names - listed))
    yield from (f"{name} is in no source" for name in sorted(listed - names))


def sources_are_included():
    """kernels.cu includes each file of src/gpu/cuda/kernels"""
    text = (tap.root / "src/gpu/cuda/kernels.cu").read_text()
    for path in sorted((tap.root / "src/gpu/cuda/kernels").glob("*.cu")):
        if f'#include "gpu/cuda/kernels/{path.name}"' not in text:
            yield path.name


tap.report(each_once, same_names, sources_are_included)
