"""Memory resources of other libraries where a MemoryResource is taken: cuda.core's and RMM's interfaces."""

import gc
import importlib.util
import weakref

import fake  # noqa: F401  (before strideview)
import numpy as np
import pytest

import strideview as sv
from fake import runtime  # noqa: F401  (a fixture)
from peers import need
from resources import C
from test_fake import DeviceArray

SHAPE = (150, 160)
NUMBERS = np.arange(150 * 160, dtype="f4").reshape(SHAPE)


class Block:
    """A Buffer that is not ours."""

    def __init__(self, resource, handle, size):
        self.resource, self.handle, self.size = resource, handle, size

    def close(self, stream=None):
        self.resource.deallocate(self.handle, self.size, stream=stream)


class CudaCore:
    """Device memory by cuda.core's interface, which does not know ours."""

    is_device_accessible, is_host_accessible = True, False

    def __init__(self, device=0):
        self.device_id, self.calls, self.live = device, [], {}

    def _take(self, verb, size, stream):
        version, handle = stream.__cuda_stream__()
        self.calls.append((verb, size, handle))
        assert version == 0 and handle > 0

    def allocate(self, size, *, stream):
        self._take("allocate", size, stream)
        buffer = sv.MemoryResource.device(self.device_id).allocate(size)
        self.live[int(buffer.handle)] = buffer
        return Block(self, int(buffer.handle), size)

    def deallocate(self, ptr, size, *, stream):
        self._take("deallocate", size, stream)
        self.live.pop(ptr).close()


@pytest.mark.parametrize("answer", [None, "memory", 1.5, True, object()])
def test_what_is_no_memory_is_refused(answer):
    class Odd(CudaCore):
        def allocate(self, size, *, stream):
            return answer

    with pytest.raises(TypeError, match=rf"allocate\(16\) of Odd gave {type(answer).__name__}: it must give an object"):
        sv.empty(16, "u1", memory=Odd())


class WithoutClose(CudaCore):
    def allocate(self, size, *, stream):
        made = CudaCore.allocate(self, size, stream=stream)
        return type("Handle", (), {"handle": made.handle})()


class Rmm:
    """RMM's interface: addresses, and nothing of what the memory is."""

    def __init__(self):
        self.inner = CudaCore()
        self.calls = self.inner.calls
        self.live = self.inner.live

    def allocate(self, nbytes, stream=None):
        return self.inner.allocate(nbytes, stream=stream).handle

    def deallocate(self, ptr, nbytes, stream=None):
        self.inner.deallocate(ptr, nbytes, stream=stream)


class CoreStream:
    """In the place of cuda.core's Stream, which cannot be made without a driver. No other class is as good."""

    def __init__(self, handle):
        self.handle = handle

    from_handle = classmethod(lambda cls, handle: cls(handle))

    def __cuda_stream__(self):
        return 0, self.handle


@pytest.fixture(autouse=True)
def core_stream(monkeypatch):
    if importlib.util.find_spec("cuda") and importlib.util.find_spec("cuda.core"):
        monkeypatch.setattr("cuda.core.Stream", CoreStream)


class Derived(CudaCore):
    """What calls functions of cuda.core's own."""

    def _take(self, verb, size, stream):
        assert isinstance(stream, CoreStream)
        CudaCore._take(self, verb, size, stream)


def derived_from_cuda_core():
    base = need("cuda.core").MemoryResource
    return type("Derived", (Derived, base), {"device_id": 0, "__init__": lambda self: CudaCore.__init__(self)})()


FOREIGN = {"cuda.core": CudaCore, "no close()": WithoutClose, "RMM": Rmm, "derived": derived_from_cuda_core}


def copy_with(resource, how="copy_to"):
    """A copy that needs scratch memory of the device: a transpose from the host."""
    host, target = np.ascontiguousarray(NUMBERS.T), sv.view(DeviceArray(SHAPE, "f4", 0), -1)
    source, back = sv.view(host.T), np.zeros(SHAPE, "f4")
    try:
        if how == "plan":
            sv.Plan(target, source).execute(target, source, allocator=resource)
        elif how == "copy":
            sv.copy(target, source, allocator=resource)
        else:
            source.copy_to(target, allocator=resource)
        target.copy_to(back)
        assert np.array_equal(back, NUMBERS)
    finally:
        del target  # tracebacks keep what is here


@pytest.mark.parametrize("how", ["copy_to", "copy", "plan"])
@pytest.mark.parametrize("name", FOREIGN)
def test_scratch_memory_of_another_library(runtime, name, how):
    resource = FOREIGN[name]()
    copy_with(resource, how)
    sv.memory.collect(wait=True)
    assert [call[0] for call in resource.calls] == ["allocate", "deallocate"] and not resource.live
    assert resource.calls[0][1] == resource.calls[1][1] >= NUMBERS.nbytes


def test_an_error_is_the_one_that_was_raised(runtime):
    class Empty(CudaCore):
        def allocate(self, size, *, stream):
            raise error

    for error in (MemoryError("no room"), KeyError("pool"), RuntimeError("cudaErrorUnknown")):
        with pytest.raises(type(error)) as told:
            copy_with(Empty())
        assert told.value is error or told.value.__cause__ is error


@pytest.mark.parametrize("made", [None, "x", object(), type("Small", (), {"handle": 4096, "size": 3})(),
                                  type("None", (), {"handle": None})(), 0])
def test_what_is_no_memory(runtime, made):
    resource = CudaCore()
    resource.allocate = lambda size, stream: made
    with pytest.raises((TypeError, ValueError, AttributeError)):
        copy_with(resource)


@pytest.mark.parametrize("given", [object(), 3, "device", CudaCore, type("Half", (), {"allocate": print})()])
def test_what_has_no_interface(runtime, given):
    for call in (lambda: copy_with(given), lambda: sv.Buffer._allocate(given, 16)):
        with pytest.raises(TypeError, match="must be a MemoryResource, or .*cuda.core.*RMM"):
            call()


def test_of_another_device(runtime):
    with pytest.raises((ValueError, BufferError, RuntimeError), match="device 1"):
        copy_with(CudaCore(1))


class Host:
    """Memory of the host by cuda.core's interface."""

    is_device_accessible, is_host_accessible, device_id = False, True, -1
    live = 0

    def allocate(self, size, *, stream):
        Host.live += 1
        return Block(self, C.aligned_alloc(64, (size + 63) // 64 * 64), size)

    def deallocate(self, ptr, size, *, stream):
        Host.live -= 1
        C.free(ptr)


def test_it_lives_as_long_as_its_memory():
    resource = Host()
    alive, array = weakref.ref(resource), sv.empty((100,), "f8", memory=resource)
    assert array.ptr % 64 == 0 and Host.live == 1
    del resource
    gc.collect()
    assert alive() is not None
    del array
    gc.collect()
    assert alive() is None and Host.live == 0


def test_where_resources_are_taken():
    buffer = sv.MemoryResource.host().allocate(100, zero=True)
    buffer.migrate(Host())
    assert not any(buffer.tobytes()) and buffer.kind == "host" and Host.live == 1
    buffer.close()
    made = sv.Buffer._allocate(Host(), 10)
    assert Host.live == 1
    made.close()
    assert Host.live == 0
    with pytest.raises(TypeError, match="memory= is one of host.*MemoryResource"):
        sv.empty((3,), "f4", memory=3)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
