"""Fresh memory with values in it: zeros(), ones(), full() and what is like another array."""

from __future__ import annotations

from typing import Any

from . import StridedMemoryView, empty, empty_like, fill
from ._core import _zeros, _zeros_like


def _filled(view: StridedMemoryView, value: Any, stream: Any) -> StridedMemoryView:
    try:
        fill(view, value, stream)
    except (TypeError, ValueError):
        if stream is not None:
            raise
        view[...] = value  # which packs dates, texts and records
    return view


def _make(name: str, function: Any, shape: Any, dtype: Any, order: Any, **options: Any) -> StridedMemoryView:
    """What function makes; zeros(2, 3, 4) is told that the shape is one argument."""
    made: StridedMemoryView
    try:
        made = function(shape, dtype, order, **options)
    except TypeError:
        extents = tuple(extent for extent in (shape, dtype, order) if isinstance(extent, int))
        if len(extents) > 1:
            raise TypeError(f"the shape is one argument: {name}({extents})") from None
        raise
    return made


def zeros(shape: Any, dtype: Any = "float32", order: Any = "C", *, memory: Any = None, device: Any = None,
          alignment: Any = None, huge_pages: Any = None, stream: Any = None) -> StridedMemoryView:
    """A view of fresh memory full of zeros: of texts and records the bytes are zero. See empty()."""
    made = _make("zeros", _zeros, shape, dtype, order, memory=memory, device=device, alignment=alignment,
                 huge_pages=huge_pages, stream=stream)
    return _filled(made, 0, stream) if made.dtype == "float8_e8m0fnu" else made  # which has no zero


def ones(shape: Any, dtype: Any = "float32", order: Any = "C", *, memory: Any = None, device: Any = None,
         alignment: Any = None, huge_pages: Any = None, stream: Any = None) -> StridedMemoryView:
    """A view of fresh memory full of ones. See empty()."""
    made = _make("ones", empty, shape, dtype, order, memory=memory, device=device, alignment=alignment,
                 huge_pages=huge_pages, stream=stream)
    return _filled(made, 1, stream)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, memory: Any = None, device: Any = None,
         alignment: Any = None, huge_pages: Any = None, stream: Any = None) -> StridedMemoryView:
    """A view of fresh memory full of one value. See empty() and fill().

    Without a dtype it is that of the value, where it has one, else bool, int64, float32 or
    complex64.
    """
    if dtype is None:
        dtype = getattr(fill_value, "dtype", None)
    if dtype is None:
        for type_, name in ((bool, "bool"), (int, "int64"), (float, "float32"), (complex, "complex64")):
            if isinstance(fill_value, type_):
                dtype = name
                break
        else:
            raise TypeError(f"a dtype is needed for a {type(fill_value).__name__}")
    made = empty(shape, dtype, order, memory=memory, device=device, alignment=alignment,
                 stream=stream, huge_pages=huge_pages)
    return _filled(made, fill_value, stream)


def zeros_like(x: Any, dtype: Any = None, *, order: Any = "K", shape: Any = None, memory: Any = None,
               device: Any = None, alignment: Any = None, huge_pages: Any = None,
               stream: Any = None) -> StridedMemoryView:
    """A view of fresh memory like x, full of zeros: of records the bytes are zero. See empty_like()."""
    made: StridedMemoryView = _zeros_like(x, dtype, order=order, shape=shape, memory=memory, device=device,
                                          alignment=alignment,
                                          stream=stream, huge_pages=huge_pages)
    return made


def ones_like(x: Any, dtype: Any = None, *, order: Any = "K", shape: Any = None, memory: Any = None,
              device: Any = None, alignment: Any = None, huge_pages: Any = None,
              stream: Any = None) -> StridedMemoryView:
    """A view of fresh memory like x, full of ones. See empty_like()."""
    made = empty_like(x, dtype, order=order, shape=shape, memory=memory, device=device, alignment=alignment,
                      stream=stream, huge_pages=huge_pages)
    return _filled(made, 1, stream)


def full_like(x: Any, fill_value: Any, dtype: Any = None, *, order: Any = "K", shape: Any = None, memory: Any = None,
              device: Any = None, alignment: Any = None, huge_pages: Any = None,
              stream: Any = None) -> StridedMemoryView:
    """A view of fresh memory like x, full of one value. See empty_like() and fill()."""
    made = empty_like(x, dtype, order=order, shape=shape, memory=memory, device=device, alignment=alignment,
                      stream=stream, huge_pages=huge_pages)
    if stream is None:
        made[...] = fill_value
        return made
    return _filled(made, fill_value, stream)
