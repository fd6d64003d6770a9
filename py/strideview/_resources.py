"""Memory resources by kind: those that functions make, and the default ones that sv.empty(memory="device") uses.

Every resource that is made here is tracked, and the report lists it. A default resource is what the base of its kind
and device gives, counted once more under the tag that is set, and written down by the recordings that are running:
_resolve() makes one for each combination when it is first asked for, and keeps it.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, NamedTuple, Protocol, SupportsIndex

from . import Buffer, MemoryResource, StridedLayout, StridedMemoryView
from ._arguments import device_name, device_number
from ._core import _set_array_resource
from ._foreign import adapt

KINDS = ("host", "pinned", "device", "managed")


class Recorder(Protocol):
    """A Recording, which is told of events of the default resources."""

    def listener(self, kind: str, device: int, tag: str | None) -> Callable[[str, int, int, int], None]:
        """The function that a logged resource of this place calls."""


class Source(NamedTuple):
    """A tracked resource, for the report."""

    kind: str
    device: int
    name: str
    tagged: bool
    resource: MemoryResource


class _Place(NamedTuple):
    kind: str
    device: int
    tag: str | None
    recordings: tuple[Recorder, ...]


_lock = threading.RLock()  # what is garbage may ask for a resource while one is made
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
_made: weakref.WeakSet[MemoryResource] = weakref.WeakSet()  # by users; the kind, device and name are asked of them
_bases: dict[tuple[str, int], MemoryResource] = {}
_tagged: dict[tuple[MemoryResource, str], MemoryResource] = {}
_places: dict[_Place, MemoryResource] = {}
_kinds: dict[str, MemoryResource] = {}  # the same by kind alone, while no tag is set and nothing is recorded
_huge: dict[bool, MemoryResource] = {}  # of arrays that ask for huge pages, or for none
_recordings: tuple[Recorder, ...] = ()
_tags = 0  # that are set now, in whichever thread
_tag: ContextVar[str | None] = ContextVar("strideview.memory.tag", default=None)


def _tracked(resource: MemoryResource, name: str) -> MemoryResource:
    made: MemoryResource = resource.tracked(name)
    _made.add(made)
    return made


def host(*, huge_pages: bool | None = None, name: str = "host") -> MemoryResource:
    """Ordinary memory, aligned as one asks. No driver is needed.

    Linux is asked for huge pages for blocks of 4 MiB and more; with huge_pages=True from 2 MiB on, with False for none.
    """
    return _tracked(MemoryResource.host(huge_pages=huge_pages), name)


def pinned(*, name: str = "pinned") -> MemoryResource:
    """Page-locked memory of the host, which every CUDA device reads and writes too."""
    return _tracked(MemoryResource.pinned(), name)


def device(device: Any = 0, *, name: str = "device") -> MemoryResource:
    """Memory of one CUDA device."""
    return _tracked(MemoryResource.device(device), name)


def managed(device: Any = 0, *, name: str = "managed") -> MemoryResource:
    """Memory with one address for the host and the devices; the driver moves its pages."""
    return _tracked(MemoryResource.managed(device), name)


def pool(kind: Literal["device", "pinned", "managed"] = "device", device: Any = 0, *, initial: int = 0,
         threshold: int | None = None, most: int = 0, name: str = "pool") -> MemoryResource:
    """A new stream-ordered pool of a kind of memory, where the runtime has such pools.

    initial bytes are reserved at once; threshold bytes are kept when they are unused (None: all); most is
    the limit (0: none).
    """
    return _tracked(MemoryResource.pool(kind, device, initial=initial, threshold=threshold, most=most), name)


_SOURCES: dict[str, Callable[[int], MemoryResource]] = {
    "host": lambda device: MemoryResource.host(),
    "pinned": lambda device: MemoryResource.pinned().cached(),
    "device": lambda device: MemoryResource.device(device).cached(),
    "managed": MemoryResource.managed,
}


def _is_cpu(device: Any) -> bool:
    return device is not None and device_name(device) == "cpu"


def _kind_and_device(kind: str, device: Any) -> tuple[str, int]:
    name = 0 if device is None else device_name(device)
    number = -1 if isinstance(name, str) else name
    if kind not in _SOURCES:
        raise ValueError(f"memory= is one of {', '.join(KINDS)} or a MemoryResource, not {kind!r}")
    if isinstance(name, str):
        if kind not in ("host", "pinned"):
            raise ValueError(f"device={device!r}: {kind} memory is of a CUDA device")
        return kind, 0
    if kind == "host" and device is not None and not hasattr(type(device), "__index__"):
        raise ValueError(f"device={device!r}: {kind} memory is of no device")
    if kind in ("host", "pinned") and number != 0:
        raise ValueError(f"device={number}: {kind} memory is of no device")
    if number < 0:
        raise ValueError(f"device={number} is negative")
    return kind, number


def _base(kind: str, device: int) -> MemoryResource:
    """The caller has the lock."""
    found = _bases.get((kind, device))
    if found is None:
        found = _bases[kind, device] = _SOURCES[kind](device).tracked(kind)
    return found


def _choose_arrays() -> None:
    """Arrays without options need no Buffer while nobody wants to know of them one by one. The caller has the lock."""
    plain = not _recordings and not _tags and _bases.get(("host", 0)) is _arrays
    _kinds.clear()
    _set_array_resource(_arrays if plain else None)


def _make(place: _Place) -> MemoryResource:
    with _lock:
        resource = _base(place.kind, place.device)
        if place.tag is not None:
            below, key = resource, (resource, place.tag)
            found = _tagged.get(key)
            resource = _tagged[key] = below.tracked(place.tag) if found is None else found
        for recording in place.recordings:
            resource = resource.logged(recording.listener(place.kind, place.device, place.tag))
        return _places.setdefault(place, resource)


def _default_of_kind(kind: str) -> MemoryResource:
    found = _kinds.get(kind)
    if found is None:
        found = default(kind)
        with _lock:
            if not _recordings and not _tags and found is _places.get(_Place(kind, 0, None, ())):
                _kinds[kind] = found
    return found


def default(kind: str = "host", device: Any = None) -> MemoryResource:
    """The resource that memory=kind means: tracked, one for all threads.

    For "device" and "pinned" it keeps what is freed, for the next array: see MemoryResource.cached() and collect().
    """
    place = _Place(*_kind_and_device(kind, device), _tag.get(), _recordings)
    found = _places.get(place)
    return _make(place) if found is None else found


def set_default(resource: MemoryResource | None, kind: str | None = None,
                device: Any = None) -> None:
    """Let memory=kind mean this resource from now on; None: the first one again.

    kind and device are the resource's own, unless they say that it stands in for others: a pool of pinned memory for
    "host", say. Arrays that are alive keep the memory they have.
    """
    if resource is not None:
        resource = adapt(resource, "resource")
    if kind is None:
        if resource is None:
            raise TypeError("to have the first resource again, name its kind")
        kind = resource.kind
    if device is None and resource is not None and kind in ("device", "managed"):
        device = max(resource.device_id, 0)
    key = _kind_and_device(kind, device)
    with _lock:
        _bases.pop(key, None)
        if resource is not None:
            _bases[key] = resource.tracked(kind)
        elif key == ("host", 0):
            _bases[key] = _arrays
        _choose_arrays()
        for place in [place for place in _places if place[:2] == key]:
            del _places[place]


def resolve(memory: str | MemoryResource | None, device: Any) -> MemoryResource:
    """What memory= and device= mean together."""
    if memory is None:
        memory = "host" if device is None or _is_cpu(device) else "device"
    if isinstance(memory, str):
        return _default_of_kind(memory) if device is None else default(memory, device)
    if not isinstance(memory, MemoryResource):
        memory = adapt(memory, f"memory= is one of {', '.join(KINDS)}, or it")
    if _is_cpu(device) and memory.is_host_accessible:
        return memory
    if device is not None and device_number(device) != max(memory.device_id, 0):
        raise ValueError(f"device={device}, but the resource is of device {memory.device_id}")
    return memory


def _with_huge_pages(memory: str | MemoryResource | None, device: SupportsIndex | str | None,
                     huge_pages: bool) -> MemoryResource:
    if not (memory is None or memory == "host") or not (device is None or _is_cpu(device)):
        raise ValueError("huge_pages= is of host memory; MemoryResource.host(huge_pages=) makes a resource")
    with _lock:
        found = _huge.get(bool(huge_pages))
        if found is None:
            found = _huge[bool(huge_pages)] = host(huge_pages=bool(huge_pages), name=f"huge_pages={bool(huge_pages)}")
    return found


def array(layout: StridedLayout, dtype: str, zeros: bool, memory: str | MemoryResource | None,
          device: Any, alignment: SupportsIndex | None, stream: Any, huge_pages: bool | None) -> StridedMemoryView:
    """A view of fresh memory, for empty() and its like."""
    if huge_pages is not None:
        memory, device = _with_huge_pages(memory, device, huge_pages), None
    buffer = Buffer._allocate(resolve(memory, device), layout.required_size_in_bytes(), stream,
                              alignment=0 if alignment is None else alignment, zero=zeros)
    return buffer.view(dtype, layout)


def _count_tag(change: int) -> None:
    global _tags
    with _lock:
        _tags += change
        _choose_arrays()


@contextmanager
def tag(name: str) -> Iterator[None]:
    """Also count under this name what the default resources allocate meanwhile, in this thread or asyncio task.

    The report has a line for each tag. Within another tag() only the inner one counts.
    """
    if not isinstance(name, str):
        raise TypeError(f"a tag is a str, not {type(name).__name__}")
    token = _tag.set(name)
    _count_tag(1)
    try:
        yield
    finally:
        _count_tag(-1)
        _tag.reset(token)


def set_recordings(change: Callable[[tuple[Recorder, ...]], tuple[Recorder, ...]]) -> None:
    """Which recordings hear of the default resources."""
    global _recordings
    with _lock:
        _recordings = change(_recordings)
        _choose_arrays()
        for place in [place for place in _places if place.recordings not in ((), _recordings)]:
            del _places[place]


def sources() -> list[Source]:
    """All tracked resources that were made here and can be asked."""
    with _lock:
        found = [Source(kind, device, kind, False, base) for (kind, device), base in _bases.items()]
        found += [Source(base.kind, max(base.device_id, 0), name, True, resource)
                  for (base, name), resource in _tagged.items()]
        made = [Source(resource.kind, max(resource.device_id, 0), resource.name, False, resource)
                for resource in _made]
    return found + sorted(made, key=lambda source: source[:3])


_arrays = _base("host", 0)  # counts what sv.empty() and its like make without options, too
_choose_arrays()
