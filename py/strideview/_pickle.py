"""Pickling of views: shape, order of the axes, dtype, and the bytes without gaps, out of band from protocol 5 on."""

from __future__ import annotations

import pickle
from typing import Any

from . import StridedLayout, StridedMemoryView, ffi, lib
from ._core import _keep
from ._dtype import numpy


def _dtype(view: StridedMemoryView) -> tuple[str, Any]:
    """(a name for libsv, the dtype that opaque items have besides or None)."""
    dtype = view.dtype
    if lib.sv_view_dtype(ffi.cast("sv_view *", view.handle)) != lib.SV_OPAQUE:
        return getattr(dtype, "name", dtype), None
    return "opaque", None if isinstance(dtype, str) else dtype


def reduce(view: StridedMemoryView, protocol: int) -> tuple[Any, ...]:
    """view.__reduce_ex__(protocol)."""
    if not view.is_host_accessible:
        raise TypeError("memory of a device cannot be pickled: copy it to the host, with sv.copy(host, view) or "
                        "view.copy_to(host), where host may be sv.empty_like(view, memory=\"host\")")
    layout = view.layout.to_dense("K")
    if view.layout.strides_in_bytes != layout.strides_in_bytes:
        readonly, view = view.readonly, view.copy("K")
    else:
        readonly = view.readonly
    flat = view.view(StridedLayout.parse(f"({view.nbytes})*1+{view.layout.slice_offset_in_bytes}"), "uint8")
    memory: pickle.PickleBuffer | bytes | bytearray
    if protocol >= 5:
        memory = pickle.PickleBuffer(flat)
    else:
        memory = flat.tobytes() if readonly else bytearray(flat.tobytes())
    return rebuild, (memory, layout.shape, layout.strides_in_bytes, layout.itemsize, *_dtype(view), readonly)


def rebuild(memory: Any, shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, name: str, kept: Any,
            readonly: bool) -> StridedMemoryView:
    """The view that reduce() told of. A pickle can have been tampered with: all of it is checked as input from outside."""
    if not isinstance(name, str) or not (kept is None or numpy is not None and isinstance(kept, numpy.dtype)):
        raise ValueError(f"the pickle of a view names no dtype: {name!r}, {kept!r}")
    layout = StridedLayout.from_byte_strides(shape, strides, itemsize)
    flat = StridedMemoryView.from_buffer(memory, (layout.nbytes,), dtype="uint8", is_readonly=readonly)
    view = flat.view(layout, name)
    return view if kept is None else _keep(view, kept)
