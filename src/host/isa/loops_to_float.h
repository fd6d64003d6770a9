/* To float32, and to the odd neighbour in it. Part of loops.h. */
#ifndef SVI_HOST_LOOPS_TO_FLOAT_H
#define SVI_HOST_LOOPS_TO_FLOAT_H

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
            to[k] = svi_widen(from[k], svi_small_of(SVI_OP_F32_FROM_F16));
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

SVI_INLINE void widen_8(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op)
{
    u32 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_widen(from[k], svi_small_of(op));
}

static void f32_from_e3m4(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E3M4);
}

static void f32_from_e4m3(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3);
}

static void f32_from_e4m3b11fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3B11FNUZ);
}

static void f32_from_e4m3fn(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3FN);
}

static void f32_from_e4m3fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3FNUZ);
}

static void f32_from_e5m2(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E5M2);
}

static void f32_from_e5m2fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E5M2FNUZ);
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

#ifndef SVI_ODD_OF_WHOLE_INSTRUCTIONS
static void odd_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const i32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_signed(from[k]);
}

static void odd_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_unsigned(from[k]);
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
#endif

#ifndef SVI_ODD_INSTRUCTIONS
static void odd_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const f64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = svi_odd_of_double(from[k]);
}
#endif

#endif
