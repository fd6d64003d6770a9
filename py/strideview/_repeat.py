"""repeat(): axes that an array has not are put into it, by strides of 0."""

from __future__ import annotations

import operator
import re
from typing import Any

from . import StridedLayout, StridedMemoryView, view
from ._rearrange import rearrange


def _new_axes(pattern: str, sizes: dict[str, Any]) -> dict[str, int]:
    """{name: extent} of the axes that only the right side has."""
    left, _, right = pattern.partition("->")
    known = {*re.findall(r"\w+", left), "1"}
    found = {}
    for name in re.findall(r"\w+", right):
        if name in known:
            continue
        if not name.isdigit() and name not in sizes:
            raise ValueError(f"the extent of {name!r} is not known: give it, as {name}=...\n  {pattern}")
        found[name] = int(name) if name.isdigit() else operator.index(sizes[name])
    return found


def repeat(x: Any, pattern: str, /, *, out: Any = None, **sizes: Any) -> Any:
    """Repeat along new axes, as a pattern in the notation of einops says.

        repeat(x, "h w -> h w c", c=3)                  # a view: the new axis has stride 0
        repeat(x, "h w -> 2 h w")
        repeat(x, "h w -> (h a) (w b)", a=2, b=2, out=larger)

    It is rearrange() with axes on the right side that the left side has not, whose extents are given. Nothing is copied
    unless out= is given; an axis that is merged with a repeated one needs it.
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is a str, not {type(pattern).__name__}: np.repeat(x, 2, axis) is "
                        "sv.repeat(x, 'a b -> (a n) b', n=2, out=out)")
    if not isinstance(x, (StridedLayout, StridedMemoryView)):
        x = view(x)
    new = _new_axes(pattern, sizes)
    x = x.broadcast_to((*new.values(), *x.shape))
    return rearrange(x, f"{' '.join(new)} {pattern}", out=out, **sizes)
