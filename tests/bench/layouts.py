"""What layouts and views cost in Python, beside cuda-core's and NumPy's.

    python layouts.py FILE       measure, print a table and write it to FILE
"""

import json
import platform
import statistics
import sys
import timeit
from importlib.metadata import version

import numpy as np

import strideview as sv

OURS, CUDA, NUMPY = "strideview", "cuda-core", "NumPy"
ROUNDS = 501
BATCH = 100e-6  # seconds that a batch takes at least

# What strideview and cuda-core evaluate (the names are the same), and what NumPy does for it. x is 6 x 8 float32.
LAYOUTS = [
    ("x.permuted((1, 0))", "x.transpose((1, 0))"),
    ("x.sliced(key)", "x[key]"),
    ("x[1:3, ::2]", "x[1:3, ::2]"),
    ("x[1]", "x[1]"),
    ("x.reshaped((8, 6))", "x.reshape((8, 6))"),
    ("x.flattened()", "x.reshape(-1)"),
    ("x.broadcast_to((5, 6, 8))", "np.broadcast_to(x, (5, 6, 8))"),
    ("column.squeezed()", "column.squeeze()"),
    ("x.unsqueezed(1)", "x[:, None]"),
    ("x.repacked(8)", "x.view(float64)"),
    ("StridedLayout((6, 8), (8, 1), 4)", "np.ndarray((6, 8), float32, x)"),
]

# What strideview evaluates on a view, what NumPy does for it, and cuda-core where it needs no driver.
VIEWS = [
    ("x.T", "x.T", None),
    ("x[1:3, ::2]", "x[1:3, ::2]", None),
    ("x[1]", "x[1]", None),
    ("x.reshape((8, 6))", "x.reshape((8, 6))", None),
    ("x.broadcast_to((5, 6, 8))", "np.broadcast_to(x, (5, 6, 8))", None),
    ("x.shape", "x.shape", "x.shape"),
    ("view(array)", "np.from_dlpack(array)", "from_dlpack(array, -1)"),
]


def import_cuda():
    """cuda-core's layout and view types, or why they are left out."""
    try:
        from cuda.core._layout import _StridedLayout
        from cuda.core.utils import StridedMemoryView
    except Exception as error:  # what a broken installation raises is anything
        return None, f"{type(error).__name__}: {error}".splitlines()[0]
    return (_StridedLayout, StridedMemoryView), None


def names(array):
    """For each kind of object and each library: what the expressions use."""
    column = array.reshape(48, 1)
    key = (slice(1, 3), slice(None, None, 2))
    numpy = {"x": array, "column": column, "array": array, "key": key, "np": np,
             "float32": np.dtype("float32"), "float64": np.dtype("float64")}
    of_layouts, of_views = {NUMPY: numpy}, {NUMPY: numpy}
    cuda, missing = import_cuda()

    def layouts(cls):
        return {"x": cls((6, 8), (8, 1), 4), "column": cls((48, 1), (1, 1), 4), "key": key, "StridedLayout": cls}

    of_layouts[OURS] = layouts(sv.StridedLayout)
    of_views[OURS] = {"x": sv.view(array), "array": array, "view": sv.view}
    if cuda:
        layout, view = cuda
        of_layouts[CUDA] = layouts(layout)
        of_views[CUDA] = {"x": view.from_dlpack(array, -1), "array": array, "from_dlpack": view.from_dlpack}
    return of_layouts, of_views, missing


def address(array):
    return array.__array_interface__["data"][0]


def facts(result, array):
    """What a result says of its elements: shape, byte strides that matter, item size, bytes from the first element."""
    if isinstance(result, tuple):
        return result
    if isinstance(result, np.ndarray):
        itemsize, strides, offset = result.itemsize, result.strides, address(result) - address(array)
    elif hasattr(result, "ptr"):
        itemsize = result.dtype.itemsize
        strides, offset = [s * itemsize for s in result.strides], result.ptr - address(array)
    else:
        itemsize, strides, offset = result.itemsize, result.strides_in_bytes, result.slice_offset_in_bytes
    return tuple(result.shape), [s for n, s in zip(result.shape, strides) if n > 1], itemsize, offset


def rows():
    """Every row, its results verified: a dict of group, name, and for each library an expression and its names."""
    array = np.arange(48, dtype="float32").reshape(6, 8)
    of_layouts, of_views, missing = names(array)
    found = []
    for group, table, scopes in (("layout", LAYOUTS, of_layouts), ("view", VIEWS, of_views)):
        for ours, numpy, *rest in table:
            texts = {OURS: ours, CUDA: rest[0] if rest else ours, NUMPY: numpy}
            cells = {who: (text, scopes[who]) for who, text in texts.items() if text and who in scopes}
            results = {who: facts(eval(text, scope), array) for who, (text, scope) in cells.items()}
            if any(result != results[NUMPY] for result in results.values()):
                raise AssertionError(f"{ours}: {results}")
            found.append({"group": group, "name": ours, "numpy": numpy, "cells": cells})
    return found, {CUDA: missing} if missing else {}


def measure(found, rounds=ROUNDS, batch=BATCH):
    """Adds ns to each row, for each library; they take turns, and the median counts."""
    runs = []
    for row in found:
        for who, cell in row["cells"].items():
            timer = timeit.Timer(cell[0], globals=cell[1]) if isinstance(cell, tuple) else cell
            number = max(1, int(batch / (timer.timeit(100) / 100)))
            runs.append((row, who, timer, number, []))
    for _ in range(rounds):
        for _, _, timer, number, times in runs:
            times.append(timer.timeit(number) / number)
    for row, who, _, _, times in runs:
        row.setdefault("ns", {})[who] = statistics.median(times) * 1e9


def add_targets(found):
    """Layouts are to be ahead of cuda-core, views within 1.3 of NumPy's arrays."""
    for row in found:
        peer, times = (CUDA, 1) if row["group"] == "layout" else (NUMPY, 1.3)
        if peer in row["ns"]:
            row["limit"] = times * row["ns"][peer]
            row["target"] = peer if times == 1 else f"{times} x {peer}"


def print_table(found, missing):
    print(f"{'':<36}" + "".join(f"{who:>12}" for who in (OURS, CUDA, NUMPY)) + "   ns")
    for row in found:
        ns = row["ns"]
        cells = "".join(f"{ns[who]:12.0f}" if who in ns else f"{'-':>12}" for who in (OURS, CUDA, NUMPY))
        verdict = ""
        if "limit" in row:
            verdict = f"{'met' if ns[OURS] <= row['limit'] else 'MISSED':<6}  at most {row['limit']:.0f} = {row['target']}"
        print(f"{row['group']:<7}{row['name']:<29}{cells}   {verdict}".rstrip())
    for who, why in missing.items():
        print(f"without {who}: {why}")


def versions(missing):
    return {OURS: sv.__version__, **({} if missing else {CUDA: version("cuda-core")}), NUMPY: np.__version__,
            "CPython": platform.python_version()}


def main(path):
    found, missing = rows()
    measure(found)
    add_targets(found)
    print_table(found, missing)
    kept = [{key: value for key, value in row.items() if key != "cells"} for row in found]
    with open(path, "w") as file:
        json.dump({"versions": versions(missing), "missing": missing, "rows": kept}, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
