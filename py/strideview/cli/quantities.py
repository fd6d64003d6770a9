"""Texts of the command line as values: sizes, shapes, axes, slices, fractions."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from fractions import Fraction
from types import EllipsisType
from typing import Any

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def wrong(text: str, wanted: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{text!r} is not {wanted}")


def size(text: str) -> int:
    """Bytes: 4096, 256M, 1.5GiB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise wrong(text, "a number of bytes, as 4096, 256M or 1G")
    return int(Fraction(match[1]) * UNITS[match[2].upper()])


def integers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.strip("() ").split(",") if word.strip())
    except ValueError:
        raise wrong(text, "integers with commas between them, as 2,0,1") from None


def extents(text: str) -> tuple[int, ...]:
    """A shape; that of an array without axes is empty or ()."""
    found = integers(text)
    if min(found, default=0) < 0:
        raise wrong(text, "a shape, as 480,640,3")
    return found


def axes(text: str) -> tuple[int, ...] | None:
    """Axes; None are all of them."""
    return None if text.strip() == "all" else integers(text)


def part(text: str) -> int | slice | EllipsisType:
    """One index of a slice: 3, 1:10, ::-1 or ..."""
    if text.strip() == "...":
        return ...
    words = [int(word) if word.strip() else None for word in text.split(":")]
    if len(words) == 1 and words[0] is not None:
        return words[0]
    if len(words) not in (2, 3):
        raise ValueError
    return slice(*words)


def key(text: str) -> tuple[int | slice | EllipsisType, ...]:
    """What stands between the brackets of array[...]."""
    try:
        return tuple(part(word) for word in text.strip("[] ").split(","))
    except ValueError:
        raise wrong(text, "a slice as between the brackets of array[...]: ::2,:,3") from None


def number(text: str) -> float:
    """A decimal number or a fraction of two of them: 0.5, 1/255, -1e-3/7."""
    above, *below = text.split("/")
    try:
        return float(Fraction(above) / Fraction(*below)) if below else float(above)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise wrong(text, "a number or a fraction, as 0.5 or 1/255") from None


def numbers(text: str) -> float | list[float]:
    """One number, or a list of one for each index of an axis."""
    found = [number(word) for word in text.split(",")]
    return found[0] if len(found) == 1 else found


class Step(argparse.Action):
    """An option that may be given several times; the order of all such options on the command line counts."""

    def __init__(self, *, reads: Callable[[str], Any], **keywords: Any) -> None:
        super().__init__(**keywords)
        self.reads = reads

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option_string: str | None = None) -> None:
        try:
            value = self.reads(values)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentError(self, str(error)) from None
        namespace.steps = [*(getattr(namespace, "steps", None) or []), (self.dest, value)]


def human(nbytes: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if nbytes < 1024:
            return f"{nbytes:.0f} {unit}" if unit == "B" else f"{nbytes:.1f} {unit}"
        nbytes /= 1024
    return f"{nbytes:.1f} TiB"
