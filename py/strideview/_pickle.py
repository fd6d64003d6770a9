"""Pickling of views: shape, order of the axes, dtype, and the bytes without gaps, out of band from protocol 5 on."""

from __future__ import annotations

import pickle
from typing import Any

from . import StridedLayout, StridedMemoryView, _bytes, ffi, lib, view
from ._buffer_pickle import target
from ._core import _keep
from ._dtype import numpy


def _dtype(array: StridedMemoryView) -> tuple[str, Any]:
    """(a name for libsv, the dtype that opaque items have besides or None)."""
    dtype = array.dtype
    if lib.sv_view_dtype(ffi.cast("sv_view *", array.handle)) != lib.SV_OPAQUE:
        return getattr(dtype, "name", dtype), None
    return "opaque", None if isinstance(dtype, str) else dtype


def parts_of(array: StridedMemoryView) -> tuple[tuple[Any, ...], StridedMemoryView]:
    """(what view_of() needs beside the bytes, the bytes: where they lie, or packed if there are gaps between elements)."""
    layout = array.layout.to_dense("K")
    packed = array if array.layout.strides_in_bytes == layout.strides_in_bytes else array.copy("K")
    flat = packed.view(StridedLayout.parse(f"({packed.nbytes})*1+{packed.layout.slice_offset_in_bytes}"), "uint8")
    return (layout.shape, layout.strides_in_bytes, layout.itemsize, *_dtype(packed), array.readonly), flat


def view_of(flat: StridedMemoryView, shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, name: str, kept: Any,
            readonly: bool) -> StridedMemoryView:
    """The view that parts_of() told of. That can have been tampered with: all of it is checked as input from outside."""
    if not isinstance(name, str) or not (kept is None or numpy is not None and isinstance(kept, numpy.dtype)):
        raise ValueError(f"the pickle of a view names no dtype: {name!r}, {kept!r}")
    layout = StridedLayout.from_byte_strides(shape, strides, itemsize)
    made = view(flat, readonly=True if readonly else None).view(layout, name)
    return made if kept is None else _keep(made, kept)


def reduce(array: StridedMemoryView, protocol: int) -> tuple[Any, ...]:
    """array.__reduce_ex__(protocol)."""
    if not array.is_host_accessible:
        if array.device[0] != lib.SV_DEVICE_CUDA:
            raise TypeError("memory of this device cannot be pickled: only that of CUDA devices can be copied to the host")
        return rebuild_on_device, reduce(array.cpu(), protocol)[1][:-1] + (array.readonly,)
    told, flat = parts_of(array)
    memory: pickle.PickleBuffer | bytes | bytearray
    if protocol >= 5:
        memory = pickle.PickleBuffer(flat)
    else:
        memory = flat.tobytes() if array.readonly else bytearray(flat.tobytes())
    return rebuild, (memory, *told)


def rebuild(memory: Any, *told: Any) -> StridedMemoryView:
    """The view that reduce() told of, of the memory that came."""
    return view_of(_bytes.flat(memory), *told)


def rebuild_on_device(memory: Any, *told: Any) -> StridedMemoryView:
    """The same in fresh memory of a device, or where strideview.memory.loading() says."""
    made = rebuild(memory, *told).to(memory=target.get() or "device", copy=True, blocking=True)
    return view(made, readonly=True) if told[-1] else made
