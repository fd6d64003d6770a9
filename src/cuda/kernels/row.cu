// Rows whose source stands still (repeat) or goes backwards (reverse): a block writes 16 KiB of one row of the
// destination, vectors of which begin at multiples of 16 of its addresses.
#include "kernel.cuh"

// The part of a row's vector that begins at byte at which lies in the row, as items first to last - 1. at may be
// negative.
template <int S> SVI_DEVICE int first_item(int64_t at)
{
    return at < 0 ? int(-at) / S : 0;
}

template <int S> SVI_DEVICE int last_item(int64_t at, int64_t width)
{
    return width - at < 16 ? int(width - at) / S : 16 / S;
}

// The block's row, and the byte of it where the thread begins.
SVI_DEVICE int64_t find_row(const svi_launch &p, const char *dst, int64_t &to, int64_t &from)
{
    uint32_t n = blockIdx.x;
    const int64_t first = int64_t(take_digit(n, p.bands)) * SVI_LAUNCH_BYTES;

    to = p.dst_offset;
    from = p.src_offset;
    add_outer(p, n, to, from);
    return first + threadIdx.x * 16 - beyond_vector(dst + to);
}

template <int S> SVI_DEVICE void repeat(const svi_launch &p, char *dst, const char *src)
{
    int64_t to, from;
    const int64_t at = find_row(p, dst, to, from);
    const Vector v = filled_with<S>(load<S>(src + from));

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int64_t i = at + k * STEP;

        if (i >= 0 && i + 16 <= p.width)
            store<16>(dst + to + i, v);
        else if (i < p.width)
            store_items<S>(dst + to + i, v, first_item<S>(i), last_item<S>(i, p.width));
    }
}

// The items of a vector in reverse order.
template <int S> SVI_DEVICE Vector reversed(const Vector &v)
{
    Vector out = zero();

    if constexpr (S <= 2) {
#pragma unroll
        for (int w = 0; w < 4; w++)
            out.word[w] = __byte_perm(v.word[3 - w], 0, S == 1 ? 0x0123 : 0x1032);
    } else {
#pragma unroll
        for (int k = 0; k < 16 / S; k++)
            put_item<S>(out, k, item_of<S>(v, 16 / S - 1 - k));
    }
    return out;
}

// Whether a whole vector is written at byte at, and both vectors around what is read for it exist.
SVI_DEVICE bool is_whole(int64_t at, int64_t width, const char *vector, const char *lower, const char *upper)
{
    return at >= 0 && at + 16 <= width && vector >= lower && vector + 32 <= upper;
}

// src is the item that comes first, and the last in memory.
template <int S> SVI_DEVICE void reverse(const svi_launch &p, char *dst, const char *src)
{
    int64_t to, from;
    const int64_t at = find_row(p, dst, to, from);
    const char *const end = src + from + S, *const lower = src + p.src_lower, *const upper = src + p.src_upper;
    const unsigned ahead = beyond_vector(end - at);
    const char *const vector = end - at - 16 - ahead; // the first
    Vector low[VECTORS], high[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (is_whole(at + k * STEP, p.width, vector - k * STEP, lower, upper)) {
            low[k] = load<16>(vector - k * STEP);
            high[k] = load<16>(vector - k * STEP + 16);
        }
    SVI_LOADS_FIRST;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (is_whole(at + k * STEP, p.width, vector - k * STEP, lower, upper))
            store<16>(dst + to + at + k * STEP, reversed<S>(shifted<S>(low[k], high[k], ahead)));
#pragma unroll 1
    for (int k = 0; k < VECTORS; k++) {
        const int64_t i = at + k * STEP;
        const int first = first_item<S>(i), last = last_item<S>(i, p.width);

        if (i < p.width && !is_whole(i, p.width, vector - k * STEP, lower, upper))
            store_items<S>(dst + to + i, reversed<S>(load_items<S>(end - i - 16, 16 / S - last, 16 / S - first)), first,
                           last);
    }
}

#define SVI_ROW_KERNEL(name, S, blocks)                                                                             \
    SVI_KERNEL(blocks) svi_##name##_##S(const __grid_constant__ svi_launch p, char *dst, const char *src)           \
    {                                                                                                               \
        name<S>(p, dst, src);                                                                                       \
    }

SVI_ROW_KERNEL(repeat, 1, 8)
SVI_ROW_KERNEL(repeat, 2, 8)
SVI_ROW_KERNEL(repeat, 4, 8)
SVI_ROW_KERNEL(repeat, 8, 8)
SVI_ROW_KERNEL(repeat, 16, 8)
SVI_ROW_KERNEL(reverse, 1, 4)
SVI_ROW_KERNEL(reverse, 2, 4)
SVI_ROW_KERNEL(reverse, 4, 4)
SVI_ROW_KERNEL(reverse, 8, 4)
SVI_ROW_KERNEL(reverse, 16, 4)
