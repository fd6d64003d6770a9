/*
 * Vectors converted and stored past the cache, with AVX2 and F16C; after lanes.h. The operations of chain.h that one
 * instruction does, or few.
 */
#ifndef SVI_HOST_PUTS_AVX2_H
#define SVI_HOST_PUTS_AVX2_H

#include "bfloat_avx2.h"

SVI_INLINE void stream_narrow(char *dst, __m128i v)
{
    _mm_stream_si128((__m128i *)dst, v);
}

SVI_INLINE __m128i low_half(vec v)
{
    return _mm256_castsi256_si128(v);
}

SVI_INLINE __m128i high_half(vec v)
{
    return _mm256_extracti128_si256(v, 1);
}

SVI_INLINE __m128i quarter(vec v, int k)
{
    const __m128i half = k < 2 ? low_half(v) : high_half(v);

    return k % 2 == 0 ? half : _mm_unpackhi_epi64(half, half);
}

SVI_INLINE vec f32_of(vec v)
{
    return _mm256_castps_si256(_mm256_cvtepi32_ps(v));
}

/* --- to half as many bytes ------------------------------------------------ */

SVI_INLINE void put_f32_from_f64(char *dst, vec v)
{
    stream_narrow(dst, _mm_castps_si128(_mm256_cvtpd_ps(_mm256_castsi256_pd(v))));
}

SVI_INLINE void put_i32_from_i64(char *dst, vec v)
{
    stream_narrow(dst, low_half(_mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6))));
}

SVI_INLINE void put_f16_from_f32(char *dst, vec v)
{
    stream_narrow(dst, _mm256_cvtps_ph(_mm256_castsi256_ps(v), _MM_FROUND_TO_NEAREST_INT));
}

SVI_INLINE void put_i16_from_i32(char *dst, vec v)
{
    const vec halves = pick(v, all_lanes(0x0d0c090805040100, 0x0d0c090805040100));

    stream_narrow(dst, _mm_unpacklo_epi64(low_half(halves), high_half(halves)));
}

SVI_INLINE void put_bf16_from_f32(char *dst, vec v)
{
    put_i16_from_i32(dst, _mm256_srli_epi32(rounded(v), 16));
}

/* --- two by two: the lower half of each pair is of a, the upper one of b ---- */

SVI_INLINE vec pairs_of_i16_from_i32(vec a, vec b)
{
    return _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0xaa);
}

SVI_INLINE vec pairs_of_i32_from_i64(vec a, vec b)
{
    return _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xaa);
}

SVI_INLINE vec pairs_of_bf16_from_f32(vec a, vec b)
{
    return _mm256_blend_epi16(_mm256_srli_epi32(rounded(a), 16), rounded(b), 0xaa);
}

SVI_INLINE vec f16_of(vec v)
{
    return _mm256_cvtepu16_epi32(_mm256_cvtps_ph(_mm256_castsi256_ps(v), _MM_FROUND_TO_NEAREST_INT));
}

SVI_INLINE vec pairs_of_f16_from_f32(vec a, vec b)
{
    return either(f16_of(a), _mm256_slli_epi32(f16_of(b), 16));
}

/* --- to as many ----------------------------------------------------------- */

SVI_INLINE void put_f32_from_i32(char *dst, vec v)
{
    stream(dst, f32_of(v));
}

/* --- to more -------------------------------------------------------------- */

SVI_INLINE void put_f64_from_f32(char *dst, vec v)
{
    stream(dst, _mm256_castpd_si256(_mm256_cvtps_pd(_mm_castsi128_ps(low_half(v)))));
    stream(dst + VECTOR, _mm256_castpd_si256(_mm256_cvtps_pd(_mm_castsi128_ps(high_half(v)))));
}

SVI_INLINE void put_f64_from_i32(char *dst, vec v)
{
    stream(dst, _mm256_castpd_si256(_mm256_cvtepi32_pd(low_half(v))));
    stream(dst + VECTOR, _mm256_castpd_si256(_mm256_cvtepi32_pd(high_half(v))));
}

SVI_INLINE void put_i64_from_i32(char *dst, vec v)
{
    stream(dst, _mm256_cvtepi32_epi64(low_half(v)));
    stream(dst + VECTOR, _mm256_cvtepi32_epi64(high_half(v)));
}

SVI_INLINE void put_f32_from_f16(char *dst, vec v)
{
    stream(dst, _mm256_castps_si256(_mm256_cvtph_ps(low_half(v))));
    stream(dst + VECTOR, _mm256_castps_si256(_mm256_cvtph_ps(high_half(v))));
}

SVI_INLINE void put_f32_from_bf16(char *dst, vec v)
{
    stream(dst, _mm256_slli_epi32(_mm256_cvtepu16_epi32(low_half(v)), 16));
    stream(dst + VECTOR, _mm256_slli_epi32(_mm256_cvtepu16_epi32(high_half(v)), 16));
}

SVI_INLINE void put_i32_from_u16(char *dst, vec v)
{
    stream(dst, _mm256_cvtepu16_epi32(low_half(v)));
    stream(dst + VECTOR, _mm256_cvtepu16_epi32(high_half(v)));
}

SVI_INLINE void put_i32_from_i16(char *dst, vec v)
{
    stream(dst, _mm256_cvtepi16_epi32(low_half(v)));
    stream(dst + VECTOR, _mm256_cvtepi16_epi32(high_half(v)));
}

SVI_INLINE void put_f32_from_u16(char *dst, vec v)
{
    stream(dst, f32_of(_mm256_cvtepu16_epi32(low_half(v))));
    stream(dst + VECTOR, f32_of(_mm256_cvtepu16_epi32(high_half(v))));
}

SVI_INLINE void put_f32_from_i16(char *dst, vec v)
{
    stream(dst, f32_of(_mm256_cvtepi16_epi32(low_half(v))));
    stream(dst + VECTOR, f32_of(_mm256_cvtepi16_epi32(high_half(v))));
}

SVI_INLINE void put_i32_from_u8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, _mm256_cvtepu8_epi32(quarter(v, k)));
}

SVI_INLINE void put_i32_from_i8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, _mm256_cvtepi8_epi32(quarter(v, k)));
}

SVI_INLINE void put_f32_from_u8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, f32_of(_mm256_cvtepu8_epi32(quarter(v, k))));
}

SVI_INLINE void put_f32_from_i8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, f32_of(_mm256_cvtepi8_epi32(quarter(v, k))));
}

#endif
