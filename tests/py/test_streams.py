"""The order of work on devices: which stream a producer is told, a view is ready on, and a consumer may ask for.

There is no device here, so streams that differ can never wait for each other: that refusal is told apart from the
cases in which nothing has to wait. tests/unit/gpu/cuda.c shows the order of calls where a stream does wait.
"""


import numpy as np
import pytest

import strideview as sv
from peers import Exporter, address, device_view, exchange_table, numbers

CUDA, PINNED, ROCM, MANAGED, ONEAPI, CPU = (2, 0), (3, 0), (10, 0), (13, 0), (14, 0), (1, 0)
ROCM_HOST, TYPES = (11, 0), [getattr(sv.lib, name) for name in dir(sv.lib) if name.startswith("SV_DEVICE_")]
HANDLE = 0x7F0012345678
from_cuda = sv.StridedMemoryView.from_cuda_array_interface


def ready():
    state = sv.ffi.new("sv_device_state *")
    assert sv.lib.sv_device_probe(sv.lib.SV_DEVICE_CUDA, state, sv.ffi.NULL) == 0
    return state[0] == sv.lib.SV_STATE_READY


without_device = pytest.mark.skipif(ready(), reason="says what a machine without a CUDA device answers")


def on(device, stream=None):
    """A view of memory of a device, by a producer that keeps what it was asked."""
    exporter = Exporter(device=device, answer=lambda asked: device_view((2, 3), device=device))
    return sv.view(exporter, stream=stream), exporter.asked[0].get("stream", "nothing")


class Array:
    def __init__(self, stream, **changes):
        self.__cuda_array_interface__ = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "version": 3,
                                         "stream": stream, **changes}


@pytest.mark.parametrize("number", TYPES)
def test_what_each_device_type_gives(number):
    device = (number, 3 if number != CPU[0] else 0)
    view, asked = on(device)
    assert view.is_host_accessible is (number in {CPU[0], PINNED[0], ROCM_HOST[0], MANAGED[0]})
    assert hasattr(on(device, -1)[0], "__array_interface__") is view.is_host_accessible
    assert hasattr(view, "__cuda_array_interface__") is (number in {CUDA[0], MANAGED[0]})
    assert (asked, view.stream) == {CUDA[0]: (1, 1), MANAGED[0]: (1, 1), ROCM[0]: (0, 0)}.get(number, ("nothing", None))
    name = next(name for name in dir(sv.lib) if name.startswith("SV_DEVICE_") and getattr(sv.lib, name) == number)
    short = name.removeprefix("SV_DEVICE_").lower()
    assert sv.ffi.string(sv.lib.sv_device_name(number)).decode() == short
    assert f"device={short}" + (":3" if device[1] else "") + ")" in repr(view)


# --- in ---------------------------------------------------------------------

# device, stream given, stream the producer is told, stream the view is ready on
IN = [
    (CUDA, None, 1, 1), (CUDA, 0, 1, 1), (CUDA, 1, 1, 1), (CUDA, 2, 2, 2), (CUDA, HANDLE, HANDLE, HANDLE), (CUDA, -1, -1, None),
    (MANAGED, None, 1, 1), (MANAGED, 0, 1, 1), (MANAGED, 2, 2, 2), (MANAGED, -1, -1, None),
    (ROCM, None, 0, 0), (ROCM, 0, 0, 0), (ROCM, 9, 9, 9), (ROCM, -1, -1, None),
    (PINNED, None, "nothing", None), (PINNED, 0, "nothing", None), (PINNED, 9, "nothing", None), (PINNED, -1, "nothing", None),
    (CPU, None, "nothing", None), (CPU, 0, "nothing", None), (CPU, 9, "nothing", None), (CPU, -1, "nothing", None),
    (ONEAPI, None, "nothing", None), (ONEAPI, 9, 9, 9), (ONEAPI, -1, -1, None),
]


@pytest.mark.parametrize("device, given, told, known", IN)
def test_in(device, given, told, known):
    view, asked = on(device, given)
    assert (asked, view.stream, view.device) == (told, known, device)
    assert view.T.stream == view[0].stream == view.view(dtype="int32").stream == known


@pytest.mark.parametrize("device, given, error", [
    (ROCM, 1, BufferError), (ROCM, 2, BufferError), (ONEAPI, 0, ValueError), (CUDA, -2, ValueError),
    (CUDA, "1", TypeError), (CUDA, 2**70, OverflowError), (CUDA, 1.0, TypeError),
])
def test_streams_that_are_none(device, given, error):
    with pytest.raises(error) as caught:
        on(device, given)
    assert str(caught.value)


@pytest.mark.parametrize("told, expected", [((0, 7), 7), (lambda self: (0, HANDLE), HANDLE), ((0, 0), 1)])
def test_objects_that_are_streams(told, expected):
    stream = type("Stream", (), {"__cuda_stream__": told})()
    assert on(CUDA, stream) [0].stream == expected
    assert sv.view(numbers(3), stream).stream is None
    builder = type("GraphBuilder", (), {"stream": stream})()
    assert on(CUDA, builder)[0].stream == expected
    with pytest.raises(TypeError, match="object with __cuda_stream__"):
        on(CUDA, type("View", (), {"stream": 7})())


@pytest.mark.parametrize("zero", [0, np.int64(0), type("Stream", (), {"__cuda_stream__": lambda self: (0, 0)})()],
                         ids=["int", "numpy", "object"])
def test_stream_0_is_the_legacy_default(zero):
    """PyTorch's default stream has this number."""
    view, asked = on(CUDA, zero)
    assert (asked, view.stream) == (1, 1)
    assert sv.view(numbers(3), zero).stream is None
    target = np.zeros(3, "f4")
    sv.copy(target, np.ones(3, "f4"), zero)
    assert target.all()
    buffer = sv.MemoryResource.host().allocate(12, stream=zero)
    buffer.fill(1, stream=zero)
    buffer.record_use(zero)
    buffer.set_deallocation_stream(zero)
    assert buffer.tobytes(zero) == buffer.read(0, 12, zero) == b"\1" * 12
    buffer.close(zero)


@pytest.mark.parametrize("told", [7, (0,), (0, "7"), lambda self: None])
def test_objects_that_are_bad_streams(told):
    with pytest.raises(TypeError):
        on(CUDA, type("Stream", (), {"__cuda_stream__": told})())


def test_a_stream_that_raises():
    def fail(self):
        raise RuntimeError("closed")
    with pytest.raises(RuntimeError, match="closed"):
        on(CUDA, type("Stream", (), {"__cuda_stream__": fail})())


def test_a_capsule_is_ready_on_the_stream_it_was_asked_for():
    assert sv.view(device_view((2, 3))).stream == 1
    assert sv.view(device_view((2, 3)), stream=7).stream == 7
    assert sv.view(device_view((2, 3)), stream=-1).stream is None


# --- out --------------------------------------------------------------------

# device, stream the view was taken with, stream a consumer asks for, what that gives
OUT = [
    (CUDA, None, None, None), (CUDA, None, 1, None), (CUDA, None, -1, None), (CUDA, None, 2, BufferError),
    (CUDA, None, HANDLE, BufferError), (CUDA, None, 0, ValueError), (CUDA, None, -2, ValueError),
    (CUDA, 7, 7, None), (CUDA, 7, -1, None), (CUDA, 7, None, BufferError), (CUDA, 7, 8, BufferError),
    (CUDA, -1, None, None), (CUDA, -1, 7, None), (CUDA, -1, -1, None), (CUDA, -1, 0, ValueError),
    (MANAGED, None, None, None), (MANAGED, None, 2, BufferError),
    (ROCM, None, None, None), (ROCM, None, 0, None), (ROCM, None, 1, BufferError), (ROCM, None, 2, BufferError),
    (ROCM, None, 7, BufferError), (ROCM, 7, 7, None), (ROCM, 7, 0, BufferError), (ROCM, -1, 7, None),
    (ONEAPI, None, None, None), (ONEAPI, None, -1, None), (ONEAPI, None, 7, BufferError), (ONEAPI, 7, 7, None),
    (CPU, None, None, None), (CPU, None, -1, None), (CPU, None, 0, ValueError), (CPU, None, 1, ValueError),
    (PINNED, None, None, None), (PINNED, None, -1, None), (PINNED, None, 7, ValueError),
]


@without_device
@pytest.mark.parametrize("device, taken, asked, error", OUT)
def test_out(device, taken, asked, error):
    view, _ = on(device, taken)
    if error is None:
        assert sv.view(view.__dlpack__(max_version=(1, 3), stream=asked), stream=-1).ptr == view.ptr
        return
    with pytest.raises(error) as caught:
        view.__dlpack__(max_version=(1, 3), stream=asked)
    assert str(caught.value)


@without_device
def test_why_a_stream_cannot_wait():
    with pytest.raises(BufferError) as caught:
        on(CUDA, 7)[0].__dlpack__(stream=8)
    for word in ("stream 8", "stream 7", "-1", "CUDA"):
        assert word in str(caught.value)
    with pytest.raises(BufferError, match="no backend puts streams of ROCm devices in order"):
        on(ROCM, 7)[0].__dlpack__(stream=8)


@without_device
def test_a_view_for_another_stream():
    view, _ = on(CUDA, 7)
    assert sv.view(view, 7) is view and sv.view(view) is view and sv.view(view, -1) is view
    for stream in (8, 0):
        with pytest.raises(BufferError):
            sv.view(view, stream)
    assert sv.view(on(CUDA)[0], 0).stream == 1


@pytest.mark.parametrize("keywords, error", [({"stream": 1}, ValueError), ({"stream": 7}, ValueError),
                                             ({}, (BufferError, RuntimeError))])
@without_device
def test_to_the_host(keywords, error):
    with pytest.raises(error) as caught:
        on(CUDA)[0].__dlpack__(dl_device=CPU, max_version=(1, 3), **keywords)
    assert str(caught.value)


def test_copies_are_made_on_the_host_only():
    for device in (CUDA, PINNED, MANAGED):
        with pytest.raises(BufferError, match="dl_device"):
            on(device, -1)[0].__dlpack__(copy=True)
    array = numbers((2, 3))
    pinned = sv.view(device_view((2, 3), device=PINNED, address=address(array)))
    copied = sv.view(pinned.__dlpack__(copy=True, dl_device=CPU, max_version=(1, 3)))
    assert copied.device == CPU and copied.ptr != pinned.ptr and np.array_equal(np.asarray(copied), array)


# --- the CUDA array interface -----------------------------------------------

# stream of the dictionary, stream given, stream of the view or an error
INTERFACES = [
    (None, None, None), (None, 7, None), (None, -1, None), (1, None, 1), (1, 1, 1), (5, 5, 5), (5, -1, 5), (2, 2, 2),
    (5, None, 5), (5, 1, BufferError), (2, None, 2), (HANDLE, 5, BufferError),
    (0, None, ValueError), (-2, None, ValueError), ("5", None, TypeError), (None, 0, None), (1, 0, 1), (5, 0, BufferError), (5, "5", TypeError),
]


@without_device
@pytest.mark.parametrize("told, given, expected", INTERFACES)
def test_interfaces(told, given, expected):
    if isinstance(expected, type):
        with pytest.raises(expected) as caught:
            from_cuda(Array(told), given)
        assert str(caught.value)
        return
    view = from_cuda(Array(told), stream_ptr=given)
    assert view.stream == expected
    assert view.__cuda_array_interface__["stream"] == expected
    assert from_cuda(view, -1).stream == expected


def test_interface_without_a_stream():
    exporter = Array(None, version=2)
    del exporter.__cuda_array_interface__["stream"]
    assert from_cuda(exporter).stream is None


def test_interface_of_a_view_from_dlpack():
    assert on(CUDA)[0].__cuda_array_interface__["stream"] == 1
    assert on(CUDA, HANDLE)[0].T.__cuda_array_interface__["stream"] == HANDLE
    assert on(CUDA, -1)[0].__cuda_array_interface__["stream"] is None
    assert on(MANAGED, 2)[0].__cuda_array_interface__["stream"] == 2


# --- memory that the host reads ---------------------------------------------

def managed(stream):
    array = numbers((2, 3))
    return array, sv.view(device_view((2, 3), device=MANAGED, address=address(array)), stream=stream)


def test_the_host_reads_managed_memory_without_work_on_it():
    array, view = managed(-1)
    assert np.array_equal(np.asarray(memoryview(view)), array)
    assert view.__array_interface__["data"][0] == address(array)
    out = np.zeros((2, 3), "f4")
    sv.copy(out, view)
    assert np.array_equal(out, array)


@without_device
def test_the_host_waits_for_work_on_managed_memory():
    array, view = managed(None)
    for read in (memoryview, lambda v: v.__array_interface__, lambda v: sv.copy(np.zeros((2, 3), "f4"), v),
                 lambda v: v.copy_from(np.zeros((2, 3), "f4")), lambda v: v.__dlpack__(copy=True, dl_device=CPU)):
        with pytest.raises(BufferError, match="stream=-1"):
            read(view)
    assert array.any()


# --- what a copy and a fill leave behind ---------------------------------------

def nothing_on(device, stream):
    """A view of no element: work on it is ordered and told as any, but needs no device."""
    exporter = Exporter(device=device, answer=lambda asked: device_view((0, 3), device=device))
    return sv.view(exporter, stream=stream)


def by_batch(dst, src, **options):
    sv.copy_batch([dst, dst], [src, src], **options)


WRITES = {
    "copy": lambda dst, src, **options: sv.copy(dst, src, **options),
    "copy_from": lambda dst, src, **options: dst.copy_from(src, **options),
    "copy_to": lambda dst, src, **options: src.copy_to(dst, **options),
    "copy_batch": by_batch,
    "fill": lambda dst, src, **options: sv.fill(dst, 3, **options),
    "view.fill": lambda dst, src, **options: dst.fill(3, **options),
}
FILLS = {"fill", "view.fill"}


# How it is written, and the stream that the destination is known on then. A fill has no word for blocking.
FOLLOWED = [
    ({"stream": 7}, 7), ({"stream": 2}, 2), ({"stream": 7, "blocking": False}, 7),
    ({"stream": 7, "blocking": True}, None), ({}, None), ({"blocking": True}, None), ({"blocking": False}, 1),
]


@pytest.mark.parametrize("write, options, known", [
    (write, *row) for write in WRITES for row in FOLLOWED if write not in FILLS or "blocking" not in row[0]])
def test_the_destination_follows(write, options, known):
    dst, src = nothing_on(CUDA, -1), nothing_on(CUDA, -1)
    WRITES[write](dst, src, **options)
    assert (dst.stream, src.stream) == (known, None)
    assert dst.T.stream == known


def test_a_destination_of_pinned_memory_follows():
    dst = nothing_on(PINNED, None)
    sv.copy(dst, nothing_on(CUDA, -1), stream=7)
    assert dst.stream == 7
    ordinary = sv.empty((0, 3))
    sv.copy(ordinary, nothing_on(CUDA, -1), stream=7)
    assert ordinary.stream is None
    dst = nothing_on(PINNED, None)
    dst.copy_from(nothing_on(CUDA, -1), 7)  # cuda.core's default: host and device wait for each other
    assert dst.stream is None


# dst, src, the stream that dst is known on after a copy ordered on stream 7
PAIRS = [
    (CUDA, CUDA, 7), (CUDA, MANAGED, 7), (MANAGED, CUDA, 7), (MANAGED, MANAGED, 7), (PINNED, CUDA, 7), (CUDA, PINNED, 7),
    (CUDA, CPU, 7), (CPU, CUDA, None), (PINNED, MANAGED, None), (MANAGED, PINNED, None), (MANAGED, CPU, None),
    (CPU, MANAGED, None), (PINNED, PINNED, None), (PINNED, CPU, None),
]


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("dst, src, known", PAIRS)
def test_which_destinations_follow(dst, src, known, batch):
    """Those that the host writes are ready when the call returns."""
    dst, src = nothing_on(dst, -1), nothing_on(src, -1)
    if batch:
        sv.copy_batch([dst], [src], 7)
    else:
        sv.copy(dst, src, 7)
    assert dst.stream == known


@without_device
def test_pinned_memory_is_handed_on_when_the_copy_to_it_is_done():
    dst = nothing_on(PINNED, None)
    sv.copy(dst, nothing_on(CUDA, -1), stream=7)
    for read in (memoryview, lambda v: v.__dlpack__(max_version=(1, 3)), lambda v: sv.copy(np.zeros((0, 3), "f4"), v)):
        with pytest.raises(BufferError, match="stream 7"):
            read(dst)


@without_device
@pytest.mark.parametrize("write", WRITES)
def test_work_on_the_destination_comes_first(write):
    """Nothing waits here, so that the other stream is asked for shows."""
    dst = nothing_on(CUDA, 7)
    with pytest.raises(BufferError, match="stream 8 cannot wait .* on stream 7"):
        WRITES[write](dst, nothing_on(CUDA, -1), stream=8)
    assert dst.stream == 7
    WRITES[write](dst, nothing_on(CUDA, -1), stream=7)
    assert dst.stream == 7


@without_device
@pytest.mark.parametrize("dst, src, stream, waits", [
    ((2, 0), (2, 1), 1, True), ((2, 0), (2, 1), 2, True), ((2, 1), (13, 0), 1, True), ((13, 0), (13, 1), 2, True),
    ((2, 0), (2, 0), 1, False), ((2, 1), (13, 1), 1, False), ((2, 0), (3, 0), 2, False), ((2, 0), (2, 1), 7, False),
])
@pytest.mark.parametrize("write", sorted(set(WRITES) - FILLS))
def test_default_streams_of_two_devices_are_two(write, dst, src, stream, waits):
    """Nothing waits here, so that the other stream is asked for shows."""
    target, source = nothing_on(dst, -1), nothing_on(src, stream)
    if not waits:
        return WRITES[write](target, source, stream=stream)
    with pytest.raises(BufferError, match=f"stream {stream} cannot wait .* on stream {stream}"):
        WRITES[write](target, source, stream=stream)


@without_device
def test_a_fill_by_the_host_waits_for_work_on_managed_memory():
    array, view = managed(7)
    for fill in (lambda: sv.fill(view, 3), lambda: view.fill(3), lambda: sv.fill(view, 3, 7)):
        with pytest.raises(BufferError, match="stream 7"):
            fill()
    assert np.array_equal(array, numbers((2, 3)))
    sv.fill(sv.view(device_view((2, 3), device=MANAGED, address=address(array)), stream=-1), 3)
    assert (array == 3).all()


@pytest.mark.parametrize("stream, error", [(-1, ValueError), (-2, ValueError), ("7", TypeError)])
@pytest.mark.parametrize("write", WRITES)
def test_streams_that_nothing_is_written_on(write, stream, error):
    with pytest.raises(error):
        WRITES[write](nothing_on(CUDA, -1), nothing_on(CUDA, -1), stream=stream)


# --- the exchange table -----------------------------------------------------

def table_of(stream):
    """A type with an exchange table for device memory, its work being on a stream; None: it does not tell."""
    class Tensor:
        __c_dlpack_exchange_api__ = exchange_table(lambda tensor: device_view((2, 3)),
                                                   None if stream is None else lambda device_id: stream)
        asked = []

        def __dlpack__(self, **keywords):
            self.asked.append(keywords["stream"])
            return device_view((2, 3))

        def __dlpack_device__(self):
            return CUDA
    return Tensor


@without_device
@pytest.mark.parametrize("theirs, given, asked", [
    (7, 7, []), (0, None, []), (0, 1, []), (1, None, []), (7, -1, []), (None, -1, []),
    (None, None, [1]), (7, 8, [8]), (7, None, []), (2, None, []), (2, 1, [1]),
])
def test_table(theirs, given, asked):
    """Who works on the same stream needs no __dlpack__(), nor who asks for no order; who names none gets theirs."""
    tensor = table_of(theirs)()
    view = sv.view(tensor, given)
    assert view.device == CUDA and tensor.asked == asked
    assert view.stream == (theirs or 1 if given is None else None if given == -1 else given)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
