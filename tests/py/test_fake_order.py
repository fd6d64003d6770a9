"""Who reads and writes memory that streams order, on the fake CUDA any_order, which does work late and in any order."""

import gc
import pickle

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import any_order, stream  # noqa: F401  (fixtures)

NBYTES = 4096
PATTERN = bytes(range(256)) * 16
KINDS = ("pinned", "managed", "device")


# --- the host, and memory whose allocation is in the order of a stream ---------------------------------------------


def pool(kind):
    return sv.MemoryResource.pool(kind)


def busy(stream):
    """Work that a stream has still to do."""
    host = np.zeros(NBYTES, "u1")
    on_device = sv.MemoryResource.pool().allocate(NBYTES, stream=stream)
    on_device.view("u1").copy_from(sv.view(host), stream=stream)
    return on_device


def write_memoryview(buffer):
    memoryview(buffer)[:] = PATTERN


def write_view(buffer):
    buffer.view("u1").copy_from(np.frombuffer(PATTERN, "u1"))


def write_items(buffer):
    view = buffer.view("u1")
    view[...] = np.frombuffer(PATTERN, "u1")


def write_array(buffer):
    np.asarray(buffer.view("u1"))[:] = np.frombuffer(PATTERN, "u1")


def write_import(buffer):
    sv.view(buffer)[...] = np.frombuffer(PATTERN, "u1")


def write_buffer(buffer):
    buffer.copy_from(PATTERN)


def write_slice(buffer):
    part = buffer[:]
    part.write(PATTERN)
    part.close()


def write_batch(buffer):
    sv.copy_batch([buffer.view("u1")], [np.frombuffer(PATTERN, "u1")])


def write_plan(buffer):
    target, source = buffer.view("u1"), sv.view(np.frombuffer(PATTERN, "u1"))
    sv.Plan(target, source).execute(target, source)


WRITES = {
    "write": lambda buffer: buffer.write(PATTERN), "copy_from": write_buffer, "memoryview": write_memoryview,
    "view": write_view, "items": write_items, "array": write_array, "slice": write_slice, "import": write_import,
    "copy": lambda buffer: sv.copy(buffer.view("u1"), np.frombuffer(PATTERN, "u1")), "batch": write_batch,
    "plan": write_plan,
}
READS = {
    "tobytes": lambda buffer: buffer.tobytes(), "read": lambda buffer: buffer.read(0, NBYTES),
    "bytes": lambda buffer: bytes(memoryview(buffer)), "copy_to": lambda buffer: _copied_to(buffer),
    "copy_to a buffer": lambda buffer: buffer.copy_to().tobytes(), "copy": lambda buffer: _copied(buffer),
    "view": lambda buffer: buffer.view("u1").tobytes(), "assign": lambda buffer: _assigned(buffer),
    "array": lambda buffer: np.asarray(buffer.view("u1")).tobytes(),
    "numpy": lambda buffer: buffer.view("u1").numpy().tobytes(),
    "list": lambda buffer: bytes(buffer.view("u1").tolist()),
    "item": lambda buffer: bytes(buffer.view("u1")[k].item() for k in range(NBYTES)),
    "pickle": lambda buffer: pickle.loads(pickle.dumps(buffer)).tobytes(),
}


def _copied_to(buffer):
    out = bytearray(NBYTES)
    buffer.copy_to(out)
    return bytes(out)


def _copied(buffer):
    out = np.zeros(NBYTES, "u1")
    sv.copy(out, buffer.view("u1"))
    return out.tobytes()


ON_HOST_ALONE = ("memoryview", "array", "bytes", "numpy")  # which memory of devices does not serve


def _assigned(buffer):
    out = sv.zeros(NBYTES, "u1")
    out[...] = buffer.view("u1")
    return out.tobytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", WRITES)
def test_the_host_writes_after_the_allocation(any_order, stream, kind, name):
    if kind == "device" and name in ON_HOST_ALONE:
        pytest.skip("the host does not see it")
    other = busy(stream)
    buffer = pool(kind).allocate(NBYTES, stream=stream)
    WRITES[name](buffer)
    assert buffer.tobytes() == PATTERN
    del other, buffer


@pytest.mark.parametrize("zero", [False, True], ids=["as it is", "zeros"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", READS)
def test_the_host_reads_after_the_allocation(any_order, stream, kind, name, zero):
    if kind == "device" and name in ON_HOST_ALONE:
        pytest.skip("the host does not see it")
    other = busy(stream)
    buffer = pool(kind).allocate(NBYTES, stream=stream, zero=zero)
    data = READS[name](buffer)
    assert not zero or data == bytes(NBYTES)
    buffer.fill(7)
    assert READS[name](buffer) == b"\7" * NBYTES
    del other, buffer


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", READS)
def test_the_host_reads_after_the_last_work(any_order, stream, kind, name):
    """What a stream writes last is waited for, too."""
    if kind == "device" and name in ON_HOST_ALONE:
        pytest.skip("the host does not see it")
    source, buffer = (pool(k).allocate(NBYTES, stream=stream) for k in ("device", kind))
    source.write(PATTERN)
    buffer.copy_from(source, stream=stream)
    assert READS[name](buffer) == PATTERN
    del source, buffer


@pytest.mark.parametrize("kind", ["pinned", "managed"])
@pytest.mark.parametrize("name", READS)
def test_memory_of_a_pool_that_is_adopted(any_order, stream, kind, name):
    if name == "copy_to a buffer":
        pytest.skip("adopted memory has no resource")
    other = busy(stream)
    made = pool(kind).allocate(NBYTES, stream=stream)
    adopted = sv.Buffer.from_handle(made.handle, NBYTES, owner=made, stream=stream)
    READS[name](adopted)
    adopted.fill(7)
    assert READS[name](adopted) == b"\7" * NBYTES
    del adopted, made, other


MADE = {
    "empty": lambda memory, stream: sv.empty(NBYTES, "u1", memory=memory, stream=stream),
    "zeros": lambda memory, stream: sv.zeros(NBYTES, "u1", memory=memory, stream=stream),
    "full": lambda memory, stream: sv.full(NBYTES, 0, "u1", memory=memory, stream=stream),
}
ARRAY_READS = {
    "tobytes": lambda view: view.tobytes(), "list": lambda view: bytes(view.tolist()),
    "copy": lambda view: _bytes(view),
    "array": lambda view: np.asarray(view).tobytes(), "memoryview": lambda view: bytes(memoryview(view)),
    "dlpack": lambda view: np.from_dlpack(view).tobytes(), "numpy": lambda view: view.numpy().tobytes(),
    "pickle": lambda view: pickle.loads(pickle.dumps(view)).tobytes(),
}


def _bytes(view):
    out = np.ones(NBYTES, "u1")
    sv.copy(out, view)
    return out.tobytes()


@pytest.mark.parametrize("kind", ["pinned", "managed"])
@pytest.mark.parametrize("read", ARRAY_READS)
@pytest.mark.parametrize("made", MADE)
def test_arrays_in_memory_of_a_pool(any_order, stream, made, read, kind):
    other = busy(stream)
    view = MADE[made](pool(kind), stream)
    data = ARRAY_READS[read](view)
    assert made == "empty" or data == bytes(NBYTES)
    del other, view
    gc.collect()


# --- stream 0 ------------------------------------------------------------------------------------------------------


class Legacy:
    def __cuda_stream__(self):
        return 0, 0


def _views():
    return [sv.MemoryResource.pool().allocate(NBYTES, stream=1).view("u1") for _ in range(2)]


def _plan(stream):
    target, source = _views()
    sv.Plan(target, source).execute(target, source, stream)


def _batch(stream):
    target, source = _views()
    sv.copy_batch([target], [source], stream)


def _buffer(stream):
    made = sv.MemoryResource.pool().allocate(NBYTES, stream=stream)
    made.fill(1, stream=stream)
    made.record_use(stream)
    made.set_deallocation_stream(stream)
    made.resize(2 * NBYTES, stream=stream)
    assert made.tobytes(stream)[:4] == b"\1" * 4
    made.close(stream)


def _managed(stream):
    made = sv.MemoryResource.managed().allocate(1 << 16)
    made.prefetch(0, stream=stream)
    assert made.view("u1").numpy(stream).size == 1 << 16


LEGACY = {
    "copy": lambda stream: sv.copy(*_views(), stream), "fill": lambda stream: sv.fill(_views()[0], 3, stream),
    "copy_to": lambda stream: _views()[0].copy_to(_views()[1], stream=stream), "plan": _plan, "batch": _batch,
    "empty": lambda stream: sv.empty(100, memory="device", stream=stream), "buffer": _buffer, "managed": _managed,
    "zeros": lambda stream: sv.zeros(100, memory="device", stream=stream),
}


@pytest.mark.parametrize("zero", [0, Legacy()], ids=["int", "object"])
@pytest.mark.parametrize("name", LEGACY)
def test_stream_0_is_the_legacy_default_stream(any_order, name, zero):
    """The same calls are made for it as for stream 1."""
    logs = []
    for legacy in (1, zero):
        any_order.fake_reset()
        LEGACY[name](legacy)
        gc.collect()
        assert any_order.sv_memory_collect(1, None) == 0
        logs.append(fake.log())
    assert logs[0] == logs[1] and any("legacy" in line for line in logs[0]) or name == "empty"


if __name__ == "__main__":
    import tap
    tap.main(__file__)
