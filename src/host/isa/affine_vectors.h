/*
 * Scaled conversions of float32 in vectors of AVX2 or AVX-512, a part of affine_loops.h: compilers would keep less of
 * them in registers. After vectors_x86.h.
 */
#ifndef SVI_HOST_AFFINE_VECTORS_H
#define SVI_HOST_AFFINE_VECTORS_H

#define SVI_AFFINE_VECTORS

enum { NUMBERS = (int)sizeof(vec) / 4 /* of a vector */ };

/* Of one operation, SVI_SCALE_F32 where they are float32 already. */
SVI_INLINE floats load_numbers(const char *from, int op)
{
    switch (op) {
    case SVI_OP_F32_FROM_U8:
    case SVI_OP_F32_FROM_I8: return (floats)from_bytes(load_quarter(from), op);
    case SVI_SCALE_F32: return (floats)load(from);
    default: return (floats)from_halves(load_half(from), op);
    }
}

SVI_INLINE void scale_to_f32(void *restrict dst, const void *restrict src, int64_t blocks,
                             const struct svi_factors *factors, int op)
{
    const int item = svi_scale_item(op);
    const float *scale = factors->scale, *bias = factors->bias;
    const floats one_scale = VEC(set1_ps)(scale[0]), one_bias = VEC(set1_ps)(bias[0]);
    const char *from = src;
    float *to = dst;

    if (factors->one) {
        for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * item)
#pragma GCC unroll 8
            for (int k = 0; k < SVI_BLOCK; k += NUMBERS) {
                const floats product = VEC(mul_ps)(load_numbers(from + k * item, op), one_scale);

                VEC(storeu_ps)(to + k, VEC(add_ps)(product, one_bias));
            }
        return;
    }
    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * item, scale += SVI_BLOCK, bias += SVI_BLOCK)
#pragma GCC unroll 8
        for (int k = 0; k < SVI_BLOCK; k += NUMBERS) {
            const floats product = VEC(mul_ps)(load_numbers(from + k * item, op), VEC(loadu_ps)(scale + k));

            VEC(storeu_ps)(to + k, VEC(add_ps)(product, VEC(loadu_ps)(bias + k)));
        }
}

/* Numbers that are in the range of item bytes. */
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

/* Four vectors at a time, whose numbers are brought into the range, 0 for NaN. */
SVI_INLINE void round_f32(void *restrict dst, const void *restrict src, int64_t blocks, float least, float most,
                          int item)
{
    const floats lowest = VEC(set1_ps)(least), highest = VEC(set1_ps)(most);
    const float *from = src;
    char *to = dst;

    for (blocks *= SVI_BLOCK / (4 * NUMBERS); blocks > 0; blocks--, to += 4 * NUMBERS * item, from += 4 * NUMBERS) {
        vec v[4];

#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            floats a = VEC(loadu_ps)(from + k * NUMBERS);

            if (least < 0)
                a = without_nan(a);
            /* The second of the two where one is NaN. */
            v[k] = VEC(cvtps_epi32)(VEC(min_ps)(highest, VEC(max_ps)(a, lowest)));
        }
        store_whole(to, v, item, least < 0);
    }
}

#endif
