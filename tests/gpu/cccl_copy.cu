/*
 * CCCL's cuda::copy() of mdspans as a function of C, for `run bench`: items of 1, 2, 4 and 8 bytes, up to three axes.
 * bundle.py compiles it where it finds CCCL's headers; nothing else uses it.
 */
#include <cstdint>
#include <cuda/mdspan>
#include <cuda/std/array>
#include <cuda/stream_ref>
#include <exception>

namespace
{
template <class T, size_t N>
void copy(const int64_t *shape, const int64_t *dst_strides, const int64_t *src_strides, void *dst, const void *src,
          cudaStream_t stream)
{
    using extents = cuda::std::dextents<int64_t, N>;
    using layout = cuda::layout_stride_relaxed;
    using mapping = layout::mapping<extents>;
    using strides = typename mapping::strides_type;
    cuda::std::array<int64_t, N> counts{}, to{}, from{};
    int64_t below_dst = 0, below_src = 0; /* items between the first one and that of the lowest address */

    for (size_t k = 0; k < N; k++) {
        counts[k] = shape[k];
        to[k] = dst_strides[k];
        from[k] = src_strides[k];
        below_dst -= to[k] < 0 ? (counts[k] - 1) * to[k] : 0;
        below_src -= from[k] < 0 ? (counts[k] - 1) * from[k] : 0;
    }
    cuda::device_mdspan<const T, extents, layout> source(static_cast<const T *>(src) - below_src,
                                                         mapping(extents(counts), strides(from), below_src));
    cuda::device_mdspan<T, extents, layout> target(static_cast<T *>(dst) - below_dst,
                                                   mapping(extents(counts), strides(to), below_dst));
    cuda::copy(source, target, cuda::stream_ref(stream));
}

template <size_t N>
bool choose(int itemsize, const int64_t *shape, const int64_t *dst_strides, const int64_t *src_strides, void *dst,
            const void *src, cudaStream_t stream)
{
    switch (itemsize) {
    case 1: copy<uint8_t, N>(shape, dst_strides, src_strides, dst, src, stream); return true;
    case 2: copy<uint16_t, N>(shape, dst_strides, src_strides, dst, src, stream); return true;
    case 4: copy<uint32_t, N>(shape, dst_strides, src_strides, dst, src, stream); return true;
    case 8: copy<uint64_t, N>(shape, dst_strides, src_strides, dst, src, stream); return true;
    default: return false;
    }
}
} // namespace

/* Strides in items, addresses of the first item. 0: the copy was enqueued; 1: it threw; 2: no such item or axes. */
extern "C" int cccl_copy(int itemsize, int ndim, const int64_t *shape, const int64_t *dst_strides,
                         const int64_t *src_strides, void *dst, const void *src, cudaStream_t stream)
{
    try {
        switch (ndim) {
        case 1: return choose<1>(itemsize, shape, dst_strides, src_strides, dst, src, stream) ? 0 : 2;
        case 2: return choose<2>(itemsize, shape, dst_strides, src_strides, dst, src, stream) ? 0 : 2;
        case 3: return choose<3>(itemsize, shape, dst_strides, src_strides, dst, src, stream) ? 0 : 2;
        default: return 2;
        }
    } catch (const std::exception &) {
        return 1;
    }
}
