/* From and to floating-point numbers. Part of loops.h. */
#ifndef SVI_HOST_LOOPS_FLOAT_H
#define SVI_HOST_LOOPS_FLOAT_H

/* --- to float32 ---------------------------------------------------------------- */

static void f32_from_i8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const i8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_u8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_i16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const i16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_u16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const i32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const i64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_u64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

static void f32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f32 *to = dst;
    const f64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (float)from[k];
}

#ifndef SVI_HALF_INSTRUCTIONS
static void f32_from_f16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_widen(from[k], f16);
}
#endif

static void f32_from_bf16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint32_t)from[k] << 16;
}

SVI_INLINE void widen_8(void *restrict dst, const void *restrict src, int64_t blocks, struct svi_small type)
{
    u32 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_widen(from[k], type);
}

static void f32_from_e3m4(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, e3m4);
}

static void f32_from_e4m3(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, e4m3);
}

static void f32_from_e4m3b11fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, e4m3b11fnuz);
}

static void f32_from_e4m3fn(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, e4m3fn);
}

static void f32_from_e4m3fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, e4m3fnuz);
}

static void f32_from_e5m2(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, e5m2);
}

static void f32_from_e5m2fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, e5m2fnuz);
}

static void f32_from_e8m0fnu(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_widen_e8m0(from[k]);
}

/* --- to the odd neighbour in float32 ------------------------------------------- */

static void odd_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const i32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_double((double)from[k]);
}

static void odd_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_double((double)from[k]);
}

static void odd_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const i64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_double(svi_short_of_signed(from[k]));
}

static void odd_from_u64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_double(svi_short_of_unsigned(from[k]));
}

static void odd_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const f64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_double(from[k]);
}

/* --- from float32 -------------------------------------------------------------- */

#ifndef SVI_HALF_INSTRUCTIONS
static void f16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)svi_round(from[k], f16);
}
#endif

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

/* Words of 32 bits to the end: compilers would do half of it in bytes, and convert between. */
SVI_INLINE void round_8(void *restrict dst, const void *restrict src, int64_t blocks, struct svi_small type)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        for (int k = 0; k < SVI_BLOCK; k++)
            code[k] = svi_round(from[k], type);
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)code[k];
    }
}

static void e3m4_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, e3m4);
}

static void e4m3_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, e4m3);
}

static void e4m3b11fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, e4m3b11fnuz);
}

static void e4m3fn_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, e4m3fn);
}

static void e4m3fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, e4m3fnuz);
}

static void e5m2_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, e5m2);
}

static void e5m2fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, e5m2fnuz);
}

static void e8m0fnu_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)svi_round_e8m0(from[k]);
}

static void f64_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f64 *to = dst;
    const f32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

/* Blocks after one with such a number that are not looked at: there is another in them, it is supposed. */
enum { SUPPOSED = 15 };

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
    *supposed = found >> 31 != 0 ? SUPPOSED : 0;
    return found >> 31 != 0;
}

SVI_INLINE void whole_of_f32(u32 *restrict to, const u32 *restrict from, int *supposed)
{
    if (exceeds_f32(from, 31, supposed))
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_cut_32(from[k]);
    else
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint32_t)(int32_t)svi_float_of_bits(from[k]);
}

static void i32_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u32 *from = src;
    int supposed = 0;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        whole_of_f32(to, from, &supposed);
}

static void i16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    uint32_t code[SVI_BLOCK];
    u16 *to = dst;
    const u32 *from = src;
    int supposed = 0;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        whole_of_f32(code, from, &supposed);
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)code[k];
    }
}

static void i8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    uint32_t code[SVI_BLOCK];
    u8 *to = dst;
    const u32 *from = src;
    int supposed = 0;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        whole_of_f32(code, from, &supposed);
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)code[k];
    }
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

/* --- from and to float64 ------------------------------------------------------- */

static void f64_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f64 *to = dst;
    const i32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (double)from[k];
}

static void f64_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f64 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (double)from[k];
}

static void f64_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f64 *to = dst;
    const i64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (double)from[k];
}

static void f64_from_u64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    f64 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (double)from[k];
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
    *supposed = found >> 63 != 0 ? SUPPOSED : 0;
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

#endif
