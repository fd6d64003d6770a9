/* From integers to float64, and back. Part of loops.h. */
#ifndef SVI_HOST_LOOPS_DOUBLE_H
#define SVI_HOST_LOOPS_DOUBLE_H

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

#ifndef SVI_DOUBLE_INSTRUCTIONS
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

#endif
