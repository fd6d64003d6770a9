#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif

#include <immintrin.h>

#include "affine_isa.h"
#include "numbers.h"

typedef __m512 floats;

enum { LANES = 16 };

SVI_INLINE floats all_of(float a)
{
    return _mm512_set1_ps(a);
}

SVI_INLINE floats numbers_of(const float *from)
{
    return _mm512_loadu_ps(from);
}

SVI_INLINE void store_floats(float *to, floats v)
{
    _mm512_storeu_ps(to, v);
}

SVI_INLINE floats product(floats a, floats b)
{
    return _mm512_mul_ps(a, b);
}

SVI_INLINE floats sum(floats a, floats b)
{
    return _mm512_add_ps(a, b);
}

/* The second of the two where one is NaN. */
SVI_INLINE floats greatest_of(floats a, floats b)
{
    return _mm512_max_ps(a, b);
}

SVI_INLINE floats least_of(floats a, floats b)
{
    return _mm512_min_ps(a, b);
}

SVI_INLINE floats without_nan(floats a)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a, a, _CMP_ORD_Q), a);
}

SVI_INLINE __m128i bytes_at(const char *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

SVI_INLINE __m256i words_at(const char *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

SVI_INLINE floats load_u8(const char *from)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes_at(from)));
}

SVI_INLINE floats load_i8(const char *from)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes_at(from)));
}

SVI_INLINE floats load_u16(const char *from)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(words_at(from)));
}

SVI_INLINE floats load_i16(const char *from)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(words_at(from)));
}

SVI_INLINE floats load_f16(const char *from)
{
    return _mm512_cvtph_ps(words_at(from));
}

SVI_INLINE floats load_bf16(const char *from)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(words_at(from)), 16));
}

SVI_INLINE floats load_f32(const char *from)
{
    return _mm512_loadu_ps((const float *)from);
}

SVI_INLINE void store_u8(char *to, const floats *v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        _mm_storeu_si128((__m128i *)(to + 16 * k), _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(v[k])));
}

SVI_INLINE void store_u16(char *to, const floats *v)
{
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        _mm256_storeu_si256((__m256i *)(to + 32 * k), _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(v[k])));
}

#define store_i8 store_u8
#define store_i16 store_u16

#include "affine_vectors.h"

#define SVI_AFFINE svi_affine_avx512
#include "affine_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
