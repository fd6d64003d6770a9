/*
 * Affine conversions on blocks of SVI_BLOCK numbers, for the instruction set of
 * the file that includes this: those of float64, and the table of all. Those of
 * float32 were included before, from affine_plain.h or affine_vectors.h.
 * A product is rounded before the bias is added: GCC contracts nothing in standard
 * C, Clang is told so. Addresses may be misaligned; dst overlaps nothing.
 */
#ifndef SVI_HOST_AFFINE_LOOPS_H
#define SVI_HOST_AFFINE_LOOPS_H

#include "affine_isa.h"
#include "numbers.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* --- scale and bias ------------------------------------------------------------ */

static void affine_f64(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    const f64 *restrict scale = factors->scale, *restrict bias = factors->bias;
    const f64 *restrict from = src;
    f64 *restrict to = dst;

    if (factors->one) {
        const double one_scale = scale[0], one_bias = bias[0];

        for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = from[k] * one_scale + one_bias;
        return;
    }
    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK, scale += SVI_BLOCK, bias += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k] * scale[k] + bias[k];
}

/* --- to whole numbers ----------------------------------------------------------- */

/*
 * Of a number of up to 32 bits between least and most, which becomes these where it is less or more, and 0 where it is
 * NaN. The sum with 1.5 * 2^52 has its last bit where a whole number has it, and is rounded to nearest, even in a tie.
 */
SVI_INLINE uint32_t whole_of_double(double a, double least, double most)
{
    const double unit = 0x1.8p52;
    uint64_t bits = svi_bits_of_double(a);

    bits = svi_select_64(a > least, bits, svi_bits_of_double(least));
    bits = svi_select_64(a < most, bits, svi_bits_of_double(most));
    bits = svi_select_64(a == a, bits, 0);
    return (uint32_t)svi_bits_of_double(svi_double_of_bits(bits) + unit);
}

/* To the nearest: what is 2^52 or more is whole. */
SVI_INLINE double nearest_whole(double a)
{
    const double unit = a < 0 ? -0x1p52 : 0x1p52;

    return a > -0x1p52 && a < 0x1p52 ? (a + unit) - unit : a;
}

SVI_INLINE void code_of_doubles(uint32_t *restrict code, const f64 *restrict from, double least, double most)
{
    for (int k = 0; k < SVI_BLOCK; k++)
        code[k] = whole_of_double(from[k], least, most);
}

SVI_INLINE void bytes_from_double(void *restrict dst, const void *restrict src, int64_t blocks, double least,
                                  double most)
{
    const f64 *restrict from = src;
    u8 *restrict to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        code_of_doubles(code, from, least, most);
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)code[k];
    }
}

SVI_INLINE void words_from_double(void *restrict dst, const void *restrict src, int64_t blocks, double least,
                                  double most)
{
    const f64 *restrict from = src;
    u16 *restrict to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        code_of_doubles(code, from, least, most);
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)code[k];
    }
}

SVI_INLINE void ints_from_double(void *restrict dst, const void *restrict src, int64_t blocks, double least,
                                 double most)
{
    const f64 *restrict from = src;
    u32 *restrict to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = whole_of_double(from[k], least, most);
}

static void whole_i8_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    bytes_from_double(dst, src, blocks, -128, 127);
}

static void whole_u8_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    bytes_from_double(dst, src, blocks, 0, 255);
}

static void whole_i16_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    words_from_double(dst, src, blocks, -32768, 32767);
}

static void whole_u16_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    words_from_double(dst, src, blocks, 0, 65535);
}

static void whole_i32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    ints_from_double(dst, src, blocks, -0x1p31, 0x1p31 - 1);
}

static void whole_u32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    ints_from_double(dst, src, blocks, 0, 0x1p32 - 1);
}

static void whole_i64_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const f64 *restrict from = src;
    i64 *restrict to = dst;

    for (int64_t k = 0; k < blocks * SVI_BLOCK; k++) {
        const double a = nearest_whole(from[k]);

        to[k] = a >= 0x1p63 ? INT64_MAX : a >= -0x1p63 ? (int64_t)a : a == a ? INT64_MIN : 0;
    }
}

static void whole_u64_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const f64 *restrict from = src;
    u64 *restrict to = dst;

    for (int64_t k = 0; k < blocks * SVI_BLOCK; k++) {
        const double a = nearest_whole(from[k]);

        to[k] = a >= 0x1p64 ? UINT64_MAX : a > 0 ? (uint64_t)a : 0;
    }
}

const struct svi_affine_isa SVI_AFFINE = {
    .to_float =
        {
            [SVI_OP_F32_FROM_U8] = affine_u8,
            [SVI_OP_F32_FROM_I8] = affine_i8,
            [SVI_OP_F32_FROM_U16] = affine_u16,
            [SVI_OP_F32_FROM_I16] = affine_i16,
            [SVI_OP_F32_FROM_BF16] = affine_bf16,
#ifdef SVI_AFFINE_HALF
            [SVI_OP_F32_FROM_F16] = affine_f16,
#endif
        },
    .f32 = affine_f32,
    .f64 = affine_f64,
    .whole_from_f32 = {whole_i8_from_f32, whole_u8_from_f32, whole_i16_from_f32, whole_u16_from_f32},
    .whole_from_f64 = {whole_i8_from_f64, whole_u8_from_f64, whole_i16_from_f64, whole_u16_from_f64,
                       whole_i32_from_f64, whole_u32_from_f64, whole_i64_from_f64, whole_u64_from_f64},
};

#endif
