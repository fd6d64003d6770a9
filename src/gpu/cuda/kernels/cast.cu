// Copies that convert: items in the order of the destination, neighbours by one thread, each through the chain.
#include "gpu/cuda/kernels/numbers.cuh"

// Where the items of a thread are on both sides. Those behind the last are nowhere.
struct Places {
    int64_t dst[PACKET], src[PACKET];
    uint32_t number[PACKET]; // the index along an axis, where it is asked for
    int count;
};

// Gives the item's index along axes[0]. number: that along axis number which; 0 where there is none.
template <typename N>
SVI_DEVICE uint32_t find_item(const svi_launch_many &p, N n, int which, int64_t &dst, int64_t &src, uint32_t &number)
{
    uint32_t first = 0;

    dst = p.dst_offset;
    src = p.src_offset;
    number = 0;
#pragma unroll 1
    for (int k = 0; k < int(p.naxes); k++) {
        const svi_axis &axis = p.axes[k];
        const N q = sizeof n == 4 ? N(quotient(uint32_t(n), axis)) : N(quotient_wide(n, axis));
        const uint32_t digit = uint32_t(n - q * axis.extent);

        dst += bytes_to(digit, axis.dst);
        src += bytes_to(digit, axis.src);
        first = k == 0 ? digit : first;
        number = k == which ? digit : number;
        n = q;
    }
    return first;
}

// A single axis needs no division, and fewer than 2^31 items need no wide ones.
SVI_DEVICE uint32_t find_any_item(const svi_launch_many &p, uint64_t n, int which, int64_t &dst, int64_t &src,
                                  uint32_t &number)
{
    if (p.naxes == 1) {
        dst = p.dst_offset + bytes_to(uint32_t(n), p.axes[0].dst);
        src = p.src_offset + bytes_to(uint32_t(n), p.axes[0].src);
        number = which == 0 ? uint32_t(n) : 0;
        return uint32_t(n);
    }
    return p.count <= INT32_MAX ? find_item(p, uint32_t(n), which, dst, src, number)
                                : find_item(p, n, which, dst, src, number);
}

// The places behind the first, which is item number digit of its row.
SVI_DEVICE void find_others(const svi_launch_many &p, uint64_t n, int which, uint32_t digit, Places &at)
{
#pragma unroll
    for (int k = 1; k < PACKET; k++) {
        at.dst[k] = at.dst[k - 1] + p.axes[0].dst;
        at.src[k] = at.src[k - 1] + p.axes[0].src;
        at.number[k] = at.number[k - 1] + (which == 0);
        if (++digit >= p.axes[0].extent && k < at.count && !SVI_HAS_FAULT(NO_CARRY))
            digit = find_any_item(p, n + k, which, at.dst[k], at.src[k], at.number[k]);
    }
}

// Whether items of one row are a vector, or a word, that begins where it may. Items that may lie anywhere are none.
SVI_DEVICE bool is_vector(int64_t stride, const void *first, uint32_t bytes)
{
    return bytes - 1 < 8 && stride == bytes && (beyond_vector(first) & (PACKET * bytes - 1)) == 0;
}

// --- loads ------------------------------------------------------------------------------------

template <int S> SVI_DEVICE void load_each(const Places &at, const char *src, Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        if (k < at.count) {
            const Item<S> item = load<S>(src + at.src[k]);

            if constexpr (S == 16) {
                v.low[k] = item_of<8>(item, 0);
                v.high[k] = item_of<8>(item, 1);
            } else {
                v.low[k] = item;
            }
        }
}

// Several items as one word, or as one vector.
template <int S> SVI_DEVICE void load_together(const char *from, Packet &v)
{
    if constexpr (S == 8) {
        const Vector a = load<16>(from), b = load<16>(from + 16);

        v.low[0] = item_of<8>(a, 0), v.low[1] = item_of<8>(a, 1);
        v.low[2] = item_of<8>(b, 0), v.low[3] = item_of<8>(b, 1);
    } else if constexpr (S == 4) {
        const Vector a = load<16>(from);

#pragma unroll
        for (int k = 0; k < PACKET; k++)
            v.low[k] = a.word[k];
    } else {
        const uint64_t a = load<PACKET * S>(from);

#pragma unroll
        for (int k = 0; k < PACKET; k++)
            v.low[k] = Item<S>(a >> 8 * S * k);
    }
}

// Byte by byte, where items lie anywhere.
SVI_DEVICE void load_bytes(const Places &at, const char *src, int bytes, Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++) {
        v.low[k] = v.high[k] = 0;
#pragma unroll 1
        for (int b = 0; b < bytes && k < at.count; b++) {
            const uint64_t byte = load<1>(src + at.src[k] + b);

            if (b < 8)
                v.low[k] |= byte << 8 * b;
            else
                v.high[k] |= byte << 8 * (b - 8);
        }
    }
}

SVI_DEVICE void load_vector(uint32_t word, const char *from, Packet &v)
{
    switch (word) {
    case 1: return load_together<1>(from, v);
    case 2: return load_together<2>(from, v);
    case 4: return load_together<4>(from, v);
    default: return load_together<8>(from, v);
    }
}

SVI_DEVICE void load_packet(const svi_launch_cast &p, const Places &at, const char *src, Packet &v)
{
    switch (p.src_word) {
    case 1: return load_each<1>(at, src, v);
    case 2: return load_each<2>(at, src, v);
    case 4: return load_each<4>(at, src, v);
    case 8: return load_each<8>(at, src, v);
    case 16: return load_each<16>(at, src, v);
    default: return load_bytes(at, src, int(svi_chain_src_bytes(&p.chain)), v);
    }
}

// --- stores -----------------------------------------------------------------------------------

template <int S> SVI_DEVICE void store_each(const Places &at, char *dst, const Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        if (k < at.count) {
            if constexpr (S == 16)
                store<16>(dst + at.dst[k], Vector{{uint32_t(v.low[k]), uint32_t(v.low[k] >> 32), uint32_t(v.high[k]),
                                                   uint32_t(v.high[k] >> 32)}});
            else
                store<S>(dst + at.dst[k], Item<S>(v.low[k]));
        }
}

template <int S> SVI_DEVICE void store_together(char *to, const Packet &v)
{
    if constexpr (S == 8) {
        store<16>(to,
                  Vector{{uint32_t(v.low[0]), uint32_t(v.low[0] >> 32), uint32_t(v.low[1]), uint32_t(v.low[1] >> 32)}});
        store<16>(to + 16,
                  Vector{{uint32_t(v.low[2]), uint32_t(v.low[2] >> 32), uint32_t(v.low[3]), uint32_t(v.low[3] >> 32)}});
    } else if constexpr (S == 4) {
        store<16>(to, Vector{{uint32_t(v.low[0]), uint32_t(v.low[1]), uint32_t(v.low[2]), uint32_t(v.low[3])}});
    } else {
        uint64_t a = 0;

#pragma unroll
        for (int k = 0; k < PACKET; k++)
            a |= v.low[k] << 8 * S * k;
        store<PACKET * S>(to, Item<PACKET * S>(a));
    }
}

SVI_DEVICE void store_bytes(const Places &at, char *dst, int bytes, const Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++) {
#pragma unroll 1
        for (int b = 0; b < bytes && k < at.count; b++)
            store<1>(dst + at.dst[k] + b, uint8_t(b < 8 ? v.low[k] >> 8 * b : v.high[k] >> 8 * (b - 8)));
    }
}

SVI_DEVICE void store_vector(uint32_t word, char *to, const Packet &v)
{
    switch (word) {
    case 1: return store_together<1>(to, v);
    case 2: return store_together<2>(to, v);
    case 4: return store_together<4>(to, v);
    default: return store_together<8>(to, v);
    }
}

SVI_DEVICE void store_packet(const svi_launch_cast &p, const Places &at, char *dst, const Packet &v)
{
    switch (p.dst_word) {
    case 1: return store_each<1>(at, dst, v);
    case 2: return store_each<2>(at, dst, v);
    case 4: return store_each<4>(at, dst, v);
    case 8: return store_each<8>(at, dst, v);
    case 16: return store_each<16>(at, dst, v);
    default: return store_bytes(at, dst, int(svi_chain_dst_bytes(&p.chain)), v);
    }
}

// --- vectors to vectors -----------------------------------------------------------------------

template <int FROM, int TO, Operation OPERATION> SVI_DEVICE bool convert_vectors(char *to, const char *from)
{
    Packet v = {};

    load_together<FROM>(from, v);
    each<OPERATION>(v);
    store_together<TO>(to, v);
    return true;
}

// Frequent conversions of one step: the compiler sees both sizes and the operation. Whether it is one of them.
SVI_DEVICE bool convert_at_once(const svi_chain &chain, char *to, const char *from)
{
    if (chain.count != 1 || chain.steps[0].lanes != 1)
        return false;
    switch (chain.steps[0].op) {
    case SVI_OP_F16_FROM_F32: return convert_vectors<4, 2, from_f32<SVI_NARROW_F16>>(to, from);
    case SVI_OP_F32_FROM_F16: return convert_vectors<2, 4, f32_from<SVI_NARROW_F16>>(to, from);
    case SVI_OP_BF16_FROM_F32: return convert_vectors<4, 2, from_f32<SVI_NARROW_BF16>>(to, from);
    case SVI_OP_F32_FROM_BF16: return convert_vectors<2, 4, f32_from<SVI_NARROW_BF16>>(to, from);
    case SVI_OP_F32_FROM_F64: return convert_vectors<8, 4, f32_from_f64>(to, from);
    case SVI_OP_F64_FROM_F32: return convert_vectors<4, 8, f64_from_f32>(to, from);
    case SVI_OP_F32_FROM_U8: return convert_vectors<1, 4, f32_from_u32>(to, from);
    case SVI_OP_F32_FROM_I32: return convert_vectors<4, 4, f32_from_i32>(to, from);
    default: return false;
    }
}

// --- blocks -----------------------------------------------------------------------------------

enum { NO_AXIS = -1 };

// Converts the items of a thread from number n on. scale, of the numbers along axis number which, does what scales.
template <typename Scale>
SVI_DEVICE void convert_items(const svi_launch_cast &p, int which, char *dst, const char *src, Scale &scale)
{
    const uint64_t n = (uint64_t(blockIdx.x) * THREADS + threadIdx.x) * PACKET;

    if (n >= uint64_t(p.at.count))
        return;

    const uint64_t left = uint64_t(p.at.count) - n;
    Packet v = {};
    Places at;

    at.count = left < PACKET ? int(left) + SVI_HAS_FAULT(BOUND_TOO_LARGE) : PACKET;

    const uint32_t digit = find_any_item(p.at, n, which, at.dst[0], at.src[0], at.number[0]);
    const bool in_row = at.count == PACKET && digit + PACKET <= p.at.axes[0].extent;
    const bool loads_vector = in_row && is_vector(p.at.axes[0].src, src + at.src[0], p.src_word);
    const bool stores_vector = in_row && is_vector(p.at.axes[0].dst, dst + at.dst[0], p.dst_word);

    if (loads_vector && stores_vector) {
        if (!Scale::SCALES && convert_at_once(p.chain, dst + at.dst[0], src + at.src[0]))
            return;
#pragma unroll
        for (int k = 1; k < PACKET; k++)
            at.number[k] = at.number[k - 1] + (which == 0);
    } else {
        find_others(p.at, n, which, digit, at);
    }
    if (loads_vector)
        load_vector(p.src_word, src + at.src[0], v);
    else
        load_packet(p, at, src, v);
    scale.take(at.number);
    scale.run(p.chain, v);
    if (SVI_HAS_FAULT(THREAD_STORES_NOTHING) && threadIdx.x == 17)
        return;
    if (stores_vector)
        store_vector(p.dst_word, dst + at.dst[0], v);
    else
        store_packet(p, at, dst, v);
}

SVI_KERNEL(4) svi_cast(const __grid_constant__ svi_launch_cast p, char *dst, const char *src)
{
    Unscaled unscaled;

    convert_items(p, NO_AXIS, dst, src, unscaled);
}

// The two addresses of copy number blockIdx.y: those of a table, or as far from the kernel's as the parameters say.
SVI_DEVICE void find_numbers(const svi_launch_scaled &p, char *&dst, const char *&src)
{
    if (p.cast.distances == 0) {
        dst = address_in(dst, p.cast.table.dst_step);
        src = address_in(src, p.cast.table.src_step);
    } else {
        const svi_launch_distance at = distance_in(&p, p.cast.distances);

        dst += at.dst;
        src += at.src;
    }
}

SVI_KERNEL(4) svi_batched_cast(const __grid_constant__ svi_launch_scaled p, char *dst, const char *src)
{
    Unscaled unscaled;

    find_numbers(p, dst, src);
    convert_items(p.cast, NO_AXIS, dst, src, unscaled);
}
