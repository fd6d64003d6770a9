"""Programs for cuda.core's StridedLayout and StridedMemoryView work here: names, keywords and exceptions, side by side.

python test_cuda_core.py --document writes the last part of doc/layout_cases.md, the same for readers.
"""

import inspect
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from peers import need
from test_cases import NAMES

DOCUMENT = Path(__file__).resolve().parents[2] / "doc" / "layout_cases.md"
OURS = {"StridedLayout": sv.StridedLayout, "StridedMemoryView": sv.StridedMemoryView}

NOT_HERE = {"StridedMemoryView.as_tensor_map": "descriptors of the tensor memory accelerator are not made here"}

# The fields of their repr of a view, which are attributes.
REPR_FIELDS = ["ptr", "shape", "strides", "itemsize", "dtype", "device_id", "is_device_accessible", "readonly",
               "exporting_obj"]

# Calls that one of the two refuses. L and V are the types, D a dense layout (2, 3, 4) of 8 bytes, a a NumPy array and v
# a view of it, CUDA and HOST the array interfaces of nothing, with changes.
CALLS = [
    "L((2, 3), None, 0)", "L((2, -3), None, 4)", "L((2, 3), (1,), 4)", "L((2, 3), (3, 1), 4, divide_strides=True)",
    "L((1,) * 65, None, 4)", "L([2, 3], None, 4)", "L((2.5,), None, 4)", "L.dense((2, 3), 4, 'X')",
    "L.dense((2, 3), 4, (0, 0))", "L.dense((2**40, 2**40), 1)", "L.dense_like(3)", "D.to_dense('X')",
    "D.permuted((0, 0, 1))", "D.permuted((0, 1))", "D.permuted((0, 1, 3))", "D.permuted(3)", "D.reshaped((5, 5))",
    "D.reshaped((-1, -1))", "D.permuted((2, 1, 0)).reshaped((24,))", "D.reshaped(24)", "D.flattened(3)",
    "D.unsqueezed((0, 0))", "D.unsqueezed(9)", "D.unsqueezed('a')", "D.broadcast_to((2, 3))", "D.broadcast_to((2, 3, 5))",
    "D.repacked(0)", "D.repacked(3)", "D.repacked(16, data_ptr=1)", "D.repacked(16, axis=7)",
    "D.max_compatible_itemsize(0)", "D.max_compatible_itemsize(axis=9)", "D[5]", "D[0, 0, 0, 0]", "D[::0]", "D['a']",
    "D[None]", "D[...]", "D.sliced(5)", "L((3,), (-1,), 4).required_size_in_bytes()", "hash(D)", "D < D",
    "V(3, -1)", "V(a)", "V.from_any_interface(3, -1)", "V.from_any_interface(a)", "V.from_dlpack(3, -1)",
    "V.from_dlpack(a, 'x')", "V.from_dlpack(np.zeros(3, 'M8[s]'), -1)", "V.from_dlpack(np.zeros(3, '>f4'), -1)",
    "V.from_dlpack(np.zeros(3, object), -1)", "V.from_array_interface(3)", "V.from_array_interface(HOST(version=2))",
    "V.from_array_interface(HOST(mask=1))", "V.from_cuda_array_interface(3, -1)",
    "V.from_cuda_array_interface(CUDA(version=2), -1)", "V.from_cuda_array_interface(CUDA(mask=1), -1)",
    "V.from_cuda_array_interface(CUDA(strides=(5, 4)), -1)", "V.from_buffer(3, (2,), dtype=np.dtype('f4'))",
    "V.from_buffer(b'12345678', (2,), dtype=np.dtype('f4'))", "v.view(3)", "v.view(dtype=3)", "v.copy_from(v, None)",
    "v.copy_to(v, None)", "v.__dlpack__(dl_device=(2, 0))", "v.__dlpack__(copy=True)", "v.__dlpack__(max_version=3)",
    "v.__dlpack__(stream='x')",
]

# Where strideview raises what is no subclass of what cuda.core raises, or raises where cuda.core does not.
OTHERWISE = {
    "L((2.5,), None, 4)": "a float is no extent",
    "D.permuted(3)": "an int is a sequence of one axis, which is too short",
    "D.repacked(3)": "neither item size divides the other",
    "V.from_dlpack(3, -1)": "cuda.core documents no exception; ProtocolError is a TypeError and a BufferError",
    "V.from_array_interface(3)": "the same",
    "V.from_cuda_array_interface(3, -1)": "the same",
    "V.from_buffer(3, (2,), dtype=np.dtype('f4'))": "the same",
}


def theirs():
    """The types of cuda.core by our names, and its version."""
    core, utils, layout = need("cuda.core"), need("cuda.core.utils"), need("cuda.core._layout")
    return {"StridedLayout": layout._StridedLayout, "StridedMemoryView": utils.StridedMemoryView}, core.__version__


# --- names and keywords --------------------------------------------------------

def names_of(type_):
    return sorted(name for name in dir(type_) if not name.startswith("_") or name in ("_layout", "__dlpack__"))


def parameters_of(method):
    found = [p for p in inspect.signature(method).parameters.values() if p.name != "self"]
    return [(p.name, p.kind, p.default) for p in found]


def accepts(ours, theirs):
    """Whether every call of theirs, by place or by name, is one of ours: the same names in the same places."""
    for place, (name, kind, default) in enumerate(theirs):
        found = [(i, p) for i, p in enumerate(ours) if p[0] == name]
        if not found:
            return False
        i, (_, our_kind, our_default) = found[0]
        by_place = kind is not inspect.Parameter.KEYWORD_ONLY
        if (by_place and (i != place or our_kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD)) or (
                default is not inspect.Parameter.empty and our_default != default):
            return False
    needed = [p for p in ours if p[2] is inspect.Parameter.empty and p[1] is not inspect.Parameter.VAR_POSITIONAL]
    return {p[0] for p in needed} <= {p[0] for p in theirs}


def written(parameters):
    """As Python has it: (shape, *more)."""
    plain = [inspect.Parameter(name, kind, default=default) for name, kind, default in parameters]
    return str(inspect.Signature(plain))


def table_of_names():
    """(name, theirs, ours, whether ours takes what theirs takes or why there is none)."""
    for type_name, their_type in theirs()[0].items():
        for name in names_of(their_type):
            full, their_member, our_type = f"{type_name}.{name}", getattr(their_type, name), OURS[type_name]
            if full in NOT_HERE:
                yield full, "", "-", NOT_HERE[full]
            elif not callable(their_member):
                yield full, "attribute", "attribute" if hasattr(our_type, name) else "-", hasattr(our_type, name)
            else:
                mine, other = parameters_of(getattr(our_type, name)), parameters_of(their_member)
                yield full, written(other), written(mine), accepts(mine, other)


def test_names_and_keywords():
    wrong = [row for row in table_of_names() if row[3] is False]
    assert wrong == []


def test_constructors():
    """Of which cuda.core has no signature."""
    L, V = OURS["StridedLayout"], OURS["StridedMemoryView"]
    assert L(shape=(2, 3), strides=(24, 8), itemsize=8, divide_strides=True) == L((2, 3), (3, 1), 8)
    array = np.zeros(3)
    assert V(obj=array, stream_ptr=-1).ptr == V(array, -1).ptr == array.ctypes.data
    for type_, names in zip(theirs()[0].values(), (["shape", "strides", "itemsize", "divide_strides"],
                                                   ["obj", "stream_ptr"]), strict=True):
        told = type_.__doc__.strip().partition("\n")[0]
        assert [name for name in re.findall(r"(\w+):", told)] == names


def test_fields_of_the_repr():
    array = np.zeros((2, 3))
    told = repr(theirs()[0]["StridedMemoryView"].from_dlpack(array, -1))
    assert re.findall(r"(\w+)=", told) == REPR_FIELDS
    view = sv.view(array)
    assert all(hasattr(view, name) for name in REPR_FIELDS)
    assert [name for name in REPR_FIELDS if f"{name}=" in repr(view)] == ["shape", "strides", "dtype"]


# --- exceptions ----------------------------------------------------------------

def interface(name, **changes):
    told = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "version": 3, **changes}
    return type("Array", (), {name: told})()


def answer(call, types):
    """The class of the exception, None for none."""
    layout, view, array = types["StridedLayout"], types["StridedMemoryView"], np.zeros((2, 3))
    names = {"L": layout, "V": view, "D": layout.dense((2, 3, 4), 8), "a": array, "v": view.from_dlpack(array, -1),
             "np": np, "CUDA": lambda **changes: interface("__cuda_array_interface__", **changes),
             "HOST": lambda **changes: interface("__array_interface__", **changes)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(call, names)
        except Exception as error:
            return type(error)
    return None


def table_of_exceptions():
    types, _ = theirs()
    return [(call, answer(call, types), answer(call, OURS)) for call in CALLS]


def test_exceptions():
    """An except clause for cuda.core's exception catches ours, or there is none, or it is listed above."""
    wrong = [(call, their, our) for call, their, our in table_of_exceptions()
             if (our is None or (their is not None and issubclass(our, their))) == (call in OTHERWISE)]
    assert wrong == []


def test_protocol_error():
    for call in (lambda: sv.view(3), lambda: sv.StridedMemoryView.from_dlpack(3),
                 lambda: sv.StridedMemoryView.from_array_interface(3), lambda: sv.copy(np.zeros(3), object()),
                 lambda: sv.StridedMemoryView.from_cuda_array_interface(3),
                 lambda: sv.StridedMemoryView.from_buffer(3, (1,), dtype="int8")):
        with pytest.raises(sv.ProtocolError) as caught:
            call()
        assert isinstance(caught.value, TypeError) and isinstance(caught.value, BufferError)


# --- for readers ---------------------------------------------------------------

def word(exception):
    return "-" if exception is None else exception.__name__


def bases(exception):
    """The built-in classes behind one of ours."""
    if exception is None or exception.__module__ == "builtins":
        return word(exception)
    return f"{word(exception)} ({', '.join(base.__name__ for base in exception.__bases__)})"


def document():
    _, version = theirs()
    lines = [NAMES.strip(), "",
             f"Written by `tests/py/test_cuda_core.py --document`, with cuda.core {version}. What is called there by these "
             "names,", "places and keywords is called so here; strideview's own parameters come after theirs. "
             "`StridedLayout` is what cuda.core", "calls `_StridedLayout`. Strides are always a tuple, "
             "`stream_ptr=None` is the default stream, and copies work.", "",
             "| name | cuda.core | strideview | taken |", "|---|---|---|---|"]
    for name, their, our, taken in table_of_names():
        lines.append(f"| `{name}` | {their and f'`{their}`'} | `{our}` | {'yes' if taken is True else taken} |")
    lines += ["", "Their `repr` of a view names " + ", ".join(f"`{name}`" for name in REPR_FIELDS) + ".",
              "These are attributes here; our `repr` is one line with shape, strides, dtype and device.", "",
              "Exceptions, of calls that one of the two refuses (`-`: it does not). `D` is a dense layout of shape "
              "(2, 3, 4) and 8", "bytes, `a` an array of NumPy's, `v` a view of it, `HOST` and `CUDA` are objects "
              "with an array interface.", "",
              "| call | cuda.core | strideview | why otherwise |", "|---|---|---|---|"]
    for call, their, our in table_of_exceptions():
        lines.append(f"| `{call}` | {word(their)} | {bases(our)} | {OTHERWISE.get(call, '')} |")
    return "\n".join(lines) + "\n"


def test_document():
    """The last part of doc/layout_cases.md is what document() writes, with the version that it names."""
    text = NAMES + DOCUMENT.read_text().partition(NAMES)[2]
    if f"with cuda.core {theirs()[1]}." not in text:
        pytest.skip("the document is of another version of cuda.core")
    assert text.lstrip("\n") == document()


if __name__ == "__main__":
    import sys
    if sys.argv[1:] == ["--document"]:
        DOCUMENT.write_text(DOCUMENT.read_text().partition(NAMES)[0] + "\n" + document())
        sys.exit()
    import tap
    tap.main(__file__)
