// Tiles of several axes, read by vectors along the runs of the source and written by vectors along those of the
// destination, whatever axes these are: pixels to pixels, steps, small matrices, patches, permuted short axes.
//
// A tile is there twice in shared memory. First as the source has it: its segments, each of whole vectors of 16 bytes
// (chunks), with the gaps that are shorter than a sector. Then as the destination has it: its runs, one in each slot.
// Where each item lies in the first is found once, and kept in registers from tile to tile.
#include "gpu/cuda/kernels/kernel.cuh"

enum { PERMUTE_VECTORS = SVI_PERMUTE_BYTES / 16 / THREADS /* of the source, that a thread loads */ };

// A thread gathers words of the destination's runs; narrow items are put together in a register.
template <int S> struct Words {
    static constexpr int BYTES = S < 4 ? 4 : S, ITEMS = BYTES / S;
    static constexpr int COUNT = SVI_PERMUTE_BYTES / THREADS / BYTES;
};

template <int S> struct PermutePlaces {
    uint32_t from[PERMUTE_VECTORS];                          // bytes from the lowest address of the source's tile
    uint32_t staged[Words<S>::COUNT * Words<S>::ITEMS / 2]; // two items each: bytes of the first part, below 2^16
};

// The segments and the runs of a tile, in shared memory.
SVI_DEVICE unsigned char *staged_runs(const svi_launch_permute &p)
{
    return svi_shared + (p.vectors + 7) / 8 * 128;
}

// Items whose distance is a multiple of 128 bytes lie in other banks: the chunks of eight change places, in another way
// in each of the next eights.
SVI_DEVICE uint32_t swizzled(uint32_t byte)
{
    return SVI_HAS_FAULT(NO_SWIZZLE) ? byte : byte ^ ((byte >> 3 ^ byte >> 6) & 0x70);
}

SVI_DEVICE uint32_t quotient(uint32_t n, const svi_permute_axis &axis)
{
    return quotient(n, axis.magic, axis.shift);
}

// How far number n of some axes is from their first, where the last axis needs no bound.
SVI_DEVICE uint32_t place_of(const svi_permute_axis *axes, uint32_t count, uint32_t n)
{
    uint32_t place = 0;

#pragma unroll 1
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t q = k + 1 < count ? quotient(n, axes[k]) : 0;

        place += (n - q * axes[k].extent) * uint32_t(axes[k].stride);
        n = q;
    }
    return place;
}

// --- places -------------------------------------------------------------------------------------------

SVI_DEVICE uint32_t place_of_vector(const svi_launch_permute &p, uint32_t vector)
{
    const uint32_t segment = quotient(vector, p.chunks);

    return (vector - segment * p.chunks.extent) * 16 + place_of(p.segments, p.nsegments, segment);
}

// Item j of a word, counted along the axes of the destination; 0 where the slot has bytes behind its run.
template <int S> SVI_DEVICE uint32_t item_of_word(const svi_launch_permute &p, uint32_t word, uint32_t j)
{
    const uint32_t run = quotient(word, p.slot), byte = (word - run * p.slot.extent) * Words<S>::BYTES + j * S;

    return byte < p.run_bytes ? (run * p.run_bytes + byte) / S : 0;
}

enum { FEW_PLACES = 4 /* that are found at a time, since each waits for its digits one after another */ };

// Where items lie in the segments. The last axis needs no bound.
SVI_DEVICE void find_staged(const svi_launch_permute &p, uint32_t (&n)[FEW_PLACES], uint32_t (&at)[FEW_PLACES])
{
    const uint32_t last = p.naxes - 1;

#pragma unroll
    for (int k = 0; k < FEW_PLACES; k++)
        at[k] = p.first;
#pragma unroll 1
    for (uint32_t axis = 0; axis < last; axis++) {
        const svi_permute_axis &x = p.axes[axis];

#pragma unroll
        for (int k = 0; k < FEW_PLACES; k++) {
            const uint32_t q = quotient(n[k], x);

            at[k] += (n[k] - q * x.extent) * uint32_t(x.stride);
            n[k] = q;
        }
    }
#pragma unroll
    for (int k = 0; k < FEW_PLACES; k++)
        at[k] = swizzled(at[k] + n[k] * uint32_t(p.axes[last].stride));
}

template <int S> SVI_DEVICE void find_places(const svi_launch_permute &p, PermutePlaces<S> &places)
{
    constexpr int COUNT = Words<S>::COUNT * Words<S>::ITEMS;

#pragma unroll
    for (int k = 0; k < PERMUTE_VECTORS; k++)
        places.from[k] = place_of_vector(p, k * THREADS + threadIdx.x);
#pragma unroll
    for (int first = 0; first < COUNT; first += FEW_PLACES) {
        uint32_t n[FEW_PLACES], at[FEW_PLACES];

        if (uint32_t(first / Words<S>::ITEMS * THREADS) >= p.words)
            break;
#pragma unroll
        for (int k = 0; k < FEW_PLACES; k++)
            n[k] = item_of_word<S>(p, (first + k) / Words<S>::ITEMS * THREADS + threadIdx.x,
                                   (first + k) % Words<S>::ITEMS);
        find_staged(p, n, at);
#pragma unroll
        for (int k = 0; k < FEW_PLACES; k += 2)
            places.staged[(first + k) / 2] = (at[k] & 0xffff) | at[k + 1] << 16;
    }
}

// --- the source to shared memory ------------------------------------------------------------------------

// Vectors on their way. Those at any address are two neighbours, of which shift bytes are before them.
struct Loaded {
    Vector low[PERMUTE_VECTORS], high[PERMUTE_VECTORS];
    unsigned shift[PERMUTE_VECTORS];
};

// What its segment has of a vector that cannot be read as a whole.
template <int S> SVI_DEVICE Vector load_rest(const svi_launch_permute &p, uint32_t vector, const char *at)
{
    const uint32_t chunk = vector - quotient(vector, p.chunks) * p.chunks.extent, left = p.span - chunk * 16;

    return load_items<S>(at, 0, int(left < 16 ? left : 16) / S);
}

template <int S>
SVI_DEVICE void load_segments(const svi_launch_permute &p, const PermutePlaces<S> &places, const char *src,
                              const char *tile, Loaded &v)
{
    const char *const lower = src + p.src_lower, *const upper = src + p.src_upper;
    bool within = true;

#pragma unroll
    for (int k = 0; k < PERMUTE_VECTORS; k++) {
        const char *const at = tile + places.from[k];
        const char *granule;

        v.shift[k] = beyond_vector(at);
        granule = at - v.shift[k];
        within = within && (k * THREADS + threadIdx.x >= p.vectors || SVI_HAS_FAULT(VECTOR_PAST_THE_END) ||
                            (granule >= lower && granule + (v.shift[k] != 0 ? 32 : 16) <= upper));
    }
    if (within) {
#pragma unroll
        for (int k = 0; k < PERMUTE_VECTORS; k++) {
            v.high[k] = zero();
            if (k * THREADS + threadIdx.x < p.vectors) {
                v.low[k] = load<16>(tile + places.from[k] - v.shift[k]);
                if (v.shift[k] != 0)
                    v.high[k] = load<16>(tile + places.from[k] - v.shift[k] + 16);
            }
        }
    } else {
#pragma unroll
        for (int k = 0; k < PERMUTE_VECTORS; k++) {
            v.high[k] = zero();
            v.shift[k] = 0;
            if (k * THREADS + threadIdx.x < p.vectors)
                v.low[k] = load_rest<S>(p, k * THREADS + threadIdx.x, tile + places.from[k]);
        }
    }
}

template <int S> SVI_DEVICE void stage_segments(const svi_launch_permute &p, const Loaded &v)
{
#pragma unroll
    for (int k = 0; k < PERMUTE_VECTORS; k++) {
        const uint32_t vector = k * THREADS + threadIdx.x;

        if (vector < p.vectors)
            store<16>(svi_shared + swizzled(vector * 16), shifted<S>(v.low[k], v.high[k], v.shift[k]));
    }
}

// --- from the order of the source to that of the destination --------------------------------------------

template <int S> SVI_DEVICE void gather_runs(const svi_launch_permute &p, const PermutePlaces<S> &places)
{
    typedef Item<Words<S>::BYTES> Word;
    unsigned char *const runs = staged_runs(p);

#pragma unroll
    for (int k = 0; k < Words<S>::COUNT; k++) {
        const uint32_t number = k * THREADS + threadIdx.x;
        Word word = 0;

        if (number >= (SVI_HAS_FAULT(BOUND_TOO_LARGE) ? p.words + 1 : p.words))
            break;
#pragma unroll
        for (int j = 0; j < Words<S>::ITEMS; j++) {
            const int item = k * Words<S>::ITEMS + j;
            const uint32_t at = item % 2 == 0 ? places.staged[item / 2] & 0xffff : places.staged[item / 2] >> 16;

            word |= Word(load<S>(svi_shared + at)) << 8 * S * j;
        }
        store<Words<S>::BYTES>(runs + number * Words<S>::BYTES, word);
    }
}

// --- shared memory to the destination ---------------------------------------------------------------------

// Of each run the pieces of U bytes from byte first on. Neighbouring threads have neighbouring pieces.
template <int U>
SVI_DEVICE void store_pieces(const svi_launch_permute &p, char *tile, uint32_t first, const svi_permute_axis &pieces)
{
    const unsigned char *const runs = staged_runs(p);
    const uint32_t count = p.runs * pieces.extent, slot = p.slot_bytes;

#pragma unroll 2
    for (uint32_t n = threadIdx.x; n < count; n += THREADS) {
        const uint32_t run = quotient(n, pieces), byte = first + (n - run * pieces.extent) * U;

        if (!SVI_HAS_FAULT(THREAD_STORES_NOTHING) || threadIdx.x != 17)
            store<U>(tile + (place_of(p.run, p.nruns, run) + byte), load<U>(runs + run * slot + byte));
    }
}

// The units of a run, and behind them a piece of each size that its rest has.
template <int S> SVI_DEVICE void store_units(const svi_launch_permute &p, char *tile)
{
    const uint32_t rest = p.run_bytes & (p.unit - 1), first = p.run_bytes - rest;

    if (p.unit == 16)
        store_pieces<16>(p, tile, 0, p.pieces);
    if (p.unit == 8 || (rest & 8) != 0)
        store_pieces<8>(p, tile, p.unit == 8 ? 0 : first, p.unit == 8 ? p.pieces : p.single);
    if constexpr (S <= 4)
        if (p.unit == 4 || (rest & 4) != 0)
            store_pieces<4>(p, tile, p.unit == 4 ? 0 : first + (rest & 8), p.unit == 4 ? p.pieces : p.single);
    if constexpr (S <= 2)
        if (p.unit == 2 || (rest & 2) != 0)
            store_pieces<2>(p, tile, p.unit == 2 ? 0 : first + (rest & 12), p.unit == 2 ? p.pieces : p.single);
    if constexpr (S == 1)
        if (p.unit == 1 || (rest & 1) != 0)
            store_pieces<1>(p, tile, p.unit == 1 ? 0 : first + (rest & 14), p.unit == 1 ? p.pieces : p.single);
}

// V bytes of the staged runs at any multiple of S.
template <int S, int V> SVI_DEVICE Item<V> load_staged(const unsigned char *from, unsigned shift)
{
    const unsigned next = shift != 0 ? V : 0;

    if constexpr (V == 16)
        return shifted<S>(load<16>(from), load<16>(from + next), shift);
    else
        return __funnelshift_r(load<4>(from), load<4>(from + next), shift * 8);
}

// Runs that may begin anywhere: V bytes at multiples of V of the destination's addresses, which the staged runs have in
// two neighbours.
template <int S, int V> SVI_DEVICE void store_middles(const svi_launch_permute &p, char *tile)
{
    const unsigned char *const runs = staged_runs(p);
    const uint32_t count = p.runs * p.middles.extent;

#pragma unroll 1
    for (uint32_t n = threadIdx.x; n < count; n += THREADS) {
        const uint32_t run = quotient(n, p.middles);
        char *const to = tile + place_of(p.run, p.nruns, run);
        const int at = int((n - run * p.middles.extent) * V) - int(beyond_vector(to) & (V - 1)), shift = at & (V - 1);

        if (at >= 0 && at + V <= int(p.run_bytes) && (!SVI_HAS_FAULT(THREAD_STORES_NOTHING) || threadIdx.x != 17))
            store<V>(to + at, load_staged<S, V>(runs + run * p.slot_bytes + (at - shift), unsigned(shift)));
    }
}

// What is before the first and behind the last of them, item by item, by neighbouring threads.
template <int S, int V> SVI_DEVICE void store_ends(const svi_launch_permute &p, char *tile)
{
    constexpr int EACH = 2 * V / S; // threads of a run
    const unsigned char *const runs = staged_runs(p);
    const uint32_t count = p.runs * EACH;

#pragma unroll 1
    for (uint32_t n = threadIdx.x; n < count; n += THREADS) {
        const uint32_t run = n / EACH, k = n % EACH * S;
        char *const to = tile + place_of(p.run, p.nruns, run);
        const uint32_t head = unsigned(-beyond_vector(to)) & (V - 1), tail = (p.run_bytes - head) & (V - 1);
        const uint32_t byte = k < head ? k : p.run_bytes - tail + (k - head);

        if (k < head + tail)
            store<S>(to + byte, load<S>(runs + run * p.slot_bytes + byte));
        else if (SVI_HAS_FAULT(END_STORED_TWICE) && k == head + tail)
            store<S>(to, load<S>(runs + run * p.slot_bytes));
    }
}

template <int S, int V> SVI_DEVICE void store_anywhere(const svi_launch_permute &p, char *tile)
{
    store_middles<S, V>(p, tile);
    store_ends<S, V>(p, tile);
}

// Tiles that an axis ends with begin earlier than the others, maybe where there are no units.
template <int S> SVI_DEVICE void store_aligned(const svi_launch_permute &p, char *tile)
{
    if ((beyond_vector(tile) & (p.unit - 1)) == 0)
        store_units<S>(p, tile);
    else
        store_pieces<S>(p, tile, 0, p.items);
}

template <int S> SVI_DEVICE void store_runs(const svi_launch_permute &p, char *tile)
{
    if constexpr (S < 4)
        if (p.middle == 4) {
            store_anywhere<S, 4>(p, tile);
            return;
        }
    if (p.middle == 16)
        store_anywhere<S, 16>(p, tile);
    else
        store_aligned<S>(p, tile);
}

// --- tiles ---------------------------------------------------------------------------------------------

// Two barriers a tile: segments are staged again when all have gathered their words, and these are gathered again when
// all have stored their pieces.
template <int S> SVI_DEVICE void permute(const svi_launch_permute &p, char *dst, const char *src)
{
    const uint32_t first = blockIdx.x * p.per, last = first + p.per < p.tiles ? first + p.per : p.tiles;
    PermutePlaces<S> places;
    Loaded v;
    int64_t to, from;

    find_places<S>(p, places);
    find_tile(p, first, to, from);
    load_segments<S>(p, places, src, src + from, v);
    for (uint32_t n = first; n < last; n++) {
        char *const out = dst + to;

#pragma unroll
        for (int k = 0; k < Words<S>::COUNT * Words<S>::ITEMS / 2; k++)
            SVI_KEEP_PACKED(places.staged[k]);
        stage_segments<S>(p, v);
        if (SVI_HAS_FAULT(THREAD_LEAVES) && threadIdx.x == 17)
            return;
        if (!SVI_HAS_FAULT(NO_BARRIER))
            __syncthreads();
        // The next tile's loads are on their way while this one is stored.
        if (n + 1 < last) {
            find_tile(p, n + 1, to, from);
            load_segments<S>(p, places, src, src + from, v);
        }
        gather_runs<S>(p, places);
        if (!SVI_HAS_FAULT(NO_SECOND_BARRIER))
            __syncthreads();
        store_runs<S>(p, out);
    }
}

#define SVI_PERMUTE_KERNEL(S, blocks)                                                                            \
    SVI_KERNEL(blocks) svi_permute_##S(const __grid_constant__ svi_launch_permute p, char *dst, const char *src) \
    {                                                                                                            \
        permute<S>(p, dst, src);                                                                                 \
    }

SVI_PERMUTE_KERNEL(1, 3)
SVI_PERMUTE_KERNEL(2, 4)
SVI_PERMUTE_KERNEL(4, 4)
SVI_PERMUTE_KERNEL(8, 4)
