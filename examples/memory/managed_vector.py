"""A vector for NumPy and for kernels, as CuVec has it: slices keep the memory, and tell kernels where they are."""

import numpy as np

import strideview as sv


class Kernel:
    """Stands for a kernel, of Numba or CuPy, which takes whatever has __cuda_array_interface__."""

    def __call__(self, array):
        told = array.__cuda_array_interface__
        print("a kernel gets shape", told["shape"], "and strides of", told["strides"], "bytes")


vector = sv.zeros((4, 6), "float32", memory="managed").numpy()  # an ndarray, whose memory the device reads, too
vector += np.arange(24, dtype="float32").reshape(4, 6)

part = vector[1:, ::2]
del vector                                              # the memory stays as long as a slice of it
Kernel()(part)
print("a slice has the pointer of its first element:", part.ptr == part.__array_interface__["data"][0])
print(part)
print("what is computed is NumPy's:", type(part + 1) is np.ndarray, (part + 1).sum())
