"""Who can hand what to whom: every producer through a view to every consumer, type by type."""

import array
import ctypes
import mmap

import numpy as np
import pytest

import strideview as sv
from peers import JAX_DTYPES, NUMPY_DTYPES, TORCH_DTYPES, name_of, need

ML_DTYPES = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]
REFUSED = (AttributeError, BufferError, TypeError, ValueError, RuntimeError, OverflowError, NotImplementedError)
BYTES = bytes(1 if i % 3 else 0 for i in range(24 * 16))  # as bools they are legal, as floats no NaN


class Source:
    """What a producer made: the object, its bytes in C order as it tells them itself, where they are, whether they may
    be written (None: it does not tell)."""

    def __init__(self, exporter, content, address=None, readonly=False):
        self.exporter, self.content, self.address, self.readonly = exporter, content, address, readonly


def raw(dtype):
    """Writable memory of 2 x 3 x 4 elements."""
    return np.frombuffer(bytearray(BYTES[:24 * np.dtype(dtype).itemsize]), dtype).reshape(2, 3, 4)


def of_numpy(dtype):
    source = raw(dtype).transpose(2, 0, 1)
    return Source(source, source.tobytes(), source.ctypes.data)


def of_numpy_readonly(dtype):
    source = raw(dtype)[:, ::2]
    source.flags.writeable = False
    return Source(source, source.tobytes(), source.ctypes.data, readonly=True)


def of_ml_dtypes(dtype):
    source = raw(getattr(need("ml_dtypes"), dtype))[:, 1:]
    return Source(source, source.tobytes(), source.ctypes.data)


def of_torch(dtype):
    torch = need("torch")
    if not hasattr(torch, dtype):
        pytest.skip(f"this PyTorch has no {dtype}")
    type_ = getattr(torch, dtype)
    source = torch.frombuffer(bytearray(BYTES[:24 * type_.itemsize]), dtype=torch.uint8).view(type_)
    source = source.reshape(2, 3, 4).permute(1, 2, 0)
    return Source(source, source.contiguous().view(torch.uint8).numpy().tobytes(), source.data_ptr())


def of_jax(dtype):
    source = need("jax").numpy.asarray(np.frombuffer(BYTES[:24], "uint8")).astype(dtype).reshape(2, 3, 4)
    return Source(source, np.asarray(source).tobytes(), source.unsafe_buffer_pointer(), readonly=None)


def of_tvm_ffi(dtype):
    source = raw(dtype)
    return Source(need("tvm_ffi").from_dlpack(source), source.tobytes(), source.ctypes.data)


def of_sv(dtype):
    view = sv.empty((2, 3, 4), dtype)
    content = np.frombuffer(BYTES[:view.nbytes], f"V{view.itemsize}").reshape(2, 3, 4)
    sv.copy(view.view(dtype="opaque"), content)
    rows = [BYTES[i * 4 * view.itemsize:(i + 1) * 4 * view.itemsize] for i in (1, 2, 4, 5)]
    return Source(view[:, 1:], b"".join(rows), view[:, 1:].ptr)


def of_array(code):
    source = array.array(code, BYTES[:24 * array.array(code).itemsize])
    return Source(source, source.tobytes(), source.buffer_info()[0])


def of_ctypes(name):
    type_ = getattr(ctypes, f"c_{name}") * 4 * 3 * 2
    source = type_.from_buffer(bytearray(BYTES[:ctypes.sizeof(type_)]))
    return Source(source, bytes(source), ctypes.addressof(source))


def of_memoryview(code):
    content = BYTES[:24 * np.dtype(code).itemsize]
    return Source(memoryview(content).cast(code, (2, 3, 4)), content, readonly=True)


def of_mmap(_):
    source = mmap.mmap(-1, 24)
    source[:] = BYTES[:24]
    return Source(source, BYTES[:24])


def of_pillow(_):
    return Source(need("PIL.Image").frombytes("RGB", (4, 2), BYTES[:24]), BYTES[:24], readonly=True)


PRODUCERS = {
    of_numpy: NUMPY_DTYPES, of_numpy_readonly: NUMPY_DTYPES, of_ml_dtypes: ML_DTYPES, of_torch: TORCH_DTYPES,
    of_jax: JAX_DTYPES, of_tvm_ffi: NUMPY_DTYPES, of_sv: [*NUMPY_DTYPES, *ML_DTYPES],
    of_array: "bBhHiIlLqQfd", of_memoryview: "bBhHiIlLqQfd", of_mmap: ["uint8"], of_pillow: ["uint8"],
    of_ctypes: ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"],
}


def to_numpy(view):
    back = np.from_dlpack(view)
    return back.ctypes.data, back.tobytes(), not back.flags.writeable


def to_asarray(view):
    back = np.asarray(view)
    return back.ctypes.data, back.tobytes(), not back.flags.writeable


def to_array_interface(view):
    class Exporter:
        __array_interface__ = view.__array_interface__
    back = np.asarray(Exporter())
    return back.ctypes.data, back.tobytes(), not back.flags.writeable


def to_memoryview(view):
    back = memoryview(view)
    return None, back.tobytes(), back.readonly


def to_torch(view):
    torch = need("torch")
    back = torch.from_dlpack(view)
    if view.readonly:
        return None, b"", None  # PyTorch has no read-only tensors
    return back.data_ptr(), back.contiguous().view(torch.uint8).numpy().tobytes() if back.ndim else b"", False


def to_jax(view):
    back = need("jax").dlpack.from_dlpack(view)
    if str(back.dtype) != name_of(view):
        raise TypeError(f"JAX narrows it to {back.dtype}")
    return None, np.asarray(back).tobytes(), None


def to_tvm_ffi(view):
    back = need("tvm_ffi").from_dlpack(view)
    return sv.view(back).ptr, bytes_of(sv.view(back)), None


def to_sv(view):
    back = sv.view(view.__dlpack__(max_version=(1, 3)))
    return back.ptr, bytes_of(back), back.readonly


# The types that each must take; of others it may say no.
CONSUMERS = {
    to_numpy: NUMPY_DTYPES, to_asarray: [*NUMPY_DTYPES, *ML_DTYPES], to_array_interface: NUMPY_DTYPES,
    to_memoryview: [*NUMPY_DTYPES, "complex32"], to_torch: TORCH_DTYPES, to_jax: [], to_tvm_ffi: NUMPY_DTYPES,
    to_sv: [*NUMPY_DTYPES, *TORCH_DTYPES, *ML_DTYPES],
}


def bytes_of(view):
    """The elements in C order, by way of sv.copy()."""
    opaque = view.view(dtype="opaque")
    target = bytearray(view.nbytes)
    where = sv.StridedLayout.dense(view.shape, view.itemsize)
    sv.copy(sv.view(target).view(where, "opaque"), opaque)
    return bytes(target)


def short(function):
    return function.__name__[3:]


@pytest.mark.parametrize("consumer", CONSUMERS, ids=short)
@pytest.mark.parametrize("producer", PRODUCERS, ids=short)
def test_hand_over(producer, consumer):
    passed = 0
    for dtype in PRODUCERS[producer]:
        source = producer(dtype)
        view = sv.view(source.exporter)
        name = name_of(view)
        assert bytes_of(view) == source.content, dtype
        assert source.address in (None, view.ptr) and source.readonly in (None, view.readonly), dtype
        try:
            address, found, readonly = consumer(view)
        except REFUSED as error:
            assert name not in CONSUMERS[consumer], (dtype, error)
            assert str(error), dtype
            continue
        assert address in (None, view.ptr), dtype
        assert found in (b"", source.content), dtype
        assert not view.readonly or readonly is not False, dtype
        passed += 1
    assert passed > 0 or consumer is to_jax or not set(PRODUCERS[producer]) & set(CONSUMERS[consumer])


def test_read_only_stays_read_only():
    """No way out and in again makes it writable."""
    for producer in (of_numpy_readonly, of_memoryview, of_pillow):
        view = sv.view(producer("B").exporter)
        ways = [view, view[:], view.T, view.view(dtype="int8"), view.view(view.layout), memoryview(view), np.asarray(view),
                np.from_dlpack(view), view.__dlpack__(max_version=(1, 3))]
        assert all(sv.view(way).readonly for way in ways)
        assert view.__array_interface__["data"][1]
        with pytest.raises((BufferError, ValueError)):
            sv.copy(view, view)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
