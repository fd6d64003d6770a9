"""Numbers in the other byte order: of FITS, netCDF and network formats, NumPy's ">f8".

To libsv they are opaque items, and their views have the dtype that tells the order. A copy between them and numbers of
this machine swaps bytes; C code asks here where a copy or a fill would refuse them.
"""

from __future__ import annotations

from typing import Any

from . import StridedMemoryView, copy, empty, ffi, fill, lib, view
from ._dtype import numpy
from ._items import identity
from ._native import native


def _is_opaque(x: StridedMemoryView) -> bool:
    return bool(lib.sv_view_dtype(ffi.cast("sv_view *", x.handle)) == lib.SV_OPAQUE)


def _name(x: StridedMemoryView) -> tuple[str | None, bool]:
    """The numbers of a view by their name in this order, and whether they are in the other one."""
    dtype = x.dtype
    if not _is_opaque(x):
        return getattr(dtype, "name", dtype), False
    if dtype == "opaque" and numpy is None and x.exporting_obj is not None:
        dtype = identity(x.exporting_obj, x.itemsize)
    name = native(dtype)
    return name, name is not None


def numbers(x: StridedMemoryView) -> StridedMemoryView:
    """The same memory as numbers of this machine's order, whose bytes are to be swapped."""
    return x.view(dtype=_name(x)[0])


def copy_swapped(dst: StridedMemoryView, src: StridedMemoryView, options: dict[str, Any]) -> bool:
    """copy(dst, src, **options) where one of them holds numbers in the other byte order. Whether it was that, and is done."""
    (to, dst_other), (from_, src_other) = _name(dst), _name(src)
    is_scaled = options.get("scale") is not None or options.get("bias") is not None
    if to is None or from_ is None or not (dst_other or src_other):
        return False
    if not dst_other:
        copy(dst, numbers(src), **{**options, "byteswap": True})
    elif to == from_ and not is_scaled:
        if src_other:
            return False
        copy(numbers(dst), src, **{**options, "byteswap": True})
    else:  # what is converted has this machine's order first
        between = empty(dst.shape if is_scaled else src.shape, to)
        copy(between, src, **options)
        rest = {name: option for name, option in options.items() if name in ("stream", "blocking", "executor", "threads")}
        copy(numbers(dst), between, byteswap=True, **rest)
    return True


def fill_swapped(dst: StridedMemoryView, value: Any, stream: Any) -> bool:
    """fill(dst, value, stream) of numbers in the other byte order. Whether it was that, and is done."""
    name, is_other = _name(dst)
    if not is_other:
        return False
    number = empty((), name)
    fill(number, value)
    copy(numbers(dst), number, stream, byteswap=True)
    return True


def read(x: Any, stream: Any = None) -> StridedMemoryView | None:
    """A copy of numbers in the other byte order that has this machine's, or None where they are something else."""
    source = view(x, stream)
    name, is_other = _name(source)
    if not is_other:
        return None
    made = empty(source.shape, name)
    copy(made, numbers(source), byteswap=True)
    return made


def pair(dst: Any, src: Any, byteswap: bool) -> tuple[Any, Any, bool]:
    """The two sides of a copy that swaps in one pass, as numbers, and whether it swaps; else as they were."""
    target, source = view(dst), view(src)
    (to, dst_other), (from_, src_other) = _name(target), _name(source)
    if src_other and to is not None and not dst_other:
        return target, numbers(source), True
    if dst_other and to == from_ and not src_other:
        return numbers(target), source, True
    return dst, src, byteswap
