// Fills: the item is in the parameter block. After flat.cu and row.cu, whose walks these kernels share.
#include "gpu/cuda/kernels/kernel.cuh"

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

// The item from where the row's first vector has it. Its size divides 16, so all whole vectors of a row are the same.
SVI_DEVICE Vector vector_of_row(const svi_launch_fill &p, const Row &row)
{
    const Vector item = word_of_item<16>(p, 0);

    return SVI_HAS_FAULT(ITEM_NOT_TURNED) ? item : shifted<1>(item, item, unsigned(row.head));
}

SVI_DEVICE void fill_ends(const svi_launch_fill &p, const Row &row)
{
    each_end<1>(p.at, row, [&](int64_t at) { store<1>(row.dst + at, p.item[at & 15]); });
}

SVI_DEVICE void fill_long(const svi_launch_fill &p, char *dst)
{
    int64_t first;
    const Row row = long_row(p.at, dst, nullptr, first);

    store_long(row, first, vector_of_row(p, row));
    if (first == 0)
        fill_ends(p, row);
}

SVI_DEVICE void fill_short(const svi_launch_fill &p, char *dst)
{
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        Row row;

        if (find_short_row(p.at, dst, nullptr, k, row)) {
            const int at = row.head + row.lane * 16;

            if (has_vector(row, at))
                store<16>(row.dst + at, vector_of_row(p, row));
            fill_ends(p, row);
        }
    }
}

#define SVI_FILL_KERNEL(S)                                                                         \
    SVI_KERNEL(6) svi_fill_##S(const __grid_constant__ svi_launch_fill p, char *dst, const char *) \
    {                                                                                              \
        fill<S>(p, dst);                                                                           \
    }

SVI_FILL_KERNEL(1)
SVI_FILL_KERNEL(2)
SVI_FILL_KERNEL(4)
SVI_FILL_KERNEL(8)
SVI_FILL_KERNEL(16)

SVI_KERNEL(8) svi_fill_row(const __grid_constant__ svi_launch_fill p, char *dst, const char *)
{
    if (has_long_rows(p.at))
        fill_long(p, dst);
    else
        fill_short(p, dst);
}
