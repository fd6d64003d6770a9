"""What can be viewed can be made: fresh memory of any dtype of plain bytes, on a device however it is named."""

from types import SimpleNamespace

import numpy as np
import pytest

import strideview as sv
from peers import need

RECORD = np.dtype([("a", "i4"), ("b", "f8", (2,)), ("c", "S3")])
DTYPES = ["M8[us]", "m8[D]", "M8", "<U2", ">U3", "S4", RECORD, "f4,f4", np.dtype([("a", "f4"), ("b", "i8")], align=True), ">M8[s]"]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), 0, 3, (2, 3), (2, 0)], ids=str)
def test_what_can_be_viewed_can_be_made(dtype, shape):
    wanted = np.zeros(shape, dtype)
    for view in (sv.zeros(shape, dtype), sv.zeros_like(sv.zeros(shape), dtype), sv.zeros(shape, dtype, memory="host"),
                 sv.zeros_like(wanted), sv.view(bytearray(wanted.nbytes)).view(sv.StridedLayout.dense(shape, wanted.itemsize), dtype),
                 sv.StridedMemoryView.from_buffer(bytearray(wanted.nbytes), shape, dtype=dtype),
                 sv.StridedMemoryView.from_buffer(bytearray(wanted.nbytes), sv.StridedLayout.dense(shape, wanted.itemsize), dtype)):
        assert view.dtype == wanted.dtype and view.shape == wanted.shape and repr(view.tolist()) == repr(wanted.tolist())
        back = np.asarray(view)
        assert back.dtype == wanted.dtype and np.array_equal(back, wanted)
    assert sv.empty(shape, dtype).dtype == sv.empty_like(wanted, dtype).dtype == wanted.dtype
    assert sv.empty(shape, dtype, "F").layout.is_contiguous_f
    sv.copy(wanted, sv.empty(shape, dtype))


@pytest.mark.parametrize("dtype, value", [
    ("M8[D]", np.datetime64("2020-02-03")), ("M8[us]", "2020-02-03"), ("<U3", "abc"), ("S2", b"xy"), (RECORD, (1, (2, 3), b"z")),
    (">f8", 1.5), (">f8", np.float32(2)), ("<U20", "longer than a fill can be"), ("V3", b"abc"), ("m8[s]", 5)], ids=str)
def test_full(dtype, value):
    wanted = np.full((2, 3), np.array(value, dtype), dtype)
    for view in (sv.full((2, 3), value, dtype), sv.full_like(sv.zeros((2, 3)), value, dtype)):
        assert view.tobytes() == wanted.tobytes() and view.shape == (2, 3)
    assert sv.full(2, np.datetime64("2020-02-03")).dtype == "M8[D]"


def test_raw_bytes():
    assert sv.empty(3, "V5").itemsize == 5 and sv.empty(3, "V5").dtype == "opaque"


@pytest.mark.parametrize("dtype, text", [
    (object, "Python objects"), ("O", "Python objects"), ([("a", "O")], "Python objects"), ("U", "'U10' has one of 10"),
    ("S", "'S10'"), ("V0", "length"), ("3f4", r"extents \(3,\) to the shape"), ("opaque", "dtype='V8'"), ("nonsense", "."),
    (3, "a shape is one argument"), ((2, 3), "a shape is one argument"), (1.5, "is no dtype")], ids=str)
def test_what_cannot_be_made(dtype, text):
    for call in (sv.empty, sv.zeros, lambda shape, dtype: sv.StridedMemoryView.from_buffer(bytearray(24), shape, dtype=dtype)):
        if dtype == "opaque" and call not in (sv.empty, sv.zeros) or dtype == 3 and call in (sv.empty, sv.zeros):
            continue
        with pytest.raises(TypeError, match=text):
            call(3, dtype)


def test_a_view_as_other_items_has_their_size():
    view = sv.zeros(4, "int64")
    assert view.view(dtype="M8[s]").dtype == "M8[s]" and view.view(dtype="S8").tolist() == [b""] * 4
    assert view.view(sv.StridedLayout((2,), None, 16), "U4").tolist() == ["", ""]
    for call in (lambda: view.view(dtype="U1"), lambda: view.view(sv.StridedLayout((2,), None, 16), "M8[s]")):
        with pytest.raises(TypeError, match="bytes"):
            call()


@pytest.mark.parametrize("call, text", [
    (lambda: sv.zeros(2, 3, 4), "zeros((2, 3, 4))"), (lambda: sv.zeros(2, 3), "zeros((2, 3))"), (lambda: sv.ones(2, 3, 4), "ones((2, 3, 4))"),
    (lambda: sv.empty(2, 3, 4), "empty((2, 3, 4))"), (lambda: sv.empty(2, 3, 4, 5, 6), "empty((2, 3, 4, 5, 6))")])
def test_the_shape_is_one_argument(call, text):
    with pytest.raises(TypeError) as told:
        call()
    assert str(told.value) == f"the shape is one argument: {text}"


CUDA = type("Device", (), {"device_id": 1})()
CPUS = ["cpu", "cpu:0", (1, 0), sv.zeros(3).device, SimpleNamespace(type="cpu", index=None), SimpleNamespace(type="cpu", index=0),
        SimpleNamespace(platform="cpu", id=0), sv.devices()[0]]
GPUS = {"cuda": 0, "cuda:1": 1, (2, 1): 1, 1: 1}


@pytest.mark.parametrize("device", CPUS, ids=str)
def test_the_host_has_many_names(device):
    for make in (lambda: sv.empty(3, device=device), lambda: sv.zeros_like(np.zeros(3, "f4"), device=device),
                 lambda: sv.full(3, 1.0, device=device)):
        assert make().device == (1, 0)


@pytest.mark.parametrize("device, number", [
    ("cuda", 0), ("cuda:0", 0), ("cuda:1", 1), ((2, 1), 1), (1, 1), (np.int64(1), 1), (SimpleNamespace(type="cuda", index=1), 1),
    (SimpleNamespace(type="cuda", index=None), 0), (CUDA, 1), (SimpleNamespace(id=2), 2), (SimpleNamespace(platform="gpu", id=1), 1)],
    ids=str)
def test_devices_have_many_names(device, number):
    from strideview._arguments import device_name, device_number
    assert device_name(device) == device_number(device) == number


def test_devices_of_pytorch():
    torch = need("torch")
    assert sv.empty(3, device=torch.device("cpu")).device == (1, 0)
    assert sv.empty(3, device=torch.zeros(1).device).device == (1, 0)
    from strideview._arguments import device_name
    assert device_name(torch.device("cuda:1")) == 1 and device_name(torch.device("cuda")) == 0


@pytest.mark.parametrize("device, error, text", [
    ("gpu", ValueError, "'cuda:1'"), ("cpu:1", ValueError, "'cpu'"), ((3, 0), ValueError, "pass memory='pinned'"),
    ((13, 0), ValueError, "pass memory='managed'"), ((9, 0), ValueError, "a device is"), ((1,), ValueError, "a device is"),
    (1.5, TypeError, "not float"), (object(), TypeError, "not object"), (SimpleNamespace(type="xpu", index=0), ValueError, "xpu")], ids=str)
def test_other_devices_are_named_in_the_text(device, error, text):
    with pytest.raises(error, match=text):
        sv.empty(3, device=device)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
