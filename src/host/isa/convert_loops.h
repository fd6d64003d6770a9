/*
 * The operations of chain.h and scaled conversions on blocks of SVI_BLOCK numbers, for the instruction set of the file
 * that includes this. SVI_CONVERT and SVI_SCALE are the names of its functions. An instruction set with better loops
 * for float16, for tests of whole blocks and for scaled float32 includes convert_vectors.h before, which defines
 * SVI_CONVERT_SPECIAL. Addresses may be misaligned; dst and src do not overlap.
 */
#ifndef SVI_HOST_CONVERT_LOOPS_H
#define SVI_HOST_CONVERT_LOOPS_H

#include "host/isa/convert_numbers.h"

/* --- to integers ---------------------------------------------------------------- */

#ifndef SVI_CONVERT_SPECIAL
/*
 * Rounds to an integer of up to 16 bits, to nearest with ties to even, clamped to least and most; NaN gives 0. The last
 * bit of the sum with 1.5 * 2^23 is worth 1, so that the addition rounds.
 */
SVI_INLINE uint32_t whole_of_float(float a, float least, float most)
{
    const float unit = 0x1.8p23f;
    uint32_t bits = svi_bits_of_float(a);

    bits = svi_select(a > least, bits, svi_bits_of_float(least));
    bits = svi_select(a < most, bits, svi_bits_of_float(most));
    bits = svi_select(a == a, bits, 0);
    return svi_bits_of_float(svi_float_of_bits(bits) + unit) - svi_bits_of_float(unit);
}

/* Rounds to integers of item bytes. */
SVI_INLINE void round_f32(void *restrict dst, const void *restrict src, int64_t blocks, float least, float most,
                          int item)
{
    const f32 *restrict from = src;
    char *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * item, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        for (int k = 0; k < SVI_BLOCK; k++)
            code[k] = whole_of_float(from[k], least, most);
        store_codes(to, code, item);
    }
}
#endif

/* Rounds to an integer of up to 32 bits, by the sum with 1.5 * 2^52. */
SVI_INLINE uint32_t whole_of_double(double a, double least, double most)
{
    const double unit = 0x1.8p52;
    uint64_t bits = svi_bits_of_double(a);

    bits = svi_select_64(a > least, bits, svi_bits_of_double(least));
    bits = svi_select_64(a < most, bits, svi_bits_of_double(most));
    bits = svi_select_64(a == a, bits, 0);
    return (uint32_t)svi_bits_of_double(svi_double_of_bits(bits) + unit);
}

SVI_INLINE void round_f64(void *restrict dst, const void *restrict src, int64_t blocks, double least, double most,
                          int item)
{
    const f64 *restrict from = src;
    char *to = dst;
    uint32_t code[SVI_BLOCK];

    for (; blocks > 0; blocks--, to += SVI_BLOCK * item, from += SVI_BLOCK) {
        u32 *const whole = item == 4 ? (u32 *)to : code;

        for (int k = 0; k < SVI_BLOCK; k++)
            whole[k] = whole_of_double(from[k], least, most);
        if (item < 4)
            store_codes(to, code, item);
    }
}

/* Rounds to the nearest integer. Numbers of 2^52 or more are integers. */
SVI_INLINE double nearest_whole(double a)
{
    const double unit = a < 0 ? -0x1p52 : 0x1p52;

    return a > -0x1p52 && a < 0x1p52 ? (a + unit) - unit : a;
}

SVI_INLINE void round_f64_to_64(void *restrict dst, const void *restrict src, int64_t blocks, bool is_signed)
{
    const f64 *restrict from = src;
    u64 *restrict to = dst;

    for (int64_t k = 0; k < blocks * SVI_BLOCK; k++) {
        const double a = nearest_whole(from[k]);

        if (is_signed)
            to[k] = (uint64_t)(a >= 0x1p63 ? INT64_MAX : a >= -0x1p63 ? (int64_t)a : a == a ? INT64_MIN : 0);
        else
            to[k] = a >= 0x1p64 ? UINT64_MAX : a > 0 ? (uint64_t)a : 0;
    }
}

/* --- all operations ------------------------------------------------------------------- */

/* Floating types below float32 that have arithmetic of their own, and some a better loop than one number by one. */
SVI_INLINE void widen_own(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op, int item)
{
    if (op == SVI_OP_F32_FROM_F16)
        f32_from_f16(dst, src, blocks);
    else
        each(dst, src, blocks, op, 4, item);
}

SVI_INLINE void round_to_own(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op, int item)
{
    if (op == SVI_OP_F16_FROM_F32)
        f16_from_f32(dst, src, blocks);
    else if (op == SVI_OP_BF16_FROM_F32)
        bf16_from_f32(dst, src, blocks);
    else
        each(dst, src, blocks, op, item, 4);
}

/* One function has all loops, so loops are aligned as functions are. */
#ifdef __clang__
#define SVI_ALIGN_LOOPS
#else
#define SVI_ALIGN_LOOPS __attribute__((optimize("align-loops=64")))
#endif

SVI_ALIGN_LOOPS void SVI_CONVERT(int op, void *restrict dst, const void *restrict src, int64_t blocks)
{
    switch (op) {
    case SVI_OP_BOOL_FROM_1: each(dst, src, blocks, SVI_OP_BOOL_FROM_1, 1, 1); break;
    case SVI_OP_BOOL_FROM_2: each(dst, src, blocks, SVI_OP_BOOL_FROM_2, 1, 2); break;
    case SVI_OP_BOOL_FROM_4: each(dst, src, blocks, SVI_OP_BOOL_FROM_4, 1, 4); break;
    case SVI_OP_BOOL_FROM_8: each(dst, src, blocks, SVI_OP_BOOL_FROM_8, 1, 8); break;
    case SVI_OP_BOOL_FROM_F32: each(dst, src, blocks, SVI_OP_BOOL_FROM_F32, 1, 4); break;
    case SVI_OP_BOOL_FROM_F64: each(dst, src, blocks, SVI_OP_BOOL_FROM_F64, 1, 8); break;
    case SVI_OP_BOOL_FROM_C32: each(dst, src, blocks, SVI_OP_BOOL_FROM_C32, 1, 4); break;
    case SVI_OP_BOOL_FROM_C64: each(dst, src, blocks, SVI_OP_BOOL_FROM_C64, 1, 8); break;
    case SVI_OP_BOOL_FROM_C128: each(dst, src, blocks, SVI_OP_BOOL_FROM_C128, 1, 16); break;

    case SVI_OP_I32_FROM_I8: each(dst, src, blocks, SVI_OP_I32_FROM_I8, 4, 1); break;
    case SVI_OP_I32_FROM_U8: each(dst, src, blocks, SVI_OP_I32_FROM_U8, 4, 1); break;
    case SVI_OP_I32_FROM_I16: each(dst, src, blocks, SVI_OP_I32_FROM_I16, 4, 2); break;
    case SVI_OP_I32_FROM_U16: each(dst, src, blocks, SVI_OP_I32_FROM_U16, 4, 2); break;
    case SVI_OP_I32_FROM_I64: each(dst, src, blocks, SVI_OP_I32_FROM_I64, 4, 8); break;
    case SVI_OP_I8_FROM_I16: each(dst, src, blocks, SVI_OP_I8_FROM_I16, 1, 2); break;
    case SVI_OP_I16_FROM_I8: each(dst, src, blocks, SVI_OP_I16_FROM_I8, 2, 1); break;
    case SVI_OP_I16_FROM_U8: each(dst, src, blocks, SVI_OP_I16_FROM_U8, 2, 1); break;
    case SVI_OP_I8_FROM_I32: each(dst, src, blocks, SVI_OP_I8_FROM_I32, 1, 4); break;
    case SVI_OP_I16_FROM_I32: each(dst, src, blocks, SVI_OP_I16_FROM_I32, 2, 4); break;
    case SVI_OP_I64_FROM_I32: each(dst, src, blocks, SVI_OP_I64_FROM_I32, 8, 4); break;
    case SVI_OP_I64_FROM_U32: each(dst, src, blocks, SVI_OP_I64_FROM_U32, 8, 4); break;

    case SVI_OP_F32_FROM_I8: each(dst, src, blocks, SVI_OP_F32_FROM_I8, 4, 1); break;
    case SVI_OP_F32_FROM_U8: each(dst, src, blocks, SVI_OP_F32_FROM_U8, 4, 1); break;
    case SVI_OP_F32_FROM_I16: each(dst, src, blocks, SVI_OP_F32_FROM_I16, 4, 2); break;
    case SVI_OP_F32_FROM_U16: each(dst, src, blocks, SVI_OP_F32_FROM_U16, 4, 2); break;
    case SVI_OP_F32_FROM_I32: each(dst, src, blocks, SVI_OP_F32_FROM_I32, 4, 4); break;
    case SVI_OP_F32_FROM_U32: each(dst, src, blocks, SVI_OP_F32_FROM_U32, 4, 4); break;
    case SVI_OP_F32_FROM_I64: each(dst, src, blocks, SVI_OP_F32_FROM_I64, 4, 8); break;
    case SVI_OP_F32_FROM_U64: each(dst, src, blocks, SVI_OP_F32_FROM_U64, 4, 8); break;
    case SVI_OP_F32_FROM_F64: each(dst, src, blocks, SVI_OP_F32_FROM_F64, 4, 8); break;
#define SVI_SMALL(KIND, NAME, OP, ...) \
    case SVI_OP_F32_FROM_##OP: widen_8(dst, src, blocks, SVI_NARROW_##OP); break;
#define SVI_OWN(KIND, NAME, OP, CODE, BITS, ...) \
    case SVI_OP_F32_FROM_##OP: widen_own(dst, src, blocks, SVI_OP_F32_FROM_##OP, (BITS) / 8); break;
#include "dtype/dtypes.def"

    case SVI_OP_ODD_FROM_I32: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_I32, 4); break;
    case SVI_OP_ODD_FROM_U32: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_U32, 4); break;
    case SVI_OP_ODD_FROM_I64: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_I64, 8); break;
    case SVI_OP_ODD_FROM_U64: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_U64, 8); break;
    case SVI_OP_ODD_FROM_F64: odd_from_f64(dst, src, blocks); break;

#define SVI_SMALL(KIND, NAME, OP, ...) \
    case SVI_OP_##OP##_FROM_F32: round_to_8(dst, src, blocks, SVI_NARROW_##OP); break;
#define SVI_OWN(KIND, NAME, OP, CODE, BITS, ...) \
    case SVI_OP_##OP##_FROM_F32: round_to_own(dst, src, blocks, SVI_OP_##OP##_FROM_F32, (BITS) / 8); break;
#include "dtype/dtypes.def"
    case SVI_OP_F64_FROM_F32: each(dst, src, blocks, SVI_OP_F64_FROM_F32, 8, 4); break;
    case SVI_OP_I8_FROM_F32: integers_from_f32(dst, src, blocks, 1); break;
    case SVI_OP_I16_FROM_F32: integers_from_f32(dst, src, blocks, 2); break;
    case SVI_OP_I32_FROM_F32: integers_from_f32(dst, src, blocks, 4); break;
    case SVI_OP_I64_FROM_F32: i64_from_f32(dst, src, blocks); break;

    case SVI_OP_F64_FROM_I32: each(dst, src, blocks, SVI_OP_F64_FROM_I32, 8, 4); break;
    case SVI_OP_F64_FROM_U32: each(dst, src, blocks, SVI_OP_F64_FROM_U32, 8, 4); break;
    case SVI_OP_F64_FROM_I64: each(dst, src, blocks, SVI_OP_F64_FROM_I64, 8, 8); break;
    case SVI_OP_F64_FROM_U64: each(dst, src, blocks, SVI_OP_F64_FROM_U64, 8, 8); break;
    case SVI_OP_I32_FROM_F64: i32_from_f64(dst, src, blocks); break;
    case SVI_OP_I64_FROM_F64: i64_from_f64(dst, src, blocks); break;

    case SVI_OP_REAL_2: each(dst, src, blocks, SVI_OP_REAL_2, 2, 4); break;
    case SVI_OP_REAL_4: each(dst, src, blocks, SVI_OP_REAL_4, 4, 8); break;
    case SVI_OP_REAL_8: each(dst, src, blocks, SVI_OP_REAL_8, 8, 16); break;
    case SVI_OP_COMPLEX_2: each(dst, src, blocks, SVI_OP_COMPLEX_2, 4, 2); break;
    case SVI_OP_COMPLEX_4: each(dst, src, blocks, SVI_OP_COMPLEX_4, 8, 4); break;
    case SVI_OP_COMPLEX_8: each(dst, src, blocks, SVI_OP_COMPLEX_8, 16, 8); break;
    case SVI_OP_SWAP_2: each(dst, src, blocks, SVI_OP_SWAP_2, 2, 2); break;
    case SVI_OP_SWAP_4: each(dst, src, blocks, SVI_OP_SWAP_4, 4, 4); break;
    case SVI_OP_SWAP_8: each(dst, src, blocks, SVI_OP_SWAP_8, 8, 8); break;
    case SVI_OP_SWAP_16: each(dst, src, blocks, SVI_OP_SWAP_16, 16, 16); break;
    case SVI_NEAREST_FROM_F32 + SVI_WHOLE_I8: round_f32(dst, src, blocks, -128, 127, 1); break;
    case SVI_NEAREST_FROM_F32 + SVI_WHOLE_U8: round_f32(dst, src, blocks, 0, 255, 1); break;
    case SVI_NEAREST_FROM_F32 + SVI_WHOLE_I16: round_f32(dst, src, blocks, -32768, 32767, 2); break;
    case SVI_NEAREST_FROM_F32 + SVI_WHOLE_U16: round_f32(dst, src, blocks, 0, 65535, 2); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_I8: round_f64(dst, src, blocks, -128, 127, 1); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_U8: round_f64(dst, src, blocks, 0, 255, 1); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_I16: round_f64(dst, src, blocks, -32768, 32767, 2); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_U16: round_f64(dst, src, blocks, 0, 65535, 2); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_I32: round_f64(dst, src, blocks, -0x1p31, 0x1p31 - 1, 4); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_U32: round_f64(dst, src, blocks, 0, 0x1p32 - 1, 4); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_I64: round_f64_to_64(dst, src, blocks, true); break;
    case SVI_NEAREST_FROM_F64 + SVI_WHOLE_U64: round_f64_to_64(dst, src, blocks, false); break;
    default: break;
    }
}

/* --- scaled conversions ------------------------------------------------------------- */

/*
 * A product is rounded before the bias is added, without a fused multiply-add. GCC does not contract in standard C;
 * Clang needs a pragma. A result may overwrite the number that it comes from, and no other.
 */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#define SVI_EACH_BY_ITSELF _Pragma("clang loop vectorize(assume_safety)")
#else
#define SVI_EACH_BY_ITSELF _Pragma("GCC ivdep")
#endif

#ifndef SVI_CONVERT_SPECIAL
/* Number k of a block in float32. */
SVI_INLINE float number_of(const void *src, int k, int op)
{
    uint32_t bits = 0;

    switch (op) {
    case SVI_SCALE_U8: return ((const u8 *)src)[k];
    case SVI_SCALE_I8: return ((const i8 *)src)[k];
    case SVI_SCALE_U16: return ((const u16 *)src)[k];
    case SVI_SCALE_I16: return ((const i16 *)src)[k];
    case SVI_SCALE_F16: bits = svi_widen(((const u16 *)src)[k], svi_small_of(SVI_NARROW_F16)); break;
    case SVI_SCALE_BF16: bits = (uint32_t)((const u16 *)src)[k] << 16; break;
    default: return ((const f32 *)src)[k];
    }
    return svi_float_of_bits(bits);
}

SVI_INLINE void scale_block(char *dst, const char *src, const char *scale, const char *bias, int op, int item)
{
    (void)item;
    SVI_EACH_BY_ITSELF
    for (int k = 0; k < SVI_BLOCK; k++)
        ((f32 *)dst)[k] = number_of(src, k, op) * ((const f32 *)scale)[k] + ((const f32 *)bias)[k];
}
#endif

/* Scales numbers to float32. */
SVI_INLINE void scale_to_f32(void *dst, const void *src, int64_t blocks, const struct svi_factors *factors, int op,
                             int item)
{
    struct svi_factors f = *factors;
    const char *from = src;
    char *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * 4, from += SVI_BLOCK * item, f.scale += f.step, f.bias += f.step)
        scale_block(to, from, f.scale, f.bias, op, item);
}

static void scale_f64(void *dst, const void *src, int64_t blocks, const struct svi_factors *factors)
{
    struct svi_factors f = *factors;
    const f64 *from = src;
    f64 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK, f.scale += f.step, f.bias += f.step) {
        const f64 *scale = (const f64 *)f.scale, *bias = (const f64 *)f.bias;

        SVI_EACH_BY_ITSELF
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k] * scale[k] + bias[k];
    }
}

void SVI_SCALE(int op, void *dst, const void *src, int64_t blocks, const struct svi_factors *factors)
{
    switch (op) {
    case SVI_SCALE_F32: scale_to_f32(dst, src, blocks, factors, SVI_SCALE_F32, 4); break;
    case SVI_SCALE_U8: scale_to_f32(dst, src, blocks, factors, SVI_SCALE_U8, 1); break;
    case SVI_SCALE_I8: scale_to_f32(dst, src, blocks, factors, SVI_SCALE_I8, 1); break;
    case SVI_SCALE_U16: scale_to_f32(dst, src, blocks, factors, SVI_SCALE_U16, 2); break;
    case SVI_SCALE_I16: scale_to_f32(dst, src, blocks, factors, SVI_SCALE_I16, 2); break;
    case SVI_SCALE_F16: scale_to_f32(dst, src, blocks, factors, SVI_SCALE_F16, 2); break;
    case SVI_SCALE_BF16: scale_to_f32(dst, src, blocks, factors, SVI_SCALE_BF16, 2); break;
    default: scale_f64(dst, src, blocks, factors); break;
    }
}

#endif
