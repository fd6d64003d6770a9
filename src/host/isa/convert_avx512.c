#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif

#include <immintrin.h>

#include "bfloat_avx512.h"
#include "isa.h"
#include "host/base/elements.h"
#include "numbers.h"

#define SVI_HALF_INSTRUCTIONS /* they round to nearest, and keep of NaN what the integers of numbers.h keep */

static void f32_from_f16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    float *to = dst;
    const __m256i *from = src;

    for (blocks *= SVI_BLOCK / 16; blocks > 0; blocks--, to += 16, from++)
        _mm512_storeu_ps(to, _mm512_cvtph_ps(_mm256_loadu_si256(from)));
}

static void f16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    __m256i *to = dst;
    const float *from = src;

    for (blocks *= SVI_BLOCK / 16; blocks > 0; blocks--, to++, from += 16)
        _mm256_storeu_si256(to, _mm512_cvtps_ph(_mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
}

#define SVI_ODD_INSTRUCTIONS

/* Towards 0, and the last bit is set where that is another number. */
static void odd_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const double *from = src;
    __m256i *to = dst;

    for (blocks *= SVI_BLOCK / 8; blocks > 0; blocks--, to++, from += 8) {
        const __m512d a = _mm512_loadu_pd(from);
        const __m256 less = _mm512_cvt_roundpd_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask8 other = _mm512_cmp_pd_mask(_mm512_cvtps_pd(less), a, _CMP_NEQ_UQ);
        const __m256i bits = _mm256_castps_si256(less);

        _mm256_storeu_si256(to, _mm256_mask_or_epi32(bits, other, bits, _mm256_set1_epi32(1)));
    }
}

#define SVI_ODD_OF_WHOLE_INSTRUCTIONS

static void odd_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    char *to = dst;
    const char *from = src;

    for (blocks *= SVI_BLOCK / 16; blocks > 0; blocks--, to += 64, from += 64) {
        const __m512i a = _mm512_loadu_si512(from);
        const __m512 less = _mm512_cvt_roundepi32_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask16 other = _mm512_cmpneq_epi32_mask(_mm512_cvttps_epi32(less), a);
        const __m512i bits = _mm512_castps_si512(less);

        _mm512_storeu_si512(to, _mm512_mask_or_epi32(bits, other, bits, _mm512_set1_epi32(1)));
    }
}

static void odd_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    char *to = dst;
    const char *from = src;

    for (blocks *= SVI_BLOCK / 16; blocks > 0; blocks--, to += 64, from += 64) {
        const __m512i a = _mm512_loadu_si512(from);
        const __m512 less = _mm512_cvt_roundepu32_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask16 other = _mm512_cmpneq_epi32_mask(_mm512_cvttps_epu32(less), a);
        const __m512i bits = _mm512_castps_si512(less);

        _mm512_storeu_si512(to, _mm512_mask_or_epi32(bits, other, bits, _mm512_set1_epi32(1)));
    }
}

static void odd_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    char *to = dst;
    const char *from = src;

    for (blocks *= SVI_BLOCK / 8; blocks > 0; blocks--, to += 32, from += 64) {
        const __m512i a = _mm512_loadu_si512(from);
        const __m256 less = _mm512_cvt_roundepi64_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask8 other = _mm512_cmpneq_epi64_mask(_mm512_cvttps_epi64(less), a);
        const __m256i bits = _mm256_castps_si256(less);

        _mm256_storeu_si256((__m256i *)to, _mm256_mask_or_epi32(bits, other, bits, _mm256_set1_epi32(1)));
    }
}

static void odd_from_u64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    char *to = dst;
    const char *from = src;

    for (blocks *= SVI_BLOCK / 8; blocks > 0; blocks--, to += 32, from += 64) {
        const __m512i a = _mm512_loadu_si512(from);
        const __m256 less = _mm512_cvt_roundepu64_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask8 other = _mm512_cmpneq_epi64_mask(_mm512_cvttps_epu64(less), a);
        const __m256i bits = _mm256_castps_si256(less);

        _mm256_storeu_si256((__m256i *)to, _mm256_mask_or_epi32(bits, other, bits, _mm256_set1_epi32(1)));
    }
}

#define SVI_DOUBLE_INSTRUCTIONS /* they give the least number for what is out of range: it is done again */

static void i32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const u64 *from = src;
    u32 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        __m256i smallest = _mm256_setzero_si256();

        for (int k = 0; k < SVI_BLOCK; k += 8) {
            const __m256i v = _mm512_cvttpd_epi32(_mm512_loadu_pd(from + k));

            _mm256_storeu_si256((__m256i *)(to + k), v);
            smallest = _mm256_min_epi32(smallest, v);
        }
        if (_mm256_cmpeq_epi32_mask(smallest, _mm256_set1_epi32(INT32_MIN)) != 0)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint32_t)svi_cut_64(from[k]);
    }
}

static void i64_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const u64 *from = src;
    u64 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        __m512i smallest = _mm512_setzero_si512();

        for (int k = 0; k < SVI_BLOCK; k += 8) {
            const __m512i v = _mm512_cvttpd_epi64(_mm512_loadu_pd(from + k));

            _mm512_storeu_si512(to + k, v);
            smallest = _mm512_min_epi64(smallest, v);
        }
        if (_mm512_cmpeq_epi64_mask(smallest, _mm512_set1_epi64(INT64_MIN)) != 0)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = svi_cut_64(from[k]);
    }
}

typedef __m512i ints;

enum { BATCH = 4 };

SVI_INLINE ints load(const char *from)
{
    return _mm512_loadu_si512(from);
}

SVI_INLINE void store(char *to, ints v)
{
    _mm512_storeu_si512(to, v);
}

SVI_INLINE __m512 floats(const char *from)
{
    return _mm512_loadu_ps(from);
}

/* Halves k, k + 2, k + 4 and so on of a, then of b. */
SVI_INLINE ints halves(ints a, ints b, uint32_t k)
{
    const __m256i bytes = _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40,
                                           42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62);
    const ints from = _mm512_add_epi16(_mm512_cvtepu8_epi16(bytes), _mm512_set1_epi16((short)k));

    return _mm512_permutex2var_epi16(a, from, b);
}

SVI_INLINE ints low_halves(ints a, ints b)
{
    return halves(a, b, 0);
}

SVI_INLINE ints high_halves(ints a, ints b)
{
    return halves(a, b, 1);
}

SVI_INLINE ints low_bytes(const ints *v)
{
    const ints byte = _mm512_set1_epi16(0xff);
    const ints ab = _mm512_and_si512(low_halves(v[0], v[1]), byte), cd = _mm512_and_si512(low_halves(v[2], v[3]), byte);

    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_packus_epi16(ab, cd));
}

SVI_INLINE bool any_nan(const char *from)
{
    const __mmask16 ab = _mm512_cmp_ps_mask(floats(from), floats(from + 64), _CMP_UNORD_Q);
    const __mmask16 cd = _mm512_cmp_ps_mask(floats(from + 128), floats(from + 192), _CMP_UNORD_Q);

    return (ab | cd) != 0;
}

SVI_INLINE void cut_off(ints *v, const char *from)
{
#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++)
        v[k] = _mm512_cvttps_epi32(floats(from + k * 64));
}

SVI_INLINE bool any_least(const ints *v)
{
    const ints smallest = _mm512_min_epi32(_mm512_min_epi32(v[0], v[1]), _mm512_min_epi32(v[2], v[3]));

    return _mm512_cmpeq_epi32_mask(smallest, _mm512_set1_epi32(INT32_MIN)) != 0;
}

SVI_INLINE void cut_large(ints *v, const char *from)
{
    const ints hidden = _mm512_set1_epi32(0x800000), fraction = _mm512_set1_epi32(0x7fffff);

#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++) {
        const ints bits = load(from + k * 64), exponent = _mm512_srli_epi32(_mm512_slli_epi32(bits, 1), 24);
        const ints significand = _mm512_or_si512(_mm512_and_si512(bits, fraction), hidden);
        const ints shifted = _mm512_sllv_epi32(significand, _mm512_sub_epi32(exponent, _mm512_set1_epi32(150)));
        const __mmask16 least = _mm512_cmpeq_epi32_mask(v[k], _mm512_set1_epi32(INT32_MIN));
        const ints value = _mm512_mask_sub_epi32(shifted, _mm512_movepi32_mask(bits), _mm512_setzero_si512(), shifted);

        v[k] = _mm512_mask_mov_epi32(v[k], least, value);
    }
}

#include "loops_narrow.h"

#define SVI_LOOPS svi_loops_avx512
#include "loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
