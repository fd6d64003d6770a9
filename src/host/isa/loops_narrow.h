/*
 * From float32 to integers of up to 32 bits and to bfloat16, for which compilers have many more instructions. Before
 * loops.h, and after what the instruction set has for it; a batch is BATCH vectors, which are looked at together.
 *
 *     ints, load(from), store(to, v)                a vector of any alignment
 *     cut_off(v, from)                              a batch of float32 as int32: INT32_MIN for what is out of range
 *     any_least(v), cut_large(v, from)              whether that is in a batch; it is replaced
 *     any_nan(from)                                 whether NaN is in a batch of float32
 *     rounded_number(bits), rounded(bits)           float32 to the upper half: bfloat16, of all but NaN; of all
 *     low_bytes(v), low_halves(a, b), high_halves(a, b)    of a batch, or of two vectors, in their order
 */
#ifndef SVI_HOST_LOOPS_NARROW_H
#define SVI_HOST_LOOPS_NARROW_H

#define SVI_NARROW_INSTRUCTIONS

enum { INTS = (int)sizeof(ints), BATCH_BYTES = BATCH * INTS, BATCHES = SVI_BLOCK * 4 / BATCH_BYTES /* in a block */ };

/* What is 2^31 or more, or less than -2^31, modulo 2^32; 0 of what is not finite. */
SVI_INLINE void cut(ints *v, const char *from)
{
    cut_off(v, from);
    if (any_least(v))
        cut_large(v, from);
}

static void i32_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    ints v[BATCH];

    for (blocks *= BATCHES; blocks > 0; blocks--, to += BATCH_BYTES, from += BATCH_BYTES) {
        cut(v, from);
#pragma GCC unroll 4
        for (int k = 0; k < BATCH; k++)
            store(to + k * INTS, v[k]);
    }
}

static void i16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    ints v[BATCH];

    for (blocks *= BATCHES; blocks > 0; blocks--, to += BATCH_BYTES / 2, from += BATCH_BYTES) {
        cut(v, from);
#pragma GCC unroll 4
        for (int k = 0; k < BATCH; k += 2)
            store(to + k * INTS / 2, low_halves(v[k], v[k + 1]));
    }
}

static void i8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    ints v[BATCH];

    for (blocks *= BATCHES; blocks > 0; blocks--, to += BATCH_BYTES / 4, from += BATCH_BYTES) {
        cut(v, from);
        store(to, low_bytes(v));
    }
}

static void bf16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    ints v[BATCH];

    for (blocks *= BATCHES; blocks > 0; blocks--, to += BATCH_BYTES / 2, from += BATCH_BYTES) {
        if (any_nan(from))
#pragma GCC unroll 4
            for (int k = 0; k < BATCH; k++)
                v[k] = rounded(load(from + k * INTS));
        else
#pragma GCC unroll 4
            for (int k = 0; k < BATCH; k++)
                v[k] = rounded_number(load(from + k * INTS));
#pragma GCC unroll 4
        for (int k = 0; k < BATCH; k += 2)
            store(to + k * INTS / 2, high_halves(v[k], v[k + 1]));
    }
}

#endif
