// Fills: the item is in the parameter block. After flat.cu and row.cu, whose walks these kernels share.
#include "kernel.cuh"

// A word of the item. The block is aligned to 8 bytes, so a vector is put together from words of 4.
template <int S> SVI_DEVICE Item<S> word_of_item(const svi_launch_fill &p, int64_t at)
{
    if constexpr (S == 16) {
        const uint32_t *const word = (const uint32_t *)p.item;

        return Vector{{word[0], word[1], word[2], word[3]}};
    } else {
        return *(const Item<S> *)(p.item + at);
    }
}

// Any strides. The source's offsets are those of words within the item.
template <int S> SVI_DEVICE void fill(const svi_launch_fill &p, char *dst)
{
    const uint64_t first = uint64_t(blockIdx.x) * SVI_LAUNCH_UNITS;
    const uint32_t left = p.at.count - first < SVI_LAUNCH_UNITS ? uint32_t(p.at.count - first) : SVI_LAUNCH_UNITS;
    Origin origin;

    find_origin(p.at, first, origin);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t n = k * THREADS + threadIdx.x;
        int64_t to, at;

        if (n < left) {
            step_on(p.at, origin, n, to, at);
            store<S>(dst + to, word_of_item<S>(p, at));
        }
    }
}

// Rows at any address. The item's size divides 16, so all whole vectors of a thread are the same.
SVI_DEVICE void fill_rows(const svi_launch_fill &p, char *dst)
{
    int64_t to, none;
    const int64_t at = find_row(p.at, dst, to, none);
    const Vector item = word_of_item<16>(p, 0);
    const Vector v = SVI_HAS_FAULT(ITEM_NOT_TURNED) ? item : shifted<1>(item, item, unsigned(at) & 15);

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int64_t i = at + k * STEP;

        if (i >= 0 && i + 16 <= p.at.width)
            store<16>(dst + to + i, v);
        else if (i < p.at.width)
            store_items<1>(dst + to + i, v, first_item<1>(i), last_item<1>(i, p.at.width));
    }
}

#define SVI_FILL_KERNEL(S)                                                                                          \
    SVI_KERNEL(6) svi_fill_##S(const __grid_constant__ svi_launch_fill p, char *dst, const char *)                  \
    {                                                                                                               \
        fill<S>(p, dst);                                                                                            \
    }

SVI_FILL_KERNEL(1)
SVI_FILL_KERNEL(2)
SVI_FILL_KERNEL(4)
SVI_FILL_KERNEL(8)
SVI_FILL_KERNEL(16)

SVI_KERNEL(8) svi_fill_row(const __grid_constant__ svi_launch_fill p, char *dst, const char *)
{
    fill_rows(p, dst);
}
