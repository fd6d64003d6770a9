"""Types that a protocol cannot say in full: records keep their dtype, elements below a byte their name."""

import ctypes
import gc
import re
import weakref

import numpy as np
import pytest

import strideview as sv
from peers import CAPSULE, Tensor, address, name_of, need, numbers


def test_tensors_that_require_a_gradient_are_refused():
    torch = need("torch")
    leaf = torch.arange(3.0, requires_grad=True)
    for tensor in (leaf, leaf * 2, leaf[1:], leaf.to(torch.bfloat16), torch.nn.Parameter(torch.zeros(2))):
        for make in (sv.view, sv.StridedMemoryView, sv.StridedMemoryView.from_dlpack):
            with pytest.raises(BufferError, match="detach"):
                make(tensor)
        with torch.no_grad(), pytest.raises(BufferError, match="detach"):
            sv.view(tensor)
        assert sv.view(tensor.detach()).ptr == tensor.data_ptr()
    assert sv.view((leaf > 1)).size == 3
    plain = torch.zeros(3)
    assert sv.view(plain).size == 3
    plain.requires_grad_()
    with pytest.raises(BufferError, match="detach"):
        sv.view(plain)


def test_tensors_keep_their_memory():
    torch = need("torch")
    for make in (sv.view, sv.StridedMemoryView.from_dlpack):
        for _ in range(2):  # types met before are viewed another way
            tensor = torch.arange(12.0).reshape(3, 4)
            gone = weakref.ref(tensor)
            view = make(tensor)
            part = view[1:, ::2]
            exported = np.from_dlpack(part)
            del tensor, view, part
            gc.collect()
            assert gone() is not None and exported.tolist() == [[4, 6], [8, 10]]
            del exported
            assert gone() is None


# --- items that are no number -----------------------------------------------

RECORD = np.dtype([("a", "<f4"), ("b", "i1"), ("c", "<u2", (2, 3))])
ALIGNED = np.dtype([("a", "i1"), ("b", "<f8")], align=True)
NESTED = np.dtype([("x", RECORD), ("y", "S3")])
SCATTERED = np.dtype({"names": ["a", "b"], "formats": ["<i4", "<i2"], "offsets": [8, 0], "itemsize": 16})


@pytest.mark.parametrize("dtype", [RECORD, ALIGNED, NESTED, SCATTERED, "V7", "S4", "U4", "M8[25s]", "m8[ns]", "g", "G",
                                   np.dtype(("<i4", (2,)))], ids=str)
def test_dtypes_are_kept(dtype):
    source = np.zeros((3, 4), dtype)
    for part in (lambda a: a, lambda a: a.T, lambda a: a[1:, ::-2], lambda a: a[1], lambda a: a[:0]):
        view, expected = part(sv.view(source)), part(source)
        assert view.dtype == source.dtype and view.itemsize == source.itemsize
        back = np.asarray(view)
        if source.dtype == SCATTERED:  # told in the order of their places
            assert dict(back.dtype.fields) == dict(SCATTERED.fields) and back.dtype.itemsize == 16
        else:
            assert back.dtype == source.dtype
        assert back.shape == expected.shape
        assert not expected.size or (address(back), back.strides) == (address(expected), expected.strides)
    told = sv.view(source).__array_interface__
    assert told["typestr"] == source.__array_interface__["typestr"]


def test_records_have_their_fields_by_the_array_interface():
    source = np.zeros(3, RECORD)
    told = sv.view(source).__array_interface__
    back = np.asarray(type("Array", (), {"__array_interface__": told})())
    assert told["descr"] == RECORD.descr and back.dtype == RECORD and address(back) == address(source)
    assert "descr" not in sv.view(np.zeros(3, SCATTERED)).__array_interface__
    assert "descr" not in sv.view(np.zeros(3, "S4")).__array_interface__


def test_what_has_no_dtype_stays_opaque():
    records = np.zeros((3, 4), RECORD)
    numbers_ = sv.view(numbers(4, "int32"))
    for view in (numbers_.view(dtype="opaque"), sv.view((ctypes.c_char * 4)()),
                 sv.view(records).view(sv.StridedLayout.dense((2,), 3), "opaque")):
        assert view.dtype == "opaque" and "opaque" in repr(view)
    with pytest.raises(BufferError, match="opaque"):
        memoryview(numbers_.view(dtype="opaque"))
    assert np.asarray(numbers_.view(dtype="opaque")).dtype == "V4"
    assert "('a', '<f4')" in repr(sv.view(records))


def test_records_are_not_exchanged_by_dlpack():
    with pytest.raises(BufferError, match="opaque items of 17 bytes"):
        sv.view(np.zeros(3, RECORD)).__dlpack__(max_version=(1, 3))


# --- elements below a byte, one to a byte -----------------------------------

@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"])
def test_padded_elements(name):
    ml_dtypes = need("ml_dtypes")
    if not hasattr(ml_dtypes, name):
        pytest.skip(f"this ml_dtypes has no {name}")
    source = np.array([[0, 1, 1], [1, 0, 1]]).astype(getattr(ml_dtypes, name))
    view = sv.view(source.T)
    assert (name_of(view), view.itemsize, view.shape, view.ptr) == (name, 1, (3, 2), address(source))
    assert np.asarray(view).dtype == source.dtype and np.array_equal(np.asarray(view), source.T)
    out = sv.empty((3, 2), source.dtype)
    sv.copy(out, view)
    assert np.array_equal(np.asarray(out), source.T) and out.dtype == view.dtype

    capsule = view.__dlpack__(max_version=(1, 3))
    tensor = Tensor.from_address(CAPSULE.PyCapsule_GetPointer(capsule, b"dltensor_versioned"))
    assert (tensor.bits, tensor.lanes, tensor.flags) == (int(re.search(r"\d", name)[0]), 1, 4)
    assert sv.view(capsule).dtype == view.dtype
    with pytest.raises(BufferError, match="padded"):
        view.__dlpack__()
    assert view.__array__().dtype == source.dtype
    for says in (memoryview, lambda v: v.__array_interface__):
        with pytest.raises((BufferError, AttributeError), match=name):
            says(view)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
