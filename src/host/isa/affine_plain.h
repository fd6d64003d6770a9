/* Affine conversions of float32 in plain C, of which compilers make vectors: a part of affine_loops.h. */
#ifndef SVI_HOST_AFFINE_PLAIN_H
#define SVI_HOST_AFFINE_PLAIN_H

#include "affine_isa.h"
#include "numbers.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* Number k of a block in float32. op: SVI_OP_COUNT where it is that already. */
SVI_INLINE float number_of(const void *src, int k, int op)
{
    switch (op) {
    case SVI_OP_F32_FROM_U8: return ((const u8 *)src)[k];
    case SVI_OP_F32_FROM_I8: return ((const i8 *)src)[k];
    case SVI_OP_F32_FROM_U16: return ((const u16 *)src)[k];
    case SVI_OP_F32_FROM_I16: return ((const i16 *)src)[k];
    case SVI_OP_F32_FROM_BF16: return svi_float_of_bits((uint32_t)((const u16 *)src)[k] << 16);
    default: return ((const f32 *)src)[k];
    }
}

SVI_INLINE void to_float(void *restrict dst, const void *restrict src, int64_t blocks,
                         const struct svi_factors *factors, int op, int item)
{
    const f32 *restrict scale = factors->scale, *restrict bias = factors->bias;
    const char *from = src;
    f32 *restrict to = dst;

    if (factors->one) {
        const float one_scale = scale[0], one_bias = bias[0];

        for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * item)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = number_of(from, k, op) * one_scale + one_bias;
        return;
    }
    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * item, scale += SVI_BLOCK, bias += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = number_of(from, k, op) * scale[k] + bias[k];
}

static void affine_u8(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_float(dst, src, blocks, factors, SVI_OP_F32_FROM_U8, 1);
}

static void affine_i8(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_float(dst, src, blocks, factors, SVI_OP_F32_FROM_I8, 1);
}

static void affine_u16(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_float(dst, src, blocks, factors, SVI_OP_F32_FROM_U16, 2);
}

static void affine_i16(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_float(dst, src, blocks, factors, SVI_OP_F32_FROM_I16, 2);
}

static void affine_bf16(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_float(dst, src, blocks, factors, SVI_OP_F32_FROM_BF16, 2);
}

static void affine_f32(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_float(dst, src, blocks, factors, SVI_OP_COUNT, 4);
}

/*
 * Of a number of up to 16 bits between least and most, which becomes these where it is less or more, and 0 where it is
 * NaN. The sum with 1.5 * 2^23 has its last bit where a whole number has it, and is rounded to nearest, even in a tie.
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

SVI_INLINE void bytes_from_float(void *restrict dst, const void *restrict src, int64_t blocks, float least, float most)
{
    const f32 *restrict from = src;
    u8 *restrict to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        for (int k = 0; k < SVI_BLOCK; k++)
            code[k] = whole_of_float(from[k], least, most);
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)code[k];
    }
}

SVI_INLINE void words_from_float(void *restrict dst, const void *restrict src, int64_t blocks, float least, float most)
{
    const f32 *restrict from = src;
    u16 *restrict to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        for (int k = 0; k < SVI_BLOCK; k++)
            code[k] = whole_of_float(from[k], least, most);
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)code[k];
    }
}

static void whole_i8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    bytes_from_float(dst, src, blocks, -128, 127);
}

static void whole_u8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    bytes_from_float(dst, src, blocks, 0, 255);
}

static void whole_i16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    words_from_float(dst, src, blocks, -32768, 32767);
}

static void whole_u16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    words_from_float(dst, src, blocks, 0, 65535);
}

#endif
