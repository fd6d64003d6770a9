"""Types that a protocol cannot say in full: records keep their dtype, elements below a byte their name."""

import ctypes
import re

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
