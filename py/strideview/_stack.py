"""stack() and concatenate(): several arrays beside each other in one."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from . import BoundsError, StridedMemoryView, empty_like, view
from ._core import _copy_stack


def views_of(arrays: Iterable[Any]) -> list[StridedMemoryView]:
    """Views of one array or more."""
    views = [view(array) for array in arrays]
    if not views:
        raise ValueError("one array or more is needed")
    return views


def check_shapes(views: Sequence[StridedMemoryView], axis: int | None = None) -> None:
    """That the shapes are equal, but along an axis if one is given."""
    def others(x: StridedMemoryView) -> tuple[int, ...]:
        return x.shape if axis is None else (*x.shape[:axis], 0, *x.shape[axis + 1:])

    for place, x in enumerate(views):
        if x.ndim != views[0].ndim or others(x) != others(views[0]):
            but = "" if axis is None else f" but along axis {axis}"
            raise ValueError(f"array {place} has shape {x.shape}, the first {views[0].shape}: they must be equal{but}")


def new_for(views: Sequence[StridedMemoryView], shape: tuple[int, ...], dtype: Any) -> StridedMemoryView:
    """Fresh memory for all of them, beside the first."""
    first = views[0]
    if dtype is None:
        for place, x in enumerate(views):
            if x.dtype != first.dtype:
                raise TypeError(f"array {place} has dtype {x.dtype}, the first {first.dtype}: say which they become by "
                                "dtype= or out=")
    return empty_like(first, dtype, order="C", shape=shape)


def _axis_of(axis: Any, ndim: int) -> int:
    place = operator.index(axis)
    if not -ndim <= place < ndim:
        raise BoundsError(f"axis {place} of {ndim} axes")
    return place % ndim


def _join(views: Sequence[StridedMemoryView], shape: tuple[int, ...], axis: int, out: Any, dtype: Any, casting: Any,
          stream: Any) -> StridedMemoryView:
    if out is None:
        target = new_for(views, shape, dtype)
    elif dtype is not None:
        raise TypeError("out= has a dtype, so dtype= says nothing")
    else:
        target = view(out)
        if target.shape != shape:
            raise ValueError(f"out has shape {target.shape}, the result {shape}")
    _copy_stack(target, views, axis, stream, casting=casting)
    return target


def stack(arrays: Iterable[Any], axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind",
          stream: Any = None) -> StridedMemoryView:
    """Arrays of one shape beside each other along a new axis: images to a batch, columns to a matrix.

        stack(images)                       # (n, h, w, c)
        stack(columns, axis=1, out=matrix)  # rows of a matrix in C order, in one pass over both

    arrays are what view() takes. The result is a view of out, which has its shape, or of fresh memory in C order, on the
    device of the first array. Dtypes are equal, or dtype= or out= says what they become, as casting= allows. stream: as
    for copy().
    """
    views = views_of(arrays)
    check_shapes(views)
    first = views[0].shape
    place = _axis_of(axis, len(first) + 1)
    return _join(views, (*first[:place], len(views), *first[place:]), place, out, dtype, casting, stream)


def concatenate(arrays: Iterable[Any], axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind",
                stream: Any = None) -> StridedMemoryView:
    """Arrays behind each other along one of their axes, in the other extents of which they are equal. See stack()."""
    views = views_of(arrays)
    first = views[0].shape
    if not first:
        raise ValueError("arrays without axes cannot be concatenated: stack() them")
    place = _axis_of(axis, len(first))
    check_shapes(views, place)
    extent = sum(x.shape[place] for x in views)
    return _join(views, (*first[:place], extent, *first[place + 1:]), place, out, dtype, casting, stream)
