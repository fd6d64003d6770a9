"""--slice, --flip, --permute and --reshape: what they make of the shape and strides of the source.

A file's array is a StridedLayout, which has these operations. A chunked array has no strides: a Selection says which
axis of it each axis of the result goes along, where it begins and in which steps.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import strideview as sv

from ..errors import FAILED, CommandError


class Along(NamedTuple):
    """An axis of the result."""

    axis: int  # of the array
    start: int
    step: int
    extent: int


class Selection:
    """The part of a chunked array that slices leave, with its axes in another order."""

    def __init__(self, along: tuple[Along, ...], fixed: dict[int, int]) -> None:
        self.along = along
        self.fixed = fixed  # the axes that one index was taken of

    @classmethod
    def whole(cls, shape: tuple[int, ...]) -> Selection:
        return cls(tuple(Along(axis, 0, 1, extent) for axis, extent in enumerate(shape)), {})

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(along.extent for along in self.along)

    def __getitem__(self, key: Any) -> Selection:
        layout = sv.StridedLayout.dense(self.shape, 1)
        layout[key]  # raises what it says of a wrong key
        keys = [part for part in key if part is not ...]
        if ... in key:
            place = key.index(...)
            keys[place:place] = [slice(None)] * (len(self.along) - len(keys))
        keys += [slice(None)] * (len(self.along) - len(keys))
        left, fixed = [], dict(self.fixed)
        for along, part in zip(self.along, keys):
            if isinstance(part, slice):
                chosen = range(along.extent)[part]
                left.append(Along(along.axis, along.start + chosen.start * along.step, along.step * chosen.step, len(chosen)))
            else:
                fixed[along.axis] = along.start + range(along.extent)[part] * along.step
        return Selection(tuple(left), fixed)

    def permute(self, axes: tuple[int, ...]) -> Selection:
        sv.StridedLayout.dense(self.shape, 1).permute(axes)
        return Selection(tuple(self.along[axis] for axis in axes), self.fixed)

    def flip(self, axes: tuple[int, ...] | None) -> Selection:
        sv.StridedLayout.dense(self.shape, 1).flip(axes)
        count = len(self.along)
        chosen = range(count) if axes is None else [axis % count for axis in axes]
        flipped = list(self.along)
        for axis in chosen:
            old = flipped[axis]
            flipped[axis] = Along(old.axis, old.start + (old.extent - 1) * old.step, -old.step, old.extent)
        return Selection(tuple(flipped), self.fixed)

    def reshape(self, shape: tuple[int, ...]) -> Selection:
        if resolve(shape, self.shape) == self.shape:
            return self
        raise ValueError("an array in chunks is reshaped only by the last of the options")


def resolve(shape: tuple[int, ...], old: tuple[int, ...]) -> tuple[int, ...]:
    """A shape whose -1 is what is left of as many elements."""
    return sv.StridedLayout.dense(old, 1).reshape(shape).shape


def one_step(current: Any, name: str, value: Any) -> Any:
    if name == "slice":
        return current[value]
    return getattr(current, name)(value)


def arrange(start: Any, steps: list[tuple[str, Any]]) -> tuple[Any, tuple[int, ...]]:
    """(where the elements are read, the shape that they are written with), which differ where only a copy reshapes.

    Each option is about the array that those before it leave.
    """
    current = start
    for place, (name, value) in enumerate(steps):
        try:
            current = one_step(current, name, value)
        except ValueError as error:
            if name == "reshape" and place == len(steps) - 1:
                try:
                    return current, resolve(value, current.shape)
                except ValueError as wrong:
                    raise CommandError(f"--reshape: {wrong}", FAILED) from None
            more = "; two copies can do it" if name == "reshape" else ""
            raise CommandError(f"--{name}: {error}{more}", FAILED) from None
    return current, current.shape


def target_layout(shape: tuple[int, ...], final: tuple[int, ...], itemsize: int, order: str) -> sv.StridedLayout:
    """Where the elements of shape go in a file whose array has the final shape."""
    layout = sv.StridedLayout.dense(final, itemsize, order)
    if prod(shape) == 0 or shape == final:
        return sv.StridedLayout.dense(shape, itemsize, order)
    try:
        return layout.reshape(shape)
    except ValueError:
        raise CommandError("--reshape to Fortran order needs a copy of its own: two copies can do it", FAILED) from None
