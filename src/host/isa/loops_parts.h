/* Halves of complex numbers, and bytes. Part of loops.h. */
#ifndef SVI_HOST_LOOPS_PARTS_H
#define SVI_HOST_LOOPS_PARTS_H

/* --- complex numbers ----------------------------------------------------------- */

static void real_2(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)(from[k] >> REAL_OF_32);
}

static void real_4(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint32_t)(from[k] >> REAL_OF_64);
}

static void real_8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * 2)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = from[2 * k];
}

static void complex_2(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * 2, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++) {
            to[2 * k] = from[k];
            to[2 * k + 1] = 0;
        }
}

static void complex_4(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * 2, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++) {
            to[2 * k] = from[k];
            to[2 * k + 1] = 0;
        }
}

static void complex_8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * 2, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++) {
            to[2 * k] = from[k];
            to[2 * k + 1] = 0;
        }
}

/* --- bytes in reverse order ---------------------------------------------------- */

static void swap_2(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u16 *to = dst;
    const u16 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = (uint16_t)(from[k] << 8 | from[k] >> 8);
}

static void swap_4(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u32 *to = dst;
    const u32 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = __builtin_bswap32(from[k]);
}

static void swap_8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK)
        for (int k = 0; k < SVI_BLOCK; k++)
            to[k] = __builtin_bswap64(from[k]);
}

static void swap_16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    u64 *to = dst;
    const u64 *from = src;

    for (; blocks > 0; blocks--, to += SVI_BLOCK * 2, from += SVI_BLOCK * 2)
        for (int k = 0; k < SVI_BLOCK; k++) {
            to[2 * k] = __builtin_bswap64(from[2 * k + 1]);
            to[2 * k + 1] = __builtin_bswap64(from[2 * k]);
        }
}

#endif
