"""The cases of tests/cases: libsv does what is noted there, but for the rows below.

python test_cases.py --document writes doc/layout_cases.md, the same for readers.
"""

import ctypes
import json
import operator
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from peers import CAPSULE, Tensor, address
from strideview import StridedLayout

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "doc" / "layout_cases.md"
NAMES = "\n## Names, keywords and exceptions\n"  # test_cuda_core.py writes the document from here on
ROWS = {row["id"]: row for row in json.loads((ROOT / "tests" / "cases" / "layout_cases.json").read_text())}

# Why libsv answers otherwise, and in which rows.
DIFFERENCES = {
    "An empty layout has no element out of reach: its size is 0 and its bounds are (0, -1) whatever its extents and "
    "strides": [1001, 1009, 1043],
    "Strides are always told, never None": [225, 1041],
    "True is no index": [1027],
    "A step beyond the axis takes one element": [1031],
    "More elements than int64 can count are refused at once": [1035],
    "reshape gives an axis of extent 1 the stride of a packed one": [3453, 4973, 5681, 5769],
    "flatten merges an axis of extent 1 into a neighbour whatever its stride": [
        163, 1025, 2105, 2301, 2357, 2557, 2581, 2693, 2881, 3161, 3265, 3385, 3533, 3565, 3669, 3677, 3901, 4781, 5101,
        5465, 5741, 5789, 5817, 5853, 5865],
    "flatten merges the axes of an empty layout whatever their strides": [2249, 3585, 4409],
    "squeeze drops axes of extent 1 and no other, also of an empty layout": [
        169, 2377, 3321, 3977, 4137, 4729, 5129, 5925, 5929],
    "to_dense orders axes of equal strides as NumPy does, the first outside": [1065, 2677],
    "to_dense gives an empty layout strides of 0": [
        1067, 2433, 2949, 3633, 4025, 4065, 4169, 4673, 4789, 4917, 5589],
    "to_dense gives an axis of extent 1 the stride of a packed one": [
        2945, 3005, 3081, 4225, 4369, 4813, 5133, 5765],
    "repack refuses item sizes of which neither divides the other": [209, 1049],
    "repack looks at no stride where nothing moves: extent 1, or an empty layout": [
        203, 1051, 1053, 2097, 2425, 2533, 3609, 3797, 4469, 4961, 5061, 5901],
    "repack leaves an extent of 0 as it is": [205, 2817, 5297, 5545],
    "is_unique is exact": [47],
    "An empty layout is dense wherever it begins": [1011, 3037, 4413, 4625, 4905],
    "flattened_axis_mask has a bit for each axis of extent 1 that flatten merges": [
        2169, 2205, 2269, 2281, 2397, 2545, 2929, 2985, 3025, 3069, 3149, 3169, 3257, 3281, 3417, 3425, 3433, 3473,
        3605, 3673, 3733, 3817, 3821, 3937, 4069, 4201, 4229, 4349, 4441, 4497, 4553, 4569, 4581, 4633, 4681, 4801,
        4833, 4913, 4925, 4981, 5049, 5053, 5109, 5125, 5153, 5381, 5521, 5585, 5657, 5685, 5753, 5825, 5849, 5993],
    "flattened_axis_mask has a bit for each axis of an empty layout": [
        2297, 2385, 3309, 3497, 3881, 5077, 5169, 5209, 5781],
    "max_compatible_itemsize is a multiple of the item size, so that repack takes it": [1057, 3193, 4289],
    "A stride of -2^63 is a stride like any other": [1063],
    "Memory of any device may be viewed": [231],
    "Packed elements below a byte come in as vectors that fill bytes": [233],
    "A type that NumPy does not know has its name for a dtype": [235],
    "__cuda_array_interface__ of version 2, which knows no stream, is read": [237],
    "Items that are no number are opaque": [239],
    "Export to a device and as a copy do what is asked": [249],
}

# What there is no way to ask yet.
NOT_YET = {
    "Buffers": [241, 243, 245, 251, 253, 255, 257, 259, 261],
}


# --- layouts -----------------------------------------------------------------

def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def layout_of(how):
    shape, itemsize = tuples(how["shape"]), how["itemsize"]
    if how["build"] == "dense":
        layout = StridedLayout.dense(shape, itemsize, tuples(how["order"]))
    elif how["build"] == "strided":
        layout = StridedLayout(shape, tuples(how["strides"]), itemsize)
    else:
        layout = StridedLayout(shape, tuples(how["byte_strides"]), itemsize, divide_strides=True)
    for name, arguments in how.get("steps", ()):
        layout = STEPS[name](layout, **arguments)
    return layout


def index_of(index):
    return tuple(slice(*item) if isinstance(item, list) else item for item in index)


def get(layout, names):
    """Attributes; a method is called."""
    ours = {"axis_mask": "flattened_axis_mask"}
    values = [getattr(layout, ours.get(name, name)) for name in names]
    return [value() if callable(value) else value for value in values]


STEPS = {
    "construct": lambda layout: layout,
    "get": get,
    "equal": lambda layout, other: layout == layout_of(other),
    "slice": lambda layout, index: layout[index_of(index)],
    "permute": lambda layout, axes: layout.permuted(tuples(axes)),
    "to_dense": lambda layout, order: layout.to_dense(tuples(order)),
    "reshape": lambda layout, shape: layout.reshaped(tuples(shape)),
    "flatten": lambda layout, start=0, end=-1, mask=None: layout.flattened(start, end, mask),
    "squeeze": lambda layout: layout.squeezed(),
    "unsqueeze": lambda layout, axes: layout.unsqueezed(tuples(axes)),
    "broadcast": lambda layout, shape: layout.broadcast_to(tuples(shape)),
    "repack": lambda layout, itemsize, data_ptr, axis, keep_dim: layout.repacked(itemsize, data_ptr, axis, keep_dim),
    "max_itemsize": lambda layout, limit, data_ptr, axis: layout.max_compatible_itemsize(limit, data_ptr, axis),
}


# --- views -------------------------------------------------------------------

def array_of(source):
    array = np.zeros(source["shape"], source["dtype"])
    return array[index_of(source["index"])] if "index" in source else array


def import_array(row):
    array = array_of(row["input"])
    view = sv.StridedMemoryView.from_dlpack(array, row["args"]["stream"])
    return {"shape": list(view.shape), "size": view.size, "ptr_delta": view.ptr - address(array),
            "strides": list(view.strides)}


def round_trip(row):
    array = array_of(row["input"])
    array[...] = np.arange(array.size).reshape(array.shape)
    view = sv.StridedMemoryView.from_dlpack(sv.view(array), row["args"]["stream"])
    return {"shape": list(view.shape), "strides": list(view.strides), "dtype": str(view.dtype),
            "values_equal": np.array_equal(view, array), "dlpack_device": list(view.__dlpack_device__()),
            "device_id": view.device_id}


def view_of_layout(row):
    array = array_of(row["input"])
    view = sv.view(array)
    other = view.view(view.layout[index_of(row["args"]["index"])])
    return {"before": {"strides": list(view.strides), "is_dense": view.layout.is_dense}, "shape": list(other.shape),
            "ptr_delta": other.ptr - address(array)}


class DeviceArray:
    """Four float32 on a CUDA device; nothing reads them."""

    def __init__(self, version):
        self.__cuda_array_interface__ = {"shape": (4,), "typestr": "<f4", "data": (4096, False), "version": version}


def import_fields(row):
    source = row["input"]
    if source["source"] == "cuda_array_interface":
        view = sv.StridedMemoryView.from_cuda_array_interface(DeviceArray(source["version"]), row["args"]["stream"])
        return {"shape": list(view.shape)}
    fields = [tuple(field) for field in source["dtype"]]
    return {"dtype": str(sv.StridedMemoryView.from_array_interface(np.zeros(source["shape"], fields)).dtype)}


def import_tensor(row):
    """What comes of a tensor made by hand."""
    source, memory = row["input"], (ctypes.c_char * 64)()
    shape, strides = ((ctypes.c_int64 * len(source[name]))(*source[name]) for name in ("shape", "strides"))
    code, bits, lanes = source["dtype"]
    tensor = Tensor(major=1, minor=0, data=ctypes.addressof(memory), device_type=source["device"][0], ndim=len(shape),
                    code=code, bits=bits, lanes=lanes, shape=ctypes.addressof(shape),
                    strides=ctypes.addressof(strides), byte_offset=source["byte_offset"])
    capsule = CAPSULE.PyCapsule_New(ctypes.addressof(tensor), b"dltensor_versioned", None)
    view = sv.StridedMemoryView.from_dlpack(capsule, row["args"]["stream"])
    exported = view.__dlpack__(max_version=(1, 0))
    again = tensor_in(exported)
    told = {"itemsize": view.itemsize, "dtype": str(view.dtype), "ptr_delta": view.ptr - ctypes.addressof(memory),
            "export": {"data_delta": again.data - ctypes.addressof(memory), "byte_offset": again.byte_offset}}
    return {key: told.get(key) for key in row["expect"]}


def tensor_in(capsule):
    return Tensor.from_address(CAPSULE.PyCapsule_GetPointer(capsule, CAPSULE.PyCapsule_GetName(capsule)))


def export(row):
    view = sv.view(array_of(row["input"]))
    for keywords in row["args"].get("alternatives", ()):
        if "dl_device" in keywords:
            keywords = {"dl_device": tuple(keywords["dl_device"])}
        view.__dlpack__(**keywords)
    capsule = view.__dlpack__(max_version=(1, 0))
    tensor = tensor_in(capsule)
    shape = (ctypes.c_int64 * tensor.ndim).from_address(tensor.shape)
    return {"data": tensor.data and "an address", "shape": list(shape), "strides_present": tensor.strides is not None}


VIEWS = {"import": import_array, "dltensor": import_tensor, "cuda_array_interface": import_fields,
         "import_array_interface": import_fields, "dlpack_round_trip": round_trip, "view_of_layout": view_of_layout,
         "export": export}


# --- judging -----------------------------------------------------------------

ERRORS = {"range": ValueError, "value": ValueError, "type": TypeError, "overflow": OverflowError,
          "buffer": BufferError}


def answer(row):
    """What libsv does, in the words of the row."""
    try:
        if "layout" not in row:
            return VIEWS[row["op"] if row["input"]["source"] == "numpy" else row["input"]["source"]](row)
        result = STEPS[row["op"]](layout_of(row["layout"]), **row.get("args", {}))
    except (ValueError, IndexError, TypeError, OverflowError, BufferError) as error:
        return error
    if isinstance(result, StridedLayout):
        return {"shape": list(result.shape), "strides": list(result.strides), "itemsize": result.itemsize,
                "offset": result.slice_offset}
    return {"value": json.loads(json.dumps(result, default=operator.index))}


def agrees(row, given):
    expected = row["expect"]
    if "error" in expected:
        return isinstance(given, ERRORS.get(expected["error"], ()))
    return given == expected


def holds(row):
    given = answer(row)
    return agrees(row, given), f"expected {row['expect']}, found {given!r}"


def listed(table):
    return {number: reason for reason, numbers in table.items() for number in numbers}


@pytest.mark.parametrize("operation", sorted({row["op"] for row in ROWS.values()}))
def test_rows(operation):
    differ, missing = listed(DIFFERENCES), listed(NOT_YET)
    wrong = []
    for number, row in ROWS.items():
        if row["op"] != operation or number in missing:
            continue
        same, note = holds(row)
        if same and number in differ:
            wrong.append(f"row {number} holds, yet is listed: {differ[number]}")
        elif not same and number not in differ:
            wrong.append(f"row {number}: {row.get('layout', row.get('input'))} {row.get('args', '')}: {note}; "
                         f"NumPy: {row.get('numpy', '-')}")
    assert not wrong, "\n".join(wrong)


def test_unique_where_it_was_counted():
    rows = [row for row in ROWS.values() if "is_unique" in row]
    assert rows and [layout_of(row["layout"]).is_unique for row in rows] == [row["is_unique"] for row in rows]


def test_every_number_is_a_row():
    numbers = [number for table in (DIFFERENCES, NOT_YET) for rows in table.values() for number in rows]
    assert len(numbers) == len(set(numbers)) and set(numbers) <= ROWS.keys()


# --- for readers -------------------------------------------------------------

def words(value):
    """JSON as Python writes it, an error by the name of its exception."""
    if isinstance(value, dict):
        return value.get("exception") or ", ".join(f"{key} {words(item)}" for key, item in value.items())
    if isinstance(value, Exception):
        return type(value).__name__
    return str(tuples(value))


def call(row):
    how = row.get("layout", row.get("input"))
    steps = [*how.get("steps", ()), (row["op"], row.get("args", {}))]
    start = ", ".join(f"{key} {tuples(how[key])}" for key in how if key not in ("build", "steps"))
    names = {"get": "", "slice": ""}
    return start + "".join(f"; {names.get(name, name + ' ')}" + ", ".join(
        f"{key} {words(value)}" if key not in ("names", "index") else words(value) for key, value in arguments.items())
        for name, arguments in steps)


def document():
    lines = ["# Where libsv differs from cuda.core", "",
             "Written by `tests/py/test_cases.py --document` from [these cases](../tests/cases/README.md).", "",
             f"Of {len(ROWS)} calls, {len(ROWS) - len(listed(NOT_YET))} can be made. "
             f"{len(listed(DIFFERENCES))} of them answer otherwise than in cuda.core 1.2.2, for these reasons."]
    for reason, numbers in DIFFERENCES.items():
        lines += ["", f"## {reason}", "", "| row | call | cuda.core | libsv | NumPy |", "|---|---|---|---|---|"]
        for number in numbers:
            row = ROWS[number]
            cells = call(row), words(row["expect"]), words(answer(row)), row.get("numpy", "")
            lines.append(f"| {number} | " + " | ".join(cells) + " |")
    lines += ["", "## Not to be asked yet", ""]
    lines += [f"* {what}: rows {words(rows)[1:-1]}" for what, rows in NOT_YET.items()]
    return "\n".join(lines) + "\n"


def test_document():
    """doc/layout_cases.md begins with what document() writes."""
    assert DOCUMENT.read_text().partition(NAMES)[0] == document()


if __name__ == "__main__":
    import sys
    if sys.argv[1:] == ["--document"]:
        _, mark, rest = DOCUMENT.read_text().partition(NAMES)
        DOCUMENT.write_text(document() + mark + rest)
        sys.exit()
    import tap
    tap.main(__file__)
