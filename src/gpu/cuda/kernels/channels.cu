// Pixels whose channels are neighbours on one side and in planes on the other. A block copies rows of pixels. On the
// side of the pixels a row is one segment of memory, on the side of the planes a piece of each plane. Both sides are
// accessed by vectors at multiples of 16 bytes, whatever the addresses are, and by items at the ends of a destination.
//
// Shared memory has the segments as the side of the pixels has them. There the items of a vector of a plane are at equal
// distances.
#include "gpu/cuda/kernels/kernel.cuh"

// Items of S bytes, V of which are a vector. Neighbouring threads have vectors of a plane that follow each other. In
// shared memory there is a gap between these, so that their items are in different banks.
template <int S> struct Channel {
    static constexpr int V = 16 / S;
    static constexpr int GAP = S == 8 ? 8 : 4; // bytes
};

// What a block copies.
struct Area {
    char *dst;
    const char *src, *lower, *upper;
    int rows, pixels; // of each row
};

// A vector of a run, which is a segment or a piece. A segment has no channel. The runs of a block are numbered, and so
// are all their vectors.
struct Slot {
    int row, channel, vector;
};

template <bool PLANAR> SVI_DEVICE int runs_of(const svi_launch_channels &p, const Area &area)
{
    return PLANAR ? area.rows * int(p.at.groups.extent) : area.rows;
}

template <bool PLANAR> SVI_DEVICE Slot slot_of_run(const svi_launch_channels &p, uint32_t run)
{
    const uint32_t row = PLANAR ? quotient(run, p.at.groups) : run;

    return Slot{int(row), PLANAR ? int(run - row * p.at.groups.extent) : 0, 0};
}

template <bool PLANAR> SVI_DEVICE Slot slot_of(const svi_launch_channels &p, uint32_t number)
{
    const svi_axis &vectors = PLANAR ? p.piece : p.segment;
    const uint32_t run = quotient(number, vectors);
    Slot slot = slot_of_run<PLANAR>(p, run);

    slot.vector = int(number - run * vectors.extent);
    return slot;
}

// Bytes of a run.
template <int S, bool PLANAR> SVI_DEVICE int bytes_of(const svi_launch_channels &p, const Area &area)
{
    return S * (PLANAR ? area.pixels : (area.pixels - 1) * int(p.pixel.extent) + int(p.at.groups.extent));
}

template <bool PLANAR>
SVI_DEVICE const char *source_of(const svi_launch_channels &p, const Area &area, const Slot &slot)
{
    return area.src + slot.row * p.at.a_src + (PLANAR ? slot.channel * p.at.groups.src : 0);
}

template <bool PLANAR> SVI_DEVICE char *destination_of(const svi_launch_channels &p, const Area &area, const Slot &slot)
{
    return area.dst + slot.row * p.at.b_dst + (PLANAR ? slot.channel * p.at.groups.dst : 0);
}

// --- shared memory --------------------------------------------------------------------------

// Before byte number byte of the segments.
template <int S> SVI_DEVICE int gaps_before(const svi_launch_channels &p, int byte)
{
    return SVI_HAS_FAULT(NO_SWIZZLE) ? 0 : int(quotient(uint32_t(byte) >> 4, p.pixel)) * Channel<S>::GAP;
}

// The byte of the segments where a row begins, which is where it begins in its first vector.
template <bool APART> SVI_DEVICE int segment_of(const svi_launch_channels &p, const Area &area, const Slot &slot)
{
    return slot.row * int(p.segment.extent) * 16 +
           int(beyond_vector(APART ? source_of<false>(p, area, slot) : destination_of<false>(p, area, slot)));
}

template <int S> SVI_DEVICE void put_segment(const svi_launch_channels &p, int number, const Vector &v)
{
    unsigned char *const to = svi_shared + number * 16 + gaps_before<S>(p, number * 16);

    if constexpr (S == 8) {
        store<8>(to, item_of<8>(v, 0));
        store<8>(to + 8, item_of<8>(v, 1));
    } else {
#pragma unroll
        for (int w = 0; w < 4; w++)
            store<4>(to + w * 4, v.word[w]);
    }
}

template <int S> SVI_DEVICE Vector get_segment(const svi_launch_channels &p, int number)
{
    const unsigned char *const from = svi_shared + number * 16 + gaps_before<S>(p, number * 16);
    Vector v = zero();

    if constexpr (S == 8) {
        put_item<8>(v, 0, load<8>(from));
        put_item<8>(v, 1, load<8>(from + 8));
    } else {
#pragma unroll
        for (int w = 0; w < 4; w++)
            v.word[w] = load<4>(from + w * 4);
    }
    return v;
}

// The places of a piece's items, of which the first may be before the segment: one gap at most is among them.
struct Column {
    int first, step, turn; // bytes; items from turn on have one gap more before them
};

template <int S, bool APART>
SVI_DEVICE Column column_of(const svi_launch_channels &p, const Area &area, const Slot &slot, int pixel)
{
    const int period = int(p.pixel.extent) * 16, step = int(p.pixel.extent) * S;
    const int first = segment_of<APART>(p, area, slot) + pixel * step + slot.channel * S;
    const int before = int(quotient(uint32_t(first + period) >> 4, p.pixel)) - 1;
    const int gaps = SVI_HAS_FAULT(NO_SWIZZLE) ? 0 : before * Channel<S>::GAP;

    return Column{first + gaps, step, (before + 1) * period + gaps};
}

template <int S> SVI_DEVICE int place_of(const Column &column, int k)
{
    const int at = column.first + k * column.step;

    return at >= column.turn && !SVI_HAS_FAULT(NO_SWIZZLE) ? at + Channel<S>::GAP : at;
}

template <int S> SVI_DEVICE Vector get_piece(const Column &column)
{
    Vector v = zero();

#pragma unroll
    for (int k = 0; k < Channel<S>::V; k++)
        put_item<S>(v, k, load<S>(svi_shared + place_of<S>(column, k)));
    return v;
}

// Those of the items that the row has: pixel is that of the first.
template <int S> SVI_DEVICE void put_piece(const Column &column, int pixel, int pixels, const Vector &v)
{
    const int first = pixel < 0 ? -pixel : 0, last = pixels - pixel;

#pragma unroll
    for (int k = 0; k < Channel<S>::V; k++)
        if (k >= first && k < last)
            store<S>(svi_shared + place_of<S>(column, k), item_of<S>(v, k));
}

// --- loads ----------------------------------------------------------------------------------

// Where vector number number of a block begins, and how many bytes of it are before its run, or with a sign that is
// minus, how many of the run are before it.
template <bool PLANAR>
SVI_DEVICE const char *vector_of(const svi_launch_channels &p, const Area &area, uint32_t number, int &ahead)
{
    const Slot slot = slot_of<PLANAR>(p, number);
    const char *const run = source_of<PLANAR>(p, area, slot);

    ahead = int(beyond_vector(run)) - slot.vector * 16;
    return run - ahead;
}

SVI_DEVICE bool is_within(const Area &area, const char *vector)
{
    return (vector >= area.lower && vector + 16 <= area.upper) || SVI_HAS_FAULT(VECTOR_PAST_THE_END);
}

// Of a vector that is not all within what may be read, what its run has.
template <int S, bool PLANAR>
SVI_DEVICE Vector load_part(const svi_launch_channels &p, const Area &area, uint32_t number, int nbytes)
{
    int ahead;
    const char *const vector = vector_of<PLANAR>(p, area, number, ahead);
    const int left = nbytes + ahead;

    if (is_within(area, vector))
        return load<16>(vector);
    return load_items<S>(vector, ahead > 0 ? ahead / S : 0, (left < 16 ? left : 16) / S);
}

// The thread's vectors, all of them on their way before the first is used.
template <int S, bool PLANAR>
SVI_DEVICE void load_vectors(const svi_launch_channels &p, const Area &area, Vector (&v)[VECTORS],
                             bool (&there)[VECTORS])
{
    const int nbytes = bytes_of<S, PLANAR>(p, area);
    const uint32_t count = uint32_t(runs_of<PLANAR>(p, area)) * (PLANAR ? p.piece : p.segment).extent;
    const char *vector[VECTORS];
    bool within = true;

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t number = k * THREADS + threadIdx.x;
        int ahead;

        vector[k] = vector_of<PLANAR>(p, area, number, ahead);
        there[k] = number < count && nbytes + ahead > 0;
        within = within && (!there[k] || is_within(area, vector[k]));
    }
    if (within) {
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            if (there[k])
                v[k] = load<16>(vector[k]);
    } else {
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            if (there[k])
                v[k] = load_part<S, PLANAR>(p, area, k * THREADS + threadIdx.x, nbytes);
    }
}

template <int S, bool APART> SVI_DEVICE void load_area(const svi_launch_channels &p, const Area &area)
{
    Vector v[VECTORS];
    bool there[VECTORS];

    load_vectors<S, !APART>(p, area, v, there);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t number = k * THREADS + threadIdx.x;

        if (!there[k])
            continue;
        if (APART) {
            put_segment<S>(p, int(number), v[k]);
        } else {
            const Slot slot = slot_of<true>(p, number);
            const int pixel = (slot.vector * 16 - int(beyond_vector(source_of<true>(p, area, slot)))) / S;

            put_piece<S>(column_of<S, APART>(p, area, slot, pixel), pixel, area.pixels, v[k]);
        }
    }
}

// --- stores ---------------------------------------------------------------------------------

// The vectors that are whole.
template <int S, bool APART> SVI_DEVICE void store_vectors(const svi_launch_channels &p, const Area &area)
{
    const int nbytes = bytes_of<S, APART>(p, area) + (SVI_HAS_FAULT(BOUND_TOO_LARGE) ? S : 0);
    const uint32_t count = uint32_t(runs_of<APART>(p, area)) * (APART ? p.piece : p.segment).extent;

#pragma unroll 1
    for (uint32_t number = threadIdx.x; number < count; number += THREADS) {
        const Slot slot = slot_of<APART>(p, number);
        char *const run = destination_of<APART>(p, area, slot);
        const int at = slot.vector * 16 - int(beyond_vector(run));

        if (at < 0 || at + 16 > nbytes || (SVI_HAS_FAULT(THREAD_STORES_NOTHING) && threadIdx.x == 17))
            continue;
        store<16>(run + at,
                  APART ? get_piece<S>(column_of<S, APART>(p, area, slot, at / S)) : get_segment<S>(p, int(number)));
    }
}

// What is left at both ends of runs goes item by item, by neighbouring threads: they share sectors.
template <int S, bool APART> SVI_DEVICE void store_ends(const svi_launch_channels &p, const Area &area)
{
    const int items = bytes_of<S, APART>(p, area) / S;
    const int each = items % Channel<S>::V == 0 ? Channel<S>::V : 2 * Channel<S>::V; // threads of a run, a power of two
    const int count = runs_of<APART>(p, area) * each;

#pragma unroll 1
    for (int index = int(threadIdx.x); index < count; index += THREADS) {
        const int k = index % each;
        const Slot slot = slot_of_run<APART>(p, uint32_t(index / each));
        char *const run = destination_of<APART>(p, area, slot);
        const int before = int(-beyond_vector(run) & 15) / S;
        const int head = before < items ? before : items, tail = (items - head) % Channel<S>::V;
        const bool again = SVI_HAS_FAULT(END_STORED_TWICE) && k == head + tail && head + tail > 0;
        const int item = (k < head ? k : items - tail + (k - head)) - again;
        const int step = APART ? int(p.pixel.extent) : 1;
        const int byte = segment_of<APART>(p, area, slot) + (item * step + slot.channel) * S;

        if (k < head + tail || again)
            store<S>(run + item * S, load<S>(svi_shared + byte + gaps_before<S>(p, byte)));
    }
}

// --- blocks ---------------------------------------------------------------------------------

template <int S, bool APART> SVI_DEVICE Area find_area(const svi_launch_channels &p, char *dst, const char *src)
{
    int64_t to = p.at.dst_offset, from = p.at.src_offset;
    uint32_t n = blockIdx.x;
    const int64_t pixel = int64_t(take_digit(n, p.at.bands)) * p.pixels;
    const int64_t row = int64_t(take_digit(n, p.at.tiles_a)) * p.rows;
    const int64_t pitch = int64_t(p.pixel.extent) * S;

    add_outer(p.at, n, to, from);
    to += row * p.at.b_dst + pixel * (APART ? S : pitch);
    from += row * p.at.a_src + pixel * (APART ? pitch : S);
    return Area{dst + to,
                src + from,
                src + p.at.src_lower,
                src + p.at.src_upper,
                int(p.at.width - row < p.rows ? p.at.width - row : p.rows),
                int(p.at.count - pixel < p.pixels ? p.at.count - pixel : p.pixels)};
}

// APART: from pixels to planes.
template <int S, bool APART> SVI_DEVICE void copy_channels(const svi_launch_channels &p, char *dst, const char *src)
{
    const Area area = find_area<S, APART>(p, dst, src);

    load_area<S, APART>(p, area);
    if (SVI_HAS_FAULT(THREAD_LEAVES) && threadIdx.x == 17)
        return;
    if (!SVI_HAS_FAULT(NO_BARRIER))
        __syncthreads();
    store_vectors<S, APART>(p, area);
    if (p.has_ends)
        store_ends<S, APART>(p, area);
}

#define SVI_CHANNELS_KERNEL(NAME, S, APART)                                                                   \
    SVI_KERNEL(4) svi_##NAME##_##S(const __grid_constant__ svi_launch_channels p, char *dst, const char *src) \
    {                                                                                                         \
        copy_channels<S, APART>(p, dst, src);                                                                 \
    }

SVI_CHANNELS_KERNEL(apart, 1, true)
SVI_CHANNELS_KERNEL(apart, 2, true)
SVI_CHANNELS_KERNEL(apart, 4, true)
SVI_CHANNELS_KERNEL(apart, 8, true)
SVI_CHANNELS_KERNEL(together, 1, false)
SVI_CHANNELS_KERNEL(together, 2, false)
SVI_CHANNELS_KERNEL(together, 4, false)
SVI_CHANNELS_KERNEL(together, 8, false)
