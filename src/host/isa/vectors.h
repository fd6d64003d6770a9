/*
 * Steps of conversions in vectors of AVX2 and F16C or, with SVI_AVX512, of AVX-512. HALF(name) and HALF_BITS(name) are
 * instructions of half a vector. The file that includes this has defined vec and its instructions, VEC(name).
 */
#ifndef SVI_HOST_VECTORS_H
#define SVI_HOST_VECTORS_H

#include "dtype/numbers.h"

#ifdef SVI_AVX512

#define HALF(name) _mm256_##name
#define HALF_BITS(name) _mm256_##name##_si256

typedef __m512 floats;
typedef __m512d doubles;
typedef __m256i half_vec;
typedef __m256 half_floats;

/* Half k of a vector. */
SVI_INLINE half_vec half_of(vec v, int k)
{
    return k == 0 ? _mm512_castsi512_si256(v) : _mm512_extracti64x4_epi64(v, 1);
}

SVI_INLINE __m128i quarter_of(vec v, int k)
{
    switch (k) {
    case 0: return _mm512_castsi512_si128(v);
    case 1: return _mm512_extracti32x4_epi32(v, 1);
    case 2: return _mm512_extracti32x4_epi32(v, 2);
    default: return _mm512_extracti32x4_epi32(v, 3);
    }
}

/* The lower half of each number. */
SVI_INLINE half_vec low_words_of(vec v)
{
    return _mm512_cvtepi32_epi16(v);
}

SVI_INLINE half_vec low_ints_of(vec v)
{
    return _mm512_cvtepi64_epi32(v);
}

/* The lower half of each number is of a, the upper one of b. */
SVI_INLINE vec paired_words(vec a, vec b)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, a, b);
}

SVI_INLINE vec paired_ints(vec a, vec b)
{
    return _mm512_mask_blend_epi32(0xaaaa, a, b);
}

/* Where bits are a NaN as float32. */
SVI_INLINE vec where_nan(vec bits, vec nan, vec number)
{
    const floats f = _mm512_castsi512_ps(bits);

    return _mm512_mask_mov_epi32(number, _mm512_cmp_ps_mask(f, f, _CMP_UNORD_Q), nan);
}

#else

#define HALF(name) _mm_##name
#define HALF_BITS(name) _mm_##name##_si128

typedef __m256 floats;
typedef __m256d doubles;
typedef __m128i half_vec;
typedef __m128 half_floats;

/* Half k of a vector. */
SVI_INLINE half_vec half_of(vec v, int k)
{
    return k == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
}

SVI_INLINE __m128i quarter_of(vec v, int k)
{
    const half_vec half = half_of(v, k / 2);

    return k % 2 == 0 ? half : _mm_unpackhi_epi64(half, half);
}

/* The lower half of each number. */
SVI_INLINE half_vec low_words_of(vec v)
{
    const vec words = _mm256_shuffle_epi8(v, _mm256_set1_epi64x(0x0d0c090805040100));

    return _mm_unpacklo_epi64(half_of(words, 0), half_of(words, 1));
}

SVI_INLINE half_vec low_ints_of(vec v)
{
    return half_of(_mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)), 0);
}

/* The lower half of each number is of a, the upper one of b. */
SVI_INLINE vec paired_words(vec a, vec b)
{
    return _mm256_blend_epi16(a, b, 0xaa);
}

SVI_INLINE vec paired_ints(vec a, vec b)
{
    return _mm256_blend_epi32(a, b, 0xaa);
}

/* Where bits are a NaN as float32. */
SVI_INLINE vec where_nan(vec bits, vec nan, vec number)
{
    const floats f = _mm256_castsi256_ps(bits), is_nan = _mm256_cmp_ps(f, f, _CMP_UNORD_Q);

    return _mm256_blendv_epi8(number, nan, _mm256_castps_si256(is_nan));
}

#endif

/* --- the same for both ------------------------------------------------------------- */

SVI_INLINE half_vec load_half(const char *from)
{
    return HALF_BITS(loadu)((const half_vec *)from);
}

SVI_INLINE void store_half(char *to, half_vec v)
{
    HALF_BITS(storeu)((half_vec *)to, v);
}

SVI_INLINE void stream_half_vec(char *to, half_vec v)
{
    SVI_NT_STORE(HALF_BITS(stream), half_vec, to, v);
}

/* Rounds float32 to bfloat16, in the upper half of each number, as numbers.h does; not for NaN. */
SVI_INLINE vec rounded_number(vec bits)
{
    const vec odd = VEC(srli_epi32)(bits, 16) & VEC(set1_epi32)(1);

    return VEC(add_epi32)(VEC(add_epi32)(bits, VEC(set1_epi32)(0x7fff)), odd);
}

SVI_INLINE vec rounded(vec bits)
{
    const vec nan = (bits & VEC(set1_epi32)(INT32_MIN)) | VEC(set1_epi32)(SVI_F32_NAN);

    return where_nan(bits, nan, rounded_number(bits));
}

SVI_INLINE half_vec as_f16(floats v)
{
    return VEC(cvtps_ph)(v, _MM_FROUND_TO_NEAREST_INT);
}

SVI_INLINE vec as_f32(vec v)
{
    return (vec)VEC(cvtepi32_ps)(v);
}

/* Converts numbers of one byte to numbers of four. op is a constant. */
SVI_INLINE vec from_bytes(__m128i v, enum svi_op op)
{
    switch (op) {
    case SVI_OP_I32_FROM_U8: return VEC(cvtepu8_epi32)(v);
    case SVI_OP_I32_FROM_I8: return VEC(cvtepi8_epi32)(v);
    case SVI_OP_F32_FROM_U8: return as_f32(VEC(cvtepu8_epi32)(v));
    default: return as_f32(VEC(cvtepi8_epi32)(v));
    }
}

/* Converts numbers to numbers of twice the size. op is a constant. */
SVI_INLINE vec from_halves(half_vec v, enum svi_op op)
{
    switch (op) {
    case SVI_OP_I32_FROM_U16: return VEC(cvtepu16_epi32)(v);
    case SVI_OP_I32_FROM_I16: return VEC(cvtepi16_epi32)(v);
    case SVI_OP_F32_FROM_U16: return as_f32(VEC(cvtepu16_epi32)(v));
    case SVI_OP_F32_FROM_I16: return as_f32(VEC(cvtepi16_epi32)(v));
    case SVI_OP_F32_FROM_F16: return (vec)VEC(cvtph_ps)(v);
    case SVI_OP_F32_FROM_BF16: return VEC(slli_epi32)(VEC(cvtepu16_epi32)(v), 16);
    case SVI_OP_I64_FROM_I32: return VEC(cvtepi32_epi64)(v);
    case SVI_OP_F64_FROM_I32: return (vec)VEC(cvtepi32_pd)(v);
    default: return (vec)VEC(cvtps_pd)((half_floats)v);
    }
}

/* Converts float64 to int64, truncated and modulo 2^64, as svi_cut_64() does. Shifts by 64 and more give 0. */
SVI_INLINE vec cut_doubles(vec bits)
{
    const int64_t hidden = INT64_C(1) << 52;
    const vec exponent = VEC(srli_epi64)(VEC(slli_epi64)(bits, 1), 53), significand = (bits & (hidden - 1)) | hidden;
    const vec left = VEC(sllv_epi64)(significand, exponent - 1075),
              right = VEC(srlv_epi64)(significand, 1075 - exponent);
    const vec sign = 0 - VEC(srli_epi64)(bits, 63);

    return VEC(sub_epi64)((left | right) ^ sign, sign);
}

#endif
