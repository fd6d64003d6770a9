// The operations of chain.h, each on the items of a thread at once: the choice of one is made once for all of them.
// They give the same bits as the host's loops, whose numbers.h they share but for float16 and bfloat16.
#ifndef SVI_CUDA_NUMBERS_CUH
#define SVI_CUDA_NUMBERS_CUH

#include "dtype/numbers.h"
#include "gpu/cuda/kernels/kernel.cuh"

enum { PACKET = 4 /* items of a thread */ };

// Items of up to 16 bytes. Bits of low above those of a smaller item are 0.
struct Packet {
    uint64_t low[PACKET], high[PACKET];
};

typedef uint64_t Operation(uint64_t a);

template <Operation OPERATION> SVI_DEVICE void each(Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        v.low[k] = OPERATION(v.low[k]);
}

// --- float16 and bfloat16 by the device's own instructions ------------------------------------
//
// They round as numbers.h does, but have one NaN for all. From sm_80 on, those for pairs are the fast ones.

#ifndef SVI_EMULATED
// clang-format off
SVI_DEVICE uint32_t round_f16(uint32_t bits)
{
    const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & SVI_F32_MAGNITUDE;
    uint32_t code;

#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(code) : "f"(0.f), "f"(svi_float_of_bits(bits)));
#else
    uint16_t low;

    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(low) : "f"(svi_float_of_bits(bits)));
    code = low;
#endif
    return magnitude > SVI_F32_INFINITY ? sign | 0x7e00 | (magnitude >> 13 & 0x1ff) : code;
}

SVI_DEVICE uint32_t widen_f16(uint32_t code)
{
    float number;

    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(uint16_t(code)));
    return (code & 0x7fff) > 0x7c00 ? (code & 0x8000) << 16 | SVI_F32_NAN | (code & 0x3ff) << 13
                                    : svi_bits_of_float(number);
}
#else
SVI_DEVICE uint32_t round_f16(uint32_t bits) { return svi_encode_narrow(bits, SVI_NARROW_F16); }
SVI_DEVICE uint32_t widen_f16(uint32_t code) { return svi_decode_narrow(code, SVI_NARROW_F16); }
#endif

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
SVI_DEVICE uint32_t round_bf16(uint32_t bits)
{
    uint32_t code;

    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(code) : "f"(0.f), "f"(svi_float_of_bits(bits)));
    return (bits & SVI_F32_MAGNITUDE) > SVI_F32_INFINITY ? (bits >> 16 & 0x8000) | 0x7fc0 : code;
}
#else
SVI_DEVICE uint32_t round_bf16(uint32_t bits) { return svi_round_bf16(bits); }
#endif

// --- truth values and whole numbers -----------------------------------------------------------

SVI_DEVICE uint64_t is_not_0(uint64_t a) { return a != 0; }
SVI_DEVICE uint64_t is_not_0_f32(uint64_t a) { return (uint32_t(a) & SVI_F32_MAGNITUDE) != 0; }
SVI_DEVICE uint64_t is_not_0_f64(uint64_t a) { return a << 1 != 0; }
SVI_DEVICE uint64_t is_not_0_c32(uint64_t a) { return (uint32_t(a) & 0x7fff7fff) != 0; }
SVI_DEVICE uint64_t is_not_0_c64(uint64_t a) { return (a & 0x7fffffff7fffffff) != 0; }
SVI_DEVICE uint64_t low_8(uint64_t a) { return uint8_t(a); }
SVI_DEVICE uint64_t low_16(uint64_t a) { return uint16_t(a); }
SVI_DEVICE uint64_t low_32(uint64_t a) { return uint32_t(a); }
SVI_DEVICE uint64_t extended_8_to_16(uint64_t a) { return uint16_t(int8_t(a)); }
SVI_DEVICE uint64_t extended_8_to_32(uint64_t a) { return uint32_t(int8_t(a)); }
SVI_DEVICE uint64_t extended_16_to_32(uint64_t a) { return uint32_t(int16_t(a)); }
SVI_DEVICE uint64_t extended_32_to_64(uint64_t a) { return uint64_t(int32_t(a)); }

// --- to float32 -------------------------------------------------------------------------------

SVI_DEVICE uint64_t f32_from_i8(uint64_t a) { return svi_bits_of_float(float(int8_t(a))); }
SVI_DEVICE uint64_t f32_from_i16(uint64_t a) { return svi_bits_of_float(float(int16_t(a))); }
SVI_DEVICE uint64_t f32_from_i32(uint64_t a) { return svi_bits_of_float(float(int32_t(a))); }
SVI_DEVICE uint64_t f32_from_u32(uint64_t a) { return svi_bits_of_float(float(uint32_t(a))); }
SVI_DEVICE uint64_t f32_from_i64(uint64_t a) { return svi_bits_of_float(float(int64_t(a))); }
SVI_DEVICE uint64_t f32_from_u64(uint64_t a) { return svi_bits_of_float(float(a)); }
SVI_DEVICE uint64_t f32_from_f64(uint64_t a) { return svi_float_bits_of_double(a); }
SVI_DEVICE uint64_t odd_from_i32(uint64_t a) { return svi_odd_of_signed(int32_t(a)); }
SVI_DEVICE uint64_t odd_from_u32(uint64_t a) { return svi_odd_of_unsigned(uint32_t(a)); }
SVI_DEVICE uint64_t odd_from_i64(uint64_t a) { return svi_odd_of_double(svi_short_of_signed(int64_t(a))); }
SVI_DEVICE uint64_t odd_from_u64(uint64_t a) { return svi_odd_of_double(svi_short_of_unsigned(a)); }
SVI_DEVICE uint64_t odd_from_f64(uint64_t a) { return svi_odd_of_double(svi_double_of_bits(a)); }

template <svi_narrow TYPE> SVI_DEVICE uint64_t f32_from(uint64_t a)
{
    if constexpr (TYPE == SVI_NARROW_F16)
        return widen_f16(uint32_t(a));
    else
        return svi_decode_narrow(uint32_t(a), TYPE);
}

// Types of 8 bits: one piece of code for all.
SVI_DEVICE void widen_8(int op, Packet &v)
{
    const svi_small type = svi_small_of(svi_narrow(op - SVI_OP_F32_FROM_NARROW));

#pragma unroll
    for (int k = 0; k < PACKET; k++)
        v.low[k] = svi_widen(uint32_t(v.low[k]), type);
}

// --- from float32 -----------------------------------------------------------------------------

SVI_DEVICE uint64_t f64_from_f32(uint64_t a) { return svi_double_bits_of_float(uint32_t(a)); }
SVI_DEVICE uint64_t i32_from_f32(uint64_t a) { return svi_cut_32(uint32_t(a)); }
SVI_DEVICE uint64_t i64_from_f32(uint64_t a) { return svi_cut_64(svi_double_bits_of_float(uint32_t(a))); }

template <svi_narrow TYPE> SVI_DEVICE uint64_t from_f32(uint64_t a)
{
    if constexpr (TYPE == SVI_NARROW_F16)
        return round_f16(uint32_t(a));
    else if constexpr (TYPE == SVI_NARROW_BF16)
        return round_bf16(uint32_t(a));
    else
        return svi_encode_narrow(uint32_t(a), TYPE);
}

SVI_DEVICE void round_8(int op, Packet &v)
{
    const svi_small type = svi_small_of(svi_narrow(op - SVI_OP_NARROW_FROM_F32));

#pragma unroll
    for (int k = 0; k < PACKET; k++)
        v.low[k] = svi_round(uint32_t(v.low[k]), type);
}

// --- from and to float64 ----------------------------------------------------------------------

SVI_DEVICE uint64_t f64_from_i32(uint64_t a) { return svi_bits_of_double(double(int32_t(a))); }
SVI_DEVICE uint64_t f64_from_u32(uint64_t a) { return svi_bits_of_double(double(uint32_t(a))); }
SVI_DEVICE uint64_t f64_from_i64(uint64_t a) { return svi_bits_of_double(double(int64_t(a))); }
SVI_DEVICE uint64_t f64_from_u64(uint64_t a) { return svi_bits_of_double(double(a)); }
SVI_DEVICE uint64_t i32_from_f64(uint64_t a) { return uint32_t(svi_cut_64(a)); }
SVI_DEVICE uint64_t i64_from_f64(uint64_t a) { return svi_cut_64(a); }

// --- bytes in reverse order -------------------------------------------------------------------

SVI_DEVICE uint64_t swap_4(uint64_t a) { return __byte_perm(uint32_t(a), 0, 0x0123); }
SVI_DEVICE uint64_t swap_2(uint64_t a) { return swap_4(a) >> 16; }
SVI_DEVICE uint64_t swap_8(uint64_t a) { return swap_4(a) << 32 | swap_4(a >> 32); }
// clang-format on

// --- items of 16 bytes ------------------------------------------------------------------------

SVI_DEVICE void exchange(Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++) {
        const uint64_t low = v.low[k];

        v.low[k] = v.high[k];
        v.high[k] = low;
    }
}

SVI_DEVICE void swap_16(Packet &v)
{
    each<swap_8>(v);
    exchange(v);
    each<swap_8>(v);
}

SVI_DEVICE void is_not_0_c128(Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        v.low[k] = (v.low[k] | v.high[k]) << 1 != 0;
}

SVI_DEVICE void add_imaginary_0(Packet &v)
{
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        v.high[k] = 0;
}

// --- the choice -------------------------------------------------------------------------------

SVI_DEVICE void apply(int op, Packet &v)
{
    switch (svi_op(op)) {
    case SVI_OP_BOOL_FROM_1:
    case SVI_OP_BOOL_FROM_2:
    case SVI_OP_BOOL_FROM_4:
    case SVI_OP_BOOL_FROM_8: return each<is_not_0>(v);
    case SVI_OP_BOOL_FROM_F32: return each<is_not_0_f32>(v);
    case SVI_OP_BOOL_FROM_F64: return each<is_not_0_f64>(v);
    case SVI_OP_BOOL_FROM_C32: return each<is_not_0_c32>(v);
    case SVI_OP_BOOL_FROM_C64: return each<is_not_0_c64>(v);
    case SVI_OP_BOOL_FROM_C128: return is_not_0_c128(v);
    case SVI_OP_I32_FROM_I8: return each<extended_8_to_32>(v);
    case SVI_OP_I32_FROM_I16: return each<extended_16_to_32>(v);
    case SVI_OP_I16_FROM_I8: return each<extended_8_to_16>(v);
    case SVI_OP_I64_FROM_I32: return each<extended_32_to_64>(v);
    case SVI_OP_I32_FROM_U8:
    case SVI_OP_I32_FROM_U16:
    case SVI_OP_I16_FROM_U8:
    case SVI_OP_I64_FROM_U32: return;
    case SVI_OP_I8_FROM_I16:
    case SVI_OP_I8_FROM_I32: return each<low_8>(v);
    case SVI_OP_I16_FROM_I32:
    case SVI_OP_REAL_2: return each<low_16>(v);
    case SVI_OP_I32_FROM_I64:
    case SVI_OP_REAL_4: return each<low_32>(v);
    case SVI_OP_F32_FROM_I8: return each<f32_from_i8>(v);
    case SVI_OP_F32_FROM_I16: return each<f32_from_i16>(v);
    case SVI_OP_F32_FROM_I32: return each<f32_from_i32>(v);
    case SVI_OP_F32_FROM_U8:
    case SVI_OP_F32_FROM_U16:
    case SVI_OP_F32_FROM_U32: return each<f32_from_u32>(v);
    case SVI_OP_F32_FROM_I64: return each<f32_from_i64>(v);
    case SVI_OP_F32_FROM_U64: return each<f32_from_u64>(v);
    case SVI_OP_F32_FROM_F64: return each<f32_from_f64>(v);
#define SVI_OWN(KIND, NAME, OP, ...) \
    case SVI_OP_F32_FROM_##OP: return each<f32_from<SVI_NARROW_##OP>>(v);
#define SVI_SMALL(...)
#include "dtype/dtypes.def"
#define SVI_SMALL(KIND, NAME, OP, ...) case SVI_OP_F32_FROM_##OP:
#define SVI_OWN(...)
#include "dtype/dtypes.def"
        return widen_8(op, v);
    case SVI_OP_ODD_FROM_I32: return each<odd_from_i32>(v);
    case SVI_OP_ODD_FROM_U32: return each<odd_from_u32>(v);
    case SVI_OP_ODD_FROM_I64: return each<odd_from_i64>(v);
    case SVI_OP_ODD_FROM_U64: return each<odd_from_u64>(v);
    case SVI_OP_ODD_FROM_F64: return each<odd_from_f64>(v);
#define SVI_OWN(KIND, NAME, OP, ...) \
    case SVI_OP_##OP##_FROM_F32: return each<from_f32<SVI_NARROW_##OP>>(v);
#define SVI_SMALL(...)
#include "dtype/dtypes.def"
#define SVI_SMALL(KIND, NAME, OP, ...) case SVI_OP_##OP##_FROM_F32:
#define SVI_OWN(...)
#include "dtype/dtypes.def"
        return round_8(op, v);
    case SVI_OP_F64_FROM_F32: return each<f64_from_f32>(v);
    case SVI_OP_I8_FROM_F32: each<i32_from_f32>(v); return each<low_8>(v);
    case SVI_OP_I16_FROM_F32: each<i32_from_f32>(v); return each<low_16>(v);
    case SVI_OP_I32_FROM_F32: return each<i32_from_f32>(v);
    case SVI_OP_I64_FROM_F32: return each<i64_from_f32>(v);
    case SVI_OP_F64_FROM_I32: return each<f64_from_i32>(v);
    case SVI_OP_F64_FROM_U32: return each<f64_from_u32>(v);
    case SVI_OP_F64_FROM_I64: return each<f64_from_i64>(v);
    case SVI_OP_F64_FROM_U64: return each<f64_from_u64>(v);
    case SVI_OP_I32_FROM_F64: return each<i32_from_f64>(v);
    case SVI_OP_I64_FROM_F64: return each<i64_from_f64>(v);
    case SVI_OP_REAL_8:
    case SVI_OP_COMPLEX_2:
    case SVI_OP_COMPLEX_4: return;
    case SVI_OP_COMPLEX_8: return add_imaginary_0(v);
    case SVI_OP_SWAP_2: return each<swap_2>(v);
    case SVI_OP_SWAP_4: return each<swap_4>(v);
    case SVI_OP_SWAP_8: return each<swap_8>(v);
    case SVI_OP_SWAP_16: return swap_16(v);
    case SVI_OP_COUNT: return;
    }
}

// The two numbers of an item, of so many bytes each, to low and high, and back.
SVI_DEVICE void split(Packet &v, int bytes)
{
    if (bytes == 8)
        return;
#pragma unroll
    for (int k = 0; k < PACKET; k++) {
        v.high[k] = v.low[k] >> 8 * bytes;
        v.low[k] &= (uint64_t(1) << 8 * bytes) - 1;
    }
}

SVI_DEVICE void join(Packet &v, int bytes)
{
    if (bytes == 8)
        return;
#pragma unroll
    for (int k = 0; k < PACKET; k++)
        v.low[k] |= v.high[k] << 8 * bytes;
}

// One loop over all steps and their lanes, so that the choice is there once.
SVI_DEVICE void convert(const svi_chain &chain, Packet &v)
{
    int lane = 0;

#pragma unroll 1
    for (int s = 0; s < chain.count;) {
        const svi_step &step = chain.steps[s];

        if (step.lanes == 2 && lane == 0)
            split(v, step.src);
        apply(step.op, v);
        if (step.lanes == 2)
            exchange(v);
        if (++lane < step.lanes)
            continue;
        if (step.lanes == 2)
            join(v, step.dst);
        lane = 0;
        s++;
    }
}

// What kernels that convert do with items: those that scale have one of their own.
struct Unscaled {
    static constexpr bool SCALES = false;

    SVI_MEMBER void take(const uint32_t (&)[PACKET]) {}
    SVI_MEMBER void take_run(uint32_t, bool) {}
    SVI_MEMBER void enter(const svi_launch_box &, uint32_t) {}
    SVI_MEMBER void run(const svi_chain &chain, Packet &v) const { convert(chain, v); }
};

#endif
