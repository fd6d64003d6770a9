"""What this machine has, and whose memory an address is."""

import ctypes
import os
import subprocess
import sys

import pytest

import strideview as sv

FLAGS = {"pageable_access", "concurrent_managed", "pools", "host_pools", "managed_pools", "ipc"}


def test_the_host_comes_first():
    host = sv.devices()[0]
    assert host.name == "cpu" and host.device == (1, 0) and host.state == "ready"
    assert host.text == "CPU: memory of this process"
    assert list(host.properties) == ["memory_total"]
    assert 0 < host.memory_free <= host.properties["memory_total"]


def test_memory_of_the_host_is_what_the_system_says():
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert abs(sv.devices()[0].properties["memory_total"] - total) < total // 8


def test_cuda_devices_or_why_there_are_none():
    cuda = sv.devices()[1:]
    assert cuda and all(record.text.startswith("CUDA: ") for record in cuda)
    if cuda[0].state == "ready":
        for number, record in enumerate(cuda):
            assert record.name == f"cuda:{number}" and record.device == (2, number)
            assert set(record.properties) == FLAGS | {"memory_total", "compute_capability", "multiprocessors"}
            assert all(record.properties[flag] in (True, False) for flag in FLAGS)
            assert record.properties["compute_capability"] >= (5, 0) and record.properties["multiprocessors"] > 0
            assert 0 < record.memory_free <= record.properties["memory_total"]
    else:
        (record,) = cuda
        assert record.name == "cuda" and record.device == (2, 0) and record.properties == {}
        assert record.state in ("no backend", "no driver", "driver too old", "no device", "stub driver", "broken")
        error = NotImplementedError if record.state == "no backend" else ValueError
        with pytest.raises(error, match="CUDA"):
            print(record.memory_free)


def test_records_are_tuples():
    name, device, state, text, properties = sv.devices()[0]
    assert repr(sv.devices()[0]) == (
        f"Device(name={name!r}, device={device}, state={state!r}, text={text!r}, properties={properties})"
    )


def test_addresses_of_the_host():
    memory = ctypes.create_string_buffer(16)
    start = ctypes.addressof(memory)
    for address in (start, start + 1, sv.empty(3).ptr):
        found = sv.pointer_query(address)
        assert found.kind == "host" and found.device_id == 0 and found.host_address == address
        assert found.is_host_accessible and not found.is_managed and not found.is_ordered
        assert found.is_device_accessible == (found.device_address == address) == bool(found.traits & 2)
    nothing = sv.pointer_query(0)
    assert nothing == (None, 0, None, None, 0)
    assert not nothing.is_host_accessible and not nothing.is_device_accessible


def test_addresses_may_be_of_any_integer_type():
    numpy = pytest.importorskip("numpy")
    array = numpy.zeros(3)
    assert sv.pointer_query(numpy.uint64(array.ctypes.data)).kind == "host"


@pytest.mark.parametrize(("address", "error"), [(1.0, TypeError), ("1", TypeError), (None, TypeError), (b"", TypeError),
                                                (-1, OverflowError), (1 << 64, OverflowError)])
def test_what_is_no_address(address, error):
    with pytest.raises(error):
        sv.pointer_query(address)


def test_names_and_numbers_are_those_of_the_header():
    from strideview._devices import PROPERTIES, STATES

    numbers = {getattr(sv.lib, name) for name in dir(sv.lib) if name.startswith("SV_PROPERTY_")}
    assert {number for _, number, _ in PROPERTIES} == numbers - {sv.lib.SV_PROPERTY_MEMORY_FREE}
    for name, number, _ in PROPERTIES:
        assert getattr(sv.lib, f"SV_PROPERTY_{name.upper()}") == number
    for name in dir(sv.lib):
        if name.startswith("SV_STATE_"):
            assert STATES[getattr(sv.lib, name)] == name.removeprefix("SV_STATE_").lower().replace("_", " ")


FORKED = """
import os
import strideview as sv
known = [record.state for record in sv.devices()]
child = os.fork()
if child == 0:
    states = [record.state for record in sv.devices()]
    os._exit(states[0] != "ready" or (known[-1] == "ready" and states != ["ready", "broken"]))
assert os.waitpid(child, 0)[1] == 0
assert [record.state for record in sv.devices()] == known
"""


def test_a_forked_process_says_so():
    subprocess.run([sys.executable, "-c", FORKED], check=True, timeout=60)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
