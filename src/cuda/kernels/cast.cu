// Copies that convert: items in the order of the destination, neighbours by one thread, each through the chain.
#include "numbers.cuh"

// Where the items of a thread are on both sides. Those behind the last are nowhere.
struct Places {
    int64_t dst[PACKET], src[PACKET];
    int count;
    bool in_row; // all of them along axes[0]
};

// Gives the item's index along axes[0].
SVI_DEVICE uint32_t find_item(const svi_launch_many &p, uint64_t n, int64_t &dst, int64_t &src)
{
    uint32_t first = 0;

    dst = p.dst_offset;
    src = p.src_offset;
#pragma unroll 1
    for (int k = 0; k < int(p.naxes); k++) {
        const svi_axis &axis = p.axes[k];
        const uint64_t q = quotient_wide(n, axis);
        const uint32_t digit = uint32_t(n - q * axis.extent);

        dst += bytes_to(digit, axis.dst);
        src += bytes_to(digit, axis.src);
        first = k == 0 ? digit : first;
        n = q;
    }
    return first;
}

SVI_DEVICE Places find_places(const svi_launch_many &p, uint64_t n)
{
    const uint64_t left = uint64_t(p.count) - n;
    Places at;
    uint32_t digit = find_item(p, n, at.dst[0], at.src[0]);

    at.count = left < PACKET ? int(left) : PACKET;
    at.in_row = at.count == PACKET && digit + PACKET <= p.axes[0].extent;
#pragma unroll
    for (int k = 1; k < PACKET; k++) {
        at.dst[k] = at.dst[k - 1] + p.axes[0].dst;
        at.src[k] = at.src[k - 1] + p.axes[0].src;
        if (++digit >= p.axes[0].extent && k < at.count && !SVI_HAS_FAULT(NO_CARRY))
            digit = find_item(p, n + k, at.dst[k], at.src[k]);
    }
    return at;
}

// Whether all items of a thread are bytes that follow each other and begin where a vector of them may.
SVI_DEVICE bool is_vector(const Places &at, int64_t stride, const void *first, int bytes)
{
    return at.in_row && stride == bytes && (beyond_vector(first) & (PACKET * bytes - 1)) == 0;
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

template <int S> SVI_DEVICE void load_items_of(const svi_launch_many &p, const Places &at, const char *src, Packet &v)
{
    if (S < 16 && is_vector(at, p.axes[0].src, src + at.src[0], S)) {
        if constexpr (S < 16)
            load_together<S>(src + at.src[0], v);
    } else {
        load_each<S>(at, src, v);
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

SVI_DEVICE void load_packet(const svi_launch_cast &p, const Places &at, const char *src, Packet &v)
{
    switch (p.src_word) {
    case 1: return load_items_of<1>(p.at, at, src, v);
    case 2: return load_items_of<2>(p.at, at, src, v);
    case 4: return load_items_of<4>(p.at, at, src, v);
    case 8: return load_items_of<8>(p.at, at, src, v);
    case 16: return load_items_of<16>(p.at, at, src, v);
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
        store<16>(to, Vector{{uint32_t(v.low[0]), uint32_t(v.low[0] >> 32), uint32_t(v.low[1]),
                              uint32_t(v.low[1] >> 32)}});
        store<16>(to + 16, Vector{{uint32_t(v.low[2]), uint32_t(v.low[2] >> 32), uint32_t(v.low[3]),
                                   uint32_t(v.low[3] >> 32)}});
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

template <int S> SVI_DEVICE void store_items_of(const svi_launch_many &p, const Places &at, char *dst, const Packet &v)
{
    if (S < 16 && is_vector(at, p.axes[0].dst, dst + at.dst[0], S)) {
        if constexpr (S < 16)
            store_together<S>(dst + at.dst[0], v);
    } else {
        store_each<S>(at, dst, v);
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

SVI_DEVICE void store_packet(const svi_launch_cast &p, const Places &at, char *dst, const Packet &v)
{
    switch (p.dst_word) {
    case 1: return store_items_of<1>(p.at, at, dst, v);
    case 2: return store_items_of<2>(p.at, at, dst, v);
    case 4: return store_items_of<4>(p.at, at, dst, v);
    case 8: return store_items_of<8>(p.at, at, dst, v);
    case 16: return store_items_of<16>(p.at, at, dst, v);
    default: return store_bytes(at, dst, int(svi_chain_dst_bytes(&p.chain)), v);
    }
}

SVI_KERNEL(4) svi_cast(const __grid_constant__ svi_launch_cast p, char *dst, const char *src)
{
    const uint64_t n = (uint64_t(blockIdx.x) * THREADS + threadIdx.x) * PACKET;

    if (n >= uint64_t(p.at.count))
        return;

    const Places at = find_places(p.at, n);
    Packet v = {};

    load_packet(p, at, src, v);
    convert(p.chain, v);
    store_packet(p, at, dst, v);
}
