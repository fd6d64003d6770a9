"""Objects that have nothing but __array__(): Series, Index and DataFrame of pandas, DataArray of xarray, and their like.

Their elements are viewed only where the array that they give is their memory. __array__(copy=False) is to raise where
it is not, but some libraries copy all the same, so they are asked twice: two copies that both live lie apart.
"""

from __future__ import annotations

from typing import Any

from . import CopyError
from ._advice import of_elements, typed
from ._dtype import numpy


def array(x: Any, may_copy: bool) -> Any:
    """The numpy.ndarray of an object; None where NumPy is not there."""
    if numpy is None:
        return None
    found = _converted(x) if may_copy else _memory(x)
    refusal = of_elements(found, typed(x))
    if refusal is not None:
        raise BufferError(of_elements(x) or refusal)
    return found


def _converted(x: Any) -> Any:
    return _checked(x, x.__array__())


def _memory(x: Any) -> Any:
    try:
        found = _asked(x)
        is_memory = found.size == 0 or numpy.may_share_memory(found, _asked(x))
    except (MemoryError, RecursionError, TypeError):
        raise
    except Exception as error:
        raise _refused(x) from error
    if not is_memory:
        raise _refused(x)
    return found


def _asked(x: Any) -> Any:
    try:
        return _checked(x, x.__array__(copy=False))
    except TypeError:
        return _checked(x, x.__array__())  # as it was before NumPy 2


def _checked(x: Any, found: Any) -> Any:
    if not isinstance(found, numpy.ndarray):
        raise TypeError(f"__array__() of {type(x).__name__} returned {type(found).__name__}, not an ndarray")
    return found


def _refused(x: Any) -> Exception:
    reason = of_elements(x)
    if reason is not None:
        return BufferError(reason)
    if hasattr(type(x), "columns") and hasattr(type(x), "dtypes"):
        return CopyError(f"{typed(x)} has columns apart in memory, or of several dtypes: view one, x['name'], or the copy "
                         "that x.to_numpy('float64') is")
    if isinstance(getattr(x, "chunks", None), list):
        return CopyError(f"{typed(x)} gives its elements by a copy only: view np.asarray(x), which is one; "
                         "sv.copy_batch(dst, x) copies chunk by chunk")
    return CopyError(f"{typed(x)} gives its elements by a copy only: view np.asarray(x), which is one; "
                     "sv.copy(dst, x) and dst[...] = x convert it themselves")
