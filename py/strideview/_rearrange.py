"""rearrange(): axes named by a pattern are split, reordered and merged.

A pattern is read once into two lists of groups, one group an axis of the array.
With the extents of an array they give a Recipe of three steps that move
nothing: reshape to one axis a name, permute, reshape to the groups of the
result. Only the last step can need a copy.
"""

from __future__ import annotations

import functools
import operator
import re
from collections import namedtuple
from itertools import product
from math import prod
from typing import Any

from . import StridedLayout, StridedMemoryView, copy, copy_batch, view  # the package has them before it imports this
from ._core import _copy_stack
from ._stack import check_shapes, new_for, views_of

# An axis that a pattern names. text: how it is written; at: the place of its first character.
Axis = namedtuple("Axis", "text at")
# left and right: for each axis of the array a tuple of Axis, or ELLIPSIS, of which right may have one inside a group.
Pattern = namedtuple("Pattern", "text left right")
# split: extents of the named axes; order: those of the result; names: texts in the order of the result;
# groups: for each axis of the result how many of them it merges; shape: its extents.
Recipe = namedtuple("Recipe", "split order names groups shape")

TOKEN = re.compile(r"\s*(->|\.\.\.|[()]|\w+|\S)")
ELLIPSIS = "..."


def _error(pattern: str, at: int, message: str) -> ValueError:
    return ValueError(f"{message}\n  {pattern}\n  {' ' * at}^")


# --- reading a pattern --------------------------------------------------------

def _tokens(pattern: str) -> list[tuple[str, int]]:
    """(text, place) of each token."""
    if "\n" in pattern or "\r" in pattern:
        raise ValueError("a pattern is one line of text")
    for arrow in ("=>", "\N{RIGHTWARDS ARROW}", "-->", "\N{RIGHTWARDS DOUBLE ARROW}"):
        if arrow in pattern:
            raise _error(pattern, pattern.index(arrow), f"{arrow!r} is written '->'")
    return [(found[1], found.start(1)) for found in TOKEN.finditer(pattern)]


def _check_axis(pattern: str, text: str, at: int) -> None:
    if text == "_":
        raise _error(pattern, at, "'_' is no name of an axis: name the axis, or write 1 where its extent is 1")
    if text == ",":
        spelt = re.sub(r"\s*,\s*", " ", pattern)
        raise _error(pattern, at, f"names of axes have blanks between them, as in {spelt!r}")
    if not (text.isidentifier() or (text.isascii() and text.isdigit())):
        raise _error(pattern, at, f"{text!r} is no name of an axis")
    if text.isdigit() and int(text) == 0:
        raise _error(pattern, at, "an axis without a name has an extent of 1 or more")


def _groups(pattern: str, tokens: list[tuple[str, int]], is_right: bool) -> list[Any]:
    """The groups of one side."""
    groups: list[Any] = []
    inner: list[Axis] | None = None
    opened = 0
    for text, at in tokens:
        if text == "(":
            if inner is not None:
                raise _error(pattern, at, "'(' inside parentheses")
            inner, opened = [], at
        elif text == ")":
            if inner is None:
                raise _error(pattern, at, "')' without '('")
            groups.append(tuple(inner))
            inner = None
        elif text == ELLIPSIS:
            if inner is not None and not is_right:
                raise _error(pattern, at, "'...' inside parentheses on the left: it stands for whole axes")
            (groups if inner is None else inner).append(Axis(ELLIPSIS, at))
        else:
            axis = Axis(text, at)
            if inner is None:
                groups.append((axis,))
            else:
                inner.append(axis)
    if inner is not None:
        raise _error(pattern, opened, "'(' without ')'")
    return groups


def _flat(groups: list[Any]) -> list[Axis]:
    return [axis for group in groups for axis in ([group] if isinstance(group, Axis) else group)]


def _check_sides(pattern: str, left: list[Any], right: list[Any]) -> None:
    """Every name stands once on each side. 1 may come and go."""
    sides = []
    for groups in (left, right):
        seen: dict[str, Axis] = {}
        for axis in _flat(groups):
            if axis.text in seen:
                raise _error(pattern, axis.at, f"{axis.text!r} stands twice on this side")
            if axis.text != "1":
                seen[axis.text] = axis
        sides.append(seen)
    for here, there, side in ((sides[0], sides[1], "left"), (sides[1], sides[0], "right")):
        for text, axis in here.items():
            if text not in there:
                raise _error(pattern, axis.at, f"{text!r} stands on the {side} only{_spelt_out(sides[0], sides[1])}")


def _spelt_out(left: dict[str, Axis], right: dict[str, Axis]) -> str:
    """What to type instead of "hwc -> chw"."""
    if not left or sorted("".join(left)) != sorted("".join(right)) or max(map(len, left)) == 1:
        return ""
    spelt = " -> ".join(" ".join("".join(side)) for side in (left, right))
    return f": names of axes have blanks between them, as in {spelt!r}"


@functools.lru_cache(maxsize=256)
def _parse(pattern: str) -> Pattern:
    tokens = _tokens(pattern)
    for text, at in tokens:
        if text not in ("->", ELLIPSIS, "(", ")"):
            _check_axis(pattern, text, at)
    arrows = [i for i, (text, _) in enumerate(tokens) if text == "->"]
    if not arrows:
        raise _error(pattern, len(pattern), "no '->' between what is and what shall be")
    if len(arrows) > 1:
        raise _error(pattern, tokens[arrows[1]][1], "a second '->'")
    left = _groups(pattern, tokens[:arrows[0]], False)
    right = _groups(pattern, tokens[arrows[0] + 1:], True)
    _check_sides(pattern, left, right)
    return Pattern(pattern, left, right)


# --- extents ------------------------------------------------------------------

def _expand(pattern: Pattern, ndim: int) -> tuple[list[Any], tuple[Axis, ...]]:
    """The left side with as many axes as the array has, and the axes that '...' stands for."""
    left = pattern.left
    place = next((i for i, group in enumerate(left) if isinstance(group, Axis)), None)
    if place is None:
        if len(left) != ndim:
            raise ValueError(f"{pattern.text!r} has {len(left)} axes on the left, the array has {ndim}")
        return left, ()
    if len(left) - 1 > ndim:
        raise ValueError(f"{pattern.text!r} has {len(left) - 1} axes and '...' on the left, the array has {ndim}")
    rest = tuple(Axis(f"...[{i}]", left[place].at) for i in range(ndim - len(left) + 1))
    return left[:place] + [(axis,) for axis in rest] + left[place + 1:], rest


def _measure(pattern: Pattern, group: tuple[Axis, ...], extent: int, place: int, sizes: dict[str, int]) -> list[int]:
    """The extents of the axes of one group, of which one at most is not given."""
    given = {axis.text: int(axis.text) for axis in group if axis.text.isdigit()} | sizes
    unknown = [i for i, axis in enumerate(group) if axis.text not in given]
    found = [given.get(axis.text, 1) for axis in group]
    known = prod(found)
    written = " ".join(axis.text for axis in group)
    if len(unknown) > 1:
        axis = group[unknown[1]]
        raise _error(pattern.text, axis.at, f"the extents of {group[unknown[0]].text!r} and {axis.text!r} are both "
                     f"unknown: give one, as {axis.text}=...")
    if unknown and (known == 0 or extent % known != 0):
        why = "any extent would do" if known == extent == 0 else f"{extent} is no multiple of {known}"
        raise ValueError(f"axis {place} of extent {extent} cannot be split into ({written}): {why}")
    if unknown:
        found[unknown[0]] = extent // known
    elif known != extent:
        raise ValueError(f"axis {place} has extent {extent}, ({written}) makes it {known}")
    return found


@functools.lru_cache(maxsize=1024)
def _recipe(text: str, shape: tuple[int, ...], given: tuple[tuple[str, int], ...]) -> Recipe:
    pattern, sizes = _parse(text), dict(given)
    left, rest = _expand(pattern, len(shape))
    names = {axis.text for axis in _flat(pattern.left)}
    for name in sizes:
        if name not in names:
            raise TypeError(f"rearrange() got a size for {name!r}, which {text!r} has not")
    extents: dict[str, int] = {}
    for place, (group, extent) in enumerate(zip(left, shape)):
        extents.update(zip((axis.text for axis in group), _measure(pattern, group, extent, place, sizes)))
    extents.pop("1", None)
    place_of = {name: i for i, name in enumerate(extents)}

    right: list[Any] = []
    for group in pattern.right:
        if isinstance(group, Axis):
            right += [(axis.text,) for axis in rest]
        else:
            right.append([part.text for axis in group for part in (rest if axis.text == ELLIPSIS else (axis,))])
    right = [[name for name in group if name != "1"] for group in right]
    order = [name for group in right for name in group]
    return Recipe(tuple(extents.values()), tuple(place_of[name] for name in order), order,
                  [len(group) for group in right], tuple(prod(extents[name] for name in group) for group in right))


# --- doing it -----------------------------------------------------------------

def _cannot_merge(recipe: Recipe, layout: StridedLayout) -> str | None:
    """Two neighbouring axes of the result that cannot be merged in memory; None where all can."""
    start = 0
    for count in recipe.groups:
        moving = [i for i in range(start, start + count) if layout.shape[i] != 1]
        for i, j in zip(moving, moving[1:]):
            step, span = layout.strides_in_bytes[i], layout.strides_in_bytes[j] * layout.shape[j]
            if step != span:
                return (f"{recipe.names[i]!r} and {recipe.names[j]!r} cannot be merged without a copy: a step of "
                        f"{recipe.names[i]!r} is {step} bytes, all of {recipe.names[j]!r} {span}; pass out= to copy")
        start += count
    return None


def _merge(recipe: Recipe, named: Any) -> Any:
    if recipe.shape == named.shape:
        return named
    try:
        return named.reshape(recipe.shape)
    except ValueError as error:
        reason = _cannot_merge(recipe, named if isinstance(named, StridedLayout) else named.layout)
        if reason is None:
            raise
        raise ValueError(reason) from error


def _axis_of_names(recipe: Recipe, axis: Any) -> int:
    """The axis of the result before axes are merged: that of a name, or of an axis of the result of one name."""
    if isinstance(axis, str):
        if axis not in recipe.names:
            raise ValueError(f"axis={axis!r} is no axis of the result, which has {', '.join(recipe.names)}")
        named: int = recipe.names.index(axis)
        return named
    number = operator.index(axis)
    place = number + len(recipe.groups) if number < 0 else number
    if not 0 <= place < len(recipe.groups):
        raise IndexError(f"axis {number} of a result with {len(recipe.groups)} axes")
    if recipe.groups[place] != 1:
        raise ValueError(f"axis {number} of the result is not one name of the pattern; pass axis= as a name")
    return sum(recipe.groups[:place])


def _rearrange_list(arrays: Any, pattern: str, out: Any, given: tuple[tuple[str, int], ...]) -> StridedMemoryView:
    """The arrays are the places of the first axis on the left side. Each is copied to its part of the result."""
    views = views_of(arrays)
    check_shapes(views)
    shape = (len(views), *views[0].shape)
    recipe = _recipe(pattern, shape, given)
    target = new_for(views, recipe.shape, None) if out is None else _target(out, recipe)
    named = target.reshape([recipe.split[i] for i in recipe.order])
    parts = named.permute([recipe.order.index(i) for i in range(len(recipe.order))])
    count = sum(axis.text != "1" for axis in _expand(_parse(pattern), len(shape))[0][0])  # that the first axis splits to
    sources = [x.reshape(recipe.split[count:]) for x in views]
    if count == 1:
        _copy_stack(parts, sources, 0)
    else:
        copy_batch([parts[index] for index in product(*map(range, recipe.split[:count]))], sources)
    return target


def _target(out: Any, recipe: Recipe) -> StridedMemoryView:
    target = view(out)
    if target.shape != recipe.shape:
        raise ValueError(f"out has shape {target.shape}, the result {recipe.shape}")
    return target


def rearrange(x: Any, pattern: str, /, *, out: Any = None, casting: Any = None, scale: Any = None, bias: Any = None,
              axis: Any = None, mean: Any = None, std: Any = None, **sizes: Any) -> Any:
    """Split, reorder and merge axes, as a pattern in the notation of einops says.

        rearrange(x, "b h w c -> b c h w")
        rearrange(x, "b (h s) w -> b h (s w)", s=2)     # sizes that the array does not tell
        rearrange(x, "... h w -> (...) h w")            # '...' stands for any number of axes
        rearrange(x, "1 c (x y) -> c 1 y x", x=4)       # an axis of extent 1 comes or goes

    x is a StridedLayout, which gives a layout, or a view or anything view() takes,
    which gives a view of the same memory. Where the result is no view, because two
    axes are to be merged that do not follow each other in memory, ValueError names them.
    With out, a view or anything view() takes, of the shape of the result and of the same
    dtype, the elements are copied there, in one pass, and the answer is a view of out. casting,
    scale, bias, mean and std are those of copy(), and so is axis, which may be a name, too:

        rearrange(images, "b h w c -> b c h w", out=batch, scale=1 / 255, mean=MEAN, std=STD, axis="c")

    A list of arrays of one shape is one more axis, the first on the left side; these are
    always copied, to out or to fresh memory:

        rearrange(images, "b h w c -> b c h w")

    A name is any identifier but _ and stands once on each side; a number greater than 1 is
    an axis of that extent, and may take the place of a name. Axes called out, casting, scale, bias,
    axis, mean or std get no size by name.
    """
    is_layout = isinstance(x, StridedLayout)
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is a str, not {type(pattern).__name__}")
    if is_layout and out is not None:
        raise TypeError("a layout has no elements to copy into out")
    given_options = {"casting": casting, "scale": scale, "bias": bias, "axis": axis, "mean": mean, "std": std}
    options = {name: value for name, value in given_options.items() if value is not None}
    is_list = isinstance(x, (list, tuple)) and len(x) > 0 and not isinstance(x[0], (int, float, complex, list, tuple))
    if options and is_list:
        raise TypeError(f"{next(iter(options))}= is for a copy of one array, not of a list")
    if options and out is None:
        raise TypeError(f"{next(iter(options))}= is for a copy into out=")
    if not (is_layout or is_list or isinstance(x, StridedMemoryView)):
        x = view(x)
    given = tuple((name, operator.index(size)) for name, size in sizes.items())
    for name, size in given:
        if size < 0:
            raise ValueError(f"the extent {name}={size} is negative")
    if is_list:
        return _rearrange_list(x, pattern, out, given)
    recipe = _recipe(pattern, x.shape, given)
    named = x if recipe.split == x.shape else x.reshape(recipe.split)
    named = named.permute(recipe.order)
    if out is None:
        return _merge(recipe, named)
    target = _target(out, recipe)
    if "axis" in options:
        options["axis"] = _axis_of_names(recipe, axis)
    copy(target.reshape(named.shape), named, **options)
    return target
