"""Buffers and memory resources of pinned, device and managed memory, on the fake CUDA runtime."""

import threading
import time

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import runtime  # noqa: F401  (a fixture)

KINDS = {
    "host": lambda: sv.MemoryResource.host(), "pinned": lambda: sv.MemoryResource.pinned(),
    "device": lambda: sv.MemoryResource.device(), "device 1": lambda: sv.MemoryResource.device(1),
    "managed": lambda: sv.MemoryResource.managed(), "pool": lambda: sv.MemoryResource.pool(),
    "managed pool": lambda: sv.MemoryResource.pool("managed", 1),
    "pool_view": lambda: sv.MemoryResource.pool_view(),
}
# kind, device_id, host, device, managed
FACTS = {
    "host": ("host", -1, True, False, False), "pinned": ("pinned", -1, True, True, False),
    "device": ("device", 0, False, True, False), "device 1": ("device", 1, False, True, False),
    "managed": ("managed", 0, True, True, True), "pool": ("device", 0, False, True, False),
    "managed pool": ("managed", 1, True, True, True), "pool_view": ("device", 0, False, True, False),
}
CONTENTS = bytes(range(256)) * 16


def collect():
    assert fake.lib.sv_memory_collect(1, None) == 0


@pytest.fixture
def stream(runtime):  # noqa: F811
    made = fake.lib.fake_new_stream(0, 1)
    yield made
    fake.lib.fake_end_stream(made)


@pytest.mark.parametrize("name", KINDS)
def test_facts(runtime, name):  # noqa: F811
    resource = KINDS[name]()
    buffer = resource.allocate(1000)
    for told in (resource, buffer):
        assert (told.kind, told.device_id, told.is_host_accessible, told.is_device_accessible,
                told.is_managed) == FACTS[name]
    assert buffer.handle % buffer.alignment == 0 and buffer.alignment >= {"host": 64, "pinned": 4096}.get(name, 256)
    assert buffer.__dlpack_device__()[0] == {"host": 1, "pinned": 3, "device": 2, "managed": 13}[buffer.kind]
    assert hasattr(buffer, "__cuda_array_interface__") is (name != "host")
    del buffer, told, resource
    collect()


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_contents_go_from_any_kind_to_any(runtime, source, target):  # noqa: F811
    first, second = KINDS[source]().allocate(4096), KINDS[target]().allocate(4096)
    first.write(CONTENTS)
    second.copy_from(first)
    assert second.tobytes() == CONTENTS
    second.fill(b"ab")
    second[100:200].copy_to(first[:100])
    assert first.read(90, 20) == b"ab" * 5 + CONTENTS[100:110]
    array = np.zeros(2048, "u2")
    assert second.copy_to(array) is array and array.tobytes() == b"ab" * 2048
    del first, second
    collect()


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_migrate(runtime, source, target):  # noqa: F811
    buffer = KINDS[source]().allocate(4096)
    buffer.write(CONTENTS)
    buffer.migrate(KINDS[target]())
    assert buffer.kind == FACTS[target][0] and buffer.tobytes() == CONTENTS
    buffer.resize(8192, zero=True)
    assert buffer.tobytes() == CONTENTS + bytes(4096)
    buffer.close()
    collect()


@pytest.mark.parametrize("name", KINDS)
def test_zeros(runtime, name):  # noqa: F811
    buffer = KINDS[name]().allocate(3000, zero=True)
    assert not any(buffer.tobytes())
    assert not any(np.asarray(buffer)) if buffer.is_host_accessible else not any(sv.view(buffer).tolist())
    del buffer
    collect()


def test_the_order_of_streams(runtime, stream):  # noqa: F811
    """What is put on streams is not overtaken, by whom it may be, and memory is freed after it."""
    resource = sv.MemoryResource.pool()
    buffer = resource.allocate(4096, stream)
    assert buffer.stream == stream and buffer.__cuda_array_interface__["stream"] == stream
    buffer.fill(7, stream=stream)
    assert sv.view(buffer).stream == stream
    assert buffer.tobytes() == bytes([7]) * 4096
    other = resource.allocate(4096)
    other.copy_from(buffer, stream=2)
    assert other.__cuda_array_interface__["stream"] == 2
    other.write(b"abc")
    assert sv.view(other.__dlpack__(stream=stream, max_version=(1, 3))).tolist()[:4] == [*b"abc", 7]
    buffer.set_deallocation_stream(1)
    buffer.close()
    del other
    assert [line for line in fake.log() if "release" in line] == ["0:release_async legacy"] * 2
    del resource
    collect()


def test_memory_outlives_the_work_on_it(runtime, stream):  # noqa: F811
    """Copies by views record their use; a pool frees on another stream."""
    for resource in (sv.MemoryResource.pool(), sv.MemoryResource.device()):
        source, target = resource.allocate(1 << 16), resource.allocate(1 << 16)
        source.fill(5)
        sv.copy(sv.view(target), sv.view(source), stream)
        del source
        gathered = target.tobytes(stream)
        sv.copy(target, resource.allocate(1 << 16, zero=True), stream)
        target.record_use(stream)
        target.close(1)
        assert gathered == bytes([5]) * (1 << 16)
    del resource, target
    collect()


USE_HOST_POINTER = 91  # cudaDevAttrCanUseHostPointerForRegisteredMem
KEEPERS = {
    "registered": lambda address, pages: pages, "borrowed": lambda address, pages: held(address, borrowed=True),
    "owner": lambda address, pages: held(address, owner=pages), "owner, kind": lambda address, pages: held(
        address, owner=pages, kind="pinned"),
    "resource": lambda address, pages: held(address, mr=Keeper(sv.MemoryResource.pinned())),
}
VIEWS = {
    "view": lambda buffer: buffer.view(), "layout": lambda buffer: buffer.view("u2", (2, 1024)),
    "offset": lambda buffer: buffer.view(offset=100), "slice": lambda buffer: buffer[100:4000].view(),
    "of nothing": lambda buffer: buffer.view("u1", (0, 3), offset=4), "view()": sv.view,
    "from_buffer": lambda buffer: sv.StridedMemoryView.from_buffer(buffer, (4096,), dtype="u1"),
    "DLPack": lambda buffer: sv.view(buffer.__dlpack__(max_version=(1, 3))),
    "array": lambda buffer: sv.view(np.asarray(buffer)),
}


class Keeper(sv.MemoryResource):
    """Memory that somebody else frees."""

    def deallocate(self, ptr, size, stream=None):
        pass


def held(address, **keeper):
    return sv.Buffer.from_handle(address, 4096, **keeper)


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("keeper", KEEPERS)
@pytest.mark.parametrize("how", VIEWS)
def test_views_are_at_the_address_of_the_host(runtime, same, keeper, how):  # noqa: F811
    """Also where devices use registered memory at another one, and whoever keeps it."""
    runtime.fake_set_attribute(-1, USE_HOST_POINTER, same)
    pages = np.frombuffer(CONTENTS, "u1").copy()
    registered = sv.Buffer.register(pages)
    buffer = KEEPERS[keeper](pages.ctypes.data, registered)
    assert same or (registered.handle != pages.ctypes.data)
    view = VIEWS[how](buffer)
    start = 100 if how in ("offset", "slice") else 0
    expected = np.frombuffer(CONTENTS, view.dtype)[start:][:view.size].reshape(view.shape)
    assert view.tolist() == expected.tolist() and np.array_equal(np.asarray(view), expected)
    if view.size:
        assert np.asarray(view).ctypes.data == pages.ctypes.data + start
    del view, buffer, registered
    collect()


def test_limits_and_retries(runtime):  # noqa: F811
    kept = []
    device = sv.MemoryResource.device().tracked(blocks=True)
    retrying = device.retrying(lambda nbytes, attempt: [block.close() for block in kept] and attempt == 1)
    kept.append(retrying.allocate(200 << 20))
    with pytest.raises(MemoryError):
        retrying.allocate(300 << 20)
    assert kept[0].is_closed and device.stats()["live_count"] == 0 and device.blocks() == []
    retrying.allocate(200 << 20).close()
    collect()


def test_failures_of_the_runtime_are_raised(runtime):  # noqa: F811
    collect()
    resource = sv.MemoryResource.device()
    runtime.fake_fail(1, fake.OUT_OF_MEMORY)
    with pytest.raises(MemoryError):
        resource.allocate(1000)
    runtime.fake_fail(0, 0)
    resource.allocate(1000).close()
    collect()


def test_hints(runtime, stream):  # noqa: F811
    buffer = sv.MemoryResource.managed().allocate(4096)
    buffer.write(CONTENTS)
    for strict in (False, True):
        buffer.advise("read_mostly", strict=strict)
        buffer.advise("prefer", -1, strict=strict)
        buffer.prefetch(1, stream, strict=strict)
        buffer.prefetch(-1, stream, strict=strict)
    assert buffer.tobytes(stream) == CONTENTS
    for place in (None, -1, 1):
        buffer.discard(place, stream)
        buffer.copy_from(CONTENTS, stream=stream)
        assert buffer.tobytes(stream) == CONTENTS
    buffer.discard(stream=stream)
    buffer.close(stream)
    pinned = sv.MemoryResource.pinned().allocate(16)
    pinned.prefetch()
    with pytest.raises(ValueError):
        pinned.prefetch(strict=True)
    del pinned
    collect()


def test_streams_that_are_refused(runtime):  # noqa: F811
    resource = sv.MemoryResource.device()
    for bad, error in ((-1, ValueError), (-5, ValueError), ("s", TypeError), (1.5, TypeError)):
        for call in (lambda: resource.allocate(8, bad), lambda: buffer.fill(1, stream=bad),
                     lambda: buffer.tobytes(bad), lambda: buffer.close(bad), lambda: buffer.record_use(bad)):
            buffer = resource.allocate(8)
            with pytest.raises(error):
                call()
    del buffer
    collect()


def test_registered_pages(runtime):  # noqa: F811
    array = np.zeros(8192, "u1")
    buffer = sv.Buffer.register(array)
    assert buffer.kind == "pinned" and buffer.is_device_accessible and buffer.size == 8192
    with pytest.raises(BufferError):
        sv.Buffer.register(array[4096:])
    device = sv.MemoryResource.device().allocate(8192)
    device.fill(9)
    buffer.copy_from(device)
    assert array.tolist() == [9] * 8192
    del buffer, device
    collect()


def test_adopted_memory(runtime):  # noqa: F811
    """The driver is asked what an address is; it is not believed that it is something else."""
    for kind, name in ((fake.DEVICE, "device"), (fake.PINNED, "pinned"), (fake.MANAGED, "managed")):
        pointer = fake.lib.fake_allocate(kind, 1, 4096)
        with sv.Buffer.from_handle(pointer, 4096, borrowed=True) as buffer:
            assert buffer.kind == name and buffer.device_id == 1
            buffer.write(CONTENTS)
            assert buffer.tobytes() == CONTENTS
        with pytest.raises(ValueError):
            sv.Buffer.from_handle(pointer, 4096, borrowed=True, kind="managed" if name == "device" else "device")
        fake.lib.fake_free(pointer)


@pytest.mark.parametrize("elsewhere", ["device", "managed"])
def test_a_buffer_that_moves_while_its_stream_is_waited_for(runtime, stream, elsewhere):  # noqa: F811
    """The interpreter's lock is given away meanwhile. What is lent is as long as it says, or nothing is."""
    buffer, stop, seen = KINDS["managed"]().allocate(4096), threading.Event(), []

    def move():
        while not stop.is_set():
            for kind in (elsewhere, "managed"):
                try:
                    buffer.migrate(KINDS[kind]())
                except BufferError:
                    pass  # it is lent

    mover = threading.Thread(target=move)
    mover.start()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        try:
            buffer.fill(7, stream=stream)
            with memoryview(buffer) as lent:
                seen.append(lent[0] == lent[-1] == 7 and bytes(lent) == bytes([7]) * 4096)
        except (BufferError, RuntimeError):
            continue  # it is moving, or on the device
    stop.set()
    mover.join()
    assert all(seen)
    del buffer
    collect()


def test_buffers_of_arrays_keep_their_stream(runtime, stream):  # noqa: F811
    class Usm:
        usm_type = "shared"
        memory = KINDS["managed"]().allocate(64)
        view = memory.view()

        @property
        def __cuda_array_interface__(self):
            return {**self.view.__cuda_array_interface__, "stream": stream}

        @property
        def __sycl_usm_array_interface__(self):
            told = self.view.__cuda_array_interface__
            return {**told, "version": 1, "syclobj": object(), "offset": 0}

    array = sv.view(Usm())
    made = sv.memory.MemoryUSMShared(Usm())
    assert made.view().stream == array.stream
    del array, made
    Usm.view = Usm.memory = None
    collect()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
