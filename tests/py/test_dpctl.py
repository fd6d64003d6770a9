"""Memory of dpctl's, where it is installed with a SYCL device: its CPU device does. pip install dpctl intel-opencl-rt"""

import gc
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import need

CLASSES = {"host": ("MemoryUSMHost", sv.memory.MemoryUSMHost), "shared": ("MemoryUSMShared", sv.memory.MemoryUSMShared),
           "device": ("MemoryUSMDevice", sv.memory.MemoryUSMDevice)}
READABLE = ("host", "shared")


def theirs(name, nbytes=64):
    """An object of dpctl's, with bytes 0, 1, ... in it."""
    dpm = need("dpctl.memory")
    try:
        made = getattr(dpm, CLASSES[name][0])(nbytes)
    except Exception as error:
        pytest.skip(f"dpctl has no device: {error}")
    made.copy_from_host(np.arange(nbytes, dtype="u1"))
    return made


@pytest.mark.parametrize("name", CLASSES)
def test_their_memory_is_adopted(name):
    source = theirs(name)
    ours = CLASSES[name][1](source)
    assert (ours.handle, ours.nbytes, ours.get_usm_type()) == (source._pointer, 64, name)
    assert ours.reference_obj is source
    assert ours.is_host_accessible == (name in READABLE)
    for other in set(CLASSES) - {name}:
        with pytest.raises(ValueError):
            CLASSES[other][1](source)


@pytest.mark.parametrize("name", READABLE)
def test_their_memory_lives_as_long_as_ours(name):
    source = theirs(name)
    gone = weakref.ref(source) if hasattr(type(source), "__weakref__") else None
    ours = CLASSES[name][1](source)
    view = sv.view(source)
    del source
    gc.collect()
    assert bytes(ours) == bytes(range(64)) and view.tolist() == list(range(64)) and (gone is None or gone() is not None)
    ours.fill(7)
    assert view[5].item() == 7 and ours.copy_to_host()[63] == 7


@pytest.mark.parametrize("name", READABLE)
def test_arrays_of_theirs(name):
    theirs(name)
    dpt = need("dpctl.tensor")
    array = dpt.reshape(dpt.arange(24, dtype="f4", usm_type=name), (4, 6))
    part = array[1:, ::2]
    view = sv.view(part)
    assert (view.shape, view.layout.strides_in_bytes) == ((3, 3), (24, 8))
    if view.is_host_accessible:
        assert np.array_equal(np.asarray(view), dpt.asnumpy(part))
    ours = CLASSES[name][1](part)
    assert ours.nbytes == (2 * 6 + 4 + 1) * 4 and ours.tobytes() == dpt.asnumpy(array).ravel()[6:23].tobytes()


@pytest.mark.parametrize("name", READABLE)
def test_copies_between_theirs_and_ours(name):
    source, target = theirs(name), bytearray(64)
    buffer = sv.memory.default("host").allocate(64)
    buffer.copy_from(source)
    assert buffer.tobytes() == bytes(range(64))
    buffer.fill(9)
    source.copy_from_host(buffer)
    source.copy_to_host(target)
    assert target == b"\t" * 64


if __name__ == "__main__":
    import tap
    tap.main(__file__)
