// Conversions of runs: as many bytes of the source are on their way as in kernels that only copy. A thread loads its
// packets of four items, then converts and stores one after the other. Neighbouring threads have neighbouring packets,
// so that a warp reads and writes whole sectors whatever the sizes of items are, and wide items by vectors.
#include "gpu/cuda/kernels/numbers.cuh"

enum { ALL_WORDS = SVI_CONVERT_BYTES / 4 };

// Where a packet is. The last one of a single run may have fewer items.
struct PacketPlace {
    int64_t dst, src;
    uint32_t number;
    int count; // 0: it is none
};

SVI_DEVICE PacketPlace find_packet(const svi_launch_many &p, int which, uint64_t packet)
{
    const uint64_t n = packet * PACKET;
    PacketPlace at = {};

    if (n >= uint64_t(p.count))
        return at;
    at.count = p.count - int64_t(n) < PACKET ? int(p.count - int64_t(n)) : int(PACKET);
    find_any_item(p, n, which, at.dst, at.src, at.number);
    return at;
}

// --- loads ------------------------------------------------------------------------------------

template <int S> SVI_DEVICE void load_words(const char *from, int count, uint32_t (&words)[ALL_WORDS], int first)
{
    if (count == PACKET) {
        if constexpr (S == 1) {
            words[first] = load<4>(from);
        } else if constexpr (S == 2) {
            const uint2 v = *(const uint2 *)from;

            words[first] = v.x, words[first + 1] = v.y;
        } else {
#pragma unroll
            for (int half = 0; half < S / 4; half++) {
                const Vector v = load<16>(from + half * 16);

#pragma unroll
                for (int w = 0; w < 4; w++)
                    words[first + half * 4 + w] = v.word[w];
            }
        }
    } else if (count > 0) {
        constexpr int IN_VECTOR = S == 8 ? 2 : PACKET;

#pragma unroll
        for (int half = 0; half < PACKET / IN_VECTOR; half++) {
            const int left = count - half * IN_VECTOR;
            const Vector v = load_items<S>(from + half * 16, 0, left < IN_VECTOR ? left : IN_VECTOR);

#pragma unroll
            for (int w = 0; w < (S < 4 ? S : 4); w++)
                words[first + half * 4 + w] = v.word[w];
        }
    }
}

// The items of the first packet.
template <int S> SVI_DEVICE void take_items(const uint32_t (&words)[ALL_WORDS], Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++) {
        v.high[k] = 0;
        if constexpr (S == 1)
            v.low[k] = words[0] >> 8 * k & 0xff;
        else if constexpr (S == 2)
            v.low[k] = words[k / 2] >> 16 * (k % 2) & 0xffff;
        else if constexpr (S == 4)
            v.low[k] = words[k];
        else
            v.low[k] = uint64_t(words[2 * k + 1]) << 32 | words[2 * k];
    }
}

// --- stores -----------------------------------------------------------------------------------

template <int D> SVI_DEVICE void store_some(char *to, int count, const Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET - 1; k++)
        if (k < count)
            store<D>(to + k * D, Item<D>(v.low[k]));
}

SVI_DEVICE void store_converted(uint32_t word, char *to, int count, const Packet &v)
{
    if (count == PACKET)
        return store_vector(word, to, v);
    switch (word) {
    case 1: return store_some<1>(to, count, v);
    case 2: return store_some<2>(to, count, v);
    case 4: return store_some<4>(to, count, v);
    default: return store_some<8>(to, count, v);
    }
}

// --- the registers of a thread ------------------------------------------------------------------

// All loads of a thread are on their way before the first is converted.
template <int S>
SVI_DEVICE void load_packets(const svi_launch_cast &p, uint64_t first, const char *src, uint32_t (&words)[ALL_WORDS])
{
#pragma unroll
    for (int step = 0; step < ALL_WORDS / S; step++)
        if (step < int(p.packets)) {
            const PacketPlace at = find_packet(p.at, NO_AXIS, first + step * THREADS);

            load_words<S>(src + at.src, at.count, words, step * S);
        }
}

// The items of the first packet, whose words make place for those of the next.
template <int S> SVI_DEVICE void take_packet(uint32_t (&words)[ALL_WORDS], Packet &v)
{
    take_items<S>(words, v);
#pragma unroll
    for (int w = 0; w < ALL_WORDS - S; w++)
        words[w] = words[w + S];
}

SVI_DEVICE void load_packets_of(const svi_launch_cast &p, uint64_t first, const char *src, uint32_t (&words)[ALL_WORDS])
{
    switch (p.src_word) {
    case 1: return load_packets<1>(p, first, src, words);
    case 2: return load_packets<2>(p, first, src, words);
    case 4: return load_packets<4>(p, first, src, words);
    default: return load_packets<8>(p, first, src, words);
    }
}

SVI_DEVICE void take_packet_of(uint32_t item, uint32_t (&words)[ALL_WORDS], Packet &v)
{
    switch (item) {
    case 1: return take_packet<1>(words, v);
    case 2: return take_packet<2>(words, v);
    case 4: return take_packet<4>(words, v);
    default: return take_packet<8>(words, v);
    }
}

// --- blocks -----------------------------------------------------------------------------------

// The packets move through the same registers, so that the code of a conversion is there once.
template <typename Scale>
SVI_DEVICE void convert_runs(const svi_launch_cast &p, int which, char *dst, const char *src, Scale &scale)
{
    const uint64_t first = uint64_t(blockIdx.x) * (THREADS * p.packets) + threadIdx.x;
    uint32_t words[ALL_WORDS] = {};

    load_packets_of(p, first, src, words);
    SVI_LOADS_FIRST;
#pragma unroll 1
    for (uint32_t step = 0; step < p.packets; step++) {
        const PacketPlace at = find_packet(p.at, which, first + step * THREADS);
        Packet v;

        if (at.count == 0)
            return;
        take_packet_of(p.src_word, words, v);
        scale.take_run(at.number, which == 0);
        scale.run(p.chain, v);
        if (!(SVI_HAS_FAULT(THREAD_STORES_NOTHING) && threadIdx.x == 17))
            store_converted(p.dst_word, dst + at.dst, at.count, v);
    }
}

// --- frequent conversions ---------------------------------------------------------------------

SVI_DEVICE constexpr uint32_t chain_of(int first, int second = SVI_OP_COUNT)
{
    return uint32_t(first) | uint32_t(second) << 8;
}

// One or two steps of numbers, which are told at once.
struct Frequent : Unscaled {
    uint32_t steps;

    SVI_MEMBER explicit Frequent(const svi_chain &chain)
        : steps(chain.count > 2 || chain.steps[0].lanes != 1
                    ? chain_of(SVI_OP_COUNT)
                    : chain_of(chain.steps[0].op, chain.count == 2 ? chain.steps[1].op : int(SVI_OP_COUNT)))
    {
    }

    SVI_MEMBER void run(const svi_chain &chain, Packet &v) const
    {
        switch (steps) {
        case chain_of(SVI_OP_F16_FROM_F32): return each<from_f32<SVI_NARROW_F16>>(v);
        case chain_of(SVI_OP_BF16_FROM_F32): return each<from_f32<SVI_NARROW_BF16>>(v);
        case chain_of(SVI_OP_F32_FROM_F16): return each<f32_from<SVI_NARROW_F16>>(v);
        case chain_of(SVI_OP_F32_FROM_BF16): return each<f32_from<SVI_NARROW_BF16>>(v);
        case chain_of(SVI_OP_F32_FROM_U8): return each<f32_from_u32>(v);
        case chain_of(SVI_OP_BOOL_FROM_1, SVI_OP_F32_FROM_U8): return each<f32_from_bool>(v);
        case chain_of(SVI_OP_F32_FROM_U8, SVI_OP_F16_FROM_F32): return each<f16_from_u8>(v);
        case chain_of(SVI_OP_F32_FROM_U8, SVI_OP_BF16_FROM_F32): return each<bf16_from_u8>(v);
        case chain_of(SVI_OP_I32_FROM_I64): return each<low_32>(v);
        case chain_of(SVI_OP_I64_FROM_I32): return each<extended_32_to_64>(v);
        default: return convert(chain, v);
        }
    }

  private:
    static SVI_MEMBER uint64_t f32_from_bool(uint64_t a) { return a != 0 ? 0x3f800000 : 0; }

    // Numbers of 8 bits are exact in both.
    static SVI_MEMBER uint64_t f16_from_u8(uint64_t a) { return round_f16(uint32_t(f32_from_u32(a))); }
    static SVI_MEMBER uint64_t bf16_from_u8(uint64_t a) { return uint32_t(f32_from_u32(a)) >> 16; }
};

SVI_KERNEL(4) svi_convert(const __grid_constant__ svi_launch_cast p, char *dst, const char *src)
{
    Frequent frequent(p.chain);

    convert_runs(p, NO_AXIS, dst, src, frequent);
}
