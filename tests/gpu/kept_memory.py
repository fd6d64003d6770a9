"""What the driver has to promise for memory that is kept when it is freed, and that it is used again, on a real device."""

import ctypes

from machine import Driver

import strideview as sv

NBYTES = 64 << 20
WRITES = 2000  # of so many bytes each: some tens of milliseconds on the fastest devices
STREAMS = 100
NOT_READY = 600  # CUDA_ERROR_NOT_READY


def start_work(machine, buffer, stream):
    for _ in range(WRITES):
        machine.set(buffer.handle, NBYTES, stream)


def number_of_a_stream(machine):
    """A stream that has ended with work to do: no other gets its number meanwhile. A fault in words, or nothing."""
    buffer, stream = sv.MemoryResource.device().allocate(NBYTES), machine.new_stream()
    event = machine.made("cuEventCreate", 0)
    start_work(machine, buffer, stream)
    machine.call("cuEventRecord", event, ctypes.c_void_p(stream))
    machine.end_stream(stream)
    others = [machine.new_stream() for _ in range(STREAMS)]
    is_pending = machine.lib.cuEventQuery(event) == NOT_READY
    machine.call("cuEventSynchronize", event)
    machine.call("cuEventDestroy_v2", event)
    for other in others:
        machine.end_stream(other)
    if not is_pending:
        return "the work was done too early to tell"
    return "another stream has the number" if stream in others else None


def is_used_again(machine):
    """The block of a stream comes back on that stream, in the order of its work, and on no other."""
    mine, other = machine.new_stream(), machine.new_stream()
    resource = sv.MemoryResource.device().cached()
    buffer = resource.allocate(NBYTES, mine)
    start_work(machine, buffer, mine)
    address = buffer.handle
    buffer.close()
    elsewhere, again = resource.allocate(NBYTES, other), resource.allocate(NBYTES, mine)
    right = again.handle == address and elsewhere.handle != address
    again.fill(b"\x05", stream=mine)
    right = right and again.read(0, 16) == b"\x05" * 16 == again.read(NBYTES - 16, 16)
    again.close()
    elsewhere.close()
    sv.memory.collect(wait=True)
    for stream in (mine, other):
        machine.end_stream(stream)
    return None if right else "another block, or other bytes"


CHECKS = {"the number of a stream that has ended": number_of_a_stream, "a block on its stream again": is_used_again}


def kept_memory(ground, machine):
    """Rows as those of compare.py; none without a real driver."""
    if isinstance(machine, Driver):
        for name, check in CHECKS.items():
            yield "kept memory", name, lambda check=check: check(machine)
