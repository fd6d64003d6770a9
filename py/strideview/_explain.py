"""Why a copy is done the way it is, and who does it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._core import Plan, _placement
from ._strideview import ffi, lib


def _numbers(dst: Any, src: Any, byteswap: bool) -> tuple[Any, Any, bool]:
    """Numbers in the other byte order as copy() takes them."""
    from ._byteorder import pair  # which needs all of the package

    return pair(dst, src, byteswap)


def explain(dst: Any, src: Any, *, casting: Any = "no", byteswap: bool = False) -> str:
    """What copy(dst, src) would do and why, in lines of English text for people. Nothing is copied.

    The canonical form of the two layouts, the traffic, the placement (see placement()), the loops that are asked on
    this machine and, marked "->", the one that does the copy. Raises what copy() raises for arrays that cannot be copied.
    """
    dst, src, byteswap = _numbers(dst, src, byteswap)
    text: str = Plan(dst, src, casting=casting, byteswap=byteswap).explain(dst, src)
    return text


WAITS = {
    lib.SV_WAITS_NOTHING: "nothing",
    lib.SV_WAITS_RING: "ring",
    lib.SV_WAITS_STREAM: "stream",
    lib.SV_WAITS_DEVICES: "devices",
}
DONE = {lib.SV_DONE_NOTHING: "nothing", lib.SV_DONE_READING: "reading", lib.SV_DONE_ALL: "all"}
METHODS = {
    lib.SV_METHOD_NOTHING: "nothing",
    lib.SV_METHOD_DIRECT: "direct",
    lib.SV_METHOD_RING: "ring",
    lib.SV_METHOD_IN_PLACE: "in place",
    lib.SV_METHOD_TEMPORARY: "temporary",
    lib.SV_METHOD_HOST_TEMPORARY: "host temporary",
}


class Placement(NamedTuple):
    """Who does a copy, when and how. See placement()."""

    by: str  # the kind of device that copies: "cpu", which is the host, or "cuda"
    device: tuple[int, int] | None  # whose stream orders it, as by __dlpack_device__(); None: no stream is read
    waits: str  # for what the call waits: "nothing", a free "ring" of pinned memory, the "stream", "devices" besides
    done: str  # on return: "nothing", "reading" of src, "all"
    method: str  # "nothing", "direct", "ring", "in place", "temporary", "host temporary"


def placement(
    dst: Any, src: Any, stream: Any = None, *, blocking: bool | None = None, casting: Any = "no", byteswap: bool = False
) -> Placement:
    """How copy(dst, src, stream, ...) would be done: by whom, on whose stream, and what is done when it returns.

    The first page of sv/copy.h has the table by kinds of memory; this tells it of two arrays, which may share bytes.
    Nothing is copied or waited for. What the arguments mean, and what is raised, is as for copy().

    by is "cpu" where the host copies, or "cuda"; device, the device whose stream orders the copy; waits, what the call
    waits for; done, what is done on return; method, the way: "temporary" where the two share bytes and cannot be copied
    "in place", "ring" in chunks through pinned memory.
    """
    dst, src, byteswap = _numbers(dst, src, byteswap)
    by, kind, number, waits, done, method = _placement(
        dst, src, stream, blocking=blocking, casting=casting, byteswap=byteswap
    )
    device = None if kind == lib.SV_DEVICE_CPU else (kind, number)
    name = ffi.string(lib.sv_device_name(by)).decode()
    return Placement(name, device, WAITS[waits], DONE[done], METHODS[method])
