// Transposes by tiles of several axes, for runs that are too short for tile.cu and for items that are no power of two,
// whose words are an axis of their own. A thread finds the places of its items in a tile once and then goes from tile to
// tile. The last tile of an axis begins earlier, so that it is whole: items that two tiles share are written twice, with
// the same value.
#include "gpu/cuda/kernels/kernel.cuh"

#ifdef SVI_EMULATED
#define SVI_KEEP_PACKED(value)
#else
// What is taken from the value is not kept in registers of its own from one turn of a loop to the next.
#define SVI_KEEP_PACKED(value) asm volatile("" : "+r"(value))
#endif

// Items of a thread, whose places are in registers. More of the short ones, since runs shorter than 64 bytes waste much
// of the sectors at their ends.
template <int S> struct Share {
    static constexpr int COUNT = SVI_BOX_ITEMS(S) / THREADS;
};

// Without a sign, since the upper halves of signed ones would be kept in registers as well.
template <int COUNT> struct TilePlaces {
    uint32_t from[COUNT], to[COUNT]; // bytes from the lowest address of the tile
    uint32_t shared[COUNT]; // items, below 2^16: of the load, and above it of the store
};

SVI_DEVICE uint32_t take_digit(uint32_t &n, const svi_box_axis &axis)
{
    const uint32_t q = quotient(n, axis.magic, axis.shift), digit = n - q * axis.extent;

    n = q;
    return digit;
}

// The thread's items are numbered along the axes of the source when they are loaded, of the destination when stored.
// A few items at a time, since each waits for its digits one after another.
template <int COUNT> SVI_DEVICE void find_places(const svi_launch_box &p, TilePlaces<COUNT> &places)
{
    constexpr int FEW = 4;

#pragma unroll
    for (int first = 0; first < COUNT; first += FEW) {
        uint32_t in[FEW], out[FEW], from[FEW], to[FEW], shared[FEW];

#pragma unroll
        for (int k = 0; k < FEW; k++) {
            in[k] = out[k] = (first + k) * THREADS + threadIdx.x;
            from[k] = p.first;
            to[k] = shared[k] = 0;
        }
#pragma unroll 1
        for (uint32_t axis = 0; axis < p.naxes; axis++) {
            const svi_box_axis &by_src = p.by_src[axis], &by_dst = p.by_dst[axis];

#pragma unroll
            for (int k = 0; k < FEW; k++) {
                const uint32_t i = take_digit(in[k], by_src), o = take_digit(out[k], by_dst);

                from[k] += i * uint32_t(by_src.stride);
                to[k] += o * uint32_t(by_dst.stride);
                shared[k] += i * by_src.shared + (o * by_dst.shared << 16);
            }
        }
#pragma unroll
        for (int k = 0; k < FEW; k++) {
            places.from[first + k] = from[k];
            places.to[first + k] = to[k];
            places.shared[first + k] = shared[k];
        }
    }
}

// Of the parameters of any kernel that walks tiles.
template <typename Launch> SVI_DEVICE void find_tile(const Launch &p, uint32_t n, int64_t &to, int64_t &from)
{
    to = p.dst_offset;
    from = p.src_offset;
#pragma unroll 1
    for (uint32_t k = 0; k < p.nouter; k++) {
        const svi_box_outer &axis = p.outer[k];
        const uint32_t q = quotient(n, axis.magic, axis.shift), first = (n - q * axis.tiles) * axis.step;
        const int64_t at = first < axis.most ? first : axis.most;

        to += at * axis.dst;
        from += at * axis.src;
        n = q;
    }
}

SVI_DEVICE bool has_item(const svi_launch_box &p, int k)
{
    return k * THREADS + threadIdx.x < (SVI_HAS_FAULT(BOUND_TOO_LARGE) ? p.items + 1 : p.items);
}

template <int S, int COUNT, typename T>
SVI_DEVICE void load_tile(const svi_launch_box &p, const TilePlaces<COUNT> &places, const char *from, T (&item)[COUNT])
{
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        if (has_item(p, k))
            item[k] = load<S>(from + places.from[k]);
}

// Two halves of shared memory by turns need one barrier a tile: nobody writes to a half before all have left the barrier
// after which it was read.
template <int S> SVI_DEVICE void box(const svi_launch_box &p, char *dst, const char *src)
{
    const uint32_t first = blockIdx.x * p.per, last = first + p.per < p.tiles ? first + p.per : p.tiles;
    Item<S> *const shared = (Item<S> *)svi_shared;
    Item<S> item[Share<S>::COUNT];
    TilePlaces<Share<S>::COUNT> places;
    int64_t to, from;

    find_places(p, places);
    find_tile(p, first, to, from);
    load_tile<S>(p, places, src + from, item);
    for (uint32_t n = first; n < last; n++) {
        Item<S> *const half = shared + (((n - first) & 1) != 0 && !SVI_HAS_FAULT(ONE_HALF) ? p.half : 0);
        char *const out = dst + to;

#pragma unroll
        for (int k = 0; k < Share<S>::COUNT; k++)
            SVI_KEEP_PACKED(places.shared[k]);
#pragma unroll
        for (int k = 0; k < Share<S>::COUNT; k++)
            if (has_item(p, k))
                half[places.shared[k] & 0xffff] = item[k];
        if (SVI_HAS_FAULT(THREAD_LEAVES) && threadIdx.x == 17)
            return;
        if (!SVI_HAS_FAULT(NO_BARRIER))
            __syncthreads();
        // The next tile's loads are on their way while this one is stored.
        if (n + 1 < last) {
            find_tile(p, n + 1, to, from);
            load_tile<S>(p, places, src + from, item);
        }
#pragma unroll
        for (int k = 0; k < Share<S>::COUNT; k++)
            if (has_item(p, k) && !(SVI_HAS_FAULT(THREAD_STORES_NOTHING) && threadIdx.x == 17))
                store<S>(out + places.to[k], half[places.shared[k] >> 16]);
    }
}

#define SVI_BOX_KERNEL(S, blocks)                                                                        \
    SVI_KERNEL(blocks) svi_box_##S(const __grid_constant__ svi_launch_box p, char *dst, const char *src) \
    {                                                                                                    \
        box<S>(p, dst, src);                                                                             \
    }

SVI_BOX_KERNEL(1, 2)
SVI_BOX_KERNEL(2, 2)
SVI_BOX_KERNEL(4, 4)
SVI_BOX_KERNEL(8, 3)
