"""What to type for objects that cannot be viewed, one sentence each.

People pass these first: numbers, lists, names of files, columns of texts. C code asks where all protocols failed.
"""

from __future__ import annotations

import os
from typing import Any

from ._dtype import numpy

# Methods that give an array, of frames of video, sparse matrices and tables.
_CONVERTERS = ("to_ndarray", "to_numpy", "toarray", "asnumpy", "numpy")


def typed(x: Any) -> str:
    """The name of the type, with its module where it is none of Python's own."""
    kind = type(x)
    module = kind.__module__.partition(".")[0]
    return kind.__name__ if module in ("builtins", "__main__") else f"{module}.{kind.__name__}"


def without_protocol(x: Any) -> str:
    """The text for an object that has none of the protocols."""
    return _of_values(x) or _of_files(x) or (
        f"{typed(x)} has no __dlpack__(), no array interface and no buffer, so its memory cannot be viewed{_hint(x)}")


def _of_values(x: Any) -> str | None:
    """Of None, numbers and classes."""
    if x is None:
        return "None is no array: what works in place, such as sv.copy() and list.sort(), returns None"
    if isinstance(x, (bool, int, float, complex)):
        return (f"{type(x).__name__} has no memory to view: np.asarray({x!r}) makes an array of it, sv.fill(dst, {x!r}) and "
                f"dst[...] = {x!r} write it to every element")
    if isinstance(x, type):
        return f"{x.__name__} is a class and no array: pass an object of it"
    return None


def _of_files(x: Any) -> str | None:
    """Of names of files, and of files that are open."""
    if isinstance(x, (str, os.PathLike)):
        name = os.fspath(x)
        if isinstance(name, str) and name.endswith(".npy"):
            return f"{typed(x)} is no array: np.load({name!r}, mmap_mode='r') is the array of the file"
        if isinstance(x, os.PathLike):
            return f"{typed(x)} is no array: np.memmap({name!r}, dtype) has the bytes of the file"
        return "str is no array: np.memmap(name, dtype) has the bytes of a file, text.encode() those of a text"
    if hasattr(type(x), "fileno") and hasattr(type(x), "read"):
        return (f"{typed(x)} is a file and no array: view mmap.mmap(x.fileno(), 0, access=mmap.ACCESS_READ), "
                "or x.read()")
    return None


def _hint(x: Any) -> str:
    kind = type(x)
    for name in _CONVERTERS:
        if callable(getattr(kind, name, None)):
            return f"; try x.{name}()"
    if isinstance(x, dict):
        return "; try np.asarray(list(x.values()))"
    if hasattr(kind, "__next__") or isinstance(x, (set, frozenset)):
        return "; try np.fromiter(x, dtype)"
    if hasattr(kind, "__array__") or hasattr(kind, "__getitem__") and hasattr(kind, "__len__") or _is_numeric(kind):
        return "; try np.asarray(x)"
    return ""


def _is_numeric(kind: type) -> bool:
    return hasattr(kind, "__float__") or hasattr(kind, "__index__") or hasattr(kind, "__complex__")


def of_elements(x: Any, name: str | None = None) -> str | None:
    """The text for an array whose elements are objects of Python or texts of any length, and what gives plain ones.

    None where its dtype tells of no such elements. name: what the array is called.
    """
    if isinstance(x, type):
        return _of_values(x)
    try:
        dtype = x.dtype
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return None
    found = _plain(x, dtype)
    return None if found is None else f"{name or typed(x)} {found}"


def _plain(x: Any, dtype: Any) -> str | None:
    is_series = hasattr(type(x), "dt") and hasattr(type(x), "cat")
    if numpy is not None and isinstance(dtype, numpy.dtype):
        if dtype.char == "T":
            return "holds texts of any length: pass np.array(x.tolist(), 'U'), whose items have one size"
        if not dtype.hasobject:
            return None
        if dtype.names is not None:
            return "holds Python objects in a field, which cannot be moved as bytes: pass the other fields"
        call = "x.to_numpy" if is_series else "x.astype"
        return (f"holds Python objects (dtype object), which cannot be moved as bytes: pass {call}('float64') of numbers, "
                f"{call}('U') of texts")
    if type(dtype).__module__.partition(".")[0] != "pandas":
        return None
    text = f"holds {dtype}, which is no plain memory:"
    if hasattr(dtype, "categories"):
        return f"{text} pass x{'.cat' if is_series else ''}.codes, the number of each category"
    if getattr(dtype, "tz", None) is not None:
        return f"{text} pass x{'.dt' if is_series else ''}.tz_convert(None), the dates in UTC"
    if type(dtype).__name__ == "SparseDtype":
        return f"{text} pass x.sparse.to_dense()"
    kind = getattr(dtype, "kind", "O")
    if kind in "iuf":
        return f"{text} pass x.to_numpy('float64', na_value=np.nan)"
    if kind == "b":
        return f"{text} pass x.to_numpy('bool', na_value=False)"
    if type(dtype).__name__ == "PeriodDtype":
        return f"{text} pass x{'.dt' if is_series else ''}.to_timestamp()"
    if type(dtype).__name__ == "IntervalDtype":
        return f"{text} pass x{'.array' if is_series else ''}.left and x{'.array' if is_series else ''}.right"
    return f"{text} pass x.to_numpy('U')"


def of_factor(name: str, x: Any) -> str | None:
    """The text for scale= or bias= of several axes, as NumPy would broadcast it; None for what is no array."""
    shape = getattr(x, "shape", ())
    if not isinstance(shape, tuple) or len(shape) < 2:
        return None
    along = [axis - len(shape) for axis, extent in enumerate(shape) if extent != 1]
    if len(along) > 1:
        return f"{name} has shape {shape}: it is a number, or one for each index of one axis of dst"
    return f"{name} has shape {shape}: pass {name}=x.ravel(), axis={along[0] if along else -1}"


def of_view(second: Any) -> str | None:
    """The text for a shape or a dtype in the place of view()'s stream; None for anything else."""
    if isinstance(second, (tuple, list)):
        return (f"view() takes no shape: sv.view(x).reshape({tuple(second)!r}), or "
                f"sv.StridedMemoryView.from_buffer(x, {tuple(second)!r}, dtype=...)")
    if isinstance(second, (str, type)) or numpy is not None and isinstance(second, numpy.dtype):
        name = second.__name__ if isinstance(second, type) else str(second)
        return (f"view() takes no dtype: sv.view(x).view(dtype={name!r}) for elements of the same size, or "
                f"sv.StridedMemoryView.from_buffer(x, shape, dtype={name!r})")
    return None
