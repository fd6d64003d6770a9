"""Raw memory under a shape: from_buffer(), frombuffer(), and view(dtype=) with items of another size."""

import array
import mmap

import numpy as np
import pytest

import strideview as sv
from peers import address, numbers

RAW = bytes(range(96))


@pytest.mark.parametrize("make", [lambda: bytearray(RAW), lambda: np.frombuffer(RAW, "u1"), lambda: memoryview(RAW),
                                  lambda: array.array("d", RAW), lambda: sv.view(np.frombuffer(RAW, "u1"))])
@pytest.mark.parametrize("dtype, count, offset", [("u1", -1, 0), ("f4", -1, 0), ("i2", 5, 3), ("f8", -1, 8), ("c16", 2, 32),
                                                  ("u1", 0, 96), ("u1", -1, 96), ("f4", -1, 4), ("i8", 1, 1)])
def test_frombuffer_is_numpys(make, dtype, count, offset):
    buffer = make()
    made = sv.frombuffer(buffer, dtype, count, offset)
    if count == 0 or offset == 96:  # which NumPy refuses
        assert made.shape == (0,)
    else:
        wanted = np.frombuffer(RAW, dtype, count, offset)
        assert np.array_equal(np.asarray(made), wanted) and made.dtype == wanted.dtype
        assert made.ptr == address(np.asarray(memoryview(buffer))) + offset
    assert made.readonly == memoryview(buffer).readonly


def test_frombuffer_of_buffers():
    buffer = sv.memory.default("host").allocate(24)
    made = sv.frombuffer(buffer, "i4", offset=4)
    made[...] = 7
    assert made.shape == (5,) and buffer.tobytes()[4:8] == b"\7\0\0\0" and made.ptr == buffer.handle + 4
    with mmap.mmap(-1, 4096) as mapped:
        made = sv.frombuffer(mapped, "f8")
        assert made.shape == (512,) and not made.readonly
        del made


class Held:
    """What cuda.core calls a Buffer, of memory that a device has."""

    def __init__(self, memory, device):
        self.memory, self.handle, self.size = memory, address(memory), memory.nbytes
        self.is_device_accessible, self.is_host_accessible, self.device_id = device, not device, 0


@pytest.mark.parametrize("device", [False, True])
def test_memory_of_a_device(device):
    held = Held(numbers(24, "i4"), device)
    made = sv.frombuffer(held, "i4", 3, 8)
    assert made.ptr == held.handle + 8 and made.shape == (3,) and made.device == ((2, 0) if device else (1, 0))
    made = sv.StridedMemoryView.from_buffer(held, (2, 3), strides_in_bytes=(-16, 8), offset=32, dtype="i4")
    assert made.ptr == held.handle + 32 and made.is_device_accessible == device
    for offset in (-1, 97, 96, 90):
        with pytest.raises(ValueError):
            sv.StridedMemoryView.from_buffer(held, (2,), offset=offset, dtype="i4")
    assert sv.frombuffer(held, "u1").shape == (96,)


@pytest.mark.parametrize("call, error, text", [
    (lambda: sv.frombuffer(RAW), TypeError, "dtype"), (lambda: sv.frombuffer(RAW, "f4", 25), ValueError, "memory|outside"),
    (lambda: sv.frombuffer(RAW, "f8", offset=3), ValueError, "93 bytes from 3 on are no items of 8"),
    (lambda: sv.frombuffer(RAW, "f8", offset=-8), ValueError, "offset is -8|no items"),
    (lambda: sv.frombuffer(RAW, "f4", offset=100), ValueError, "offset is 100, the memory has 96 bytes"),
    (lambda: sv.frombuffer(3, "f4"), TypeError, ""), (lambda: sv.frombuffer(RAW, "f4", 1.5), TypeError, "float"),
])
def test_refused(call, error, text):
    with pytest.raises(error, match=text or "int"):
        call()


@pytest.mark.parametrize("shape, strides, offset", [((3, 4), (32, 8), 0), ((3, 4), (8, 24), 0), ((3,), (-16,), 40),
                                                    ((2, 3), (0, 4), 4), ((), (), 88), ((5,), (5,), 3), ((0, 2), (1, 1), 96)])
def test_strides_in_bytes(shape, strides, offset):
    wanted = np.ndarray(shape, "f8", RAW + bytes(8), offset, strides)
    made = sv.StridedMemoryView.from_buffer(RAW + bytes(8), shape, strides_in_bytes=strides, offset=offset, dtype="f8")
    assert np.array_equal(np.asarray(made).view("i8") if made.ndim else made.tobytes(),
                          wanted.view("i8") if made.ndim else wanted.tobytes()) or not made.size
    assert made.layout.strides_in_bytes == strides or not made.size


def test_bad_offsets_and_strides():
    make = sv.StridedMemoryView.from_buffer
    for arguments in ({"offset": 1}, {"offset": -1}, {"offset": 97}, {"strides_in_bytes": (9,)}, {"offset": 2**70}):
        with pytest.raises((ValueError, OverflowError)):
            make(RAW, (12,), dtype="f8", **arguments)
    with pytest.raises(TypeError, match="not both"):
        make(RAW, (12,), (1,), strides_in_bytes=(8,), dtype="f8")
    assert make(RAW, (11,), dtype="f8", offset=8).ptr == make(RAW, (12,), dtype="f8").ptr + 8


# --- view(dtype) ---------------------------------------------------------------------

DTYPES = ["u1", "i2", "f4", "f8", "c16", "?"]


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", DTYPES)
def test_views_of_other_sizes_are_numpys(source, target):
    base = np.frombuffer(RAW * 4, source).copy()
    for of in (lambda a: a, lambda a: a[1:], lambda a: a.reshape(2, -1), lambda a: a.reshape(-1, 2)[::2], lambda a: a[::2],
               lambda a: a.reshape(2, -1).T, lambda a: a[:0], lambda a: a[:1][::-1], lambda a: a.reshape(2, 1, -1)[::-1],
               lambda a: a[:3], lambda a: a[0, ...], lambda a: a.reshape(1, -1, 1)):
        part = of(base)
        try:
            wanted = part.view(target)
        except ValueError:
            with pytest.raises(ValueError):
                sv.view(part).view(target)
            continue
        for made in (sv.view(part).view(target), sv.view(part).view(dtype=target), sv.view(part).view(np.dtype(target))):
            assert made.shape == wanted.shape and made.dtype == wanted.dtype and made.tobytes() == wanted.tobytes()
            assert not made.size or made.ptr == address(wanted)


def test_views_of_views():
    view = sv.view(numbers((4, 6), "i4"), readonly=True)
    assert view[1:, 2:].view("i8").shape == (3, 2) and view.view("u1").readonly and view.view() is view
    assert view.view(view.layout) is not None and view.view(view.layout, "f4").dtype == "f4"
    for arguments in ((2, 12), ((2, 12),), (-1,), (2, 3, 4)):
        with pytest.raises(TypeError, match=r"v\.reshape\(shape\)"):
            view.view(*arguments)
    for bad in ("qwertz", [2, 3], 1.5):
        with pytest.raises((TypeError, ValueError)):
            view.view(bad)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
