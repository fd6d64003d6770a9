"""PyTorch's CUDAPluggableAllocator finds the two functions of libsv, and they allocate from an allocator of it."""

import ctypes

import pytest

import strideview
from strideview import sv_ctypes as sv

torch = pytest.importorskip("torch")

MANAGED, CUDA_MANAGED = sv.SV_MEMORY_MANAGED, sv.SV_DEVICE_CUDA_MANAGED
allocate_type = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)
free_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)


@pytest.fixture
def library():
    return sv.load(str(strideview.library_path()))


@pytest.fixture
def functions(monkeypatch):
    """What PyTorch takes from the library, by the class that its users call."""
    taken = []
    monkeypatch.setattr(torch._C, "_cuda_customAllocator", lambda *pair: taken.extend(pair), raising=False)
    torch.cuda.memory.CUDAPluggableAllocator(str(strideview.library_path()), "sv_torch_allocate", "sv_torch_free")
    return allocate_type(taken[0]), free_type(taken[1])


def test_without_an_allocator_there_is_no_memory(functions):
    allocate, _ = functions
    assert allocate(64, 5, None) is None


def test_pytorch_allocates_from_an_allocator(library, functions):
    allocate, free = functions
    memory, freed = ctypes.create_string_buffer(8192), []
    start = ctypes.addressof(memory) + -ctypes.addressof(memory) % 256

    @sv.sv_allocate_callback
    def take(ctx, nbytes, alignment, stream, out):
        ctypes.cast(out, ctypes.POINTER(ctypes.c_void_p))[0] = start
        return 0

    @sv.sv_free_callback
    def give(ctx, pointer, nbytes, alignment, stream):
        freed.append((pointer, nbytes, alignment, stream))
        return 0

    allocator = ctypes.POINTER(sv.sv_allocator)()
    made = library.sv_allocator_callbacks(MANAGED, CUDA_MANAGED, 0, take, give, sv.sv_release_callback(), None,
                                          ctypes.byref(allocator))
    assert made == 0
    assert library.sv_torch_use(5, allocator) == 0
    pointer = allocate(1000, 5, 7)
    assert pointer == start
    assert library.sv_torch_use(5, None) == sv.SV_ERROR_BLOCKED
    free(pointer, 1000, 5, 9)
    assert freed == [(start, 1000, 256, 9)]
    assert library.sv_torch_use(5, None) == 0
    library.sv_allocator_release(allocator)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
