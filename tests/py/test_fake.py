"""The package on the fake CUDA runtime: what it says of device memory goes to the runtime, and comes back."""

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import runtime  # noqa: F401  (a fixture)
from peers import numbers


class DeviceArray:
    """Memory of the fake runtime, as CuPy would have it."""

    def __init__(self, shape, dtype, device=0, kind=fake.DEVICE):
        self.dtype, self.shape, self.device = np.dtype(dtype), shape, type("Device", (), {"id": device})
        self.ptr = fake.lib.fake_allocate(kind, device, int(np.prod(shape, dtype=int)) * self.dtype.itemsize)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.ptr, False), "version": 3,
                "stream": None}

    def __del__(self):
        fake.lib.fake_free(self.ptr)


@pytest.mark.parametrize("device", [0, 1])
def test_bytes_go_to_a_device_and_come_back(runtime, device):
    source, back = numbers((3, 5)), np.zeros((3, 5), "f4")
    view = sv.view(DeviceArray(source.shape, "f4", device), -1)
    assert view.device == (2, device)
    sv.copy(view, source)
    sv.copy(back, view)
    assert np.array_equal(back, source) and view.tolist() == source.tolist()
    copies = [line for line in fake.log() if ":copy" in line]
    assert copies == [f"{device}:copy 60 legacy"] * 3
    del view


def test_the_runtime_sees_what_the_host_does_too_early(runtime):
    view = sv.view(DeviceArray((64,), "f4"), -1)
    wild = np.ctypeslib.as_array((fake.ctypes.c_ubyte * 256).from_address(view.ptr))
    assert wild[0] >= 0 and "host" in runtime.fake_text().decode()
    runtime.fake_forgive()
    del view


def test_kernels_run_on_what_is_below(runtime):
    source, back = numbers((32, 32)), np.zeros((32, 32), "f4")
    first, second = (sv.view(DeviceArray((32, 32), "f4", 1), -1) for _ in range(2))
    sv.copy(first, source)
    sv.copy(second, first.T)  # a kernel
    sv.copy(back, second)
    assert np.array_equal(back, source.T)
    sv.copy(second.T, second)  # by way of memory of the device, since the two overlap
    sv.copy(back, second)
    assert np.array_equal(back, source)
    assert sum(":launch" in line for line in fake.log()) >= 2
    del first, second


if __name__ == "__main__":
    import tap
    tap.main(__file__)
