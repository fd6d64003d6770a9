"""Memory of every kind: where new arrays lie, what there is of them, and who made them.

    sv.empty((480, 640), "float32", memory="pinned")        # a name of a kind: "host", "pinned", "device", "managed"
    sv.zeros((480, 640), memory="device", device=1)         # of a CUDA device; device="cuda:1" is the same
    pool = sv.memory.pool(most=2**30)                       # a resource of one's own
    sv.empty((480, 640), memory=pool)
    print(sv.memory.report())                               # what is alive, by kind, device and tag
    sv.memory.collect()                                     # free what had to wait for a device

A resource is wrapped to do more; each wrapper takes any resource, so that they are combined:

    pool.limited(2**20)                                     # at most so many bytes at a time, else MemoryError
    pool.tracked("frames")                                  # counts: resource.stats(), and blocks=True lists the blocks
    pool.logged(callable)                                   # callable(event, ptr, nbytes, stream)
    pool.retrying(callable)                                 # callable(nbytes, attempt) makes room, and it is tried again
    sv.memory.set_default(pool.limited(2**20))              # what memory="device" means from now on

sv.empty() and its like without memory= are counted as memory="host" is: in stats(), report() and by tracemalloc, and
under a tag(), in a record() and within the limits of another default resource, too.

A MemoryResource gives memory, a Buffer is a piece of it. Both have the names of cuda.core's.
MemoryUSMHost, MemoryUSMDevice and MemoryUSMShared are buffers with the names of dpctl's, DeviceBuffer is
one with those of RMM's. Buffers of all classes are pickled, with their bytes out of band from protocol 5 on.
"""

from __future__ import annotations

from . import Buffer, MemoryResource
from ._buffer_pickle import loading
from ._counts import collect, stats
from ._device_buffer import DeviceBuffer
from ._recording import Block, Event, Recording, record
from ._report import Report, Row, report
from ._resources import KINDS, default, device, host, managed, pinned, pool, set_default, tag
from ._usm import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared

__all__ = [
    "KINDS",
    "Block",
    "Buffer",
    "DeviceBuffer",
    "Event",
    "MemoryResource",
    "MemoryUSMDevice",
    "MemoryUSMHost",
    "MemoryUSMShared",
    "Recording",
    "Report",
    "Row",
    "collect",
    "default",
    "device",
    "host",
    "loading",
    "managed",
    "pinned",
    "pool",
    "record",
    "report",
    "set_default",
    "stats",
    "tag",
]
