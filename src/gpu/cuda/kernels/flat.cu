// Any strides on both sides: units in the order of the destination, axes[0] the fastest.
#include "gpu/cuda/kernels/kernel.cuh"

// --- places of units --------------------------------------------------------------------------

// The first unit of a block.
struct Origin {
    int64_t dst, src;
    uint32_t digit[SVI_LAUNCH_AXES];
};

SVI_DEVICE void find_origin(const svi_launch &p, uint64_t n, Origin &origin)
{
    origin.dst = p.dst_offset;
    origin.src = p.src_offset;
#pragma unroll
    for (int k = 0; k < SVI_LAUNCH_AXES; k++) {
        if (k >= int(p.naxes))
            break;

        const svi_axis &axis = p.axes[k];
        const uint64_t q = k + 1 < int(p.naxes) ? quotient_wide(n, axis) : 0;

        origin.digit[k] = uint32_t(n - q * axis.extent);
        origin.dst += bytes_to(origin.digit[k], axis.dst);
        origin.src += bytes_to(origin.digit[k], axis.src);
        n = q;
    }
}

// A place so many units after the origin, which differs from it in as few axes as the carry reaches.
SVI_DEVICE void step_on(const svi_launch &p, const Origin &origin, uint32_t n, int64_t &dst, int64_t &src)
{
    dst = origin.dst;
    src = origin.src;
#pragma unroll
    for (int k = 0; k < SVI_LAUNCH_AXES; k++) {
        if (k >= int(p.naxes) || n == 0)
            break;

        const svi_axis &axis = p.axes[k];
        const uint32_t sum = origin.digit[k] + n;
        const uint32_t q = k + 1 < int(p.naxes) && !SVI_HAS_FAULT(NO_CARRY) ? quotient(sum, axis) : 0;
        const uint32_t digit = sum - q * axis.extent;
        const int64_t moved = int64_t(digit) - int64_t(origin.digit[k]);

        dst += moved * axis.dst;
        src += moved * axis.src;
        n = q;
    }
}

// --- four units a thread ------------------------------------------------------------------------

template <int S> SVI_DEVICE void flat(const svi_launch &p, char *dst, const char *src)
{
    const uint64_t first = uint64_t(blockIdx.x) * SVI_LAUNCH_UNITS;
    const uint32_t left = p.count - first < SVI_LAUNCH_UNITS ? uint32_t(p.count - first) : SVI_LAUNCH_UNITS;
    Origin origin;
    int64_t to[VECTORS];
    Item<S> v[VECTORS];

    find_origin(p, first, origin);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t n = k * THREADS + threadIdx.x;
        int64_t from;

        if (n < left) {
            step_on(p, origin, n, to[k], from);
            v[k] = load<S>(src + from);
        }
    }
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (k * THREADS + threadIdx.x < left)
            store<S>(dst + to[k], v[k]);
}

// --- sixteen bytes a thread -----------------------------------------------------------------------

// Neighbours, since the arithmetic of a place is too much for one byte. Each of the two sides is a vector where it can
// be.
template <int S> SVI_DEVICE void copy_neighbours(const svi_axis &axis, char *dst, const char *src)
{
    constexpr int COUNT = 16 / S;
    Vector v = zero();

    if (axis.src == S && beyond_vector(src) == 0) {
        v = load<16>(src);
    } else {
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            put_item<S>(v, k, load<S>(src + k * axis.src));
    }
    if (axis.dst == S && beyond_vector(dst) == 0) {
        store<16>(dst, v);
    } else {
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            store<S>(dst + k * axis.dst, item_of<S>(v, k));
    }
}

// A unit on one side: its place, its digit of axes[0], and the number of its row, which the other axes have.
struct Cursor {
    int64_t place;
    uint32_t digit;
    uint64_t row;
};

template <int64_t svi_axis::*SIDE> SVI_DEVICE int64_t place_of_row(const svi_launch &p, int64_t offset, uint64_t row)
{
#pragma unroll 1
    for (uint32_t k = 1; k < p.naxes; k++) {
        const uint64_t q = k + 1 < p.naxes ? quotient_wide(row, p.axes[k]) : 0;

        offset += bytes_to(uint32_t(row - q * p.axes[k].extent), p.axes[k].*SIDE);
        row = q;
    }
    return offset;
}

template <int64_t svi_axis::*SIDE> SVI_DEVICE Cursor find_unit(const svi_launch &p, int64_t offset, uint64_t n)
{
    Cursor unit;

    unit.row = quotient_wide(n, p.axes[0]);
    unit.digit = uint32_t(n - unit.row * p.axes[0].extent);
    unit.place = place_of_row<SIDE>(p, offset, unit.row) + bytes_to(unit.digit, p.axes[0].*SIDE);
    return unit;
}

template <int64_t svi_axis::*SIDE> SVI_DEVICE void advance(const svi_launch &p, int64_t offset, Cursor &unit)
{
    unit.place += p.axes[0].*SIDE;
    if (++unit.digit < p.axes[0].extent)
        return;
    unit.digit = 0;
    unit.row++;
    unit.place = place_of_row<SIDE>(p, offset, unit.row);
}

// Whether units follow each other in the destination, whatever their axes.
template <int S> SVI_DEVICE bool is_dense(const svi_launch &p)
{
    int64_t next = S;

    for (uint32_t k = 0; k < p.naxes; k++) {
        if (p.axes[k].dst != next)
            return false;
        next *= p.axes[k].extent;
    }
    return true;
}

enum { GROUP = 8 };

// The group's units as one word, or as one vector.
template <int S> SVI_DEVICE void store_together(char *to, const Item<S> (&unit)[GROUP])
{
    Vector v = zero();

#pragma unroll
    for (int k = 0; k < GROUP; k++)
        put_item<S>(v, k, unit[k]);
    if constexpr (S == 1)
        store<8>(to, item_of<8>(v, 0));
    else
        store<16>(to, v);
}

// Units of several rows, eight loads at a time on their way.
template <int S>
SVI_DEVICE void copy_group(const svi_launch &p, char *dst, const char *src, uint64_t n, uint32_t count, Cursor &from)
{
    const bool dense = is_dense<S>(p);
    char *const together = dst + p.dst_offset + int64_t(n) * S;
    Item<S> unit[GROUP];

#pragma unroll
    for (int k = 0; k < GROUP; k++)
        if (uint32_t(k) < count) {
            unit[k] = load<S>(src + from.place);
            advance<&svi_axis::src>(p, p.src_offset, from);
        }
    SVI_LOADS_FIRST;
    if (dense && count >= GROUP && (beyond_vector(together) & (GROUP * S - 1)) == 0) {
        store_together<S>(together, unit);
        return;
    }

    Cursor to = find_unit<&svi_axis::dst>(p, p.dst_offset, n);

#pragma unroll
    for (int k = 0; k < GROUP; k++)
        if (uint32_t(k) < count) {
            store<S>(dst + to.place, unit[k]);
            advance<&svi_axis::dst>(p, p.dst_offset, to);
        }
}

template <int S> SVI_DEVICE void flat_bytes(const svi_launch &p, char *dst, const char *src)
{
    constexpr uint32_t COUNT = 16 / S;
    const uint64_t first = (uint64_t(blockIdx.x) * THREADS + threadIdx.x) * COUNT;
    const uint32_t left = first + COUNT <= uint64_t(p.count) ? COUNT : uint32_t(p.count - first);

    if (first >= uint64_t(p.count))
        return;

    Cursor from = find_unit<&svi_axis::src>(p, p.src_offset, first);

    if (left == COUNT && from.digit + COUNT <= p.axes[0].extent) {
        const int64_t to = place_of_row<&svi_axis::dst>(p, p.dst_offset, from.row);

        copy_neighbours<S>(p.axes[0], dst + to + bytes_to(from.digit, p.axes[0].dst), src + from.place);
        return;
    }
#pragma unroll 1
    for (uint32_t k = 0; k < left; k += GROUP)
        copy_group<S>(p, dst, src, first + k, left - k, from);
}

// --- any number of axes -----------------------------------------------------------------------------

template <int S> SVI_DEVICE void flat_many(const svi_launch_many &p, char *dst, const char *src)
{
#pragma unroll 1
    for (int k = 0; k < VECTORS; k++) {
        uint64_t n = uint64_t(blockIdx.x) * SVI_LAUNCH_UNITS + k * THREADS + threadIdx.x;
        int64_t to = p.dst_offset, from = p.src_offset;

        if (n >= uint64_t(p.count))
            break;
#pragma unroll 1
        for (int axis = 0; axis < int(p.naxes); axis++) {
            const svi_axis &x = p.axes[axis];
            const uint64_t q = quotient_wide(n, x);
            const uint32_t digit = uint32_t(n - q * x.extent);

            to += bytes_to(digit, x.dst);
            from += bytes_to(digit, x.src);
            n = q;
        }
        store<S>(dst + to, load<S>(src + from));
    }
}

#define SVI_FLAT_KERNEL(S, body)                                                                 \
    SVI_KERNEL(6) svi_flat_##S(const __grid_constant__ svi_launch p, char *dst, const char *src) \
    {                                                                                            \
        body<S>(p, dst, src);                                                                    \
    }
#define SVI_MANY_KERNEL(S)                                                                            \
    SVI_KERNEL(6) svi_many_##S(const __grid_constant__ svi_launch_many p, char *dst, const char *src) \
    {                                                                                                 \
        flat_many<S>(p, dst, src);                                                                    \
    }

SVI_FLAT_KERNEL(1, flat_bytes)
SVI_FLAT_KERNEL(2, flat_bytes)
SVI_FLAT_KERNEL(4, flat)
SVI_FLAT_KERNEL(8, flat)
SVI_FLAT_KERNEL(16, flat)
SVI_MANY_KERNEL(1)
SVI_MANY_KERNEL(2)
SVI_MANY_KERNEL(4)
SVI_MANY_KERNEL(8)
SVI_MANY_KERNEL(16)
