"""Kinds of memory for tests: on the fake CUDA runtime where the package was built on it, else of the host.

Import this before strideview. KINDS names what there is; without the fake runtime pinned memory is that of the host, and
only says that it is pinned.
"""

import gc

import numpy as np
import pytest

try:
    import fake
except pytest.skip.Exception:
    fake = None

import strideview as sv

KINDS = ("host", "pinned", "device", "managed") if fake else ("host", "pinned")
DEVICE_TYPES = {"host": 1, "pinned": 3, "device": 2, "managed": 13}


class Pretended(sv.MemoryResource):
    """Memory of the host that says it is of another kind."""

    def __init__(self, kind):
        self._kind, self.alive = kind, {}

    @property
    def kind(self):
        return self._kind

    def allocate(self, size, stream=None):
        block = np.full(size, 165, "u1")
        self.alive[block.ctypes.data] = block
        return block.ctypes.data

    def deallocate(self, ptr, size, stream=None):
        del self.alive[int(ptr)]


def free_all():
    """Free what was released: memory of a driver is kept for the next array, or waits for it."""
    gc.collect()
    assert sv.memory.collect(wait=True) == 0


@pytest.fixture(params=["eager", "lazy"] if fake else ["pretended"])
def kinds(request):
    """memory= for each of KINDS, and nothing is left of it at the end."""
    if fake:
        fake.lib.fake_start({"eager": fake.EAGER, "lazy": fake.LAZY}[request.param], 1)
        if not fake.lib.fake_protects():
            pytest.skip("page protection does not work here")
        yield KINDS
        free_all()
        left = fake.lib.fake_end().decode()
        assert left == ""
        return
    pinned = Pretended("pinned")
    sv.memory.set_default(pinned, "pinned")
    yield KINDS
    sv.memory.set_default(None, "pinned")
    gc.collect()
    assert pinned.alive == {}


def array_of(view):
    """The elements of a view of any kind of memory, as an array of NumPy's own."""
    out = np.empty(view.shape, view.dtype)
    sv.copy(out, view)
    return out
