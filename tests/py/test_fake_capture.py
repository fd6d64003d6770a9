"""Calls while a stream is captured into a graph, on the fake CUDA runtime: recorded, or refused and nothing touched."""

import ctypes
import gc

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import any_order, runtime, stream  # noqa: F401  (fixtures)
from peers import exchange_table

NBYTES = 4096
PATTERN = bytes(range(256)) * 16
GLOBAL, THREAD, RELAXED = 0, 1, 2  # of cudaStreamCaptureMode
fake.lib.fake_begin_capture.argtypes = [ctypes.c_void_p, ctypes.c_int]
fake.lib.fake_end_capture.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
fake.lib.fake_graph_text.argtypes = fake.lib.fake_end_graph.argtypes = [ctypes.c_void_p]
fake.lib.fake_graph_text.restype = ctypes.c_char_p
fake.lib.fake_end_graph.restype = None


def captured(stream, work, mode=GLOBAL):
    """What a graph has of the work, whose capture must be valid at the end."""
    graph = ctypes.c_void_p()
    assert fake.lib.fake_begin_capture(stream, mode) == 0
    try:
        work()
    finally:
        error = fake.lib.fake_end_capture(stream, ctypes.byref(graph))
    assert error == 0, "the capture is invalid"
    text = fake.lib.fake_graph_text(graph).decode()
    fake.lib.fake_end_graph(graph)
    return text


def enqueued():
    """What was put on streams."""
    return [line for line in fake.log() if "synchronize" not in line]


def refused(error, call):
    def work():
        before = enqueued()
        with pytest.raises(error):
            call()
        assert enqueued() == before, "the stream was touched"
    return work


def plan_of(target, source):
    return sv.Plan(target, source)


# Each takes views of device memory, a Buffer, an array of the host, and a stream or None.
CALLS = {
    "copy": lambda v, b, host, stream: sv.copy(v[0], v[1], stream),
    "transposed": lambda v, b, host, stream: sv.copy(v[0], v[1].T, stream),
    "copy_to": lambda v, b, host, stream: v[0].copy_to(v[1], stream=stream),
    "plan": lambda v, b, host, stream: plan_of(v[0], v[1]).execute(v[0], v[1], stream),
    "batch": lambda v, b, host, stream: sv.copy_batch([v[0]], [v[1]], stream),
    "plan batch": lambda v, b, host, stream: plan_of(v[0], v[1]).execute_batch([v[0]], [v[1]], stream),
    "fill": lambda v, b, host, stream: sv.fill(v[0], 3, stream),
    "buffer fill": lambda v, b, host, stream: b.fill(3, stream=stream),
}
WAITING = {
    "blocking": lambda v, b, host, stream: sv.copy(v[0], v[1], stream, blocking=True),
    "blocking batch": lambda v, b, host, stream: sv.copy_batch([v[0]], [v[1]], stream, blocking=True),
    "blocking plan": lambda v, b, host, stream: plan_of(v[0], v[1]).execute(v[0], v[1], stream, blocking=True),
    "blocking plan batch": lambda v, b, host, stream: plan_of(v[0], v[1]).execute_batch([v[0]], [v[1]], stream,
                                                                                         blocking=True),
    "to the host": lambda v, b, host, stream: sv.copy(host, v[1], stream),
    "from the host": lambda v, b, host, stream: sv.copy(v[0], host, stream),
    "tobytes": lambda v, b, host, stream: b.tobytes(stream),
    "write": lambda v, b, host, stream: b.write(PATTERN, stream=stream),
    "allocate": lambda v, b, host, stream: sv.MemoryResource.pool_view().allocate(100, stream=stream),
}


def ground(stream):
    """stream: where the views are ready; -1: nowhere."""
    buffers = [sv.MemoryResource.device().allocate(NBYTES) for _ in range(3)]
    views = [buffer.view("f4").reshape(32, 32) for buffer in buffers[:2]]
    plan_of(*views)
    sv.copy(views[0], views[1])  # loads the kernels
    ready = [sv.view(view.__dlpack__(stream=-1, max_version=(1, 3)), stream) for view in views]
    return ready, buffers[2], np.zeros((32, 32), "f4")


@pytest.mark.parametrize("mode", [GLOBAL, THREAD, RELAXED], ids=["global", "thread", "relaxed"])
@pytest.mark.parametrize("name", CALLS)
def test_what_a_graph_holds(any_order, stream, name, mode):
    views, buffer, host = ground(-1)
    assert captured(stream, lambda: CALLS[name](views, buffer, host, stream), mode) != ""
    del views, buffer


@pytest.mark.parametrize("mode", [GLOBAL, THREAD, RELAXED], ids=["global", "thread", "relaxed"])
@pytest.mark.parametrize("name", WAITING)
def test_what_would_wait_is_not_recorded(any_order, stream, name, mode):
    views, buffer, host = ground(-1)
    call = refused((RuntimeError, BufferError), lambda: WAITING[name](views, buffer, host, stream))
    assert captured(stream, call, mode) == ""
    del views, buffer


@pytest.mark.parametrize("ready", [1, 2], ids=["legacy", "thread"])
@pytest.mark.parametrize("name", [name for name in CALLS if "buffer" not in name])
def test_views_that_are_ready_on_another_stream(any_order, stream, name, ready):
    """The graph cannot hold the wait for that stream, so the host waits."""
    views, buffer, host = ground(ready)
    assert captured(stream, lambda: CALLS[name](views, buffer, host, stream)) != ""
    del views, buffer


@pytest.mark.parametrize("ready", [1, 2], ids=["legacy", "thread"])
@pytest.mark.parametrize("name", [name for name in WAITING if name not in ("tobytes", "write", "allocate")])
def test_what_would_wait_of_views_that_are_ready_elsewhere(any_order, stream, name, ready):
    views, buffer, host = ground(ready)
    call = refused((RuntimeError, BufferError), lambda: WAITING[name](views, buffer, host, stream))
    assert captured(stream, call) == ""
    del views, buffer


@pytest.mark.parametrize("name", {**CALLS, **WAITING})
def test_calls_without_a_stream_leave_a_capture_valid(any_order, stream, name):
    """They are done on the default stream, at once, and are no part of the graph."""
    views, buffer, host = ground(-1)
    assert captured(stream, lambda: {**CALLS, **WAITING}[name](views, buffer, host, None)) == ""
    del views, buffer


def memory(kind, device, dtype, large):
    """A view of a matrix, which no stream has to do with; its Buffer is kept by it."""
    side = 600 if large else 40
    resource = getattr(sv.MemoryResource, kind)(*([device] if kind in ("device", "managed") else []))
    view = resource.allocate(side * side * np.dtype(dtype).itemsize).view(dtype).reshape(side, side)
    return sv.view(view.__dlpack__(stream=-1, max_version=(1, 3)), -1) if kind in ("device", "managed") else view


WAYS = {"dense": lambda v: v, "transposed": lambda v: v.T, "steps": lambda v: v[::2, ::2], "turned": lambda v: v[:, ::-1]}


@pytest.mark.parametrize("way, dtypes, large", [
    *((way, ("f4", "f4"), False) for way in WAYS), ("transposed", ("f4", "f4"), True), ("dense", ("f8", "f4"), False),
    ("transposed", ("f8", "f4"), False), ("transposed", ("f8", "f4"), True),
], ids=lambda value: {True: "large", False: "small"}.get(value) if isinstance(value, bool) else None)
@pytest.mark.parametrize("kinds", ["device device", "device pinned", "pinned device", "device managed", "managed device",
                                   "managed managed", "managed host", "host managed", "device host", "host device",
                                   "device device1", "device1 device"])
def test_every_route(runtime, kinds, way, dtypes, large):
    """Recorded, or refused while nothing was done; the capture is valid."""
    stream = fake.lib.fake_new_stream(0, 1)
    target, source = (memory(kind.rstrip("1"), int(kind.endswith("1")), dtype, large)
                      for kind, dtype in zip(kinds.split(), dtypes))
    target = target[:300, :300] if way == "steps" and large else target[:20, :20] if way == "steps" else target
    source = WAYS[way](source)
    sv.copy(target, source, casting="unsafe")  # loads the kernels, and opens what is to be opened

    def work():
        before = fake.log()
        try:
            sv.copy(target, source, stream, casting="unsafe")
        except (RuntimeError, BufferError, NotImplementedError):
            assert fake.log() == before, "the stream was touched"
    captured(stream, work)
    del target, source, work
    gc.collect()
    assert fake.lib.sv_memory_collect(1, None) == 0
    fake.lib.fake_end_stream(stream)


@pytest.mark.parametrize("shift", ["moved", "turned"])
def test_sides_that_share_bytes(any_order, stream, shift):
    whole = memory("device", 0, "f4", False)
    target, source = (whole[1:], whole[:-1]) if shift == "moved" else (whole, whole.T)
    sv.copy(target, source)

    def work():
        before = enqueued()
        try:
            sv.copy(target, source, stream)
        except (RuntimeError, BufferError, NotImplementedError):
            assert enqueued() == before, "the stream was touched"
    captured(stream, work)
    del whole, target, source, work


class Tensor:
    """Of a library that captures the stream it works on, as PyTorch does, whose own wait would end the capture."""

    __c_dlpack_exchange_api__ = exchange_table(
        lambda tensor: tensor.view.__dlpack__(stream=-1, max_version=(1, 3)), lambda device_id: Tensor.stream)
    stream = 0

    def __init__(self, view):
        self.view = view

    def __dlpack__(self, **keywords):
        raise AssertionError("the producer was asked")

    def __dlpack_device__(self):
        return 2, 0


@pytest.mark.parametrize("imported", ["in the capture", "before"])
@pytest.mark.parametrize("name", CALLS)
def test_calls_without_a_stream_while_their_library_captures(any_order, stream, name, imported):
    """They are recorded, on the stream that the library works on now, Buffers of our own too."""
    views, buffer, host = ground(-1)
    tensors = [Tensor(view) for view in views]
    try:
        if imported == "before":
            views = [sv.view(tensor) for tensor in tensors]
        elif "plan" in name or name in ("transposed", "copy_to", "buffer fill"):
            views = [sv.view(tensor, -1) for tensor in tensors]
            sv.view(Tensor(views[0]))  # the library has told its stream before
            tensors = views
        Tensor.stream = stream
        args = views if imported == "before" else tensors
        text = captured(stream, lambda: CALLS[name](args, buffer, host, None))
        assert text != "" and "synchronize" not in text
    finally:
        Tensor.stream = 0
    del views, buffer, tensors, args


@pytest.mark.parametrize("name", [name for name in WAITING if "blocking" in name or "host" in name])
def test_what_would_wait_while_their_library_captures(any_order, stream, name):
    views, buffer, host = ground(-1)
    tensors = [sv.view(Tensor(view)) for view in views]
    Tensor.stream = stream
    try:
        call = refused((RuntimeError, BufferError), lambda: WAITING[name](tensors, buffer, host, None))
        assert captured(stream, call) == ""
    finally:
        Tensor.stream = 0
    del views, buffer, tensors, call


if __name__ == "__main__":
    import tap
    tap.main(__file__)
