/* Truth values and whole numbers. Part of loops.h. */
#ifndef SVI_HOST_LOOPS_WHOLE_H
#define SVI_HOST_LOOPS_WHOLE_H

/* --- whether any bit is set ---------------------------------------------------- */

static void bool_from_1(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k] != 0;
}

static void bool_from_2(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k] != 0;
}

static void bool_from_4(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k] != 0;
}

static void bool_from_8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k] != 0;
}

static void bool_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (from[k] & SVI_F32_MAGNITUDE) != 0;
}

static void bool_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k] << 1 != 0;
}

static void bool_from_c32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (from[k] & 0x7fff7fff) != 0;
}

static void bool_from_c64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (from[k] & 0x7fffffff7fffffff) != 0;
}

static void bool_from_c128(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * 2)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (from[2 * k] | from[2 * k + 1]) << 1 != 0;
}

/* --- whole numbers ------------------------------------------------------------- */

static void i32_from_i8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    i32 *to = dst;
    const i8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

static void i32_from_u8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    i32 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

static void i32_from_i16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    i32 *to = dst;
    const i16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

static void i32_from_u16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    i32 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

static void i32_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint32_t)from[k];
}

static void i8_from_i16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)from[k];
}

static void i16_from_i8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    i16 *to = dst;
    const i8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

static void i16_from_u8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u8 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

static void i8_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u8 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint8_t)from[k];
}

static void i16_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)from[k];
}

static void i64_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    i64 *to = dst;
    const i32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

static void i64_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[k];
}

#endif
