"""What it costs to hand arrays from one library to another, in Python and by the exchange tables in C.

    python interchange.py FILE       measure, print a table and write it to FILE
"""

import ctypes
import functools
import gc
import importlib
import json
import sys
import tempfile
import time
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from layouts import OURS, measure

import strideview as sv

sys.path.append(str(Path(__file__).parents[1] / "py"))
import extensions

TABLES = Path("tests/bench/.libs/tables.so")  # where make builds it
PACKAGES = {"NumPy": "numpy", "PyTorch": "torch", "JAX": "jax", "tvm-ffi": "apache-tvm-ffi", "cuda-core": "cuda-core"}

# Name, nanoseconds wanted (None: those of NumPy), and what each library evaluates for it.
OF_ARRAY = {"NumPy": "np.from_dlpack(array)", "tvm-ffi": "tvm_ffi.from_dlpack(array)",
            "cuda-core": "cuda_view.from_dlpack(array, -1)", "PyTorch": "torch.from_dlpack(array)",
            "cuda-core, any interface": "cuda_view.from_any_interface(array, -1)", "JAX": "jax_from_dlpack(array)"}
OF_TENSOR = {who: text.replace("array", "tensor") for who, text in OF_ARRAY.items()}
ROWS = [
    ("view(array)", 110, {OURS: "view(array)", **OF_ARRAY}),
    ("StridedMemoryView.from_dlpack(array)", 170, {OURS: "our_view.from_dlpack(array)", **OF_ARRAY}),
    ("view(tensor)", 180, {OURS: "view(tensor)", **OF_TENSOR}),
    ("StridedMemoryView.from_dlpack(tensor)", 180, {OURS: "our_view.from_dlpack(tensor)", **OF_TENSOR}),
    ("x.__dlpack__()", 70, {OURS: "ours.__dlpack__()", "NumPy": "array.__dlpack__()", "PyTorch": "tensor.__dlpack__()",
                            "tvm-ffi": "of_tvm_ffi.__dlpack__()", "cuda-core": "of_cuda.__dlpack__()"}),
    ("x.__dlpack__(max_version=(1, 3))", 70,
     {OURS: "ours.__dlpack__(max_version=(1, 3))", "NumPy": "array.__dlpack__(max_version=(1, 3))",
      "PyTorch": "tensor.__dlpack__(max_version=(1, 3))", "tvm-ffi": "of_tvm_ffi.__dlpack__(max_version=(1, 3))",
      "cuda-core": "of_cuda.__dlpack__(max_version=(1, 3))"}),
    *((f"x.{name}", None, {OURS: f"ours.{name}", "NumPy": f"array.{theirs}", "cuda-core": f"of_cuda.{name}"})
      for name, theirs in (("shape", "shape"), ("strides", "strides"), ("dtype", "dtype"), ("ptr", "ctypes.data"),
                           ("readonly", "flags.writeable"))),
]


class TableTimer:
    """As a timeit.Timer, of a call in C."""

    def __init__(self, function, table, exporter):
        self.function, self.table, self.exporter = function, table, exporter

    def timeit(self, number):
        seconds = self.function(self.table, id(self.exporter), number)
        if seconds < 0:
            raise RuntimeError(f"the table gives no tensor of {type(self.exporter).__name__}")
        return seconds


def table_of(exporter):
    capsule = getattr(type(exporter), "__dlpack_c_exchange_api__", None)
    if capsule is None:
        return None
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, b"dlpack_exchange_api")


def table_rows(scope, missing):
    """The exchange tables, of those who have one."""
    try:
        library = ctypes.PyDLL(str(TABLES.resolve()))
    except OSError as error:
        missing["exchange tables"] = str(error)
        return []
    owners = {OURS: "ours", "PyTorch": "tensor", "tvm-ffi": "of_tvm_ffi", "cuda-core": "of_cuda"}
    rows = []
    for name, target, function in (("exchange table, managed", 60, library.bench_managed),
                                   ("exchange table, borrowed", 25, library.bench_borrowed)):
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
        cells = {who: TableTimer(function, table_of(scope[owner]), scope[owner]) for who, owner in owners.items()
                 if owner in scope and table_of(scope[owner])}
        for timer in cells.values():
            assert timer.timeit(3) >= 0
        rows.append({"name": name, "wanted": target, "cells": cells})
    return rows


class LoopTimer:
    """As a timeit.Timer, of a loop in an extension module."""

    def __init__(self, loop, exporter):
        self.loop, self.exporter = loop, exporter

    def timeit(self, number):
        start = time.perf_counter()
        self.loop(self.exporter, number)
        return time.perf_counter() - start


def access_rows(scope, missing):
    """An extension module reads the facts of an array: by strideview.h, and by a Py_buffer."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            access = extensions.build(extensions.ROOT / "tests/py/access.c", folder,
                                      functools.partial(extensions.build_plain, optimise="-O2"))
    except extensions.Missing as error:
        missing["typed access in C"] = str(error)
        return []
    array, view = scope["array"], scope["ours"]
    assert access.opened(array, 0, 0)[:3] == (array.ctypes.data, array.shape, array.strides)
    return [
        {"name": "ndarray as C values: open(), close()", "wanted": 30,
         "cells": {OURS: LoopTimer(access.by_table, array), "Py_buffer": LoopTimer(access.by_buffer, array)}},
        {"name": "view as C values: open(), close()", "wanted": 30,
         "cells": {OURS: LoopTimer(access.by_table, view), "Py_buffer": LoopTimer(access.by_buffer, view)}},
        {"name": "ndarray as a handle: acquire(), view_release()", "wanted": 60,
         "cells": {OURS: LoopTimer(access.by_handle, array)}},
    ]


def import_peers(missing):
    """Modules by the library's name, of those that can be imported."""
    found = {}
    for who, module in (("PyTorch", "torch"), ("JAX", "jax"), ("tvm-ffi", "tvm_ffi"), ("cuda-core", "cuda.core.utils")):
        try:
            found[who] = importlib.import_module(module)
        except Exception as error:  # what a broken installation raises is anything
            missing[who] = f"{type(error).__name__}: {error}".splitlines()[0]
    return found


def make_scope(missing):
    """What the expressions use. The array is as well aligned as anybody asks for."""
    memory = np.empty(48 * 4 + 64, "uint8")
    array = memory[-memory.ctypes.data % 64:][:48 * 4].view("float32").reshape(6, 8)
    array[...] = np.arange(48).reshape(6, 8)
    peers = import_peers(missing)
    scope = {"np": np, "array": array, "view": sv.view, "our_view": sv.StridedMemoryView, "ours": sv.view(array)}
    if "PyTorch" in peers:
        scope.update(torch=peers["PyTorch"], tensor=peers["PyTorch"].from_numpy(array))
    if "JAX" in peers:
        scope.update(jax_from_dlpack=peers["JAX"].dlpack.from_dlpack)
    if "tvm-ffi" in peers:
        scope.update(tvm_ffi=peers["tvm-ffi"], of_tvm_ffi=peers["tvm-ffi"].from_dlpack(array))
    if "cuda-core" in peers:
        view = peers["cuda-core"].StridedMemoryView
        scope.update(cuda_view=view, of_cuda=view.from_dlpack(array, -1))
    return scope


def verify(name, who, result, array):
    """Whatever came out is the array, or told of it what we tell."""
    if name.startswith("x.") and "dlpack" not in name:
        expected = getattr(sv.view(array), name[2:])
        if name == "x.readonly":
            assert result is (expected if who != "NumPy" else not expected)
        elif name == "x.strides":
            assert result in (expected, array.strides)
        else:
            assert result == expected, (name, who, result)
        return
    view = sv.view(result)
    assert view.shape == array.shape and (who == "JAX" or view.ptr == array.ctypes.data), (name, who)


PEER_NAMES = {"torch", "tensor", "jax_from_dlpack", "tvm_ffi", "of_tvm_ffi", "cuda_view", "of_cuda"}


def cells_of(name, texts, scope):
    """What each library that is there evaluates; its result is verified."""
    cells = {}
    for who, text in texts.items():
        names = set(compile(text, name, "eval").co_names)
        if names & PEER_NAMES <= scope.keys():
            verify(name, who, eval(text, scope), scope["array"])
            cells[who] = (text, scope)
    return cells


def rows():
    """(rows whose results are verified, {library: why it is left out})."""
    missing = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scope = make_scope(missing)
        found = [{"name": name, "wanted": wanted, "cells": cells_of(name, texts, scope)} for name, wanted, texts in ROWS]
    found += table_rows(scope, missing) + access_rows(scope, missing)
    return [row for row in found if OURS in row["cells"]], missing


def add_targets(found):
    """The time wanted, and to be behind nobody."""
    for row in found:
        peers = {who: ns for who, ns in row["ns"].items() if who != OURS}
        row["best"] = min(peers, key=peers.get, default=None)
        if row["wanted"] is None:
            row["wanted"] = row["ns"]["NumPy"]
        row["met"] = row["ns"][OURS] <= min([row["wanted"], *peers.values()])


def print_table(found, missing):
    for row in found:
        peers = sorted((ns, who) for who, ns in row["ns"].items() if who != OURS)
        print(f"{row['name']:<48}{row['ns'][OURS]:8.0f} ns   {'met' if row['met'] else 'MISSED':<6} {row['wanted']:8.0f}   "
              + ", ".join(f"{who} {ns:.0f}" for ns, who in peers))
    for who, why in missing.items():
        print(f"without {who}: {why}")


def versions():
    found = {OURS: sv.__version__}
    for who, package in PACKAGES.items():
        try:
            found[who] = version(package)
        except PackageNotFoundError:
            pass
    return found


def main(path):
    found, missing = rows()
    gc.collect()  # who still holds the tensor otherwise makes it cheaper for others to do so
    measure(found)
    add_targets(found)
    print_table(found, missing)
    kept = [{key: value for key, value in row.items() if key != "cells"} for row in found]
    with open(path, "w") as file:
        json.dump({"versions": versions(), "missing": missing, "rows": kept}, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
