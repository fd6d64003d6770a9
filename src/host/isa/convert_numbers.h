/*
 * The operations of chain.h on one number, and loops over blocks of SVI_BLOCK numbers, which compilers vectorize as the
 * count is a constant. Part of convert_loops.h.
 */
#ifndef SVI_HOST_CONVERT_NUMBERS_H
#define SVI_HOST_CONVERT_NUMBERS_H

#include "dtype/chain.h"
#include "host/base/isa.h"
#include "dtype/numbers.h"

/* The shift to the real part of a complex number that is read as an integer. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { REAL_OF_32 = 0, REAL_OF_64 = 0 };
#else
enum { REAL_OF_32 = 16, REAL_OF_64 = 32 };
#endif

/* Code number k of a floating type below float32, of item bytes. */
SVI_INLINE uint32_t narrow_code(const void *src, int k, int item)
{
    return item == 1 ? ((const u8 *)src)[k] : ((const u16 *)src)[k];
}

SVI_INLINE void store_narrow(void *dst, int k, uint32_t code, int item)
{
    if (item == 1)
        ((u8 *)dst)[k] = (uint8_t)code;
    else
        ((u16 *)dst)[k] = (uint16_t)code;
}

/* Converts number k. op is a constant. */
SVI_INLINE void convert_number(void *dst, const void *src, int k, enum svi_op op)
{
    u8 *const to_u8 = dst;
    u16 *const to_u16 = dst;
    u32 *const to_u32 = dst;
    u64 *const to_u64 = dst;
    f32 *const to_f32 = dst;
    f64 *const to_f64 = dst;
    const i8 *const i8s = src;
    const u8 *const u8s = src;
    const i16 *const i16s = src;
    const u16 *const u16s = src;
    const i32 *const i32s = src;
    const u32 *const u32s = src;
    const i64 *const i64s = src;
    const u64 *const u64s = src;
    const f32 *const f32s = src;
    const f64 *const f64s = src;

    switch (op) {
    case SVI_OP_BOOL_FROM_1: to_u8[k] = u8s[k] != 0; break;
    case SVI_OP_BOOL_FROM_2: to_u8[k] = u16s[k] != 0; break;
    case SVI_OP_BOOL_FROM_4: to_u8[k] = u32s[k] != 0; break;
    case SVI_OP_BOOL_FROM_8: to_u8[k] = u64s[k] != 0; break;
    case SVI_OP_BOOL_FROM_F32: to_u8[k] = (u32s[k] & SVI_F32_MAGNITUDE) != 0; break;
    case SVI_OP_BOOL_FROM_F64: to_u8[k] = u64s[k] << 1 != 0; break;
    case SVI_OP_BOOL_FROM_C32: to_u8[k] = (u32s[k] & 0x7fff7fff) != 0; break;
    case SVI_OP_BOOL_FROM_C64: to_u8[k] = (u64s[k] & 0x7fffffff7fffffff) != 0; break;
    case SVI_OP_BOOL_FROM_C128: to_u8[k] = (u64s[2 * k] | u64s[2 * k + 1]) << 1 != 0; break;

    case SVI_OP_I32_FROM_I8: to_u32[k] = (uint32_t)i8s[k]; break;
    case SVI_OP_I32_FROM_U8: to_u32[k] = u8s[k]; break;
    case SVI_OP_I32_FROM_I16: to_u32[k] = (uint32_t)i16s[k]; break;
    case SVI_OP_I32_FROM_U16: to_u32[k] = u16s[k]; break;
    case SVI_OP_I32_FROM_I64: to_u32[k] = (uint32_t)u64s[k]; break;
    case SVI_OP_I8_FROM_I16: to_u8[k] = (uint8_t)u16s[k]; break;
    case SVI_OP_I16_FROM_I8: to_u16[k] = (uint16_t)i8s[k]; break;
    case SVI_OP_I16_FROM_U8: to_u16[k] = u8s[k]; break;
    case SVI_OP_I8_FROM_I32: to_u8[k] = (uint8_t)u32s[k]; break;
    case SVI_OP_I16_FROM_I32: to_u16[k] = (uint16_t)u32s[k]; break;
    case SVI_OP_I64_FROM_I32: to_u64[k] = (uint64_t)i32s[k]; break;
    case SVI_OP_I64_FROM_U32: to_u64[k] = u32s[k]; break;

    case SVI_OP_F32_FROM_I8: to_f32[k] = (float)i8s[k]; break;
    case SVI_OP_F32_FROM_U8: to_f32[k] = (float)u8s[k]; break;
    case SVI_OP_F32_FROM_I16: to_f32[k] = (float)i16s[k]; break;
    case SVI_OP_F32_FROM_U16: to_f32[k] = (float)u16s[k]; break;
    case SVI_OP_F32_FROM_I32: to_f32[k] = (float)i32s[k]; break;
    case SVI_OP_F32_FROM_U32: to_f32[k] = (float)u32s[k]; break;
    case SVI_OP_F32_FROM_I64: to_f32[k] = (float)i64s[k]; break;
    case SVI_OP_F32_FROM_U64: to_f32[k] = (float)u64s[k]; break;
    case SVI_OP_F32_FROM_F64: to_f32[k] = (float)f64s[k]; break;
#define SVI_NARROW(KIND, NAME, OP, CODE, BITS, ...)                                          \
    case SVI_OP_F32_FROM_##OP:                                                               \
        to_u32[k] = svi_decode_narrow(narrow_code(src, k, (BITS + 7) / 8), SVI_NARROW_##OP); \
        break;
#include "dtype/dtypes.def"

    case SVI_OP_ODD_FROM_I32: to_u32[k] = svi_odd_of_signed(i32s[k]); break;
    case SVI_OP_ODD_FROM_U32: to_u32[k] = svi_odd_of_unsigned(u32s[k]); break;
    case SVI_OP_ODD_FROM_I64: to_u32[k] = svi_odd_of_double(svi_short_of_signed(i64s[k])); break;
    case SVI_OP_ODD_FROM_U64: to_u32[k] = svi_odd_of_double(svi_short_of_unsigned(u64s[k])); break;
    case SVI_OP_ODD_FROM_F64: to_u32[k] = svi_odd_of_double(f64s[k]); break;

#define SVI_NARROW(KIND, NAME, OP, CODE, BITS, ...)                                        \
    case SVI_OP_##OP##_FROM_F32:                                                           \
        store_narrow(dst, k, svi_encode_narrow(u32s[k], SVI_NARROW_##OP), (BITS + 7) / 8); \
        break;
#include "dtype/dtypes.def"
    case SVI_OP_I8_FROM_F32: to_u8[k] = (uint8_t)svi_cut_32(u32s[k]); break;
    case SVI_OP_I16_FROM_F32: to_u16[k] = (uint16_t)svi_cut_32(u32s[k]); break;
    case SVI_OP_I32_FROM_F32: to_u32[k] = svi_cut_32(u32s[k]); break;
    case SVI_OP_I64_FROM_F32: to_u64[k] = svi_cut_64(svi_bits_of_double((double)f32s[k])); break;
    case SVI_OP_F64_FROM_F32: to_f64[k] = f32s[k]; break;
    case SVI_OP_F64_FROM_I32: to_f64[k] = (double)i32s[k]; break;
    case SVI_OP_F64_FROM_U32: to_f64[k] = (double)u32s[k]; break;
    case SVI_OP_F64_FROM_I64: to_f64[k] = (double)i64s[k]; break;
    case SVI_OP_F64_FROM_U64: to_f64[k] = (double)u64s[k]; break;
    case SVI_OP_I32_FROM_F64: to_u32[k] = (uint32_t)svi_cut_64(u64s[k]); break;
    case SVI_OP_I64_FROM_F64: to_u64[k] = svi_cut_64(u64s[k]); break;

    case SVI_OP_REAL_2: to_u16[k] = (uint16_t)(u32s[k] >> REAL_OF_32); break;
    case SVI_OP_REAL_4: to_u32[k] = (uint32_t)(u64s[k] >> REAL_OF_64); break;
    case SVI_OP_REAL_8: to_u64[k] = u64s[2 * k]; break;
    case SVI_OP_COMPLEX_2: to_u16[2 * k] = u16s[k], to_u16[2 * k + 1] = 0; break;
    case SVI_OP_COMPLEX_4: to_u32[2 * k] = u32s[k], to_u32[2 * k + 1] = 0; break;
    case SVI_OP_COMPLEX_8: to_u64[2 * k] = u64s[k], to_u64[2 * k + 1] = 0; break;
    case SVI_OP_SWAP_2: to_u16[k] = (uint16_t)(u16s[k] << 8 | u16s[k] >> 8); break;
    case SVI_OP_SWAP_4: to_u32[k] = __builtin_bswap32(u32s[k]); break;
    case SVI_OP_SWAP_8: to_u64[k] = __builtin_bswap64(u64s[k]); break;
    case SVI_OP_SWAP_16:
        to_u64[2 * k] = __builtin_bswap64(u64s[2 * k + 1]);
        to_u64[2 * k + 1] = __builtin_bswap64(u64s[2 * k]);
        break;
    case SVI_OP_COUNT: break;
    }
}

/* Converts all numbers one by one. dst and src do not overlap. */
SVI_INLINE void each(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op, int dst_item,
                     int src_item)
{
    const char *from = src;
    char *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * dst_item, from += SVI_BLOCK * src_item)
        for (int k = 0; k < SVI_BLOCK; k++)
            convert_number(to, from, k, op);
}

/* --- loops over whole blocks --- */

/* These test a whole block first, or keep it in words of 32 bits between two steps. */

/* Stores the lower item bytes, 1 or 2, of each number of a block. */
SVI_INLINE void store_codes(void *restrict dst, const uint32_t *code, int item)
{
    for (int k = 0; k < SVI_BLOCK; k++)
        if (item == 1)
            ((u8 *)dst)[k] = (uint8_t)code[k];
        else
            ((u16 *)dst)[k] = (uint16_t)code[k];
}

SVI_INLINE void widen_8(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_narrow type)
{
    u32 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_widen(from[k], svi_small_of(type));
}

/* Uses words of 32 bits throughout, since compilers would do half of it in bytes and convert between them. */
SVI_INLINE void round_to_8(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_narrow type)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        for (int k = 0; k < SVI_BLOCK; k++)
            code[k] = svi_round(from[k], svi_small_of(type));
        store_codes(to, code, 1);
    }
}

/* Whether a number of a block is 2^exponent or more, or NaN. Such a block takes a slower way. */
SVI_INLINE bool exceeds_f32(const u32 *from, int exponent)
{
    uint32_t found = 0; /* the sign bit is set if there is one */

    for (int k = 0; k < SVI_BLOCK; k++)
        found |= ((uint32_t)(exponent + 127) << 23) - 1 - (from[k] & SVI_F32_MAGNITUDE);
    return found >> 31 != 0;
}

static void i64_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        if (exceeds_f32(from, 63))
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = svi_cut_64(svi_bits_of_double((double)svi_float_of_bits(from[k])));
        else
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint64_t)(int64_t)svi_float_of_bits(from[k]);
}

#ifndef SVI_CONVERT_SPECIAL
/* Most blocks have no NaN. */
static void bf16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t nan = 0; /* the sign bit is set if there is a NaN */

        for (int k = 0; k < SVI_BLOCK; k++) {
            nan |= SVI_F32_INFINITY - (from[k] & SVI_F32_MAGNITUDE);
            to[k] = (uint16_t)svi_round_number_bf16(from[k]);
        }
        for (int k = 0; nan >> 31 && k < SVI_BLOCK; k++)
            to[k] = (uint16_t)svi_round_bf16(from[k]);
    }
}

/* Converts to integers of item bytes, by way of int32. */
SVI_INLINE void integers_from_f32(void *restrict dst, const void *restrict src, int64_t blocks, int item)
{
    const u32 *from = src;
    char *to = dst;
    uint32_t code[SVI_BLOCK];

    for (; blocks > 0; blocks--, to += SVI_BLOCK * item, from += SVI_BLOCK) {
        u32 *const whole = item == 4 ? (u32 *)to : code;

        if (exceeds_f32(from, 31))
            for (int k = 0; k < SVI_BLOCK; k++)
                whole[k] = svi_cut_32(from[k]);
        else
            for (int k = 0; k < SVI_BLOCK; k++)
                whole[k] = (uint32_t)(int32_t)svi_float_of_bits(from[k]);
        if (item < 4)
            store_codes(to, code, item);
    }
}

SVI_INLINE bool exceeds_f64(const u64 *from, int exponent)
{
    uint64_t found = 0; /* the sign bit is set if there is one */

    for (int k = 0; k < SVI_BLOCK; k++)
        found |= ((uint64_t)(exponent + 1023) << 52) - 1 - (from[k] & SVI_F64_MAGNITUDE);
    return found >> 63 != 0;
}

static void i32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        if (exceeds_f64(from, 31))
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

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        if (exceeds_f64(from, 63))
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

#ifndef SVI_AVX512
SVI_INLINE void odd_from_integers(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op,
                                  int item)
{
    each(dst, src, blocks, op, 4, item);
}
#endif

#endif
