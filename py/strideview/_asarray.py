"""Arrays under the names of NumPy: asarray(), array(), ascontiguousarray(), asfortranarray(), frombuffer()."""

from __future__ import annotations

from typing import Any

from . import CopyError, StridedMemoryView, copy as copy_elements, empty_like, view
from ._arguments import device_number

CUDA = 2  # DLPack's number


def _is_there(x: StridedMemoryView, device: Any) -> bool:
    number = device_number(device)
    return x.is_host_accessible if number < 0 else x.device == (CUDA, number)


def _is_in_order(x: StridedMemoryView, order: Any) -> bool:
    if order in (None, "K", "A"):
        return True
    return x.is_contiguous_c if order == "C" else x.is_contiguous_f if order == "F" else False


def _is_of(x: StridedMemoryView, dtype: Any) -> bool:
    return dtype is None or bool(empty_like(x, dtype, shape=0, memory="host").dtype == x.dtype)


def asarray(a: Any, dtype: Any = None, order: Any = None, *, device: Any = None,
            copy: bool | None = None) -> StridedMemoryView:
    """A view of a, or where dtype, order or device ask for another array a copy.

    a is anything view() takes. dtype: converts as astype() does. order: 'C' or 'F' asks for elements without gaps in
    this order, 'K' for none. device: 'cpu', 'cuda:1' or a number. copy: True copies in any case; with False CopyError
    says that only a copy would do.
    """
    x = view(a)
    there = device is None or _is_there(x, device)
    if there and not copy and _is_in_order(x, order) and _is_of(x, dtype):
        return x
    if copy is not None and not copy:
        raise CopyError("only a copy has this dtype, order or device, and copy=False forbids it")
    order = "K" if order in (None, "A") else order
    if there:
        return x.copy(order) if dtype is None else x.astype(dtype, order=order)
    made = empty_like(x, dtype, order=order, device=device)
    copy_elements(made, x, casting="unsafe", blocking=True)
    return made


def array(a: Any, dtype: Any = None, *, copy: bool | None = True, order: Any = "K",
          device: Any = None) -> StridedMemoryView:
    """A copy of a; with copy=None only where one is needed. See asarray()."""
    return asarray(a, dtype, order, device=device, copy=copy)


def ascontiguousarray(a: Any, dtype: Any = None) -> StridedMemoryView:
    """asarray(a, dtype, 'C'), with one axis where a has none."""
    made = asarray(a, dtype, "C")
    return made if made.ndim else made.reshape(1)


def asfortranarray(a: Any, dtype: Any = None) -> StridedMemoryView:
    """asarray(a, dtype, 'F'), with one axis where a has none."""
    made = asarray(a, dtype, "F")
    return made if made.ndim else made.reshape(1)
