"""Why a copy is done the way it is."""

from __future__ import annotations

from typing import Any

from ._core import Plan


def explain(dst: Any, src: Any, *, casting: Any = "no", byteswap: bool = False) -> str:
    """What copy(dst, src) would do and why, in lines of English text for people. Nothing is copied.

    The canonical form of the two layouts, the traffic, the loops that are asked on this machine and, marked "->", the
    one that does the copy. Raises what copy() raises for arrays that cannot be copied.
    """
    text: str = Plan(dst, src, casting=casting, byteswap=byteswap).explain(dst, src)
    return text
