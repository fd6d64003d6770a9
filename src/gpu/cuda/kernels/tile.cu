// Transposes: tiles of 16 KiB, of which each thread loads four vectors along b and stores four along a. Between them
// items are put together to packets in registers, so that shared memory too is read and written by wide words.
#include "gpu/cuda/kernels/kernel.cuh"

// Items of S bytes; a packet is RA neighbours of a at one b.
template <int S> struct Tile {
    static constexpr int V = 16 / S; // items of a vector
    static constexpr int RA = S <= 4 ? 4 : S == 8 ? 2 : 1;
    static constexpr int TA = S <= 2 ? 128 : S == 4 ? 64 : 32;
    static constexpr int TB = S == 1 ? 128 : S == 16 ? 32 : 64;
    static constexpr int ROW = TA * S;       // bytes of shared memory for one b
    static constexpr int CHUNKS = ROW / 16;  // of it
    static constexpr int LANES = TB / V;     // threads along b
    static constexpr int GROUPS = THREADS / LANES;
    static constexpr int STEPS = TA / RA / GROUPS;
    static_assert(TA * TB * S == SVI_LAUNCH_BYTES && STEPS * GROUPS * RA == TA && STEPS * RA == VECTORS, "");
};

// Of byte number byte of a row of shared memory: its chunks of 16 bytes are swizzled, so that neighbouring threads
// reach different banks.
template <int S> SVI_DEVICE unsigned place(int b, int byte)
{
    typedef Tile<S> T;
    const int swizzle = SVI_HAS_FAULT(NO_SWIZZLE) ? 0 : (b / T::V) & 7;

    return unsigned(b * T::ROW + (((byte >> 4) ^ swizzle) << 4) + (byte & 15));
}

// --- packets --------------------------------------------------------------------------------

// Four vectors of bytes become 16 words, one of each byte.
SVI_DEVICE void put_packets_1(const Vector *row, int a, int lane)
{
#pragma unroll
    for (int w = 0; w < 4; w++) {
        const uint32_t even_low = __byte_perm(row[0].word[w], row[1].word[w], 0x5140);
        const uint32_t even_high = __byte_perm(row[2].word[w], row[3].word[w], 0x5140);
        const uint32_t odd_low = __byte_perm(row[0].word[w], row[1].word[w], 0x7362);
        const uint32_t odd_high = __byte_perm(row[2].word[w], row[3].word[w], 0x7362);
        const uint32_t packet[4] = {__byte_perm(even_low, even_high, 0x5410), __byte_perm(even_low, even_high, 0x7632),
                                    __byte_perm(odd_low, odd_high, 0x5410), __byte_perm(odd_low, odd_high, 0x7632)};

#pragma unroll
        for (int j = 0; j < 4; j++)
            store<4>(svi_shared + place<1>(lane * 16 + w * 4 + j, a), packet[j]);
    }
}

SVI_DEVICE void put_packets_2(const Vector *row, int a, int lane)
{
#pragma unroll
    for (int w = 0; w < 4; w++) {
        const uint2 low = make_uint2(__byte_perm(row[0].word[w], row[1].word[w], 0x5410),
                                     __byte_perm(row[2].word[w], row[3].word[w], 0x5410));
        const uint2 high = make_uint2(__byte_perm(row[0].word[w], row[1].word[w], 0x7632),
                                      __byte_perm(row[2].word[w], row[3].word[w], 0x7632));

        *(uint2 *)(svi_shared + place<2>(lane * 8 + w * 2, a * 2)) = low;
        *(uint2 *)(svi_shared + place<2>(lane * 8 + w * 2 + 1, a * 2)) = high;
    }
}

// Items of 4 bytes and more are only named anew.
template <int S> SVI_DEVICE Vector packet_of(const Vector *row, int j)
{
    if constexpr (S == 4)
        return Vector{{row[0].word[j], row[1].word[j], row[2].word[j], row[3].word[j]}};
    else if constexpr (S == 8)
        return Vector{{row[0].word[2 * j], row[0].word[2 * j + 1], row[1].word[2 * j], row[1].word[2 * j + 1]}};
    else
        return row[0];
}

// Rows a to a + RA - 1, of which the thread has vector number lane.
template <int S> SVI_DEVICE void put_packets(const Vector *row, int a, int lane)
{
    typedef Tile<S> T;

    if constexpr (S == 1) {
        put_packets_1(row, a, lane);
    } else if constexpr (S == 2) {
        put_packets_2(row, a, lane);
    } else {
#pragma unroll
        for (int j = 0; j < T::V; j++)
            store<16>(svi_shared + place<S>(lane * T::V + j, a * S), packet_of<S>(row, j));
    }
}

// --- loads ----------------------------------------------------------------------------------

// The row of the tile that a thread's vector number k is of.
template <int S> SVI_DEVICE int row_of(int k, int group)
{
    typedef Tile<S> T;

    return (k / T::RA * T::GROUPS + group) * T::RA + k % T::RA;
}

// What a block's tile has of both axes, and where it begins.
struct Extents {
    int a, b; // items, those of a whole tile at most
    char *dst;
    const char *src, *lower, *upper;
};

template <int S> SVI_DEVICE void load_aligned(const Extents &tile, int64_t pitch, int group, int lane, Vector *v)
{
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        v[k] = load<16>(tile.src + row_of<S>(k, group) * pitch + lane * 16);
}

// All eight loads before the first shift.
template <int S> SVI_DEVICE void load_shifted(const Extents &tile, int64_t pitch, int group, int lane, Vector *v)
{
    typedef Tile<S> T;
    const char *row = tile.src + group * T::RA * pitch + lane * 16;
    Vector high[VECTORS];
    unsigned ahead[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        ahead[k] = beyond_vector(row);
        v[k] = load<16>(row - ahead[k]);
        high[k] = load<16>(row - ahead[k] + 16);
        row += k % T::RA == T::RA - 1 ? pitch * (T::GROUPS * T::RA - T::RA + 1) : pitch;
    }
    SVI_LOADS_FIRST;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        v[k] = shifted<S>(v[k], high[k], ahead[k]);
}

// 16 bytes, of which left items exist.
template <int S, bool ALIGNED> SVI_DEVICE Vector load_guarded(const Extents &tile, const char *from, int left)
{
    typedef Tile<S> T;
    const unsigned ahead = beyond_vector(from);

    if (left < T::V)
        return load_items<S>(from, 0, left);
    if (ALIGNED || ahead == 0 || SVI_HAS_FAULT(MISALIGNED_VECTOR))
        return load<16>(from);
    from -= ahead;
    if (from >= tile.lower && from + 32 <= tile.upper)
        return shifted<S>(load<16>(from), load<16>(from + 16), ahead);
    return load_items<S>(from + ahead, 0, T::V);
}

// Whether the vectors around all rows of a whole tile are within what may be read.
template <int S> SVI_DEVICE bool is_within(const Extents &tile, int64_t pitch)
{
    typedef Tile<S> T;
    const int64_t last = (T::TA - 1) * pitch;

    return tile.src + (last < 0 ? last : 0) - 15 >= tile.lower &&
           tile.src + (last < 0 ? 0 : last) + T::TB * S + 16 <= tile.upper;
}

template <int S, bool ALIGNED>
SVI_DEVICE void load_tile(const Extents &tile, int64_t pitch, int group, int lane, Vector *v)
{
    typedef Tile<S> T;
    const bool whole = tile.a == T::TA && tile.b == T::TB;

    if (ALIGNED && whole) {
        load_aligned<S>(tile, pitch, group, lane, v);
    } else if (!ALIGNED && whole && is_within<S>(tile, pitch)) {
        load_shifted<S>(tile, pitch, group, lane, v);
    } else {
#pragma unroll
        for (int k = 0; k < VECTORS; k++) {
            const int a = row_of<S>(k, group);

            v[k] = zero();
            if (a < tile.a + SVI_HAS_FAULT(BOUND_TOO_LARGE))
                v[k] = load_guarded<S, ALIGNED>(tile, tile.src + a * pitch + lane * 16, tile.b - lane * T::V);
        }
    }
}

// --- stores ---------------------------------------------------------------------------------

template <int S> SVI_DEVICE void store_aligned(const Extents &tile, int64_t pitch)
{
    typedef Tile<S> T;

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int index = k * THREADS + int(threadIdx.x), chunk = index % T::CHUNKS, b = index / T::CHUNKS;
        const int left = tile.a - chunk * T::V;
        char *to = tile.dst + b * pitch + chunk * 16;

        if (b >= tile.b || (SVI_HAS_FAULT(THREAD_STORES_NOTHING) && threadIdx.x == 77))
            break;

        const Vector v = load<16>(svi_shared + place<S>(SVI_HAS_FAULT(WRONG_ROW) ? b ^ T::V : b, chunk * 16));

        if (left >= T::V)
            store<16>(to, v);
        else
            store_items<S>(to, v, 0, left);
    }
}

// Whole vectors where rows of the destination have them.
template <int S> SVI_DEVICE void store_shifted(const Extents &tile, int64_t pitch)
{
    typedef Tile<S> T;
    const int nbytes = tile.a * S;

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int index = k * THREADS + int(threadIdx.x), chunk = index % T::CHUNKS, b = index / T::CHUNKS;
        char *row = tile.dst + b * pitch;
        const int head = int(-beyond_vector(row) & 15), first = chunk * 16 + head;

        if (b < tile.b && first + 16 <= nbytes + (SVI_HAS_FAULT(VECTOR_PAST_THE_END) ? S : 0)) {
            const Vector low = load<16>(svi_shared + place<S>(b, chunk * 16));
            const Vector high = chunk + 1 < T::CHUNKS ? load<16>(svi_shared + place<S>(b, chunk * 16 + 16)) : low;

            store<16>(row + first, shifted<S>(low, high, unsigned(head)));
        }
    }
}

// What is left at both ends of a row's piece goes item by item, by neighbouring threads: they share sectors.
template <int S> SVI_DEVICE void store_ends(const Extents &tile, int64_t pitch)
{
    typedef Tile<S> T;
    const int slots = tile.a == T::TA ? T::V : 2 * T::V; // threads of a row, a power of two

#pragma unroll 2
    for (int index = int(threadIdx.x); index < T::TB * slots; index += THREADS) {
        const int k = index % slots, b = index / slots;
        char *row = tile.dst + b * pitch;
        const int before = int(-beyond_vector(row) & 15) / S;
        const int head = before < tile.a ? before : tile.a;
        const int tail = (tile.a - head) % T::V;
        const bool again = SVI_HAS_FAULT(END_STORED_TWICE) && k == head + tail && (tile.a & 1);
        const int item = (k < head ? k : tile.a - tail + (k - head)) - again;

        if (b >= tile.b)
            break;
        if (k < head + tail || again)
            store<S>(row + item * S, load<S>(svi_shared + place<S>(b, item * S)));
    }
}

// --- tiles ----------------------------------------------------------------------------------

// Whether the block has a tile at all.
template <int S> SVI_DEVICE bool find_tile(const svi_launch &p, char *dst, const char *src, Extents &tile)
{
    typedef Tile<S> T;
    int64_t to = p.dst_offset, from = p.src_offset;
    uint32_t n = blockIdx.x;
    const int64_t b_of_band = take_digit(n, p.bands);
    const int64_t a = int64_t(take_digit(n, p.tiles_a)) * T::TA;
    const int64_t b = (b_of_band + int64_t(take_digit(n, p.groups)) * p.bands.extent) * T::TB;

    add_outer(p, n, to, from);
    tile.a = p.count - a < T::TA ? int(p.count - a) : T::TA;
    tile.b = p.width - b < T::TB ? int(p.width - b) : T::TB;
    tile.dst = dst + (to + b * p.b_dst + a * S);
    tile.src = src + (from + b * S + a * p.a_src);
    tile.lower = src + p.src_lower;
    tile.upper = src + p.src_upper;
    return b < p.width;
}

// LOADS and STORES: whether the source and the destination are aligned to 16 bytes.
template <int S, bool LOADS, bool STORES> SVI_DEVICE void copy_tile(const svi_launch &p, char *dst, const char *src)
{
    typedef Tile<S> T;
    const int lane = int(threadIdx.x) % T::LANES, group = int(threadIdx.x) / T::LANES;
    Extents tile;
    Vector v[VECTORS];

    if (!find_tile<S>(p, dst, src, tile) || (SVI_HAS_FAULT(THREAD_LEAVES) && threadIdx.x == 77))
        return;
    load_tile<S, LOADS>(tile, p.a_src, group, lane, v);
#pragma unroll
    for (int step = 0; step < T::STEPS; step++)
        put_packets<S>(v + step * T::RA, (step * T::GROUPS + group) * T::RA, lane);
    if (!SVI_HAS_FAULT(NO_BARRIER))
        __syncthreads();
    if (STORES) {
        store_aligned<S>(tile, p.b_dst);
    } else {
        store_shifted<S>(tile, p.b_dst);
        store_ends<S>(tile, p.b_dst);
    }
}

#define SVI_TILE_KERNEL(S, L, T)                                                            \
    SVI_KERNEL(L &&T ? 6 : 5)                                                               \
    svi_tile_##S##_##L##T(const __grid_constant__ svi_launch p, char *dst, const char *src) \
    {                                                                                       \
        copy_tile<S, L, T>(p, dst, src);                                                    \
    }
#define SVI_TILE_KERNELS(S) \
    SVI_TILE_KERNEL(S, 1, 1) SVI_TILE_KERNEL(S, 0, 1) SVI_TILE_KERNEL(S, 1, 0) SVI_TILE_KERNEL(S, 0, 0)

SVI_TILE_KERNELS(1)
SVI_TILE_KERNELS(2)
SVI_TILE_KERNELS(4)
SVI_TILE_KERNELS(8)
SVI_TILE_KERNEL(16, 1, 1)
