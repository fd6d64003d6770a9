"""Arrays under the names of NumPy: asarray(), array(), ascontiguousarray(), asfortranarray(), frombuffer()."""

from __future__ import annotations

import operator
from typing import Any

from . import CopyError, StridedMemoryView, copy as copy_elements, empty, empty_like, view
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


def frombuffer(buffer: Any, dtype: Any, count: Any = -1, offset: Any = 0) -> StridedMemoryView:
    """A view with one axis of count items, or all, from byte offset on, of the memory that an object lends or describes.

    buffer is a Buffer, also of a device, an object with handle and size as cuda.core's Buffer, or one with the buffer
    protocol: bytes, mmap, ... See StridedMemoryView.from_buffer() for other shapes.
    """
    count, offset = operator.index(count), operator.index(offset)
    itemsize = empty(0, dtype).itemsize
    if count < 0:
        described = hasattr(buffer, "handle") and hasattr(buffer, "size") and not isinstance(buffer, StridedMemoryView)
        nbytes = (buffer.size if described else memoryview(buffer).nbytes) - offset
        if nbytes % itemsize:
            raise ValueError(f"{nbytes} bytes from {offset} on are no items of {itemsize}")
        count = nbytes // itemsize
    return StridedMemoryView.from_buffer(buffer, max(count, 0), dtype=dtype, offset=offset)
