"""What this machine has, and whose memory an address is: devices() and pointer_query()."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from ._core import _raise
from ._strideview import ffi, lib

STATES = {
    lib.SV_STATE_READY: "ready",
    lib.SV_STATE_NO_BACKEND: "no backend",
    lib.SV_STATE_NO_DRIVER: "no driver",
    lib.SV_STATE_DRIVER_TOO_OLD: "driver too old",
    lib.SV_STATE_NO_DEVICE: "no device",
    lib.SV_STATE_STUB_DRIVER: "stub driver",
    lib.SV_STATE_BROKEN: "broken",
}

# Those of CUDA devices that stay as they are: name in Python, number, how it is shown.
PROPERTIES = (
    ("memory_total", lib.SV_PROPERTY_MEMORY_TOTAL, int),
    ("pageable_access", lib.SV_PROPERTY_PAGEABLE_ACCESS, bool),
    ("concurrent_managed", lib.SV_PROPERTY_CONCURRENT_MANAGED, bool),
    ("pools", lib.SV_PROPERTY_POOLS, bool),
    ("host_pools", lib.SV_PROPERTY_HOST_POOLS, bool),
    ("managed_pools", lib.SV_PROPERTY_MANAGED_POOLS, bool),
    ("ipc", lib.SV_PROPERTY_IPC, bool),
    ("compute_capability", lib.SV_PROPERTY_COMPUTE_CAPABILITY, lambda number: divmod(number, 10)),
    ("multiprocessors", lib.SV_PROPERTY_MULTIPROCESSORS, int),
)


def _property(device_type: int, device_id: int, number: int) -> int:
    value = ffi.new("int64_t *")
    status = lib.sv_device_property(device_type, device_id, number, value)
    if status != lib.SV_OK:
        _raise(status)
    return int(value[0])


class Device(NamedTuple):
    """A device of this machine, or a kind of device that cannot be used, and why. See devices()."""

    name: str  # "cpu", "cuda:0"; without a number where no device of the kind can be used
    device: tuple[int, int]  # DLPack's device type and the number of the device, as for __dlpack_device__()
    state: str  # "ready", or one of the other STATES
    text: str  # the state in words, with versions
    properties: dict[str, Any]  # what it has and can do, by the names in PROPERTIES; empty unless it is ready

    @property
    def memory_free(self) -> int:
        """Bytes of memory that can be had at the moment. Asking opens a CUDA device, which takes some of them."""
        return _property(*self.device, lib.SV_PROPERTY_MEMORY_FREE)


def _text(device_type: int) -> str:
    room = ffi.new("char[400]")
    status = lib.sv_device_text(device_type, 400, room, ffi.NULL)
    if status != lib.SV_OK:
        _raise(status)
    return bytes(ffi.string(room)).decode()


def _properties(device_type: int, device_id: int) -> dict[str, Any]:
    known = PROPERTIES if device_type == lib.SV_DEVICE_CUDA else PROPERTIES[:1]
    return {name: show(_property(device_type, device_id, number)) for name, number, show in known}


def devices() -> list[Device]:
    """The host, and each CUDA device: what it has, and whether it can be used.

    properties has memory_total in bytes, and of CUDA devices compute_capability as a pair,
    multiprocessors, and what they can do as bools: pageable_access, concurrent_managed, pools,
    host_pools, managed_pools, ipc (the SV_PROPERTY numbers of sv.h, in lower case).

    Where no CUDA device can be used there is one record that says why. The first call loads
    CUDA's driver, which can take a second; no device is opened. Device.memory_free opens it.
    """
    found = []
    for device_type, name in ((lib.SV_DEVICE_CPU, "cpu"), (lib.SV_DEVICE_CUDA, "cuda")):
        state, count = ffi.new("sv_device_state *"), ffi.new("int32_t *")
        status = lib.sv_device_probe(device_type, state, count)
        if status != lib.SV_OK:
            _raise(status)
        for number in range(count[0]):
            full_name = name if device_type == lib.SV_DEVICE_CPU else f"{name}:{number}"
            found.append(Device(full_name, (device_type, number), STATES[state[0]], _text(device_type),
                                _properties(device_type, number)))
        if count[0] == 0:
            found.append(Device(name, (device_type, 0), STATES[state[0]], _text(device_type), {}))
    return found


class Pointer(NamedTuple):
    """What is known of an address. See pointer_query()."""

    kind: str | None  # "host", "pinned", "device" or "managed"; None of the address 0
    device_id: int  # number of its device; 0 of ordinary memory
    host_address: int | None  # the address for the host; None: the host cannot use it
    device_address: int | None  # the address for CUDA devices; None: they cannot use it
    traits: int  # SV_TRAIT bits

    @property
    def is_host_accessible(self) -> bool:
        """Whether the host can use the memory."""
        return self.host_address is not None

    @property
    def is_device_accessible(self) -> bool:
        """Whether CUDA devices can use the memory."""
        return self.device_address is not None

    @property
    def is_managed(self) -> bool:
        """Whether the driver moves the memory between host and devices."""
        return bool(self.traits & lib.SV_TRAIT_MANAGED)

    @property
    def is_ordered(self) -> bool:
        """Whether the memory is from a pool, freed in the order of a stream."""
        return bool(self.traits & lib.SV_TRAIT_ORDERED)


def _address(pointer: Any) -> int | None:
    return None if pointer == ffi.NULL else int(ffi.cast("uintptr_t", pointer))


def pointer_query(address: Any) -> Pointer:
    """What kind of memory an address, as an integer, belongs to. CUDA's driver is asked, where a device is ready.

    No check: an address that was freed, or never allocated, is told as ordinary memory of the host.
    """
    number = operator.index(address)
    if not 0 <= number < 1 << 8 * ffi.sizeof("void *"):
        raise OverflowError(f"{number} is no address")
    pointer = ffi.cast("void *", number)
    kind, traits, device_id = ffi.new("sv_memory *"), ffi.new("uint32_t *"), ffi.new("int32_t *")
    on_device, on_host = ffi.new("void **"), ffi.new("void **")
    status = lib.sv_pointer_query(pointer, kind, traits, device_id, on_device, on_host)
    if status != lib.SV_OK:
        _raise(status)
    name = lib.sv_memory_name(kind[0])
    return Pointer(None if name == ffi.NULL else ffi.string(name).decode(), int(device_id[0]), _address(on_host[0]),
                   _address(on_device[0]), int(traits[0]))
