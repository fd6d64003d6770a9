"""Functions under the names of NumPy for methods of views and layouts. Nothing is copied."""

from __future__ import annotations

import operator
from typing import Any

from . import StridedLayout, StridedMemoryView, view


def _described(x: Any) -> Any:
    return x if isinstance(x, (StridedLayout, StridedMemoryView)) else view(x)


def of_itemsize(layout: StridedLayout, itemsize: int) -> StridedLayout:
    """The same bytes as items of another size: the last axis has more of them or fewer, as NumPy's view() has it."""
    if not layout.ndim:
        raise ValueError(f"an item of {layout.itemsize} bytes is no array of items of {itemsize}: reshape(1) it first")
    *shape, extent = layout.shape
    *strides, stride = layout.strides_in_bytes
    if stride != layout.itemsize and extent != 1 and layout.size:
        raise ValueError(f"the last axis steps {stride} bytes, not one item of {layout.itemsize}: only a copy can have "
                         f"items of {itemsize} bytes")
    nbytes = extent * layout.itemsize
    if nbytes % itemsize or (itemsize < layout.itemsize and layout.itemsize % itemsize):
        raise ValueError(f"{extent} items of {layout.itemsize} bytes in the last axis are no items of {itemsize}")
    return StridedLayout.parse(f"{(*shape, nbytes // itemsize)}:{(*strides, itemsize)}b*{itemsize}"
                               f"{layout.slice_offset_in_bytes:+}")


def _axes(axis: Any) -> tuple[Any, ...]:
    return tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def as_strided(x: Any, shape: Any, strides: Any = None, *, strides_in_bytes: Any = None,
               offset: Any = 0) -> StridedMemoryView:
    """The memory of x under another shape and strides, which count elements as PyTorch's do; NumPy's count bytes.

    Element [0, ..., 0] lies offset elements after that of x. ValueError where an element would lie outside the memory
    that x is a view of.
    """
    x = view(x)
    if strides_in_bytes is None:
        layout = StridedLayout(shape, strides, x.itemsize)
    elif strides is None:
        layout = StridedLayout.from_byte_strides(shape, strides_in_bytes, x.itemsize)
    else:
        raise TypeError("strides= or strides_in_bytes=, not both")
    first = x.layout.slice_offset_in_bytes + operator.index(offset) * x.itemsize
    made: StridedMemoryView = x.view(
        StridedLayout.parse(f"{layout.shape}:{layout.strides_in_bytes}b*{x.itemsize}{first:+}"))
    return made


def broadcast_to(x: Any, shape: Any) -> Any:
    """x.broadcast_to(shape): repeat along new leading axes and axes of extent 1."""
    return _described(x).broadcast_to(shape)


def expand_dims(x: Any, axis: Any) -> Any:
    """x.unsqueeze(axis): insert axes of extent 1 at these places of the result."""
    return _described(x).unsqueeze(*_axes(axis))


def flip(x: Any, axis: Any = None) -> Any:
    """x.flip(axis): turn axes round, those given or all."""
    return _described(x).flip(*_axes(axis))


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """x.moveaxis(source, destination): move axes to other places; the rest keep their order."""
    return _described(x).moveaxis(source, destination)


def permute_dims(x: Any, axes: Any) -> Any:
    """x.permute(axes): axis i of the result is axis axes[i]."""
    return _described(x).permute(axes)


def reshape(x: Any, shape: Any) -> Any:
    """x.reshape(shape), which never copies: ValueError where only a copy could have that shape."""
    return _described(x).reshape(shape)


def squeeze(x: Any, axis: Any = None) -> Any:
    """x.squeeze(axis): drop axes of extent 1, those given or all."""
    return _described(x).squeeze(*_axes(axis))


def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """x.swapaxes(axis1, axis2): exchange two axes."""
    return _described(x).swapaxes(axis1, axis2)


def transpose(x: Any, axes: Any = None) -> Any:
    """x.transpose(axes): axis i of the result is axis axes[i]; without axes they are reversed."""
    return _described(x).transpose(axes)
