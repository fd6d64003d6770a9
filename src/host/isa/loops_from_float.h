/* From float32. Part of loops.h. */
#ifndef SVI_HOST_LOOPS_FROM_FLOAT_H
#define SVI_HOST_LOOPS_FROM_FLOAT_H

#ifndef SVI_HALF_INSTRUCTIONS
static void f16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)svi_round(from[k], svi_small_of(SVI_OP_F16_FROM_F32));
}
#endif

#ifndef SVI_NARROW_INSTRUCTIONS
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
#endif

/* Words of 32 bits to the end: compilers would do half of it in bytes, and convert between. */
SVI_INLINE void round_8(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        uint32_t code[SVI_BLOCK];

        for (int k = 0; k < SVI_BLOCK; k++)
            code[k] = svi_round(from[k], svi_small_of(op));
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)code[k];
    }
}

static void e3m4_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, SVI_OP_E3M4_FROM_F32);
}

static void e4m3_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, SVI_OP_E4M3_FROM_F32);
}

static void e4m3b11fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, SVI_OP_E4M3B11FNUZ_FROM_F32);
}

static void e4m3fn_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, SVI_OP_E4M3FN_FROM_F32);
}

static void e4m3fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, SVI_OP_E4M3FNUZ_FROM_F32);
}

static void e5m2_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, SVI_OP_E5M2_FROM_F32);
}

static void e5m2fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_8(dst, src, blocks, SVI_OP_E5M2FNUZ_FROM_F32);
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

#ifndef SVI_NARROW_INSTRUCTIONS
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
#endif

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

#endif
