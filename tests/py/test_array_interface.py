"""The array interfaces of NumPy and of CUDA: what view() takes, what views tell."""

import gc
import random
import sys
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import address, device_view, name_of, need, numbers
from rounds import are_enough, rounds_of, seed_of

from_array = sv.StridedMemoryView.from_array_interface
from_cuda = sv.StridedMemoryView.from_cuda_array_interface
DEVICE = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "version": 3}


class Interface:
    """An object with one array interface, and a DLPack of its own if it must have one."""

    def __init__(self, fields, cuda=False, keep=None):
        setattr(self, "__cuda_array_interface__" if cuda else "__array_interface__", fields)
        self.keep = keep


def interface(array, **changes):
    return Interface({**array.__array_interface__, **changes}, keep=array)


# --- array interfaces -------------------------------------------------------

@pytest.mark.parametrize("dtype", ["float32", "bool", "complex128", "V7", "U3", "M8[s]"])
def test_array_interface(dtype):
    source = np.zeros((3, 4), dtype)[::-1, ::2]
    view = sv.view(interface(source))
    assert view.ptr == address(source) and view.shape == source.shape
    assert view.layout.strides_in_bytes == source.strides
    assert view.__array_interface__["strides"] == source.strides


@pytest.mark.parametrize("changes, error, said", [
    ({"shape": None}, TypeError, "shape"),
    ({"shape": [3, 4]}, TypeError, "shape"),
    ({"shape": (3.0, 4)}, TypeError, "."),
    ({"shape": (-3, 4)}, ValueError, "negative"),
    ({"shape": (2**63, 4)}, OverflowError, "."),
    ({"shape": (2**62, 4)}, OverflowError, "."),
    ({"shape": (1,) * 65}, (ValueError, BufferError), "65"),
    ({"typestr": None}, TypeError, "typestr"),
    ({"typestr": b"<f4"}, TypeError, "typestr"),
    ({"typestr": "f4"}, BufferError, "f4"),
    ({"typestr": ">x4"}, BufferError, "x4"),
    ({"typestr": "|O8"}, BufferError, "O8"),
    ({"typestr": "<f4\0"}, ValueError, "NUL"),
    ({"version": None}, TypeError, "version"),
    ({"version": "3"}, TypeError, "version"),
    ({"data": (None, False)}, BufferError, "NULL"),
    ({"data": (0, False)}, BufferError, "NULL"),
    ({"data": (1.5, False)}, TypeError, "."),
    ({"data": (2**64, False)}, OverflowError, "."),
    ({"data": (4096,)}, TypeError, "data"),
    ({"data": 4096}, TypeError, "."),
    ({"data": b"abc"}, ValueError, "bytes"),
    ({"data": bytes(48), "offset": 1}, ValueError, "48"),
    ({"data": bytes(48), "offset": -1}, ValueError, "offset"),
    ({"data": bytes(48), "strides": (-16, 4)}, ValueError, "48"),
    ({"strides": (16,)}, ValueError, "strides"),
    ({"strides": [16, 4]}, TypeError, "strides"),
    ({"strides": (2**63, 4)}, OverflowError, "."),
    ({"strides": (2**62, 4)}, OverflowError, "."),
    ({"mask": np.zeros((3, 4), bool)}, BufferError, "mask"),
    ({"typestr": "|V4", "descr": [("", "|V2")]}, ValueError, "descr"),
    ({"typestr": "|V8", "descr": [("a", "|O8")]}, TypeError, "objects"),
    ({"typestr": "|V8", "descr": [("a", [("b", "|O")])]}, TypeError, "objects"),
    ({"typestr": "|V4", "descr": "f4"}, TypeError, "descr"),
    ({"typestr": "|V4", "descr": [("a", 3)]}, TypeError, "."),
])
def test_bad_array_interfaces(changes, error, said):
    source = numbers((3, 4))
    before = sys.getrefcount(source)
    for make in (sv.view, from_array):
        with pytest.raises(error, match=said) as caught:
            make(interface(source, **changes))
        assert str(caught.value)
        del caught
    gc.collect()
    assert sys.getrefcount(source) == before


def test_array_interface_that_is_none():
    for fields in (3, None, [], "text"):
        with pytest.raises(TypeError, match="dict"):
            from_array(Interface(fields))
    with pytest.raises(TypeError, match="has no"):
        from_array(3)


@pytest.mark.parametrize("changes, shape", [
    ({"strides": None}, (3, 4)),
    ({"version": 99, "descr": [("", "<f4")], "mask": None, "unknown": 1}, (3, 4)),
    ({"shape": (0, 4), "data": (0, False)}, (0, 4)),
    ({"shape": (0, 4), "data": (None, False)}, (0, 4)),
    ({"shape": (0, 4), "strides": (2**62, 2**62)}, (0, 4)),
    ({"shape": (), "strides": None}, ()),
    ({"shape": (np.int64(3), np.int8(4))}, (3, 4)),
    ({"typestr": "|V4", "descr": [("a", "<i2"), ("b", [("c", "|i1", 2)], (1,))]}, (3, 4)),
])
def test_good_array_interfaces(changes, shape):
    assert sv.view(interface(numbers((3, 4)), **changes)).shape == shape


def test_array_interface_read_only():
    source = numbers(3)
    assert sv.view(interface(source, data=(address(source), True))).readonly
    assert sv.view(interface(source, data=bytes(12))).readonly
    assert not sv.view(interface(source, data=bytearray(12))).readonly


def test_array_interface_of_a_buffer():
    store = bytearray(range(16))
    view = sv.view(Interface({"shape": (2, 3), "typestr": "|u1", "data": store, "offset": 5, "strides": (6, -1),
                              "version": 3}))
    assert np.asarray(view).tolist() == [[5, 4, 3], [11, 10, 9]]
    with pytest.raises(BufferError):
        store.append(1)
    del view
    store.append(1)


def test_array_interface_keeps_the_exporter():
    source = numbers(3)
    exporter = interface(source)
    alive = weakref.ref(exporter)
    capsule = sv.view(exporter).__dlpack__(max_version=(1, 3))
    del exporter
    assert alive() is not None
    del capsule
    assert alive() is None


def test_types_of_ml_dtypes():
    ml_dtypes = need("ml_dtypes")
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"):
        source = np.arange(1, 7).astype(getattr(ml_dtypes, name)).reshape(2, 3)
        view = sv.view(source.T)
        assert (name_of(view), view.ptr, view.shape) == (name, address(source), (3, 2))
        assert np.array_equal(np.asarray(view), source.T)
    padded = sv.view(np.zeros(3, ml_dtypes.int4))
    assert (name_of(padded), padded.itemsize) == ("int4", 1)
    for name in ("complex32", "bcomplex32"):  # NumPy's type string is W4 for both
        if hasattr(ml_dtypes, name):
            source = np.zeros((2, 3), getattr(ml_dtypes, name))
            view = sv.view(source[:, ::2])
            assert (view.ptr, view.shape, view.strides, view.itemsize) == (address(source), (2, 2), (3, 2), 4)
            assert view.dtype == ("complex32" if name == "complex32" else source.dtype)


def test_pictures():
    image = need("PIL.Image").new("RGB", (4, 3), (1, 2, 3))
    view = sv.view(image)
    assert (view.shape, view.readonly, name_of(view)) == ((3, 4, 3), True, "uint8")
    assert np.array_equal(np.asarray(view), np.asarray(image))


# --- array interfaces out ---------------------------------------------------

@pytest.mark.parametrize("array", [numbers((2, 3)), numbers((2, 3)).T, numbers((4, 4), "int16")[::-2, 1:], numbers(()),
                                   numbers((0, 3)), numbers(3, "complex64"), np.zeros((2, 2), "V5"),
                                   np.broadcast_to(numbers(3), (2, 3))], ids=lambda a: f"{a.dtype}{a.strides}")
def test_array_interface_out(array):
    told, expected = sv.view(array).__array_interface__, array.__array_interface__
    assert {key: told[key] for key in ("shape", "typestr", "version")} == {
        key: expected[key] for key in ("shape", "typestr", "version")}
    assert told["strides"] == expected["strides"] or not array.size
    assert told["data"] == expected["data"] if array.size else told["data"][0] != 0
    back = np.asarray(Interface(told, keep=array))
    assert back.tobytes() == array.tobytes() and back.flags.writeable == array.flags.writeable


def test_array_interface_that_cannot_be():
    for view, said in ((sv.empty(3, "bfloat16"), "DLPack"), (sv.view(device_view((2, 3))), "host")):
        with pytest.raises(AttributeError, match=said):
            view.__array_interface__
        assert not hasattr(view, "__array_interface__")


# --- CUDA -------------------------------------------------------------------

def test_cuda_array_interface():
    for make in (sv.view, from_cuda):
        view = make(Interface(DEVICE, cuda=True))
        assert (view.ptr, view.shape, view.device, view.readonly) == (4096, (2, 3), (2, 0), False)
        assert view.__cuda_array_interface__ == {**DEVICE, "strides": None, "stream": None}
        assert view.T.__cuda_array_interface__["strides"] == (4, 12)
    assert not hasattr(sv.empty(3), "__cuda_array_interface__")


@pytest.mark.parametrize("changes, error", [
    ({"data": None}, TypeError), ({"data": b"abc"}, TypeError), ({"mask": 1}, BufferError), ({"version": None}, TypeError),
    ({"data": (0, False)}, BufferError), ({"shape": [2]}, TypeError),
])
def test_bad_cuda_array_interfaces(changes, error):
    with pytest.raises(error):
        sv.view(Interface({**DEVICE, **changes}, cuda=True))


def test_cuda_devices_are_told_by_the_exporter():
    for name in ("id", "index"):
        exporter = Interface(DEVICE, cuda=True)
        exporter.device = type("Device", (), {name: 3})()
        assert sv.view(exporter).device == (2, 3)


# --- rubbish ----------------------------------------------------------------

@pytest.mark.parametrize("cuda", [False, True])
def test_random_dictionaries(cuda):
    """Whatever is in the dictionary: a view within the memory, or an exception of these, and nothing leaks."""
    store = bytearray(4096)
    base = address(np.frombuffer(store, "u1"))
    values = [None, 0, 1, 3, -1, 2**31, 2**62, 2**63, -2**63, 2**64, 1.5, "<f4", "|V3", "|u1", ">i2", "", "\0", "é", b"",
              b"abcdefgh", store, (), (1,), (2, 3), (0, 2**62), (-1,), (2, None), (4, 1), [1], [("a", "<i2")],
              (base, False), (base, True), (None, False), (0, True), {}, object(), True]
    keys = ["shape", "typestr", "data", "strides", "version", "mask", "descr", "offset", "stream"]
    before = sys.getrefcount(store)
    good = {"shape": (2, 3), "typestr": "<f4", "data": (base, False), "version": 3}
    made = 0
    for number in rounds_of(10000):
        draw, fields = random.Random(seed_of(number)), dict(good)
        for _ in range(draw.randrange(4)):
            key = draw.choice(keys)
            if draw.random() < 0.1:
                fields.pop(key, None)
            else:
                fields[key] = draw.choice(values)
        exporter = Interface(fields, cuda)
        alive = weakref.ref(exporter)
        try:
            view = sv.view(exporter)
        except (TypeError, ValueError, BufferError, OverflowError) as error:
            assert str(error)
        else:
            assert view.ndim == len(view.shape)
            made += 1
            view = None
        exporter = None
        assert alive() is None
    fields = draw = None
    gc.collect()
    assert are_enough(made, 1000) and made < 9000 and sys.getrefcount(store) == before


if __name__ == "__main__":
    import tap
    tap.main(__file__)
