/*
 * Loops of convert_loops.h for which compilers have many more instructions, in vectors that are written out, of AVX2 or
 * AVX-512. After vectors_x86.h; odd_from_f64() and i64_from_f64() are the instruction set's own.
 *
 * Float16 is rounded to nearest by the processor, and keeps of NaN what numbers.h keeps. Batches are vectors that are
 * looked at together for what is out of range, which is rare.
 */
#ifndef SVI_HOST_CONVERT_VECTORS_H
#define SVI_HOST_CONVERT_VECTORS_H

#define SVI_CONVERT_SPECIAL

enum {
    VEC_BYTES = (int)sizeof(vec),
    BATCH = 4, /* vectors */
    BATCH_BYTES = BATCH * VEC_BYTES,
    BATCHES = SVI_BLOCK * 4 / BATCH_BYTES /* in a block */
};

static void f32_from_f16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;

    for (blocks *= SVI_BLOCK * 4 / VEC_BYTES; blocks > 0; blocks--, to += VEC_BYTES, from += VEC_BYTES / 2)
        store(to, (vec)VEC(cvtph_ps)(load_half(from)));
}

static void f16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;

    for (blocks *= SVI_BLOCK * 4 / VEC_BYTES; blocks > 0; blocks--, to += VEC_BYTES / 2, from += VEC_BYTES)
        store_half(to, as_f16((floats)load(from)));
}

SVI_INLINE void cut_large(vec *v, const char *from)
{
    const vec hidden = VEC(set1_epi32)(0x800000), fraction = VEC(set1_epi32)(0x7fffff);

#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++) {
        const vec bits = load(from + k * VEC_BYTES), exponent = VEC(srli_epi32)(VEC(slli_epi32)(bits, 1), 24);
        const vec shift = VEC(sub_epi32)(exponent, VEC(set1_epi32)(150));
        const vec shifted = VEC(sllv_epi32)((bits & fraction) | hidden, shift);

        v[k] = where_least(v[k], with_sign(shifted, bits));
    }
}

/* A batch of float32 to int32: cut off, and modulo 2^32. */
SVI_INLINE void cut(vec *v, const char *from)
{
#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++)
        v[k] = VEC(cvttps_epi32)((floats)load(from + k * VEC_BYTES));
    if (any_least(VEC(min_epi32)(VEC(min_epi32)(v[0], v[1]), VEC(min_epi32)(v[2], v[3]))))
        cut_large(v, from);
}

/* To integers of item bytes. */
SVI_INLINE void integers_from_f32(void *restrict dst, const void *restrict src, int64_t blocks, int item)
{
    const char *from = src;
    char *to = dst;
    vec v[BATCH];

    for (blocks *= BATCHES; blocks > 0; blocks--, to += BATCH_BYTES / 4 * item, from += BATCH_BYTES) {
        cut(v, from);
        if (item == 1)
            store(to, low_bytes(v));
        else
#pragma GCC unroll 4
            for (int k = 0; k < BATCH; k += 4 / item)
                store(to + k * item * VEC_BYTES / 4, item == 2 ? low_words(v[k], v[k + 1]) : v[k]);
    }
}

static void bf16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    vec v[BATCH];

    for (blocks *= BATCHES; blocks > 0; blocks--, to += BATCH_BYTES / 2, from += BATCH_BYTES) {
        int nan;

#pragma GCC unroll 4
        for (int k = 0; k < BATCH; k++)
            v[k] = load(from + k * VEC_BYTES);
        nan = any_nan((floats)v[0], (floats)v[1]) | any_nan((floats)v[2], (floats)v[3]);
        if (nan != 0)
#pragma GCC unroll 4
            for (int k = 0; k < BATCH; k++)
                v[k] = rounded(v[k]);
        else
#pragma GCC unroll 4
            for (int k = 0; k < BATCH; k++)
                v[k] = rounded_number(v[k]);
#pragma GCC unroll 4
        for (int k = 0; k < BATCH; k += 2)
            store(to + k * VEC_BYTES / 2, high_words(v[k], v[k + 1]));
    }
}

/* The instruction gives the least number for what is out of range: its block is done again. */
static void i32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const u64 *from = src;
    u32 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        half_vec smallest = {0};

        for (int k = 0; k < SVI_BLOCK; k += VEC_BYTES / 8) {
            const half_vec v = VEC(cvttpd_epi32)((doubles)load((const char *)(from + k)));

            store_half((char *)(to + k), v);
            smallest = HALF(min_epi32)(smallest, v);
        }
        if (HALF(movemask_epi8)(HALF(cmpeq_epi32)(smallest, HALF(set1_epi32)(INT32_MIN))) != 0)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint32_t)svi_cut_64(from[k]);
    }
}

static void i8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    integers_from_f32(dst, src, blocks, 1);
}

static void i16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    integers_from_f32(dst, src, blocks, 2);
}

static void i32_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    integers_from_f32(dst, src, blocks, 4);
}

#endif
