/*
 * The loops of convert_loops.h for which compilers need many more instructions, in intrinsics of AVX2 or AVX-512. After
 * vectors.h; the instruction set defines odd_from_f64() and i64_from_f64() itself.
 *
 * The processor rounds float16 to nearest, and its NaN is that of numbers.h. The vectors of a batch are tested together
 * for numbers out of range, which are rare.
 */
#ifndef SVI_HOST_CONVERT_VECTORS_H
#define SVI_HOST_CONVERT_VECTORS_H

#define SVI_CONVERT_SPECIAL

enum {
    VEC_BYTES = (int)sizeof(vec),
    VEC_NUMBERS = VEC_BYTES / 4,
    BATCH = 4,                            /* vectors of a batch */
    BATCH_BYTES = BATCH * VEC_BYTES,      /* bytes of a batch */
    BATCHES = SVI_BLOCK * 4 / BATCH_BYTES /* batches of a block */
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

typedef int32_t ints __attribute__((vector_size(sizeof(vec))));

/* Converts numbers out of range, for which the instruction gives INT32_MIN. */
SVI_INLINE void cut_large(vec *v, const char *from)
{
    const vec hidden = VEC(set1_epi32)(0x800000), fraction = VEC(set1_epi32)(0x7fffff);

#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++) {
        const vec bits = load(from + k * VEC_BYTES), exponent = VEC(srli_epi32)(VEC(slli_epi32)(bits, 1), 24);
        const vec shift = VEC(sub_epi32)(exponent, VEC(set1_epi32)(150));
        const vec shifted = VEC(sllv_epi32)((bits & fraction) | hidden, shift), sign = VEC(srai_epi32)(bits, 31);
        const vec large = (vec)((ints)v[k] == INT32_MIN);

        v[k] = (v[k] & ~large) | (VEC(sub_epi32)(shifted ^ sign, sign) & large);
    }
}

/* Converts a batch of float32 to int32, truncated and modulo 2^32. */
SVI_INLINE void cut(vec *v, const char *from)
{
#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++)
        v[k] = VEC(cvttps_epi32)((floats)load(from + k * VEC_BYTES));
    if (any_least(VEC(min_epi32)(VEC(min_epi32)(v[0], v[1]), VEC(min_epi32)(v[2], v[3]))))
        cut_large(v, from);
}

/* Converts to integers of item bytes. */
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

/* Converts a block with numbers out of range to int32, modulo 2^32. Not inline, to keep the ordinary loop short. */
static __attribute__((noinline)) void cut_block_to_32(u32 *to, const u64 *from)
{
    for (int k = 0; k < SVI_BLOCK; k += VEC_BYTES / 8)
        store_half((char *)(to + k), low_ints_of(cut_doubles(load((const char *)(from + k)))));
}

/* The instruction gives INT32_MIN for a number out of range; its block is then converted again. */
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
            cut_block_to_32(to, from);
    }
}

/* --- scaled conversions of float32 --- */

/* Intrinsics, since compilers keep less of these loops in registers. */

SVI_INLINE floats load_numbers(const char *from, int op)
{
    switch (op) {
    case SVI_SCALE_F32: return (floats)load(from);
    case SVI_SCALE_U8: return (floats)from_bytes(load_quarter(from), SVI_OP_F32_FROM_U8);
    case SVI_SCALE_I8: return (floats)from_bytes(load_quarter(from), SVI_OP_F32_FROM_I8);
    case SVI_SCALE_U16: return (floats)from_halves(load_half(from), SVI_OP_F32_FROM_U16);
    case SVI_SCALE_I16: return (floats)from_halves(load_half(from), SVI_OP_F32_FROM_I16);
    case SVI_SCALE_F16: return (floats)from_halves(load_half(from), SVI_OP_F32_FROM_F16);
    default: return (floats)from_halves(load_half(from), SVI_OP_F32_FROM_BF16);
    }
}

SVI_INLINE void scale_block(char *dst, const char *src, const char *scale, const char *bias, int op, int item)
{
#pragma GCC unroll 8
    for (int k = 0; k < SVI_BLOCK; k += VEC_NUMBERS) {
        const floats product = VEC(mul_ps)(load_numbers(src + k * item, op), (floats)load(scale + k * 4));

        store(dst + k * 4, (vec)VEC(add_ps)(product, (floats)load(bias + k * 4)));
    }
}

/* Stores numbers in the range of integers of item bytes. */
SVI_INLINE void store_whole(char *to, const vec *v, int item, bool is_signed)
{
    if (item == 1) {
        const vec a = VEC(packs_epi32)(v[0], v[1]), b = VEC(packs_epi32)(v[2], v[3]);

        store(to, ordered_bytes(is_signed ? VEC(packs_epi16)(a, b) : VEC(packus_epi16)(a, b)));
        return;
    }
    for (int k = 0; k < 4; k += 2, to += sizeof(vec))
        store(to, ordered_words(is_signed ? VEC(packs_epi32)(v[k], v[k + 1]) : VEC(packus_epi32)(v[k], v[k + 1])));
}

/* Rounds a batch at a time and clamps it to the range; NaN gives 0. */
SVI_INLINE void round_f32(void *restrict dst, const void *restrict src, int64_t blocks, float least, float most,
                          int item)
{
    const floats lowest = VEC(set1_ps)(least), highest = VEC(set1_ps)(most);
    const float *from = src;
    char *to = dst;

    for (blocks *= BATCHES; blocks > 0; blocks--, to += BATCH * VEC_NUMBERS * item, from += BATCH * VEC_NUMBERS) {
        vec v[BATCH];

#pragma GCC unroll 4
        for (int k = 0; k < BATCH; k++) {
            floats a = VEC(loadu_ps)(from + k * VEC_NUMBERS);

            if (least < 0)
                a = without_nan(a);
            /* max and min give their second operand if one is NaN. */
            v[k] = VEC(cvtps_epi32)(VEC(min_ps)(highest, VEC(max_ps)(a, lowest)));
        }
        store_whole(to, v, item, least < 0);
    }
}

#endif
