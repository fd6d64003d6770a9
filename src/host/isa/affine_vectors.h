/*
 * Affine conversions of float32 in vectors, a part of affine_loops.h, for a file
 * that says what these are: LANES numbers in floats, loads of each type, sums and
 * products, and stores of whole numbers.
 */
#ifndef SVI_HOST_AFFINE_VECTORS_H
#define SVI_HOST_AFFINE_VECTORS_H

#define SVI_AFFINE_HALF /* float16 is read, too */

typedef floats load_floats(const char *from);

/* Items of so many bytes. */
SVI_INLINE void to_floats(void *restrict dst, const void *restrict src, int64_t blocks,
                          const struct svi_factors *factors, load_floats *load, int item)
{
    const float *scale = factors->scale, *bias = factors->bias;
    const floats one_scale = all_of(scale[0]), one_bias = all_of(bias[0]);
    const char *from = src;
    float *to = dst;

    if (factors->one) {
        for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * item)
#pragma GCC unroll 8
            for (int k = 0; k < SVI_BLOCK; k += LANES)
                store_floats(to + k, sum(product(load(from + k * item), one_scale), one_bias));
        return;
    }
    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK * item, scale += SVI_BLOCK, bias += SVI_BLOCK)
#pragma GCC unroll 8
        for (int k = 0; k < SVI_BLOCK; k += LANES)
            store_floats(to + k, sum(product(load(from + k * item), numbers_of(scale + k)), numbers_of(bias + k)));
}

static void affine_u8(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_floats(dst, src, blocks, factors, load_u8, 1);
}

static void affine_i8(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_floats(dst, src, blocks, factors, load_i8, 1);
}

static void affine_u16(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_floats(dst, src, blocks, factors, load_u16, 2);
}

static void affine_i16(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_floats(dst, src, blocks, factors, load_i16, 2);
}

static void affine_f16(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_floats(dst, src, blocks, factors, load_f16, 2);
}

static void affine_bf16(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_floats(dst, src, blocks, factors, load_bf16, 2);
}

static void affine_f32(void *restrict dst, const void *restrict src, int64_t blocks, const struct svi_factors *factors)
{
    to_floats(dst, src, blocks, factors, load_f32, 4);
}

typedef void store_whole(char *to, const floats *v);

/* Four vectors at a time, whose numbers are brought into the range, 0 for NaN. */
SVI_INLINE void from_floats(void *restrict dst, const void *restrict src, int64_t blocks, float least, float most,
                            store_whole *store, int item)
{
    const floats lowest = all_of(least), highest = all_of(most);
    const float *from = src;
    char *to = dst;

    for (blocks *= SVI_BLOCK / (4 * LANES); blocks > 0; blocks--, to += 4 * LANES * item, from += 4 * LANES) {
        floats v[4];

#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            v[k] = numbers_of(from + k * LANES);
            if (least < 0)
                v[k] = without_nan(v[k]);
            v[k] = least_of(highest, greatest_of(v[k], lowest));
        }
        store(to, v);
    }
}

static void whole_i8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    from_floats(dst, src, blocks, -128, 127, store_i8, 1);
}

static void whole_u8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    from_floats(dst, src, blocks, 0, 255, store_u8, 1);
}

static void whole_i16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    from_floats(dst, src, blocks, -32768, 32767, store_i16, 2);
}

static void whole_u16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    from_floats(dst, src, blocks, 0, 65535, store_u16, 2);
}

#endif
