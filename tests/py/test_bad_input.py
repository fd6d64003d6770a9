"""What producers can get wrong in a DLPack tensor or a capsule, row by row: status, text, and how often the deleter ran.

tests/unit/view/view_dlpack.c has more of each kind, for all three forms of a tensor; here every row goes the way of C and of
Python's capsules.
"""

import ctypes

import numpy as np
import pytest

import strideview as sv
from peers import CAPSULE, Exporter, OldExporter, Tensor, device_view, numbers

LEAST, MOST = -2**63, 2**63 - 1
KEPT = []  # tensors outlive what is made of them


class Foreign:
    """2 x 3 floats as a producer holds them, with changes, and a deleter that counts."""

    def __init__(self, **changes):
        self.data = (ctypes.c_float * 64)(*range(64))
        self.shape = (ctypes.c_int64 * 64)(*changes.pop("extents", (2, 3)), *[1] * 62)
        self.strides = (ctypes.c_int64 * 64)(*changes.pop("steps", (4, 1)), *[1] * 62)
        self.deleted = []
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.deleted.append)
        at = ctypes.addressof(self.data) + 64
        fields = dict(major=1, minor=3, flags=0, data=at, device_type=1, device_id=0, ndim=2, code=2, bits=32, lanes=1,
                      shape=ctypes.addressof(self.shape), strides=ctypes.addressof(self.strides), byte_offset=0,
                      deleter=ctypes.cast(self.deleter, ctypes.c_void_p))
        self.tensor = Tensor(**{**fields, **changes})
        self.address = ctypes.addressof(self.tensor)

    def take(self):
        """(status, message, handle) of C."""
        KEPT.append(self)
        out = sv.ffi.new("sv_view **")
        tensor = sv.ffi.cast("struct DLManagedTensorVersioned *", self.address)
        status = sv.lib.sv_view_from_dlpack(tensor, 0, out)
        return status, sv.ffi.string(sv.lib.sv_last_message()).decode(), out[0]

    def capsule(self):
        KEPT.append(self)
        return CAPSULE.PyCapsule_New(self.address, b"dltensor_versioned", None)


REFUSED = [
    ("major is not 1", dict(major=0), "VERSION", "0.3"),
    ("major is not 1", dict(major=2), "VERSION", "2.3"),
    ("ndim is negative", dict(ndim=-1), "PROTOCOL", "ndim is -1"),
    ("ndim is above the limit", dict(ndim=65), "RANGE", "ndim is 65"),
    ("shape is NULL with axes", dict(shape=None), "PROTOCOL", "shape is NULL"),
    ("an extent is negative", dict(extents=(2, -1)), "PROTOCOL", "axis 1 is -1"),
    ("an extent is negative behind a 0", dict(extents=(0, -5)), "PROTOCOL", "axis 1 is -5"),
    ("the product of extents overflows", dict(extents=(2**32, 2**32), steps=(0, 0)), "OVERFLOW", ""),
    ("the size in bytes overflows", dict(extents=(2**62, 1), steps=(0, 0)), "OVERFLOW", ""),
    ("strides times extents overflow", dict(steps=(MOST // 4, 1), extents=(3, 3)), "OVERFLOW", ""),
    ("the spans of all axes overflow together", dict(steps=(2**60, 2**59)), "OVERFLOW", ""),
    ("the least stride", dict(steps=(LEAST, 1)), "OVERFLOW", ""),
    ("bits are 0", dict(bits=0), "DTYPE", "0 bits"),
    ("lanes are 0", dict(lanes=0), "DTYPE", "0 lanes"),
    ("no whole bytes, and no packed type", dict(code=0, bits=7), "DTYPE", "7 bits"),
    ("no whole bytes, and no packed type", dict(code=1, bits=1), "DTYPE", "1 bits"),
    ("fp6 not of 6 bits", dict(code=15, bits=8), "DTYPE", "8 bits"),
    ("fp4 not of 4 bits", dict(code=17, bits=8), "DTYPE", "8 bits"),
    ("bool not of 8 bits", dict(code=6, bits=16), "DTYPE", "16 bits"),
    ("bfloat not of 16 bits", dict(code=4, bits=32), "DTYPE", "32 bits"),
    ("float of another width", dict(bits=80), "DTYPE", "80 bits"),
    ("complex of another width", dict(code=5, bits=16), "DTYPE", "16 bits"),
    ("an unknown type code", dict(code=99), "DTYPE", "code 99"),
    ("an unknown type code of a newer minor", dict(code=18, minor=9), "DTYPE", "code 18"),
    ("an opaque handle", dict(code=3, bits=64), "DTYPE", "code 3"),
    ("an unknown device type", dict(device_type=0), "DEVICE", "number 0"),
    ("an unknown device type", dict(device_type=5), "DEVICE", "number 5"),
    ("an unknown device type", dict(device_type=6), "DEVICE", "number 6"),
    ("an unknown device type", dict(device_type=-1), "DEVICE", "number -1"),
    ("a negative device number", dict(device_id=-1), "DEVICE", "-1"),
    ("data is NULL with elements", dict(data=None), "PROTOCOL", "data is NULL"),
    ("data is NULL with elements and an offset", dict(data=None, byte_offset=64), "PROTOCOL", "data is NULL"),
    ("byte_offset above the largest difference", dict(byte_offset=2**63), "OVERFLOW", "9223372036854775808"),
    ("data and offset wrap", dict(data=2**64 - 16, byte_offset=16), "OVERFLOW", "byte_offset 16"),
    ("data and offset wrap, misaligned", dict(data=2**64 - 15, byte_offset=16), "OVERFLOW", "byte_offset 16"),
    ("the elements reach past the end", dict(data=2**64 - 16), "OVERFLOW", "address space"),
    ("the elements reach below 0", dict(data=8, steps=(-4, 1)), "OVERFLOW", "address space"),
    ("padded vectors below a byte", dict(code=17, bits=4, lanes=2, flags=4), "UNSUPPORTED", "padded"),
    ("packed elements that end within a byte", dict(code=0, bits=4), "LAYOUT", "4 bits"),
]


@pytest.mark.parametrize("name, changes, status, said", REFUSED)
def test_refused(name, changes, status, said):
    foreign = Foreign(**changes)
    before = bytes(foreign.tensor)
    found, message, handle = foreign.take()
    assert found == getattr(sv.lib, f"SV_ERROR_{status}"), message
    assert said in message and message and handle == sv.ffi.NULL
    capsule = foreign.capsule()
    for make in (sv.view, sv.StridedMemoryView.from_dlpack):
        with pytest.raises(OverflowError if status == "OVERFLOW" else BufferError) as caught:
            make(capsule)
        assert str(caught.value) == message
    assert CAPSULE.PyCapsule_GetName(capsule) == b"dltensor_versioned"
    assert bytes(foreign.tensor) == before and foreign.deleted == []


ACCEPTED = [
    ("a newer minor", dict(minor=99), {}),
    ("strides are NULL", dict(strides=None), {"strides": (3, 1)}),
    ("strides are NULL before minor 2", dict(strides=None, minor=0), {"strides": (3, 1)}),
    ("the product overflows but for a 0", dict(extents=(0, MOST)), {"size": 0}),
    ("data is NULL without elements", dict(extents=(0, 3), data=None), {"size": 0, "ptr": 0}),
    ("any strides without elements", dict(extents=(0, 3), steps=(LEAST, MOST)), {"size": 0}),
    ("any stride of one element", dict(extents=(1, 3), steps=(LEAST, 1)), {"size": 3}),
    ("a device number on the host", dict(device_id=3), {"device": (1, 3)}),
    ("data that is not aligned", dict(byte_offset=1), {}),
    ("an offset", dict(byte_offset=8), {}),
    ("read-only", dict(flags=1), {"readonly": True}),
    ("the padding of whole bytes", dict(flags=4), {"readonly": False}),
    ("unknown flags", dict(flags=2**64 - 8), {"readonly": False}),
    ("elements padded to bytes", dict(code=0, bits=4, flags=4), {"itemsize": 1}),
    ("two fp4 in a byte", dict(code=17, bits=4, lanes=2), {"itemsize": 1}),
    ("negative strides", dict(steps=(-4, -1)), {"strides": (-4, -1)}),
    ("strides of 0", dict(steps=(0, 0)), {"strides": (0, 0)}),
    ("no axes, no arrays", dict(ndim=0, shape=None, strides=None), {"shape": ()}),
]


@pytest.mark.parametrize("name, changes, facts", ACCEPTED)
def test_accepted(name, changes, facts):
    foreign = Foreign(**changes)
    capsule = foreign.capsule()
    view = sv.view(capsule)
    assert CAPSULE.PyCapsule_GetName(capsule) == b"used_dltensor_versioned"
    assert {key: getattr(view, key) for key in facts} == facts
    if view.size:
        assert view.ptr == foreign.tensor.data + foreign.tensor.byte_offset
    copy = sv.empty(view.shape, view.dtype)
    sv.copy(copy, view)
    assert foreign.deleted == []
    del view, copy
    assert foreign.deleted == [foreign.address]
    status, message, handle = foreign.take()
    assert status == 0, message
    sv.lib.sv_view_release(handle)
    assert foreign.deleted == [foreign.address] * 2


def test_a_tensor_without_deleter():
    foreign = Foreign(deleter=None)
    view = sv.view(foreign.capsule())
    del view
    assert foreign.deleted == []


def test_a_null_tensor():
    out = sv.ffi.new("sv_view **")
    for take, *owner in ((sv.lib.sv_view_from_dlpack,), (sv.lib.sv_view_from_dlpack_unversioned,),
                         (sv.lib.sv_view_from_dltensor, sv.ffi.NULL, sv.ffi.NULL)):
        assert take(sv.ffi.NULL, 0, *owner, out) == sv.lib.SV_ERROR_NULL and out[0] == sv.ffi.NULL


def test_memory_that_the_host_does_not_read():
    view = sv.view(device_view((2, 3), device=(10, 0)), stream=-1)  # at an address that nobody could read
    for read in (memoryview, np.asarray, lambda v: sv.copy(np.zeros((2, 3), "f4"), v), lambda v: v.copy_from(numbers((2, 3))),
                 lambda v: v.__dlpack__(dl_device=(1, 0))):
        with pytest.raises((BufferError, NotImplementedError, TypeError, ValueError)) as caught:
            read(view)
        assert str(caught.value)


def test_read_only_memory_is_not_written():
    foreign = Foreign(flags=1)
    view = sv.view(foreign.capsule())
    for write in (lambda: sv.copy(view, view), lambda: view.copy_from(numbers((2, 3))), lambda: sv.fill(view, 0)):
        with pytest.raises(ValueError, match="read-only"):
            write()
    with pytest.raises(BufferError, match="read-only"):
        view.__dlpack__()
    with pytest.raises((BufferError, TypeError, ValueError)):
        ctypes.c_char.from_buffer(view)
    assert list(foreign.data) == list(range(64))


def test_no_capsule_of_a_tensor():
    foreign = Foreign()
    for name, error in ((b"something", ValueError), (b"used_dltensor", ValueError), (b"used_dltensor_versioned", ValueError),
                        (None, ValueError)):
        with pytest.raises(error):
            sv.view(CAPSULE.PyCapsule_New(foreign.address, name, None))
    capsule = foreign.capsule()
    kept = sv.view(capsule)
    with pytest.raises(ValueError, match="used"):
        sv.view(capsule)
    for answer in (3, None, "dltensor", b"dltensor", foreign):
        with pytest.raises(TypeError, match="not a capsule"):
            sv.view(Exporter(answer=lambda asked, answer=answer: answer) if answer is not None else NoAnswer())
    assert kept.size == 6 and foreign.deleted == []


class NoAnswer:
    def __dlpack__(self, **keywords):
        return None

    def __dlpack_device__(self):
        return (1, 0)


def test_an_old_capsule_may_be_read_only():
    assert sv.view(numbers(3).__dlpack__()).readonly and sv.view(OldExporter(numbers(3))).readonly


def test_a_producer_that_changes_its_numbers():
    foreign = Foreign()
    view = sv.view(foreign.capsule())
    foreign.shape[0], foreign.strides[0], foreign.tensor.ndim = MOST, LEAST, 64
    foreign.tensor.data = foreign.tensor.byte_offset = 0
    assert (view.shape, view.strides) == ((2, 3), (4, 1))
    assert np.asarray(view).tolist() == [[16, 17, 18], [20, 21, 22]]


# --- formats of buffers -----------------------------------------------------

OPAQUE, BROKEN, OTHER_ORDER = "opaque", "SV_ERROR_DTYPE", "SV_ERROR_UNSUPPORTED"

# format, item size, what it is
FORMATS = [
    (None, 1, "uint8"), ("B", 1, "uint8"), (None, 4, OPAQUE),
    ("@l", ctypes.sizeof(ctypes.c_long), f"int{8 * ctypes.sizeof(ctypes.c_long)}"), ("=l", 4, "int32"), ("<q", 8, "int64"),
    ("!B", 1, "uint8"), (">B", 1, "uint8"), ("^d", 8, "float64"), ("@=<d", 8, "float64"),
    ("n", 8, "int64"), ("<n", 8, BROKEN), ("=N", 8, BROKEN), ("<P", 8, OPAQUE), (">P", 8, BROKEN), ("P", 8, OPAQUE),
    ("T{b:a:i:b:}", 8, OPAQUE), ("T{i:a:b:b:}", 8, OPAQUE), ("T{i:a:b:b:}", 5, OPAQUE), ("T{<b:a:<i:b:}", 8, OPAQUE),
    ("B", 6, OPAQUE), ("T{<i:a:<i:b:}", 4, OPAQUE), ("B", 2, OPAQUE),
    ("Zf", 8, "complex64"), ("Zd", 16, "complex128"), ("Ze", 4, "complex32"), ("F", 8, "complex64"), ("D", 16, "complex128"),
    ("G", 32, OPAQUE), ("Zg", 32, OPAQUE), ("g", 16, OPAQUE),
    ("c", 1, OPAQUE), ("s", 1, OPAQUE), ("7s", 7, OPAQUE), ("5p", 5, OPAQUE), ("w", 4, OPAQUE), ("u", 2, OPAQUE), ("t", 1, OPAQUE),
    (" d ", 8, "float64"), ("&d", 8, OPAQUE), ("X{}", 8, OPAQUE), ("(2,3)d", 48, OPAQUE), ("3d", 24, OPAQUE),
    (">d", 8, OTHER_ORDER), ("!h", 2, OTHER_ORDER),
    ("O", 8, BROKEN), ("T{i:a:O:b:}", 16, BROKEN),
    ("d:x", 8, BROKEN), ("T{", 4, BROKEN), ("T{d:a:", 8, BROKEN), ("}", 4, BROKEN), ("y", 4, BROKEN), ("i3", 4, BROKEN), ("Z", 8, BROKEN),
    ("Zi", 8, BROKEN), ("", 4, BROKEN), ("<", 4, BROKEN), ("3", 4, BROKEN), ("(", 4, BROKEN), ("(2", 4, BROKEN), ("(2,)d", 16, BROKEN),
    ("(-2)d", 16, BROKEN), ("99999999999999999999d", 8, BROKEN), ("(4294967296,4294967296)d", 8, BROKEN),
    ("T{d:a:d:a:}", 16, BROKEN), ("T{" * 33 + "d" + "}" * 33, 8, BROKEN), ("é", 4, BROKEN),
]


@pytest.mark.parametrize("format_, itemsize, expected", FORMATS)
def test_formats(format_, itemsize, expected):
    memory, ended = (ctypes.c_char * 128)(), []
    release = sv.ffi.callback("void(void *)", ended.append)
    out = sv.ffi.new("sv_view **")
    text = sv.ffi.NULL if format_ is None else sv.ffi.new("char[]", format_.encode())
    shape = sv.ffi.new("int64_t[]", [2])
    status = sv.lib.sv_view_from_pep3118(text, itemsize, 1, shape, sv.ffi.NULL,
                                         sv.ffi.cast("void *", ctypes.addressof(memory)), 2 * itemsize, 0, release, sv.ffi.NULL,
                                         out)
    message = sv.ffi.string(sv.lib.sv_last_message()).decode()
    if expected in (BROKEN, OTHER_ORDER):
        assert sv.ffi.string(sv.lib.sv_status_name(status)).decode() == expected, message
        assert message.startswith("format") and message.isprintable() and out[0] == sv.ffi.NULL and not ended
        return
    assert status == 0, message
    name = sv.ffi.new("char[]", 64)
    assert sv.lib.sv_dtype_name(sv.lib.sv_view_dtype(out[0]), 64, name, sv.ffi.NULL) == 0
    assert sv.ffi.string(name).decode() == expected
    assert sv.lib.sv_layout_itemsize(sv.lib.sv_view_layout(out[0])) == itemsize
    sv.lib.sv_view_release(out[0])
    assert len(ended) == 1


if __name__ == "__main__":
    import tap
    tap.main(__file__)
