"""Element types as Python programs name them. NumPy is asked when it is there, never needed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import StridedMemoryView

numpy: Any
try:
    numpy = importlib.import_module("numpy")
except ImportError:
    numpy = None

# Types of which NumPy's array interface says too little or something else.
_OWN_NAMES = {"complex32", "float128"}

# What else NumPy calls its types on 64-bit Linux.
_ALIASES = {
    alias: name
    for name, aliases in {
        "bool": "? b1 bool_", "int8": "b i1 byte", "int16": "h i2 short", "int32": "i i4 intc",
        "int64": "l q n p i8 int int_ long longlong intp", "uint8": "B u1 ubyte", "uint16": "H u2 ushort",
        "uint32": "I u4 uintc", "uint64": "L Q N P u8 uint ulong ulonglong uintp", "float16": "e f2 half",
        "float32": "f f4 single", "float64": "d f8 double float", "complex64": "F c8 csingle",
        "complex128": "D c16 cdouble complex",
    }.items()
    for alias in aliases.split()
} | {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def _by_ml_dtypes(name: str) -> Any:
    try:
        ml_dtypes = importlib.import_module("ml_dtypes")
    except ImportError:
        return None
    scalar = getattr(ml_dtypes, name, None)
    return None if scalar is None else numpy.dtype(scalar)


def public(name: str, typestr: str | None) -> Any:
    """The value of .dtype: a numpy.dtype where there is one, else the name."""
    if numpy is None or not typestr or name in _OWN_NAMES:
        return name
    if typestr[1] != "V":
        return numpy.dtype(typestr)
    return _by_ml_dtypes(name) or name


def text(dtype: Any) -> str:
    """A name or a type string for anything that Python, NumPy or PyTorch calls a dtype."""
    if isinstance(dtype, (str, type)) and dtype in _ALIASES:
        return _ALIASES[dtype]
    if dtype is None:
        raise TypeError("None is no dtype")
    if isinstance(dtype, (int, float, tuple)) and (not isinstance(dtype, tuple) or all(isinstance(n, int) for n in dtype)):
        raise TypeError(f"{dtype!r} is no dtype: a shape is one argument, such as (2, 3)")
    if isinstance(dtype, str) and numpy is None:
        return dtype
    if type(dtype).__module__ == "torch":
        return str(dtype).removeprefix("torch.").replace("_x2", "x2")  # lanes are written float32x4
    if numpy is None:
        raise TypeError(f"without NumPy a dtype is its name, bool, int, float or complex, not {dtype!r}")
    found = numpy.dtype(dtype)
    if found.type.__module__ != "numpy":  # its type string says too little
        return str(found.name)
    return str(found.str)


def array(view: StridedMemoryView, dtype: Any = None, copy: bool | None = None) -> Any:
    """view.__array__(): for types that other packages add to NumPy and that the buffer protocol does not have."""
    if numpy is None or not isinstance(view.dtype, numpy.dtype):
        raise TypeError(f"NumPy has no dtype {view.dtype}")
    bits = numpy.asarray(memoryview(view.view(dtype=f"uint{8 * view.itemsize}")))
    found = bits.view(view.dtype)
    return found if dtype is None and not copy else numpy.array(found, dtype=dtype, copy=copy)
