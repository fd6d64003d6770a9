// Conversions whose sides have their runs along different axes, by the tiles of box.cu. Items are in shared memory as
// the source has them, and are converted when they are stored, four of a thread at once.
#include "gpu/cuda/kernels/numbers.cuh"

static_assert(SVI_BOX_CAST_ITEMS == THREADS * PACKET, "");

SVI_DEVICE void load_tile_of(const svi_launch_box_cast &p, const TilePlaces<PACKET> &places, const char *from,
                             uint64_t (&item)[PACKET])
{
    switch (p.src_word) {
    case 1: return load_tile<1>(p.box, places, from, item);
    case 2: return load_tile<2>(p.box, places, from, item);
    case 4: return load_tile<4>(p.box, places, from, item);
    default: return load_tile<8>(p.box, places, from, item);
    }
}

template <int S>
SVI_DEVICE void put_tile(const svi_launch_box &p, const TilePlaces<PACKET> &places, Item<S> *half,
                         const uint64_t (&item)[PACKET])
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        if (has_item(p, k))
            half[places.shared[k] & 0xffff] = Item<S>(item[k]);
}

SVI_DEVICE void put_tile_of(const svi_launch_box_cast &p, const TilePlaces<PACKET> &places, unsigned char *half,
                            const uint64_t (&item)[PACKET])
{
    switch (p.src_word) {
    case 1: return put_tile<1>(p.box, places, half, item);
    case 2: return put_tile<2>(p.box, places, (uint16_t *)half, item);
    case 4: return put_tile<4>(p.box, places, (uint32_t *)half, item);
    default: return put_tile<8>(p.box, places, (uint64_t *)half, item);
    }
}

template <int S>
SVI_DEVICE void get_tile(const svi_launch_box &p, const TilePlaces<PACKET> &places, const Item<S> *half, Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        if (has_item(p, k))
            v.low[k] = half[places.shared[k] >> 16];
}

SVI_DEVICE void get_tile_of(const svi_launch_box_cast &p, const TilePlaces<PACKET> &places, const unsigned char *half,
                            Packet &v)
{
    switch (p.src_word) {
    case 1: return get_tile<1>(p.box, places, half, v);
    case 2: return get_tile<2>(p.box, places, (const uint16_t *)half, v);
    case 4: return get_tile<4>(p.box, places, (const uint32_t *)half, v);
    default: return get_tile<8>(p.box, places, (const uint64_t *)half, v);
    }
}

template <int S>
SVI_DEVICE void store_tile(const svi_launch_box &p, const TilePlaces<PACKET> &places, char *to, const Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        if (has_item(p, k) && !(SVI_HAS_FAULT(THREAD_STORES_NOTHING) && threadIdx.x == 17))
            store<S>(to + places.to[k], Item<S>(v.low[k]));
}

SVI_DEVICE void store_tile_of(const svi_launch_box_cast &p, const TilePlaces<PACKET> &places, char *to, const Packet &v)
{
    switch (p.dst_word) {
    case 1: return store_tile<1>(p.box, places, to, v);
    case 2: return store_tile<2>(p.box, places, to, v);
    case 4: return store_tile<4>(p.box, places, to, v);
    default: return store_tile<8>(p.box, places, to, v);
    }
}

template <typename Scale>
SVI_DEVICE void convert_tiles(const svi_launch_box_cast &p, char *dst, const char *src, Scale &scale)
{
    const uint32_t first = blockIdx.x * p.box.per;
    const uint32_t last = first + p.box.per < p.box.tiles ? first + p.box.per : p.box.tiles;
    TilePlaces<PACKET> places;
    uint64_t item[PACKET];
    int64_t to, from;

    find_places(p.box, places);
    find_tile(p.box, first, to, from);
    load_tile_of(p, places, src + from, item);
#pragma unroll 1
    for (uint32_t n = first; n < last; n++) {
        const bool second = ((n - first) & 1) != 0 && !SVI_HAS_FAULT(ONE_HALF);
        unsigned char *const half = svi_shared + (second ? p.box.half * p.src_word : 0);
        char *const out = dst + to;
        Packet v = {};

        put_tile_of(p, places, half, item);
        if (SVI_HAS_FAULT(THREAD_LEAVES) && threadIdx.x == 17)
            return;
        if (!SVI_HAS_FAULT(NO_BARRIER))
            __syncthreads();
        // The next tile's loads are on their way while this one is converted and stored.
        if (n + 1 < last) {
            find_tile(p.box, n + 1, to, from);
            load_tile_of(p, places, src + from, item);
        }
        get_tile_of(p, places, half, v);
        scale.enter(p.box, n);
        scale.run(p.chain, v);
        store_tile_of(p, places, out, v);
    }
}

SVI_KERNEL(4) svi_box_cast(const __grid_constant__ svi_launch_box_cast p, char *dst, const char *src)
{
    Unscaled unscaled;

    convert_tiles(p, dst, src, unscaled);
}
