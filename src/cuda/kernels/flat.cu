// Any strides on both sides: units in the order of the destination, axes[0] the fastest.
#include "kernel.cuh"

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

// A place so many units after the origin, which differs from it in as few axes as the carry reaches. first gets the
// place's digit of axes[0].
SVI_DEVICE void step_on(const svi_launch &p, const Origin &origin, uint32_t n, int64_t &dst, int64_t &src,
                        uint32_t &first)
{
    dst = origin.dst;
    src = origin.src;
    first = origin.digit[0];
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
        if (k == 0)
            first = digit;
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
        uint32_t digit;

        if (n < left) {
            step_on(p, origin, n, to[k], from, digit);
            v[k] = load<S>(src + from);
        }
    }
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (k * THREADS + threadIdx.x < left)
            store<S>(dst + to[k], v[k]);
}

// --- sixteen bytes a thread -----------------------------------------------------------------------

// Neighbours, since the arithmetic of a place is too much for one byte. Each of the two sides is a vector where it can be.
template <int S>
SVI_DEVICE void copy_neighbours(const svi_axis &axis, char *dst, const char *src)
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

template <int S> SVI_DEVICE void flat_bytes(const svi_launch &p, char *dst, const char *src)
{
    constexpr uint32_t COUNT = 16 / S, BLOCK = THREADS * COUNT;
    const uint64_t first = uint64_t(blockIdx.x) * BLOCK;
    const uint32_t left = p.count - first < BLOCK ? uint32_t(p.count - first) : BLOCK;
    const uint32_t begin = threadIdx.x * COUNT;
    Origin origin;
    int64_t to, from;
    uint32_t digit;

    if (begin >= left)
        return;
    find_origin(p, first, origin);
    step_on(p, origin, begin, to, from, digit);
    if (begin + COUNT <= left && digit + COUNT <= p.axes[0].extent) {
        copy_neighbours<S>(p.axes[0], dst + to, src + from);
        return;
    }
#pragma unroll 1
    for (uint32_t n = begin; n < left && n < begin + COUNT; n++) {
        step_on(p, origin, n, to, from, digit);
        store<S>(dst + to, load<S>(src + from));
    }
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

#define SVI_FLAT_KERNEL(S, body)                                                                                    \
    SVI_KERNEL(6) svi_flat_##S(const __grid_constant__ svi_launch p, char *dst, const char *src)                \
    {                                                                                                               \
        body<S>(p, dst, src);                                                                                       \
    }
#define SVI_MANY_KERNEL(S)                                                                                          \
    SVI_KERNEL(6) svi_many_##S(const __grid_constant__ svi_launch_many p, char *dst, const char *src)           \
    {                                                                                                               \
        flat_many<S>(p, dst, src);                                                                                  \
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
