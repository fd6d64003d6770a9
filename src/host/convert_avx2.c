#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#include <immintrin.h>

#include "isa.h"
#include "items.h"

#define SVI_HALF_INSTRUCTIONS /* they round to nearest, and keep of NaN what the integers of numbers.h keep */

static void f32_from_f16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    float *to = dst;
    const __m128i *from = src;

    for (blocks *= SVI_BLOCK / 8; blocks > 0; blocks--, to += 8, from++)
        _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(from)));
}

static void f16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    __m128i *to = dst;
    const float *from = src;

    for (blocks *= SVI_BLOCK / 8; blocks > 0; blocks--, to++, from += 8)
        _mm_storeu_si128(to, _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
}

#define SVI_NARROW_INSTRUCTIONS /* compilers have many more of them */

enum { VECTOR_NUMBERS = 8, BATCH = 4 /* vectors that are looked at together */ };

SVI_INLINE __m256i load(const char *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

SVI_INLINE void store(char *to, __m256i v)
{
    _mm256_storeu_si256((__m256i *)to, v);
}

/* The low halves of numbers of 4 bytes: of a, then of b. */
SVI_INLINE __m256i halves_4(__m256i a, __m256i b)
{
    const __m256i none = _mm256_setzero_si256();
    const __m256i both = _mm256_packus_epi32(_mm256_blend_epi16(a, none, 0xaa), _mm256_blend_epi16(b, none, 0xaa));

    return _mm256_permute4x64_epi64(both, 0xd8);
}

/* The low bytes of numbers of 4 bytes. */
SVI_INLINE __m256i low_bytes(const __m256i *v)
{
    const __m256i byte = _mm256_set1_epi32(0xff);
    const __m256i ab = _mm256_packus_epi32(_mm256_and_si256(v[0], byte), _mm256_and_si256(v[1], byte));
    const __m256i cd = _mm256_packus_epi32(_mm256_and_si256(v[2], byte), _mm256_and_si256(v[3], byte));

    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(ab, cd), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

SVI_INLINE __m256i rounded_bf16(__m256i bits)
{
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i number = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    const __m256i sign = _mm256_and_si256(bits, _mm256_set1_epi32(INT32_MIN));
    const __m256i nan = _mm256_or_si256(sign, _mm256_set1_epi32(0x7fc00000));
    const __m256 f = _mm256_castsi256_ps(bits), is_nan = _mm256_cmp_ps(f, f, _CMP_UNORD_Q);

    return _mm256_srli_epi32(_mm256_blendv_epi8(number, nan, _mm256_castps_si256(is_nan)), 16);
}

static void bf16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;

    for (blocks *= SVI_BLOCK / 2 / VECTOR_NUMBERS; blocks > 0; blocks--, to += 32, from += 64) {
        const __m256i both = _mm256_packus_epi32(rounded_bf16(load(from)), rounded_bf16(load(from + 32)));

        store(to, _mm256_permute4x64_epi64(both, 0xd8));
    }
}

/* What is 2^31 or more, or less than -2^31, modulo 2^32; of the others some. 0 of what is not finite. */
SVI_INLINE __m256i cut_large(__m256i bits)
{
    const __m256i exponent = _mm256_srli_epi32(_mm256_slli_epi32(bits, 1), 24);
    const __m256i hidden = _mm256_set1_epi32(0x800000);
    const __m256i significand = _mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi32(0x7fffff)), hidden);
    const __m256i shifted = _mm256_sllv_epi32(significand, _mm256_sub_epi32(exponent, _mm256_set1_epi32(150)));

    return _mm256_sign_epi32(shifted, bits);
}

/* The instruction gives the least number for what is too large. */
SVI_INLINE void cut(__m256i *v, const char *from)
{
    const __m256i least = _mm256_set1_epi32(INT32_MIN);
    __m256i found = _mm256_setzero_si256();

    for (int k = 0; k < BATCH; k++) {
        v[k] = _mm256_cvttps_epi32(_mm256_castsi256_ps(load(from + 32 * k)));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi32(v[k], least));
    }
    if (!_mm256_testz_si256(found, found))
        for (int k = 0; k < BATCH; k++)
            v[k] = _mm256_blendv_epi8(v[k], cut_large(load(from + 32 * k)), _mm256_cmpeq_epi32(v[k], least));
}

static void i32_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    __m256i v[BATCH];

    for (blocks *= SVI_BLOCK / BATCH / VECTOR_NUMBERS; blocks > 0; blocks--, to += 32 * BATCH, from += 32 * BATCH) {
        cut(v, from);
        for (int k = 0; k < BATCH; k++)
            store(to + 32 * k, v[k]);
    }
}

static void i16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    __m256i v[BATCH];

    for (blocks *= SVI_BLOCK / BATCH / VECTOR_NUMBERS; blocks > 0; blocks--, to += 16 * BATCH, from += 32 * BATCH) {
        cut(v, from);
        store(to, halves_4(v[0], v[1]));
        store(to + 32, halves_4(v[2], v[3]));
    }
}

static void i8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;
    __m256i v[BATCH];

    for (blocks *= SVI_BLOCK / BATCH / VECTOR_NUMBERS; blocks > 0; blocks--, to += 8 * BATCH, from += 32 * BATCH) {
        cut(v, from);
        store(to, low_bytes(v));
    }
}

#define SVI_LOOPS svi_loops_avx2
#include "loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
