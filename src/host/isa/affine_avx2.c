#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#include <immintrin.h>

#include "affine_isa.h"
#include "numbers.h"

typedef __m256 floats;

enum { LANES = 8 };

SVI_INLINE floats all_of(float a)
{
    return _mm256_set1_ps(a);
}

SVI_INLINE floats numbers_of(const float *from)
{
    return _mm256_loadu_ps(from);
}

SVI_INLINE void store_floats(float *to, floats v)
{
    _mm256_storeu_ps(to, v);
}

SVI_INLINE floats product(floats a, floats b)
{
    return _mm256_mul_ps(a, b);
}

SVI_INLINE floats sum(floats a, floats b)
{
    return _mm256_add_ps(a, b);
}

/* The second of the two where one is NaN. */
SVI_INLINE floats greatest_of(floats a, floats b)
{
    return _mm256_max_ps(a, b);
}

SVI_INLINE floats least_of(floats a, floats b)
{
    return _mm256_min_ps(a, b);
}

SVI_INLINE floats without_nan(floats a)
{
    return _mm256_and_ps(a, _mm256_cmp_ps(a, a, _CMP_ORD_Q));
}

SVI_INLINE __m128i bytes_at(const char *from)
{
    return _mm_loadl_epi64((const __m128i *)from);
}

SVI_INLINE __m128i words_at(const char *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

SVI_INLINE floats load_u8(const char *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes_at(from)));
}

SVI_INLINE floats load_i8(const char *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes_at(from)));
}

SVI_INLINE floats load_u16(const char *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words_at(from)));
}

SVI_INLINE floats load_i16(const char *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(words_at(from)));
}

SVI_INLINE floats load_f16(const char *from)
{
    return _mm256_cvtph_ps(words_at(from));
}

SVI_INLINE floats load_bf16(const char *from)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(words_at(from)), 16));
}

SVI_INLINE floats load_f32(const char *from)
{
    return _mm256_loadu_ps((const float *)from);
}

SVI_INLINE void store_quarters(char *to, __m256i bytes)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);

    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(bytes, order));
}

SVI_INLINE void store_halves(char *to, __m256i words)
{
    _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(words, 0xd8));
}

/* What is in range is packed as it is. */
SVI_INLINE __m256i words_of(floats a, floats b)
{
    return _mm256_packs_epi32(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b));
}

SVI_INLINE void store_i8(char *to, const floats *v)
{
    store_quarters(to, _mm256_packs_epi16(words_of(v[0], v[1]), words_of(v[2], v[3])));
}

SVI_INLINE void store_u8(char *to, const floats *v)
{
    store_quarters(to, _mm256_packus_epi16(words_of(v[0], v[1]), words_of(v[2], v[3])));
}

SVI_INLINE void store_i16(char *to, const floats *v)
{
    store_halves(to, words_of(v[0], v[1]));
    store_halves(to + 32, words_of(v[2], v[3]));
}

SVI_INLINE void store_u16(char *to, const floats *v)
{
    for (int k = 0; k < 4; k += 2)
        store_halves(to + 16 * k, _mm256_packus_epi32(_mm256_cvtps_epi32(v[k]), _mm256_cvtps_epi32(v[k + 1])));
}

#include "affine_vectors.h"

#define SVI_AFFINE svi_affine_avx2
#include "affine_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
