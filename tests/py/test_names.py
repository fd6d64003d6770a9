"""Types that a protocol cannot say in full: records keep their dtype, elements below a byte their name."""

import ctypes

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


if __name__ == "__main__":
    import tap
    tap.main(__file__)
