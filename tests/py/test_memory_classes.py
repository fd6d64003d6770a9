"""Buffers with the names of dpctl's and RMM's, and pickling of all buffers."""

import copy
import gc
import pickle

import numpy as np
import pytest
from kinds import KINDS, kinds  # noqa: F401  (a fixture; before strideview)

import strideview as sv
from peers import address, numbers
from test_sycl import UsmArray, UsmMemory

memory = sv.memory
CLASSES = {"host": ("pinned", memory.MemoryUSMHost), "shared": ("managed", memory.MemoryUSMShared),
           "device": ("device", memory.MemoryUSMDevice)}
HERE = {name: (kind, type_) for name, (kind, type_) in CLASSES.items() if kind in KINDS}
USM = [type_ for _, type_ in HERE.values()]
WHOLE = KINDS if len(KINDS) == 4 else None
needs_cuda = pytest.mark.skipif(WHOLE is None, reason="the package was not built on the fake CUDA runtime")


# --- dpctl's ------------------------------------------------------------------------

@pytest.mark.parametrize("name", HERE)
def test_fresh_memory(kinds, name):
    kind, type_ = HERE[name]
    for size in (0, 1, 1024, np.int64(16384)):
        made = type_(size)
        assert (made.size, made.nbytes, len(made), made.kind) == (size, size, size, kind)
        assert (made.get_usm_type(), type_.get_usm_type_static(), made.reference_obj) == (name, name, None)
    assert type_(100, 512).handle % 512 == 0 and type_(100, alignment=4096).handle % 4096 == 0
    assert type_.__name__ in repr(made) and type_.__module__ == "strideview.memory"


@pytest.mark.parametrize("arguments, error", [
    ((-1,), ValueError), ((True,), TypeError), ((2.5,), TypeError), (("10",), TypeError), ((None,), TypeError),
    ((10, 3), ValueError), ((10, -8), ValueError), ((10, "8"), TypeError), ((2**63,), OverflowError), ((), TypeError),
])
def test_bad_arguments(kinds, arguments, error):
    for _, type_ in HERE.values():
        with pytest.raises(error):
            type_(*arguments)


@pytest.mark.parametrize("name", HERE)
def test_memory_of_the_same_kind_is_shared(kinds, name):
    _, type_ = HERE[name]
    first = type_(64)
    first.memset(7)
    second = type_(first)
    assert second.handle == first.handle and second.reference_obj is None and type(second) is type_
    del first
    gc.collect()
    assert bytes(second) == b"\7" * 64
    copied = type_(second, copy=True)
    assert copied.handle != second.handle and copied.tobytes() == second.tobytes()


@needs_cuda
def test_memory_of_another_kind_is_copied_when_asked(kinds):
    source = memory.MemoryUSMShared(16)
    source.copy_from_host(bytes(range(16)))
    with pytest.raises(ValueError, match="copy=True"):
        memory.MemoryUSMHost(source)
    made = memory.MemoryUSMHost(source, 4096, copy=True)
    assert made.tobytes() == bytes(range(16)) and made.handle % 4096 == 0 and made.kind == "pinned"
    assert memory.MemoryUSMHost(numbers((2, 3)), copy=True).tobytes() == numbers((2, 3)).tobytes()


@pytest.mark.parametrize("shape, strides, offset, nbytes", [
    ((10,), (2,), 8, 19), ((2, 2), (10, -2), 9, 13), ((4,), None, 0, 4), ((3, 0), None, 5, 0), ((), None, 3, 1),
    ((3,), (-1,), 2, 3),
])
@pytest.mark.parametrize("name", ["host", "shared"])
def test_shared_memory_of_sycl_is_adopted(name, shape, strides, offset, nbytes):
    whole = np.arange(32, dtype="u1")
    exporter = UsmArray(whole, usm_type=name, shape=shape, strides=strides, offset=offset, typestr="|u1")
    made = CLASSES[name][1](exporter)
    reached = [offset + sum(i * s for i, s in zip(index, strides or np.zeros(shape).strides, strict=True))
               for index in np.ndindex(*shape)] if strides else list(range(offset, offset + nbytes))
    assert made.nbytes == nbytes and made.reference_obj is exporter and made.get_usm_type() == name
    if nbytes:
        assert made.handle == address(whole) + min(reached) and bytes(made) == bytes(whole[min(reached):max(reached) + 1])
    gone = exporter.kept
    del exporter, made, gone
    gc.collect()


def test_wide_items_of_sycl_count_in_bytes():
    whole = numbers((6, 4), "float64")
    exporter = UsmArray(whole, whole[1::2, 1:3], usm_type="shared")
    made = memory.MemoryUSMShared(exporter)
    assert (made.handle, made.nbytes) == (address(whole[1:, 1:]), (4 * 4 + 2) * 8)


@pytest.mark.parametrize("obj, error", [
    (UsmMemory("device", np.zeros(4, "u1")), ValueError), (UsmMemory("host", np.zeros(4, "u1")), ValueError),
    (UsmMemory(None, np.zeros(4, "u1")), ValueError), (np.zeros(4), TypeError), (b"abc", TypeError),
    (UsmArray(np.zeros(4), version=0), Exception), (UsmArray(np.zeros(4), data=()), Exception),
    (UsmArray(np.zeros(4), shape=None), Exception), (UsmArray(np.zeros(4), shape=(-1,)), ValueError),
    (UsmArray(np.zeros(4), typestr="invalid"), BufferError), (UsmArray(np.zeros(4), typestr="|O8"), BufferError),
    (UsmArray(np.zeros(4), strides=Ellipsis), TypeError),
])
def test_what_is_not_adopted(obj, error):
    with pytest.raises(error) as raised:
        memory.MemoryUSMShared(obj)
    assert isinstance(raised.value, (TypeError, ValueError, BufferError)) and str(raised.value)


@pytest.mark.parametrize("asked, error", [("gpu", ValueError), (..., TypeError), (2.0, TypeError)])
def test_kinds_are_asked_by_device(kinds, asked, error):
    for name, (_, type_) in HERE.items():
        made = type_(4)
        assert made.get_usm_type(0) == name and made.get_usm_type(5) == ("unknown" if name == "device" else name)
        with pytest.raises(error):
            made.get_usm_type(asked)


def test_memset(kinds):
    for type_ in USM:
        made = type_(5)
        made.memset(255)
        assert bytes(made) == b"\xff" * 5
        made.memset()
        assert bytes(made) == bytes(5)
        for value in (-1, 256, 257):
            with pytest.raises((ValueError, OverflowError)):
                made.memset(value)


# --- host copies of both ------------------------------------------------------------

def device_buffer(kind):
    def make(size):
        return memory.DeviceBuffer(size=size, mr=memory.default(kind))
    return make


@pytest.fixture(params=[*USM, *map(device_buffer, KINDS)])
def make(request, kinds):
    return request.param


def test_copies_to_the_host(make):
    buffer = make(10)
    buffer.copy_from_host(bytes(range(10)))
    fresh = buffer.copy_to_host()
    assert isinstance(fresh, np.ndarray) and fresh.dtype == "u1" and fresh.tobytes() == bytes(range(10))
    longer = bytearray(b"x" * 12)
    assert buffer.copy_to_host(longer) is longer and longer == bytes(range(10)) + b"xx"
    words = np.zeros((2, 3), "u2")
    assert buffer.copy_to_host(words) is words and words.tobytes() == bytes(range(10)) + bytes(2)


@pytest.mark.parametrize("target, error", [(bytearray(9), ValueError), (b"x" * 10, Exception), ("abc", TypeError),
                                           (123, TypeError), (np.zeros(20, "u1")[::2], ValueError)])
def test_targets_that_do_not_do(make, target, error):
    buffer = make(10)
    before = bytes(target) if isinstance(target, (bytes, bytearray)) else None
    with pytest.raises(error) as raised:
        buffer.copy_to_host(target)
    assert isinstance(raised.value, (TypeError, ValueError, BufferError))
    assert before is None or bytes(target) == before


def test_copies_from_the_host(make):
    buffer = make(10)
    buffer.fill(0)
    buffer.copy_from_host(b"abc")
    assert buffer.tobytes() == b"abc" + bytes(7)
    buffer.copy_from_host(b"")
    buffer.copy_from_host(np.arange(4, dtype=">u2").reshape(2, 2))
    assert buffer.tobytes() == bytes([0, 0, 0, 1, 0, 2, 0, 3, 0, 0])
    buffer.copy_from_host(np.array(5, "u1"))
    assert buffer.tobytes()[0] == 5


@pytest.mark.parametrize("source, error", [
    (None, TypeError), ("abc", TypeError), (123, TypeError), (bytes(11), ValueError),
    (np.zeros((4, 4), "u1")[:, ::2], ValueError), (np.zeros((2, 3), "u1", "F"), ValueError),
])
def test_sources_that_do_not_do(make, source, error):
    buffer = make(10)
    buffer.fill(7)
    for copy_from in (buffer.copy_from_host, buffer.copy_from_device):
        with pytest.raises(error):
            copy_from(source)
    assert buffer.tobytes() == b"\7" * 10


# --- RMM's ---------------------------------------------------------------------------

def test_resize_reserve_capacity(kinds):
    buffer = memory.DeviceBuffer(size=100, mr=memory.default("pinned"))
    buffer.copy_from_host(bytes(range(100)))
    ptr = buffer.ptr
    buffer.resize(99)
    assert (buffer.size, buffer.capacity(), buffer.ptr) == (99, 100, ptr)
    buffer.reserve(50)
    assert (buffer.size, buffer.capacity(), buffer.ptr) == (99, 100, ptr)
    buffer.shrink_to_fit()
    assert (buffer.size, buffer.capacity()) == (99, 99) and buffer.tobytes() == bytes(range(99))
    buffer.resize(101)
    assert (buffer.size, buffer.capacity()) == (101, 101) and buffer.tobytes()[:99] == bytes(range(99))
    buffer.reserve(200)
    assert (buffer.size, buffer.capacity()) == (101, 200) and buffer.tobytes()[:99] == bytes(range(99))
    buffer.reserve(new_capacity=300)
    buffer.resize(new_size=250, zero=True)
    assert (buffer.size, buffer.capacity()) == (250, 300) and buffer.tobytes()[101:] == bytes(149)
    buffer.prefetch()
    buffer.prefetch(device=-1)
    with pytest.raises(ValueError):
        buffer.prefetch(strict=True)


@needs_cuda
def test_prefetch_of_managed_memory(kinds):
    buffer = memory.DeviceBuffer(size=100, mr=memory.default("managed"))
    for device in (None, 0, -1):
        buffer.prefetch(device=device, strict=True)


def test_device_buffers_of_bytes(kinds):
    mr = memory.default(KINDS[-1])
    made = memory.DeviceBuffer.to_device(b"abcdef", mr=mr)
    assert type(made) is memory.DeviceBuffer and (made.size, made.nbytes, bytes(made)) == (6, 6, b"abcdef")
    assert memory.DeviceBuffer.to_device(b"", mr=mr).ptr == 0
    copied = memory.DeviceBuffer(ptr=made.ptr, size=3, mr=mr)
    assert copied.ptr != made.ptr and copied.tobytes() == b"abc"
    for twin in (made.copy(), copy.copy(made), copy.deepcopy(made)):
        assert twin.ptr != made.ptr and twin.tobytes() == b"abcdef" and type(twin) is memory.DeviceBuffer
    for bad, error in (({"size": -1}, ValueError), ({"size": True}, TypeError), ({"size": "3"}, TypeError)):
        with pytest.raises(error):
            memory.DeviceBuffer(**bad, mr=mr)
    with pytest.raises(TypeError):
        memory.DeviceBuffer(10)


# --- pickling ---------------------------------------------------------------------------

def plain(kind):
    return lambda size: memory.default(kind).allocate(size)


MAKE = [*USM, *map(plain, KINDS), device_buffer("pinned")]


@pytest.mark.parametrize("make_", MAKE)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("size", [0, 1, 1000])
def test_pickles(kinds, make_, protocol, size):
    buffer = make_(size)
    buffer.copy_from(bytes(i % 256 for i in range(size)))
    loaded = pickle.loads(pickle.dumps(buffer, protocol))
    assert type(loaded) is type(buffer) and loaded.kind == buffer.kind and loaded.tobytes() == buffer.tobytes()
    assert size == 0 or loaded.handle != buffer.handle


@pytest.mark.parametrize("make_", MAKE)
def test_pickles_out_of_band(kinds, make_):
    buffer = make_(1000)
    buffer.fill(3)
    frames = []
    data = pickle.dumps(buffer, 5, buffer_callback=frames.append)
    assert len(frames) == 1 and len(data) < 400 and frames[0].raw().nbytes == 1000
    for lent in (frames, [bytes(frames[0].raw())], [bytearray(frames[0].raw())]):
        loaded = pickle.loads(data, buffers=lent)
        assert loaded.tobytes() == buffer.tobytes() and loaded.handle != buffer.handle and not loaded.readonly
    frames[0].release()


def test_alignment_is_pickled(kinds):
    for kind in KINDS:
        buffer = memory.default(kind).allocate(100, alignment=4096)
        buffer.fill(0)
        assert pickle.loads(pickle.dumps(buffer)).handle % 4096 == 0


def test_where_pickles_are_loaded(kinds):
    for kind in KINDS:
        data = pickle.dumps(plain(kind)(10))
        with memory.loading("host"):
            assert pickle.loads(data).kind == "host"
            with memory.loading(memory.default("pinned")):
                assert pickle.loads(data).kind == "pinned"
        assert pickle.loads(data).kind == kind
    with pytest.raises(ValueError), memory.loading("GPU"):
        pass


def test_edited_pickles(kinds):
    data = pickle.dumps(memory.MemoryUSMHost(10), 5)
    with pytest.raises(ValueError, match="pinnde"):
        pickle.loads(data.replace(b"pinned", b"pinnde"))
    from strideview._buffer_pickle import rebuild
    for arguments in ((bytes, "host", 0, b"abc"), ("Buffer", "host", 0, b"abc"), (sv.Buffer, "host", 0, "abc"),
                      (sv.Buffer, "host", 3, b"abc"), (sv.Buffer, 3, 0, b"abc")):
        with pytest.raises((TypeError, ValueError)):
            rebuild(*arguments)


def test_copies_of_buffers(kinds):
    for kind in KINDS:
        buffer = plain(kind)(10)
        buffer.fill(9)
        for twin in (copy.copy(buffer), copy.deepcopy(buffer)):
            assert twin.handle != buffer.handle and twin.tobytes() == buffer.tobytes()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
