/*
 * Loops of operations for which a whole block is looked at first, or is kept in words of 32 bits between two steps.
 * Part of convert_loops.h.
 */
#ifndef SVI_HOST_CONVERT_BLOCKS_H
#define SVI_HOST_CONVERT_BLOCKS_H

#include "convert_numbers.h"

/* The lower item bytes, 1 or 2, of each number of a block. */
SVI_INLINE void store_codes(void *restrict dst, const uint32_t *code, int item)
{
    for (int k = 0; k < SVI_BLOCK; k++)
        if (item == 1)
            ((u8 *)dst)[k] = (uint8_t)code[k];
        else
            ((u16 *)dst)[k] = (uint16_t)code[k];
}

SVI_INLINE void widen_8(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op)
{
    u32 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_widen(from[k], svi_small_of(op));
}

/* Words of 32 bits to the end: compilers would do half of it in bytes, and convert between. */
SVI_INLINE void round_to_8(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        for (int k = 0; k < SVI_BLOCK; k++)
            code[k] = svi_round(from[k], svi_small_of(op));
        store_codes(to, code, 1);
    }
}

/*
 * A number too large for an integer takes a slower way, its block with it. So many blocks after that one go the same
 * way without a look: there is another in them, it is supposed.
 */
enum { SUPPOSED_BLOCKS = 15 };

/* Whether a number of a block is 2^exponent or more, or NaN. */
SVI_INLINE bool exceeds_f32(const u32 *from, int exponent, int *supposed)
{
    uint32_t found = 0; /* the sign */

    if (*supposed > 0) {
        --*supposed;
        return true;
    }
    for (int k = 0; k < SVI_BLOCK; k++)
        found |= ((uint32_t)(exponent + 127) << 23) - 1 - (from[k] & SVI_F32_MAGNITUDE);
    *supposed = found >> 31 != 0 ? SUPPOSED_BLOCKS : 0;
    return found >> 31 != 0;
}

static void i64_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u32 *from = src;
    int supposed = 0;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        if (exceeds_f32(from, 63, &supposed))
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = svi_cut_64(svi_bits_of_double((double)svi_float_of_bits(from[k])));
        else
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint64_t)(int64_t)svi_float_of_bits(from[k]);
}

#ifndef SVI_CONVERT_SPECIAL
/* Blocks without NaN are most of them. */
static void bf16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t nan = 0; /* the sign: some */

        for (int k = 0; k < SVI_BLOCK; k++) {
            nan |= SVI_F32_INFINITY - (from[k] & SVI_F32_MAGNITUDE);
            to[k] = (uint16_t)svi_round_number_bf16(from[k]);
        }
        for (int k = 0; nan >> 31 && k < SVI_BLOCK; k++)
            to[k] = (uint16_t)svi_round_bf16(from[k]);
    }
}

/* To integers of item bytes, by way of int32. */
SVI_INLINE void integers_from_f32(void *restrict dst, const void *restrict src, int64_t blocks, int item)
{
    const u32 *from = src;
    char *to = dst;
    uint32_t code[SVI_BLOCK];
    int supposed = 0;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * item, from += SVI_BLOCK) {
        u32 *const whole = item == 4 ? (u32 *)to : code;

        if (exceeds_f32(from, 31, &supposed))
            for (int k = 0; k < SVI_BLOCK; k++)
                whole[k] = svi_cut_32(from[k]);
        else
            for (int k = 0; k < SVI_BLOCK; k++)
                whole[k] = (uint32_t)(int32_t)svi_float_of_bits(from[k]);
        if (item < 4)
            store_codes(to, code, item);
    }
}

SVI_INLINE bool exceeds_f64(const u64 *from, int exponent, int *supposed)
{
    uint64_t found = 0; /* the sign */

    if (*supposed > 0) {
        --*supposed;
        return true;
    }
    for (int k = 0; k < SVI_BLOCK; k++)
        found |= ((uint64_t)(exponent + 1023) << 52) - 1 - (from[k] & SVI_F64_MAGNITUDE);
    *supposed = found >> 63 != 0 ? SUPPOSED_BLOCKS : 0;
    return found >> 63 != 0;
}

static void i32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u64 *from = src;
    int supposed = 0;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        if (exceeds_f64(from, 31, &supposed))
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint32_t)svi_cut_64(from[k]);
        else
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint32_t)(int32_t)svi_double_of_bits(from[k]);
}

static void i64_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u64 *from = src;
    int supposed = 0;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        if (exceeds_f64(from, 63, &supposed))
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = svi_cut_64(from[k]);
        else
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint64_t)(int64_t)svi_double_of_bits(from[k]);
}

SVI_INLINE void f32_from_f16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_F16, 4, 2);
}

SVI_INLINE void f16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F16_FROM_F32, 2, 4);
}

SVI_INLINE void odd_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_ODD_FROM_F64, 4, 8);
}
#endif

#ifndef SVI_SPECIAL_ODD
SVI_INLINE void odd_from_integers(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op,
                                  int item)
{
    each(dst, src, blocks, op, 4, item);
}
#endif

#endif
