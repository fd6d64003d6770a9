"""Buffer: made, told, copied, filled, cut, changed, handed on and closed."""

import ctypes
import gc
import inspect
import sys
import weakref

import pytest

import strideview as sv
from apart import run_apart
from peers import address, need
from resources import Malloc
from together import together

HOST = sv.MemoryResource.host()


def filled(size, resource=HOST):
    buffer = resource.allocate(size)
    buffer.write(bytes(i % 251 for i in range(size)))
    return buffer


def of_array(array, **keywords):
    return sv.Buffer.from_handle(address(array), array.nbytes, **keywords)


# --- made ---------------------------------------------------------------------------

def test_facts():
    buffer = HOST.allocate(100)
    assert (buffer.size, buffer.nbytes, len(buffer)) == (100, 100, 100) and buffer.capacity >= 100
    assert buffer.handle % 64 == 0 and buffer.alignment >= 64
    assert (buffer.kind, buffer.device_id, buffer.stream) == ("host", -1, None)
    assert (buffer.is_host_accessible, buffer.is_device_accessible, buffer.is_managed) == (True, False, False)
    assert (buffer.readonly, buffer.is_closed, buffer.exports) == (False, False, 0)
    assert (buffer.memory_resource, buffer.owner, buffer.parent) == (HOST, None, None)
    assert "\n" not in repr(buffer) and "100 bytes" in repr(buffer) and "host" in repr(buffer)
    assert sys.getsizeof(buffer) > sys.getsizeof(HOST.allocate(0)) + 99


def test_not_made_by_its_name():
    with pytest.raises(TypeError, match="from_handle"):
        sv.Buffer()
    with pytest.raises(TypeError):
        sv.Buffer(8)


def test_owner():
    """Cases 14 and 52."""
    np = need("numpy")
    array = np.arange(10, dtype="u1")
    before = sys.getrefcount(array)
    buffer = of_array(array, owner=array)
    assert buffer.owner is array and buffer.memory_resource is None and buffer.tobytes() == array.tobytes()
    assert sys.getrefcount(array) == before + 1
    view = buffer.view()
    del buffer
    assert sys.getrefcount(array) > before
    del view
    assert sys.getrefcount(array) == before
    buffer = of_array(array, owner=array)
    buffer.close()
    assert sys.getrefcount(array) == before and buffer.owner is None


def test_borrowed():
    data = ctypes.create_string_buffer(b"borrowed")
    buffer = sv.Buffer.from_handle(ctypes.addressof(data), 8, borrowed=True)
    assert buffer.tobytes() == b"borrowed" and buffer.owner is None and buffer.memory_resource is None
    buffer.fill(ord("x"))
    assert data.value == b"xxxxxxxx"


def test_of_a_resource():
    resource = Malloc()
    pointer = resource.take(64, None)
    buffer = sv.Buffer.from_handle(pointer, 64, resource)
    assert buffer.memory_resource is resource and buffer.handle == pointer
    buffer.close()
    assert resource.live == {} and buffer.memory_resource is None


DATA = ctypes.create_string_buffer(64)
POINTER = ctypes.addressof(DATA)
BAD_HANDLES = {
    "mr and owner (case 9)": (dict(ptr=POINTER, size=8, mr=HOST, owner=DATA), ValueError),
    "neither (case 10)": (dict(ptr=POINTER, size=8), ValueError),
    "owner and borrowed": (dict(ptr=POINTER, size=8, owner=DATA, borrowed=True), ValueError),
    "size -1 (case 11)": (dict(ptr=POINTER, size=-1, owner=DATA), ValueError),
    "size True": (dict(ptr=POINTER, size=True, owner=DATA), TypeError),
    "NULL with bytes (case 6)": (dict(ptr=0, size=1, owner=DATA), ValueError),
    "address text": (dict(ptr="0x1000", size=1, owner=DATA), TypeError),
    "address -1": (dict(ptr=-1, size=1, owner=DATA), OverflowError),
    "past the end of memory": (dict(ptr=2**64 - 8, size=64, owner=DATA), (OverflowError, ValueError)),
    "mr of another type": (dict(ptr=POINTER, size=8, mr=DATA), TypeError),
    "kind that is none": (dict(ptr=POINTER, size=8, owner=DATA, kind="gpu"), ValueError),
    "kind a number": (dict(ptr=POINTER, size=8, owner=DATA, kind=1), TypeError),
    "device -2": (dict(ptr=POINTER, size=8, owner=DATA, kind="device", device_id=-2), ValueError),
    "stream -1": (dict(ptr=POINTER, size=8, owner=DATA, stream=-1), (ValueError, BufferError)),
}


@pytest.mark.parametrize("case", BAD_HANDLES)
def test_handles_that_are_refused(case):
    keywords, error = BAD_HANDLES[case]
    before = sys.getrefcount(DATA), sys.getrefcount(HOST)
    with pytest.raises(error) as caught:
        sv.Buffer.from_handle(**keywords)
    assert str(caught.value)
    del caught
    assert (sys.getrefcount(DATA), sys.getrefcount(HOST)) == before


def test_empty():
    """Cases 1, 2, 7, 11, 28."""
    for buffer in (HOST.allocate(0, alignment=512), sv.Buffer.from_handle(0, 0, owner=DATA),
                   HOST.allocate(8)[3:3]):
        assert buffer.size == len(buffer) == 0 and buffer.tobytes() == b"" == bytes(buffer)
        buffer.fill(1)
        buffer.write(b"")
        buffer.copy_from(b"")
        assert buffer.copy_to(bytearray()) == bytearray() and buffer.view().shape == (0,)
        assert sv.view(buffer.__dlpack__(max_version=(1, 3))).shape == (0,)


DEVICE_KINDS = {"device": (2, 1), "pinned": (3, 0), "managed": (13, 1)}


def on_device(kind="device", size=64, **keywords):
    """Memory that nothing reads, of a resource that says where it is."""
    class Elsewhere(sv.MemoryResource):
        def deallocate(self, ptr, size, stream=None):
            self.streams.append(stream)

    Elsewhere.kind, Elsewhere.streams = kind, []
    Elsewhere.device_id = -1 if kind in ("host", "pinned") else 1
    return sv.Buffer.from_handle(0x10000 if size else 0, size, Elsewhere(), **keywords)


@pytest.mark.parametrize("kind", DEVICE_KINDS)
def test_memory_of_devices_is_described(kind):
    buffer = on_device(kind)
    assert buffer.kind == kind and buffer.__dlpack_device__() == DEVICE_KINDS[kind]
    assert (buffer.is_host_accessible, buffer.is_device_accessible) == (kind != "device", True)
    assert buffer.device_id == (-1 if kind == "pinned" else 1) and kind in repr(buffer)
    interface = buffer.__cuda_array_interface__
    assert interface == {"typestr": "|u1", "shape": (64,), "strides": None, "data": (0x10000, False), "version": 3,
                         "stream": None}
    assert buffer[16:].__cuda_array_interface__["data"] == (0x10010, False)
    assert on_device(kind, 0).__cuda_array_interface__["data"] == (0, False)
    view = sv.view(buffer)
    assert (view.device, view.ptr, view.shape) == (DEVICE_KINDS[kind], 0x10000, (64,))
    if kind == "device":
        for call in (lambda: memoryview(buffer), lambda: bytes(buffer)):
            with pytest.raises(BufferError, match="host"):
                call()


def test_host_memory_has_no_cuda_interface():
    assert not hasattr(HOST.allocate(8), "__cuda_array_interface__")


# --- contents -------------------------------------------------------------------------

FILLS = {
    "int": (7, 8, bytes([7] * 8)), "zero": (0, 3, bytes(3)), "255": (255, 2, b"\xff\xff"),
    "1 byte": (b"a", 3, b"aaa"), "2 bytes": (b"ab", 6, b"ababab"), "4 bytes": (b"abcd", 8, b"abcdabcd"),
    "8 bytes": (b"abcdefgh", 16, b"abcdefgh" * 2), "16 bytes": (bytes(range(16)), 32, bytes(range(16)) * 2),
    "nothing": (b"abcd", 0, b""),
}


@pytest.mark.parametrize("case", FILLS)
def test_fill(case):
    value, size, expected = FILLS[case]
    buffer = HOST.allocate(size)
    buffer.fill(value)
    assert buffer.tobytes() == expected


BAD_FILLS = {
    "-1": (-1, 8, OverflowError), "256": (256, 8, OverflowError), "257": (257, 8, OverflowError),
    "2**80": (2**80, 8, OverflowError), "width 3": (b"abc", 9, ValueError), "width 0": (b"", 8, ValueError),
    "width 32": (bytes(32), 64, ValueError), "1025 bytes by 2": (b"ab", 1025, ValueError),
    "float": (1.5, 8, TypeError), "text": ("a", 8, TypeError), "None": (None, 8, TypeError),
}


@pytest.mark.parametrize("case", BAD_FILLS)
def test_fills_that_are_refused(case):
    """Cases 34 to 36."""
    value, size, error = BAD_FILLS[case]
    buffer = filled(size)
    before = buffer.tobytes()
    with pytest.raises(error) as caught:
        buffer.fill(value)
    assert str(caught.value) and buffer.tobytes() == before


def test_numbers_fill_by_their_bytes():
    np = need("numpy")
    buffer = HOST.allocate(64)
    buffer.fill(np.float64(1.5))
    assert np.array_equal(np.frombuffer(buffer, "f8"), np.full(8, 1.5))


def test_read_and_write():
    buffer = HOST.allocate(10, zero=True)
    buffer.write(b"abc")
    assert buffer.tobytes() == b"abc" + bytes(7)  # case 24
    buffer.write(memoryview(b"xy"), 8)
    assert buffer.read(7, 3) == b"\0xy" and buffer.read(10, 0) == b""
    for offset, nbytes in ((0, 11), (11, 0), (8, 3), (2**62, 2**62)):
        with pytest.raises(ValueError):
            buffer.read(offset, nbytes)
    for data, offset in ((bytes(11), 0), (b"abc", 8), (b"", 11)):
        with pytest.raises(ValueError):
            buffer.write(data, offset)
    for bad in (None, "abc", 123):
        with pytest.raises(TypeError):
            buffer.write(bad)
    assert buffer.tobytes() == b"abc" + bytes(5) + b"xy"


def test_copy_from_and_to():
    np = need("numpy")
    source, target = filled(100), HOST.allocate(100)
    target.copy_from(source)
    assert target.tobytes() == source.tobytes()
    copy = source.copy_to()
    assert copy.memory_resource is HOST and copy.handle != source.handle and copy.tobytes() == source.tobytes()
    assert source.copy_to(target) is target
    array = np.zeros(25, "f4")
    assert source.copy_to(array) is array and array.tobytes() == source.tobytes()
    array = bytearray(100)
    source[50:].copy_to(memoryview(array)[:50])
    assert array == source.tobytes()[50:] + bytes(50)
    target.copy_from(np.arange(25, dtype="i4").reshape(5, 5))  # case 27
    assert target.tobytes() == np.arange(25, dtype="i4").tobytes()
    source.copy_from(source)
    source[1:].copy_from(source[:-1])  # overlapping
    assert source.tobytes()[1:] == bytes(i % 251 for i in range(99))


BAD_SOURCES = {
    "shorter (case 22)": (lambda: bytes(99), ValueError), "longer (case 25)": (lambda: bytes(101), ValueError),
    "a shorter Buffer (case 32)": (lambda: HOST.allocate(99), ValueError),
    "None (case 26)": (lambda: None, TypeError), "text": (lambda: "abc", TypeError), "123": (lambda: 123, TypeError),
    "strided (case 27)": (lambda: memoryview(bytes(200))[::2], ValueError),
    "closed": (lambda: closed(), (RuntimeError, ValueError)),
}


def closed():
    buffer = HOST.allocate(100)
    buffer.close()
    return buffer


@pytest.mark.parametrize("case", BAD_SOURCES)
def test_sources_that_are_refused(case):
    make, error = BAD_SOURCES[case]
    buffer = filled(100)
    before = buffer.tobytes()
    with pytest.raises(error) as caught:
        buffer.copy_from(make())
    assert str(caught.value) and buffer.tobytes() == before


def test_targets_that_are_refused():
    buffer = filled(8)
    for bad, error in ((bytes(8), (ValueError, BufferError)), (bytearray(7), ValueError), ("abc", TypeError)):
        with pytest.raises(error):
            buffer.copy_to(bad)
    with pytest.raises(ValueError, match="dst"):  # case 33
        sv.Buffer.from_handle(POINTER, 8, owner=DATA).copy_to()


def test_read_only():
    buffer = sv.Buffer.from_handle(POINTER, 8, owner=DATA, readonly=True)
    assert buffer.readonly and buffer[2:].readonly and buffer.view().readonly and memoryview(buffer).readonly
    assert "readonly" in repr(buffer) and sv.view(buffer.__dlpack__(max_version=(1, 3))).readonly
    for call in (lambda: buffer.fill(1), lambda: buffer.write(b"a"), lambda: buffer.copy_from(bytes(8)),
                 lambda: sv.fill(buffer, 1)):
        with pytest.raises((ValueError, BufferError), match="read-only"):
            call()
    assert HOST.allocate(8).view(readonly=True).readonly


# --- parts ----------------------------------------------------------------------------

@pytest.mark.parametrize("cut", [slice(None), slice(3), slice(3, None), slice(-5, -1), slice(7, 2), slice(0, 1000),
                                 slice(100, 200), slice(2, 9, 1)])
def test_slices(cut):
    buffer = filled(20)
    part = buffer[cut]
    assert type(part) is sv.Buffer and part.tobytes() == buffer.tobytes()[cut]
    assert part.parent is buffer and part.memory_resource is HOST and part.kind == "host"
    assert part[1:3].parent is buffer and part[1:3].tobytes() == buffer.tobytes()[cut][1:3]


def test_keys_that_are_refused():
    buffer = HOST.allocate(8)
    for key, error in ((slice(None, None, 2), ValueError), (slice(None, None, -1), ValueError), (0, TypeError),
                       (..., TypeError), ("a", TypeError), (slice("a"), TypeError), ((slice(2),), TypeError)):
        with pytest.raises(error):
            buffer[key]


def test_a_slice_keeps_the_memory():
    resource = Malloc()
    part = resource.allocate(100)[10:20][2:4]
    gc.collect()
    assert resource.live and part.size == 2
    part.fill(1)
    del part
    assert resource.live == {}


def test_a_slice_that_is_closed():
    buffer = HOST.allocate(100)
    with buffer[:10] as part:
        assert buffer.exports == 1
    part.close()
    assert part.is_closed and part.handle == part.size == 0 and buffer.exports == 0 and not buffer.is_closed
    with pytest.raises((RuntimeError, ValueError)):
        part.fill(1)


# --- changes --------------------------------------------------------------------------

def test_resize():
    """Cases 37 to 40."""
    buffer = filled(100)
    pointer, contents = buffer.handle, buffer.tobytes()
    buffer.resize(99)
    assert (buffer.size, buffer.handle) == (99, pointer) and buffer.capacity >= 100
    buffer.shrink_to_fit()
    assert buffer.capacity >= buffer.size == 99 and buffer.tobytes() == contents[:99]
    buffer.resize(5000, zero=True)
    assert buffer.size == 5000 <= buffer.capacity and buffer.tobytes() == contents[:99] + bytes(4901)
    buffer.reserve(10)
    assert buffer.size == 5000
    buffer.reserve(10000)
    assert buffer.size == 5000 and buffer.capacity >= 10000
    buffer.resize(0)
    assert buffer.tobytes() == b""
    for size, error in ((-1, ValueError), (True, TypeError), (2**62, MemoryError), (2**63, OverflowError)):
        with pytest.raises(error):
            buffer.resize(size)


USES = {
    "a slice": lambda buffer: buffer[2:4], "a view": lambda buffer: buffer.view(),
    "a view of a view": lambda buffer: buffer.view()[::2], "a memoryview": memoryview,
    "a capsule": lambda buffer: buffer.__dlpack__(max_version=(1, 3)), "an import": lambda buffer: sv.view(buffer),
    "from_buffer": lambda buffer: sv.StridedMemoryView.from_buffer(buffer, (2, 4), dtype="f4"),
    "from_dlpack": sv.StridedMemoryView.from_dlpack, "a view of a slice": lambda buffer: buffer[4:].view("u2"),
}
CHANGES = {
    "resize": lambda buffer: buffer.resize(1 << 20), "reserve": lambda buffer: buffer.reserve(1 << 20),
    "migrate": lambda buffer: buffer.migrate(HOST.tracked()), "detach": lambda buffer: buffer.detach(),
    "close": lambda buffer: buffer.close(),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("resource", [HOST, Malloc()], ids=["host", "Malloc"])
def test_what_is_in_use_stays(use, change, resource):
    buffer = sv.Buffer._allocate(resource, 32)
    buffer.fill(5)
    used, pointer = USES[use](buffer), buffer.handle
    assert buffer.exports == 1 or use == "a view of a slice"
    with pytest.raises(BufferError) as caught:
        CHANGES[change](buffer)
    assert str(caught.value) and buffer.handle == pointer and buffer.tobytes() == bytes([5] * 32)
    del used, caught
    gc.collect()
    assert buffer.exports == 0
    result = CHANGES[change](buffer)
    if change == "detach":
        result[2]()


def test_migrate():
    tracked = HOST.tracked()
    buffer = filled(1000, tracked)
    contents = buffer.tobytes()
    resource = Malloc()
    buffer.migrate(resource)
    assert buffer.memory_resource is resource and buffer.tobytes() == contents
    assert tracked.stats()["live_count"] == 0 and len(resource.live) == 1
    buffer.migrate(HOST)
    assert resource.live == {} and buffer.tobytes() == contents
    for bad in (None, 3, "device"):
        with pytest.raises(TypeError):
            buffer.migrate(bad)


def test_detach():
    resource = Malloc()
    for size in (100, 100000):
        for allocate in (HOST.allocate, resource.allocate, lambda size: sv.Buffer._allocate(resource, size)):
            buffer = allocate(size)
            buffer.fill(7)
            pointer, nbytes, free = buffer.detach()
            assert nbytes == size and buffer.is_closed and buffer.handle == 0
            assert ctypes.string_at(pointer, nbytes) == bytes([7]) * size
            del buffer
            free()
            with pytest.raises(RuntimeError, match="before"):
                free()
    assert resource.live == {}
    buffer = HOST.allocate(8)
    for bad in (buffer[2:], closed()):
        with pytest.raises(RuntimeError):
            bad.detach()


def test_close():
    """Case 48."""
    resource = Malloc()
    with resource.allocate(10) as buffer:
        assert not buffer.is_closed and len(resource.live) == 1
    assert buffer.is_closed and resource.live == {}
    buffer.close()
    assert (buffer.handle, buffer.size, buffer.capacity, buffer.memory_resource, buffer.owner) == (0, 0, 0, None, None)
    assert "closed" in repr(buffer)


AFTER_CLOSE = {
    "view": lambda b: b.view(), "sv.view": sv.view, "memoryview": memoryview, "fill": lambda b: b.fill(1),
    "write": lambda b: b.write(b"a"), "resize": lambda b: b.resize(3), "reserve": lambda b: b.reserve(3),
    "migrate": lambda b: b.migrate(HOST), "detach": lambda b: b.detach(), "slice": lambda b: b[:],
    "copy_from": lambda b: b.copy_from(b"abcd"), "copy_to": lambda b: b.copy_to(bytearray(4)),
    "__dlpack__": lambda b: b.__dlpack__(), "__dlpack_device__": lambda b: b.__dlpack_device__(),
    "export_ipc": lambda b: b.export_ipc(), "record_use": lambda b: b.record_use(1), "tobytes": lambda b: b.tobytes(),
    "from_buffer": lambda b: sv.StridedMemoryView.from_buffer(b, 4, dtype="u1"),
}


@pytest.mark.parametrize("part", [False, True], ids=["whole", "slice"])
@pytest.mark.parametrize("call", AFTER_CLOSE)
def test_use_after_close(call, part):
    whole = HOST.allocate(8)
    buffer = whole[4:] if part else whole
    buffer.close()
    with pytest.raises((RuntimeError, ValueError, BufferError)) as caught:
        AFTER_CLOSE[call](buffer)
    assert str(caught.value)


def test_an_exception_in_a_with_block_goes_on():
    with pytest.raises(KeyError), HOST.allocate(8) as buffer:
        raise KeyError(1)
    assert buffer.is_closed


HINTS = {"prefetch": lambda b, **k: b.prefetch(**k), "to the host": lambda b, **k: b.prefetch(-1, **k),
         "discard": lambda b, **k: b.discard(**k), "advise": lambda b, **k: b.advise("read_mostly", 0, **k)}


@pytest.mark.parametrize("hint", HINTS)
def test_hints(hint):
    """Case 62."""
    buffer = filled(100)
    HINTS[hint](buffer)
    assert buffer.tobytes() == filled(100).tobytes()
    with pytest.raises((ValueError, NotImplementedError)):
        HINTS[hint](buffer, strict=True)


def test_hints_that_are_refused():
    buffer = HOST.allocate(8)
    for call, error in ((lambda: buffer.advise("fast"), ValueError), (lambda: buffer.advise(1), TypeError),
                        (lambda: buffer.prefetch(-2), ValueError), (lambda: buffer.prefetch("gpu"), ValueError)):
        with pytest.raises(error):
            call()


def test_registered_pages_without_a_device():
    np = need("numpy")
    array = np.zeros(100, "u1")
    before = sys.getrefcount(array)
    try:
        buffer = sv.Buffer.register(array)
    except NotImplementedError as error:
        assert "CUDA" in str(error)
    else:
        assert buffer.kind == "pinned" and address(array) == buffer.handle
        buffer.close()
    sv.lib.sv_memory_collect(sv.lib.SV_COLLECT_WAIT, sv.ffi.NULL)
    assert sys.getrefcount(array) == before
    for bad, error in ((b"abc", BufferError), (array[::2], (BufferError, ValueError)), (None, TypeError)):
        with pytest.raises(error):
            sv.Buffer.register(bad)
    assert sv.Buffer.register(bytearray()).size == 0


def test_other_processes():
    """Case 49: host memory is not shared; nonsense is not taken."""
    with pytest.raises((NotImplementedError, ValueError)):
        HOST.allocate(8).export_ipc()
    for bad in (b"", b"nonsense", bytes(160), bytes(1000)):
        with pytest.raises((BufferError, ValueError)):
            sv.Buffer.import_ipc(bad)
    with pytest.raises(TypeError):
        sv.Buffer.import_ipc("text")


# --- handed on --------------------------------------------------------------------------

VIEWS = {
    "bytes": ({}, (32,), "uint8"), "f4": (dict(dtype="f4"), (8,), "float32"),
    "shape": (dict(dtype="f4", shape=(2, 4)), (2, 4), "float32"), "an int": (dict(shape=5), (5,), "uint8"),
    "strides": (dict(dtype="u2", shape=(3, 2), strides=(4, 1)), (3, 2), "uint16"),
    "offset": (dict(dtype="f8", offset=16), (2,), "float64"),
    "layout": (dict(dtype="i4", shape=sv.StridedLayout.dense((4, 2), 4, "F")), (4, 2), "int32"),
    "no axes": (dict(dtype="f8", shape=()), (), "float64"),
}


@pytest.mark.parametrize("case", VIEWS)
@pytest.mark.parametrize("resource", [HOST, Malloc()], ids=["host", "Malloc"])
def test_views(case, resource):
    keywords, shape, dtype = VIEWS[case]
    buffer = filled(32, resource)
    view = buffer.view(**keywords)
    assert view.shape == shape and str(view.dtype) == dtype and view.exporting_obj is buffer
    assert view.ptr == buffer.handle + keywords.get("offset", 0)
    itemsize = view.itemsize
    assert view.tobytes()[:itemsize] == buffer.tobytes()[keywords.get("offset", 0):][:itemsize]
    view.fill(1)
    assert set(view.tobytes()) <= set(buffer.tobytes())


BAD_VIEWS = {
    "no whole number": (dict(dtype="f8", offset=1), ValueError), "too large": (dict(dtype="f8", shape=5), ValueError),
    "offset past the end": (dict(offset=33), ValueError), "offset < 0": (dict(offset=-1), ValueError),
    "strides alone": (dict(strides=1), ValueError), "strides < 0": (dict(shape=3, strides=-1), ValueError),
    "dtype": (dict(dtype="f5"), TypeError), "shape": (dict(shape="a"), TypeError),
    "layout of another size": (dict(dtype="f4", shape=sv.StridedLayout.dense(2, 8)), (TypeError, ValueError)),
}


@pytest.mark.parametrize("case", BAD_VIEWS)
def test_views_that_are_refused(case):
    keywords, error = BAD_VIEWS[case]
    for buffer in (HOST.allocate(32), Malloc().allocate(32)):
        with pytest.raises(error) as caught:
            buffer.view(**keywords)
        assert str(caught.value) and buffer.exports == 0


def test_buffer_protocol():
    buffer = filled(100)
    lent = memoryview(buffer)
    assert (lent.format, lent.itemsize, lent.shape, lent.readonly, lent.obj) == ("B", 1, (100,), False, buffer)
    assert buffer.exports == 1
    lent[3] = 250
    assert buffer.tobytes()[3] == 250
    lent.release()
    assert buffer.exports == 0
    np = need("numpy")
    array = np.frombuffer(buffer, "u2")
    assert address(array) == buffer.handle and array.size == 50
    with pytest.raises(BufferError):
        buffer.close()
    del array
    buffer.close()


def test_dlpack():
    """Case 53."""
    buffer = filled(10)
    for part in (buffer, buffer[4:]):
        for version in (None, (1, 0), (1, 3), (9, 9)):
            view = sv.view(part.__dlpack__(max_version=version))
            assert (view.ptr, view.shape, str(view.dtype)) == (part.handle, (part.size,), "uint8")
    copy = sv.view(buffer.__dlpack__(max_version=(1, 3), copy=True, dl_device=(1, 0)))
    assert copy.ptr != buffer.handle and copy.tobytes() == buffer.tobytes()
    for keywords, error in ((dict(dl_device=(2, 0)), BufferError), (dict(max_version=3), TypeError),
                            (dict(stream=5), ValueError), (dict(dl_device="cpu"), TypeError)):
        with pytest.raises(error):
            buffer.__dlpack__(**keywords)
    assert buffer.exports == 1
    assert buffer.__dlpack_device__() == (1, 0)


def test_other_libraries_take_it():
    np = need("numpy")
    buffer = filled(16)
    assert address(np.asarray(buffer)) == address(np.from_dlpack(buffer)) == buffer.handle
    torch = need("torch")
    tensor = torch.from_dlpack(buffer)
    assert tensor.data_ptr() == buffer.handle and tensor.dtype == torch.uint8
    with pytest.raises(BufferError):
        buffer.close()


def test_functions_of_the_package_take_it():
    buffer, target = filled(16), HOST.allocate(16)
    sv.copy(target, buffer)
    assert target.tobytes() == buffer.tobytes()
    sv.fill(target, 3)
    sv.copy_batch([target[:8], target[8:]], [buffer[8:], buffer[:8]])
    assert target.tobytes() == buffer.tobytes()[8:] + buffer.tobytes()[:8]
    assert sv.shares_memory(buffer, buffer[3:]) and not sv.shares_memory(buffer[:3], buffer[3:])
    sv.Plan(target, buffer).execute(target, buffer)
    assert target.tobytes() == buffer.tobytes()


# --- the object ---------------------------------------------------------------------------

def test_identity():
    buffer = HOST.allocate(8)
    assert buffer == buffer and buffer != buffer[:] and len({buffer, buffer[:], buffer}) == 2
    alive = weakref.ref(buffer)
    del buffer
    assert alive() is None
    part = weakref.ref(HOST.allocate(8)[1:])
    assert part() is None


def test_derived_classes():
    class Named(sv.Buffer):
        name = "memory"

    np = need("numpy")
    array = np.arange(8, dtype="u1")
    for buffer in (Named._allocate(HOST, 8), of_array_as(Named, array), Named._share(HOST.allocate(8))):
        buffer.label = "one"
        assert type(buffer) is Named and buffer.size == 8 and buffer.label == "one"
        buffer.fill(4)
        assert sv.view(buffer).tobytes() == bytes([4] * 8) and type(buffer[1:]) is sv.Buffer
        assert memoryview(buffer).nbytes == 8 and "Named" in repr(buffer)


def of_array_as(type_, array):
    return type_.from_handle(address(array), array.nbytes, owner=array)


def test_sharing():
    resource = Malloc()
    first = resource.allocate(8)
    second = sv.Buffer._share(first)
    part = sv.Buffer._share(first[2:])
    assert second.memory_resource is resource and second.handle == first.handle == part.handle - 2
    del first
    assert resource.live
    with pytest.raises(BufferError):
        second.close()
    part.close()
    second.close()
    assert resource.live == {}
    with pytest.raises(TypeError):
        sv.Buffer._share(3)


def test_signatures_are_told():
    for name, member in vars(sv.Buffer).items():
        if callable(member) and not name.startswith("__"):
            assert inspect.signature(getattr(sv.Buffer, name)) is not None


# --- threads --------------------------------------------------------------------------------

def test_threads_on_one_buffer():
    """Every pair of calls, from two threads: each succeeds or says why not, and the memory is whole."""
    calls = [lambda b: b[1:3].tobytes(), lambda b: memoryview(b).release(), lambda b: b.view().tobytes(),
             lambda b: b.resize(50000), lambda b: b.resize(100), lambda b: b.fill(3), lambda b: b.shrink_to_fit(),
             lambda b: b.migrate(HOST), lambda b: b.reserve(60000), lambda b: b.tobytes(), lambda b: repr(b)]
    for first in calls:
        for second in calls:
            buffer = HOST.allocate(40000)

            def work(number, pair=(first, second), shared=buffer):
                for _ in range(5):
                    try:
                        pair[number](shared)
                    except (BufferError, RuntimeError, ValueError):
                        pass

            together(2, work)
            assert buffer.exports == 0
            buffer.close()


def test_many_threads():
    def work(number):
        for i in range(200):
            buffer = HOST.allocate(100 + i)
            parts = [buffer[k:] for k in range(10)]
            views = [part.view() for part in parts]
            del buffer, parts
            assert [view.size for view in views] == [100 + i - k for k in range(10)]

    together(4, work)


def test_a_close_while_others_read():
    run_apart("""
        import strideview as sv
        from together import together
        for i in range(100):
            buffer = sv.MemoryResource.host().allocate(1 << 20)
            part = buffer[5:]
            def work(number):
                try:
                    (part.close, part.tobytes, lambda: part.fill(1), buffer.close)[number]()
                except (BufferError, RuntimeError, ValueError):
                    pass
            together(4, work)
        """)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
