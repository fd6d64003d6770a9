"""__sycl_usm_array_interface__: doubles of what dpctl 0.17 and later answer, since its arrays need a SYCL runtime.

Its dictionary (dpctl's documentation, "__sycl_usm_array_interface__ attribute") counts strides and offset in elements, and
does not say which kind of memory it is: usm_ndarray.usm_type does, and get_usm_type() of dpctl.memory's objects.
"""

import numpy as np
import pytest

import strideview as sv
from peers import Exporter, address, device_view, name_of, numbers


def interface(whole, part, **changes):
    """What dpctl tells of a part of an allocation."""
    size = part.itemsize
    return {"shape": part.shape, "typestr": part.dtype.str, "version": 1, "syclobj": object(),
            "strides": None if part.flags.c_contiguous else tuple(step // size for step in part.strides),
            "data": (address(whole), not part.flags.writeable),
            "offset": (address(part) - address(whole)) // size, **changes}


class UsmArray:
    """dpctl.tensor.usm_ndarray of host memory, or of memory that nobody reads."""

    def __init__(self, whole, part=None, usm_type="shared", **changes):
        self.kept, self.usm_type = whole, usm_type
        self.told = interface(whole, whole if part is None else part, **changes)

    @property
    def __sycl_usm_array_interface__(self):
        return self.told


class UsmTensor(UsmArray):
    """The same with DLPack, which calls every kind of SYCL memory oneAPI's."""

    def __dlpack_device__(self):
        return (14, 2)

    def __dlpack__(self, **keywords):
        return device_view((2, 3), device=(14, 2), address=address(self.kept))


class UsmMemory:
    """dpctl.memory.MemoryUSM*: bytes."""

    def __init__(self, kind, store):
        self.kind, self.store = kind, store

    def get_usm_type(self, syclobj=None):
        return self.kind

    @property
    def __sycl_usm_array_interface__(self):
        return interface(self.store, self.store, typestr="|u1")


FORMS = {
    "whole": lambda a: a,
    "turned": lambda a: a.T,
    "part": lambda a: a[1:, ::2],
    "backwards": lambda a: a[::-1, ::-2],
    "repeated": lambda a: np.broadcast_to(a[1:2], (3, 4)),
    "element": lambda a: a[1, 2, ...],
    "empty": lambda a: a[:0],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["shared", "host"])
@pytest.mark.parametrize("dtype", ["float32", "bool", "int8", "uint16", "complex128", "float16"])
def test_the_host_reads(dtype, kind, form):
    whole = numbers((3, 4), dtype)
    part = FORMS[form](whole)
    for make in (UsmArray, UsmTensor):
        exporter = make(whole, part, kind)
        view = sv.view(exporter)
        assert (view.device, view.is_host_accessible, view.stream) == ((1, 0), True, None)
        assert (name_of(view), view.shape, view.readonly) == (dtype, part.shape, not part.flags.writeable)
        assert view.exporting_obj is exporter and np.array_equal(np.asarray(view), part)
        assert not part.size or (view.ptr, view.layout.strides_in_bytes) == (address(part), part.strides)


def test_type_strings_as_older_versions_write_them():
    whole = numbers(3, "float64")
    assert np.array_equal(np.asarray(sv.view(UsmArray(whole, typestr="|f8"))), whole)


@pytest.mark.parametrize("kind", ["device", "unheard of", None, 3])
def test_device_memory_is_only_described(kind):
    view = sv.view(UsmArray(numbers((3, 4)), usm_type=kind), 7)
    assert (view.device, view.is_host_accessible, view.shape, view.stream) == ((14, 0), False, (3, 4), None)
    assert view.T.__dlpack_device__() == (14, 0)
    for read in (memoryview, np.asarray, lambda v: sv.copy(np.zeros((3, 4), "f4"), v)):
        with pytest.raises((BufferError, TypeError, ValueError, NotImplementedError)):
            read(view)


def test_device_memory_goes_by_dlpack_first():
    view = sv.view(UsmTensor(numbers((2, 3)), usm_type="device"))
    assert (view.device, view.shape) == ((14, 2), (2, 3))

    class NoTensor(UsmTensor):
        def __dlpack__(self, **keywords):
            raise BufferError("not today")
    view = sv.view(NoTensor(numbers((3, 4)), usm_type="device"))
    assert (view.device, view.shape) == ((14, 2), (3, 4))


@pytest.mark.parametrize("kind, device", [("shared", (1, 0)), ("host", (1, 0)), ("device", (14, 0))])
def test_memory_objects(kind, device):
    store = np.arange(12, dtype="u1")
    view = sv.view(UsmMemory(kind, store))
    assert (view.device, view.shape, name_of(view), view.ptr) == (device, (12,), "uint8", address(store))


@pytest.mark.parametrize("changes, error, said", [
    ({"shape": [3, 4]}, TypeError, "shape"), ({"shape": None}, TypeError, "shape"),
    ({"shape": (-3, 4)}, ValueError, "negative"), ({"strides": [4, 1]}, TypeError, "strides"),
    ({"strides": (4,)}, ValueError, "strides"), ({"strides": (2**62, 1)}, OverflowError, "strides"),
    ({"offset": 2**62}, OverflowError, "offset"), ({"offset": "1"}, TypeError, "."), ({"offset": 2**64}, OverflowError, "."),
    ({"typestr": "|V4"}, BufferError, "V4"), ({"typestr": ">f4"}, BufferError, "byte order"),
    ({"typestr": None}, TypeError, "typestr"), ({"typestr": "|O8"}, BufferError, "O8"),
    ({"data": None}, TypeError, "data"), ({"data": b"abc"}, TypeError, "data"), ({"data": (0, False)}, BufferError, "NULL"),
    ({"data": (2**64, False)}, OverflowError, "."), ({"data": ()}, TypeError, "data"),
    ({"version": None}, TypeError, "version"), ({"version": 0}, BufferError, "version 0"),
    ({"version": -1}, BufferError, "version -1"), ({"strides": ...}, TypeError, "strides"),
    ({"typestr": "invalid"}, BufferError, "invalid"), ({"typestr": "O"}, BufferError, '"O"'),
])
def test_bad_dictionaries(changes, error, said):
    for kind in ("shared", "device"):
        with pytest.raises(error, match=said):
            sv.view(UsmArray(numbers((3, 4)), usm_type=kind, **changes))


@pytest.mark.parametrize("typestr, shape, strides, offset, begin, span", [
    ("|u1", (10,), (2,), 8, 8, 19), ("|u1", (2, 2), (10, -2), 9, 7, 13), ("|u1", (4, 0), (8, 1), 5, None, 0),
    ("|u1", (), (), 31, 31, 1), ("<u4", (3,), (2,), 1, 4, 20), ("<u2", (2, 3), (-4, 1), 8, 8, 14), ("<f8", (2,), None, 2, 16, 16),
])
def test_bytes_that_elements_reach(typestr, shape, strides, offset, begin, span):
    """Strides and offset count elements; begin and span are in bytes of the 32 that there are."""
    store = np.arange(32, dtype="u1")
    for kind in ("shared", "device"):
        view = sv.view(UsmArray(store, usm_type=kind, typestr=typestr, shape=shape, strides=strides, offset=offset))
        low, high = view.layout.offset_bounds
        reached = (high - low + 1) * view.itemsize if view.size else 0
        assert reached == span and (not span or view.ptr + low * view.itemsize - address(store) == begin)
    if span:
        steps = None if strides is None else [step * view.itemsize for step in strides]
        exact = np.ndarray(shape, typestr, store, offset * view.itemsize, steps)
        assert np.array_equal(np.asarray(sv.view(UsmArray(store, exact))), exact)


@pytest.mark.parametrize("token", [object(), "gpu:0", 7, lambda: None, ...])
def test_the_queue_is_not_looked_into(token):
    for kind, device in (("shared", (1, 0)), ("host", (1, 0)), ("device", (14, 0))):
        assert sv.view(UsmArray(numbers(3), usm_type=kind, syclobj=token)).device == device


def test_no_dictionary():
    class Odd:
        usm_type = "shared"
        __sycl_usm_array_interface__ = 3
    with pytest.raises(TypeError, match="no dict"):
        sv.view(Odd())


def test_a_dictionary_that_fails():
    class Failing:
        usm_type = "shared"

        @property
        def __sycl_usm_array_interface__(self):
            raise RuntimeError("the queue is lost")
    with pytest.raises(RuntimeError, match="lost"):
        sv.view(Failing())


def test_another_way_is_found():
    whole = numbers((2, 3))
    exporter = UsmTensor(whole, usm_type="shared", shape=None)
    assert sv.view(exporter).device == (14, 2)
    array = Exporter(whole)
    assert sv.view(array).ptr == address(whole)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
