/*
 * Vectors converted and stored past the cache, with AVX-512; after lanes.h. The operations of chain.h that one
 * instruction does, or few.
 */
#ifndef SVI_HOST_PUTS_AVX512_H
#define SVI_HOST_PUTS_AVX512_H

#include "bfloat_avx512.h"

SVI_INLINE void stream_narrow(char *dst, __m256i v)
{
    _mm256_stream_si256((__m256i *)dst, v);
}

SVI_INLINE __m256i low_half(vec v)
{
    return _mm512_castsi512_si256(v);
}

SVI_INLINE __m256i high_half(vec v)
{
    return _mm512_extracti64x4_epi64(v, 1);
}

SVI_INLINE __m128i quarter(vec v, int lane)
{
    switch (lane) {
    case 0: return _mm512_castsi512_si128(v);
    case 1: return _mm512_extracti32x4_epi32(v, 1);
    case 2: return _mm512_extracti32x4_epi32(v, 2);
    default: return _mm512_extracti32x4_epi32(v, 3);
    }
}

SVI_INLINE vec f32_of(vec v)
{
    return _mm512_castps_si512(_mm512_cvtepi32_ps(v));
}

/* --- to half as many bytes ----------------------------------------------- */

SVI_INLINE void put_f32_from_f64(char *dst, vec v)
{
    stream_narrow(dst, _mm256_castps_si256(_mm512_cvtpd_ps(_mm512_castsi512_pd(v))));
}

SVI_INLINE void put_f32_from_i64(char *dst, vec v)
{
    stream_narrow(dst, _mm256_castps_si256(_mm512_cvtepi64_ps(v)));
}

SVI_INLINE void put_i32_from_i64(char *dst, vec v)
{
    stream_narrow(dst, _mm512_cvtepi64_epi32(v));
}

SVI_INLINE void put_f16_from_f32(char *dst, vec v)
{
    stream_narrow(dst, _mm512_cvtps_ph(_mm512_castsi512_ps(v), _MM_FROUND_TO_NEAREST_INT));
}

SVI_INLINE void put_bf16_from_f32(char *dst, vec v)
{
    stream_narrow(dst, _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded(v), 16)));
}

SVI_INLINE void put_i16_from_i32(char *dst, vec v)
{
    stream_narrow(dst, _mm512_cvtepi32_epi16(v));
}

/* --- two by two: the lower half of each pair is of a, the upper one of b --- */

SVI_INLINE vec pairs_of_i16_from_i32(vec a, vec b)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, a, _mm512_slli_epi32(b, 16));
}

SVI_INLINE vec pairs_of_i32_from_i64(vec a, vec b)
{
    return _mm512_mask_blend_epi32(0xaaaa, a, _mm512_slli_epi64(b, 32));
}

SVI_INLINE vec pairs_of_bf16_from_f32(vec a, vec b)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(rounded(a), 16), rounded(b));
}

SVI_INLINE vec f16_of(vec v)
{
    return _mm512_cvtepu16_epi32(_mm512_cvtps_ph(_mm512_castsi512_ps(v), _MM_FROUND_TO_NEAREST_INT));
}

SVI_INLINE vec pairs_of_f16_from_f32(vec a, vec b)
{
    return either(f16_of(a), _mm512_slli_epi32(f16_of(b), 16));
}

/* --- to as many ---------------------------------------------------------- */

SVI_INLINE void put_f32_from_i32(char *dst, vec v)
{
    stream(dst, f32_of(v));
}

SVI_INLINE void put_f64_from_i64(char *dst, vec v)
{
    stream(dst, _mm512_castpd_si512(_mm512_cvtepi64_pd(v)));
}

/* --- to more ------------------------------------------------------------- */

SVI_INLINE void put_f64_from_f32(char *dst, vec v)
{
    stream(dst, _mm512_castpd_si512(_mm512_cvtps_pd(_mm256_castsi256_ps(low_half(v)))));
    stream(dst + VECTOR, _mm512_castpd_si512(_mm512_cvtps_pd(_mm256_castsi256_ps(high_half(v)))));
}

SVI_INLINE void put_f64_from_i32(char *dst, vec v)
{
    stream(dst, _mm512_castpd_si512(_mm512_cvtepi32_pd(low_half(v))));
    stream(dst + VECTOR, _mm512_castpd_si512(_mm512_cvtepi32_pd(high_half(v))));
}

SVI_INLINE void put_i64_from_i32(char *dst, vec v)
{
    stream(dst, _mm512_cvtepi32_epi64(low_half(v)));
    stream(dst + VECTOR, _mm512_cvtepi32_epi64(high_half(v)));
}

SVI_INLINE void put_f32_from_f16(char *dst, vec v)
{
    stream(dst, _mm512_castps_si512(_mm512_cvtph_ps(low_half(v))));
    stream(dst + VECTOR, _mm512_castps_si512(_mm512_cvtph_ps(high_half(v))));
}

SVI_INLINE void put_f32_from_bf16(char *dst, vec v)
{
    stream(dst, _mm512_slli_epi32(_mm512_cvtepu16_epi32(low_half(v)), 16));
    stream(dst + VECTOR, _mm512_slli_epi32(_mm512_cvtepu16_epi32(high_half(v)), 16));
}

SVI_INLINE void put_i32_from_u16(char *dst, vec v)
{
    stream(dst, _mm512_cvtepu16_epi32(low_half(v)));
    stream(dst + VECTOR, _mm512_cvtepu16_epi32(high_half(v)));
}

SVI_INLINE void put_i32_from_i16(char *dst, vec v)
{
    stream(dst, _mm512_cvtepi16_epi32(low_half(v)));
    stream(dst + VECTOR, _mm512_cvtepi16_epi32(high_half(v)));
}

SVI_INLINE void put_f32_from_u16(char *dst, vec v)
{
    stream(dst, f32_of(_mm512_cvtepu16_epi32(low_half(v))));
    stream(dst + VECTOR, f32_of(_mm512_cvtepu16_epi32(high_half(v))));
}

SVI_INLINE void put_f32_from_i16(char *dst, vec v)
{
    stream(dst, f32_of(_mm512_cvtepi16_epi32(low_half(v))));
    stream(dst + VECTOR, f32_of(_mm512_cvtepi16_epi32(high_half(v))));
}

SVI_INLINE void put_i32_from_u8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, _mm512_cvtepu8_epi32(quarter(v, k)));
}

SVI_INLINE void put_i32_from_i8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, _mm512_cvtepi8_epi32(quarter(v, k)));
}

SVI_INLINE void put_f32_from_u8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, f32_of(_mm512_cvtepu8_epi32(quarter(v, k))));
}

SVI_INLINE void put_f32_from_i8(char *dst, vec v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        stream(dst + k * VECTOR, f32_of(_mm512_cvtepi8_epi32(quarter(v, k))));
}

#endif
