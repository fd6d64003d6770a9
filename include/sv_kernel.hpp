/*
 * sv_kernel.hpp: the views of libsv in kernels.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * For CUDA C++, and for any C++17 compiler of the host. It needs no header of CUDA, and nothing is linked. NVRTC and
 * CuPy compile it as it is. A kernel takes an array by value, and uses it much as a std::mdspan with strides:
 *
 *     __global__ void scale(strideview::array<float, 2> out, strideview::array<const float, 2> in, float factor)
 *     {
 *         ...
 *         out(i, j) = factor * in(i, j);
 *     }
 *
 * What fills it is sv_view_kernel_arg() of sv.h, and it checks what would be a fault in the kernel:
 *
 *     strideview::array<float, 2> out;
 *
 *     status = sv_view_kernel_arg(view, out.rank(), sizeof(float), SV_KERNEL_WRITES, sizeof out, &out);
 *
 * In Python it is view.kernel_arg(). doc/kernels.md has whole programs.
 */
#ifndef SV_KERNEL_HPP
#define SV_KERNEL_HPP

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SV_KERNEL_FUNCTION __host__ __device__ inline
#else
#define SV_KERNEL_FUNCTION inline
#endif

namespace strideview {

// Whole numbers of 64 bits, without a header: NVRTC has none of the C library's.
using index_type = long long;

// Elements of type T, const T when the kernel only reads them, along N axes. A plain structure: address, shape and
// strides, without padding, as sv_view_kernel_arg() writes it. Indices are not checked.
template <typename T, int N>
struct array {
    static_assert(N > 0 && N <= 64, "libsv has up to 64 axes");

    using element_type = T;

    T *address; // of the element with all indices 0; null of an empty view
    index_type shape[N];
    index_type steps[N]; // in elements; negative and 0, too

    static SV_KERNEL_FUNCTION constexpr int rank() { return N; }
    SV_KERNEL_FUNCTION T *data() const { return address; }
    SV_KERNEL_FUNCTION index_type extent(int axis) const { return shape[axis]; }
    SV_KERNEL_FUNCTION index_type stride(int axis) const { return steps[axis]; }

    SV_KERNEL_FUNCTION index_type size() const
    {
        index_type product = 1;

        for (int axis = 0; axis < N; axis++)
            product *= shape[axis];
        return product;
    }

    template <typename... I>
    SV_KERNEL_FUNCTION T &operator()(I... i) const
    {
        static_assert(sizeof...(I) == N, "one index for each axis");
        index_type offset = 0;
        int axis = 0;

        ((offset += static_cast<index_type>(i) * steps[axis++]), ...);
        return address[offset];
    }
};

// Without axes there is the address alone.
template <typename T>
struct array<T, 0> {
    using element_type = T;

    T *address;

    static SV_KERNEL_FUNCTION constexpr int rank() { return 0; }
    SV_KERNEL_FUNCTION T *data() const { return address; }
    SV_KERNEL_FUNCTION index_type size() const { return 1; }
    SV_KERNEL_FUNCTION T &operator()() const { return *address; }
};

static_assert(sizeof(void *) == 8 && sizeof(index_type) == 8, "the block has 64-bit members");
static_assert(sizeof(array<char, 0>) == 8 && sizeof(array<char, 1>) == 24 && sizeof(array<double, 64>) == 1032,
              "the block has no padding");

} // namespace strideview

#endif
