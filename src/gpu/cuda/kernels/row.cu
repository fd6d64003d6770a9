// Rows whose source stands still (repeat) or goes backwards (reverse), and rows of fills: a block writes 16 KiB of one
// long row of the destination, or four rows for each group of threads that is as long as a short one. Vectors begin at
// multiples of 16 of the destination's addresses; the items before the first and behind the last of them are stored one
// by one.
#include "gpu/cuda/kernels/kernel.cuh"

// A row of which the thread has vectors, or ends: lane is its number among those that have the row.
struct Row {
    char *dst;
    const char *src;
    int lane, lanes;
    int head; // bytes before the first vector
    int64_t end; // of the last vector, in bytes
};

SVI_DEVICE Row row_at(const svi_launch &p, char *dst, const char *src, uint32_t n, int lane, int lanes)
{
    int64_t to = p.dst_offset, from = p.src_offset;

    add_outer(p, n, to, from);

    const int before = int(-beyond_vector(dst + to) & 15), head = before < p.width ? before : int(p.width);

    return Row{dst + to, src + from, lane, lanes, head, head + ((p.width - head) & ~int64_t(15))};
}

SVI_DEVICE bool has_long_rows(const svi_launch &p)
{
    return p.band == 1;
}

// The block's row, and how far the block is from its beginning.
SVI_DEVICE Row long_row(const svi_launch &p, char *dst, const char *src, int64_t &first)
{
    uint32_t n = blockIdx.x;

    first = int64_t(take_digit(n, p.bands)) * SVI_LAUNCH_BYTES;
    return row_at(p, dst, src, n, int(threadIdx.x), THREADS);
}

// Number k of the thread's rows. Whether there is such a row.
SVI_DEVICE bool find_short_row(const svi_launch &p, char *dst, const char *src, int k, Row &row)
{
    uint32_t group = threadIdx.x;
    const int lane = int(take_digit(group, p.groups));
    const uint32_t n = blockIdx.x * p.band + k * (p.band / VECTORS) + group;
    const bool exists = n < p.count;

    row = row_at(p, dst, src, exists ? n : 0, lane, int(p.groups.extent));
    return exists;
}

SVI_DEVICE bool has_vector(const Row &row, int64_t at)
{
    return at < row.end + (SVI_HAS_FAULT(VECTOR_PAST_THE_END) ? 16 : 0);
}

// The thread's vectors of a long row, which are alike.
SVI_DEVICE void store_long(const Row &row, int64_t first, const Vector &v)
{
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int64_t at = first + row.head + (k * THREADS + row.lane) * 16;

        if (has_vector(row, at))
            store<16>(row.dst + at, v);
    }
}

// Calls store_item with the place of each item that is in no vector. Neighbouring threads have neighbouring items.
template <int S, typename Store> SVI_DEVICE void each_end(const svi_launch &p, const Row &row, Store store_item)
{
    const int count = row.head + int(p.width - row.end);

#pragma unroll 1
    for (int i = row.lane * S; i < count; i += row.lanes * S)
        store_item(i < row.head ? int64_t(i) : row.end + (i - row.head));
}

// --- repeat -----------------------------------------------------------------------------------------------------

template <int S> SVI_DEVICE void repeat_ends(const svi_launch &p, const Row &row, const Item<S> &item)
{
    each_end<S>(p, row, [&](int64_t at) { store<S>(row.dst + at, item); });
}

template <int S> SVI_DEVICE void repeat_long(const svi_launch &p, char *dst, const char *src)
{
    int64_t first;
    const Row row = long_row(p, dst, src, first);
    const Item<S> item = load<S>(row.src);

    store_long(row, first, filled_with<S>(item));
    if (first == 0)
        repeat_ends<S>(p, row, item);
}

template <int S> SVI_DEVICE void repeat_short(const svi_launch &p, char *dst, const char *src)
{
    Row row[VECTORS];
    Item<S> item[VECTORS];
    bool exists[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        exists[k] = find_short_row(p, dst, src, k, row[k]);
        if (exists[k])
            item[k] = load<S>(row[k].src);
    }
    SVI_LOADS_FIRST;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (exists[k]) {
            const int at = row[k].head + row[k].lane * 16;

            if (has_vector(row[k], at))
                store<16>(row[k].dst + at, filled_with<S>(item[k]));
            repeat_ends<S>(p, row[k], item[k]);
        }
}

template <int S> SVI_DEVICE void repeat(const svi_launch &p, char *dst, const char *src)
{
    if (has_long_rows(p))
        repeat_long<S>(p, dst, src);
    else
        repeat_short<S>(p, dst, src);
}

// --- reverse ----------------------------------------------------------------------------------------------------

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

// Where a row's bytes are read: those of the destination from byte at on end at end - at in the source, and both aligned
// vectors around them begin ahead bytes before them.
template <int S> struct Backwards {
    const char *end;
    unsigned ahead;
    int next; // bytes from the first of both vectors to the second, which is not needed where ahead is 0
};

// Takes vectors from the row that cannot be read as such, one at each end at most: they are ends then.
template <int S> SVI_DEVICE Backwards<S> backwards(const svi_launch &p, const char *src, Row &row)
{
    const char *const end = row.src + S;
    const unsigned ahead = beyond_vector(end - row.head);

    if (row.head < row.end && ahead != 0 && end - row.head - ahead + 16 > src + p.src_upper)
        row.head += 16;
    if (row.head < row.end && end - row.end - ahead < src + p.src_lower)
        row.end -= 16;
    return Backwards<S>{end, ahead, ahead != 0 ? 16 : 0};
}

template <int S> SVI_DEVICE void load_backwards(const Backwards<S> &from, int64_t at, Vector &low, Vector &high)
{
    const char *const vector = from.end - at - 16 - from.ahead;

    low = load<16>(vector);
    high = load<16>(vector + from.next);
}

template <int S>
SVI_DEVICE void store_backwards(const Backwards<S> &from, char *to, const Vector &low, const Vector &high)
{
    store<16>(to, reversed<S>(shifted<S>(low, high, from.ahead)));
}

// src is the item that comes first, and the last in memory.
template <int S> SVI_DEVICE void reverse_ends(const svi_launch &p, const Row &row)
{
    each_end<S>(p, row, [&](int64_t at) { store<S>(row.dst + at, load<S>(row.src - at)); });
}

template <int S> SVI_DEVICE void reverse_long(const svi_launch &p, char *dst, const char *src)
{
    int64_t first;
    Row row = long_row(p, dst, src, first);
    const Backwards<S> from = backwards<S>(p, src, row);
    const int64_t at = first + row.head + row.lane * 16;
    Vector low[VECTORS], high[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (has_vector(row, at + k * STEP))
            load_backwards(from, at + k * STEP, low[k], high[k]);
    SVI_LOADS_FIRST;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (has_vector(row, at + k * STEP))
            store_backwards(from, row.dst + at + k * STEP, low[k], high[k]);
    if (first == 0)
        reverse_ends<S>(p, row);
}

// Two rows at a time, for which there are registers enough.
template <int S> SVI_DEVICE void reverse_short(const svi_launch &p, char *dst, const char *src)
{
    enum { ROWS = VECTORS / 2 };

#pragma unroll 1
    for (int first = 0; first < VECTORS; first += ROWS) {
        Vector low[ROWS], high[ROWS];
        Backwards<S> from[ROWS];
        Row row[ROWS];
        bool exists[ROWS];

#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            exists[k] = find_short_row(p, dst, src, first + k, row[k]);
            from[k] = backwards<S>(p, src, row[k]);

            const int at = row[k].head + row[k].lane * 16;

            if (exists[k] && has_vector(row[k], at))
                load_backwards(from[k], at, low[k], high[k]);
        }
        SVI_LOADS_FIRST;
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            const int at = row[k].head + row[k].lane * 16;

            if (exists[k] && has_vector(row[k], at))
                store_backwards(from[k], row[k].dst + at, low[k], high[k]);
            if (exists[k])
                reverse_ends<S>(p, row[k]);
        }
    }
}

template <int S> SVI_DEVICE void reverse(const svi_launch &p, char *dst, const char *src)
{
    if (has_long_rows(p))
        reverse_long<S>(p, dst, src);
    else
        reverse_short<S>(p, dst, src);
}

#define SVI_ROW_KERNEL(name, S, blocks)                                                                   \
    SVI_KERNEL(blocks) svi_##name##_##S(const __grid_constant__ svi_launch p, char *dst, const char *src) \
    {                                                                                                     \
        name<S>(p, dst, src);                                                                             \
    }

SVI_ROW_KERNEL(repeat, 1, 6)
SVI_ROW_KERNEL(repeat, 2, 6)
SVI_ROW_KERNEL(repeat, 4, 6)
SVI_ROW_KERNEL(repeat, 8, 6)
SVI_ROW_KERNEL(repeat, 16, 5)
SVI_ROW_KERNEL(reverse, 1, 4)
SVI_ROW_KERNEL(reverse, 2, 4)
SVI_ROW_KERNEL(reverse, 4, 4)
SVI_ROW_KERNEL(reverse, 8, 4)
SVI_ROW_KERNEL(reverse, 16, 4)
