"""The main job on a real photograph: view, crop, mirror, permute, copy, hand on.

    python demo.py OUTPUT_DIRECTORY

Writes photo.ppm (what came in), planes.pgm (what came out), planes.png (the
same, to look at) and memory.svg (where the bytes of a corner lie, before and
after).
"""

import ctypes
import re
import statistics
import sys
import time
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image

import strideview as sv


def step(text, array, base):
    """Print one step: what was done, and the shape, strides and address it led to."""
    strides = ",".join(map(str, array.strides))
    print(f"  {text:<42} {str(tuple(array.shape)):<15} strides ({strides})".ljust(84), f"address {array.ptr - base:+d}")


def median_time(function, repeats=51):
    """Median seconds of one call."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def show_times(planes, source, expected, pixels):
    """Time the copy beside NumPy's, and beside a memcpy of as many bytes."""
    target = np.empty_like(expected)
    flat = np.empty(planes.nbytes, np.uint8)
    memcpy = median_time(lambda: ctypes.memmove(flat.ctypes.data, pixels.ctypes.data, flat.nbytes))
    numpy = median_time(lambda: np.copyto(target, expected))
    ours = median_time(lambda: sv.copy(planes, source))
    print(f"\n  {planes.nbytes} bytes copied; median of 51, microseconds and share of memcpy's speed")
    for name, seconds in (("memcpy of as many bytes", memcpy), ("NumPy copyto", numpy), ("sv.copy", ours)):
        print(f"    {name:<24} {seconds * 1e6:8.1f}   {memcpy / seconds:5.2f}")


def hand_on(planes, expected):
    """NumPy and PyTorch see the same memory and find what they compute themselves."""
    seen = np.asarray(planes)
    assert seen.ctypes.data == planes.ptr and np.array_equal(seen, expected)
    print("  NumPy shares the memory and agrees")
    try:
        import torch
    except ImportError:
        print("  PyTorch is not installed: not shown")
        return
    tensor = torch.from_dlpack(planes)
    own = torch.from_numpy(expected.copy())
    assert tensor.data_ptr() == planes.ptr and torch.equal(tensor, own)
    print("  PyTorch shares the memory and agrees")


def draw_corner(view, directory):
    """Where two rows of three pixels lie: packed as the photograph has them, and as mirrored planes."""
    corner = sv.empty((2, 3, 3), "uint8")
    sv.copy(corner, view[:2, :3])
    planes = sv.empty((3, 2, 3), "uint8")
    sv.copy(planes, corner[:, ::-1].permute((2, 0, 1)))
    after = planes.permute((1, 2, 0))[:, ::-1]  # indices of the photograph, in the memory of the planes
    assert np.array_equal(after, corner)

    moved, widest, top = "", 0, 0
    for title, part in (("before: row,column,colour", corner), ("after: mirrored, in planes", after)):
        picture = sv.draw(part, title=title, axis=2)
        moved += f'<g transform="translate(0 {top})">{picture}</g>'
        width, height = re.search(r'width="(\d+)" height="(\d+)"', picture).groups()
        widest, top = max(widest, int(width)), top + int(height)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{widest}" height="{top}">{moved}</svg>\n'
    (directory / "memory.svg").write_text(svg)


def main(directory):
    photo = Path(matplotlib.get_data_path(), "sample_data", "grace_hopper.jpg")
    pixels = np.asarray(Image.open(photo).convert("RGB"))
    height, width, _ = pixels.shape
    top, bottom = height // 8, height - height // 8

    print(f"{photo.name}, {height} x {width} x 3 bytes; addresses relative to its first byte")
    view = sv.view(pixels)
    base = view.ptr
    step("sv.view(pixels)", view, base)
    crop = view[top:bottom]
    step(f"[{top}:{bottom}]", crop, base)
    mirrored = crop[:, ::-1]
    step("[:, ::-1]", mirrored, base)
    chw = mirrored.permute((2, 0, 1))
    step(".permute((2, 0, 1))", chw, base)
    planes = sv.empty(chw.shape, "uint8")
    sv.copy(planes, chw)
    step("sv.copy(sv.empty(...), ...): planes", planes, planes.ptr)

    expected = pixels[top:bottom, ::-1].transpose(2, 0, 1)
    hand_on(planes, expected)
    show_times(planes, chw, expected, pixels)

    result = np.asarray(planes)
    stacked = Image.fromarray(result.reshape(-1, width))
    directory.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(directory / "photo.ppm")
    stacked.save(directory / "planes.pgm")
    Image.fromarray(np.concatenate(list(result), axis=1)).save(directory / "planes.png")
    draw_corner(view, directory)
    print(f"\n  written: {directory}/photo.ppm, planes.pgm, planes.png, memory.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
