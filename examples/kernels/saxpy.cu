/*
 * A kernel of one's own on views of libsv, whatever their strides: y += a * x over two axes.
 *
 * nvcc -c -std=c++17 saxpy.cu `pkg-config --cflags strideview`; saxpy.c calls it. Threads take turns along the elements,
 * so that any number of them is right.
 */
#include "sv_kernel.hpp"

using strideview::index_type;

extern "C" __global__ void saxpy(strideview::array<float, 2> y, strideview::array<const float, 2> x, float a)
{
    const index_type first = index_type(blockIdx.x) * blockDim.x + threadIdx.x, count = y.size();

    for (index_type k = first; k < count; k += index_type(gridDim.x) * blockDim.x) {
        const index_type i = k / y.extent(1), j = k % y.extent(1);

        y(i, j) += a * x(i, j);
    }
}
