#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#include <immintrin.h>

#include "bfloat_avx2.h"
#include "isa.h"
#include "host/base/elements.h"
#include "numbers.h"

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

#define SVI_ODD_INSTRUCTIONS

/*
 * Bits that float32 has no room for leave a 1 in the last place that it has, so that nothing is rounded any more; but
 * subnormal numbers have less room. What is too large becomes infinity, as any rounding makes of it later.
 */
static void odd_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const __m256i lost = _mm256_set1_epi64x(0x1fffffff), magnitude = _mm256_set1_epi64x(INT64_MAX);
    const __m256i subnormal = _mm256_set1_epi64x(INT64_C(0x3810000000000000));
    const u64 *from = src;
    u32 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        __m256i least = magnitude; /* of upper halves; 0 is the largest */

        for (int k = 0; k < SVI_BLOCK; k += 4) {
            const __m256i a = _mm256_loadu_si256((const __m256i *)(from + k));
            const __m256i some = _mm256_add_epi64(_mm256_and_si256(a, lost), lost);
            const __m256i odd = _mm256_andnot_si256(lost, _mm256_or_si256(a, some));
            const __m256i below = _mm256_add_epi64(_mm256_and_si256(a, magnitude), _mm256_set1_epi64x(-1));

            _mm_storeu_ps((float *)(to + k), _mm256_cvtpd_ps(_mm256_castsi256_pd(odd)));
            least = _mm256_min_epu32(least, below);
        }
        if (_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(subnormal, least))) != 0)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = svi_odd_of_double(svi_double_of_bits(from[k]));
    }
}

#define SVI_DOUBLE_INSTRUCTIONS

/* The instruction gives the least number for what is out of range: it is done again. */
static void i32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const u64 *from = src;
    u32 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        __m128i smallest = _mm_setzero_si128();

        for (int k = 0; k < SVI_BLOCK; k += 4) {
            const __m128i v = _mm256_cvttpd_epi32(_mm256_loadu_pd((const double *)(from + k)));

            _mm_storeu_si128((__m128i *)(to + k), v);
            smallest = _mm_min_epi32(smallest, v);
        }
        if (_mm_movemask_epi8(_mm_cmpeq_epi32(smallest, _mm_set1_epi32(INT32_MIN))) != 0)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = (uint32_t)svi_cut_64(from[k]);
    }
}

/* What is less than 2^51 has its last bit where the sum with 1.5 * 2^52 has it. */
static void i64_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const __m256d sign = _mm256_set1_pd(-0.0), most = _mm256_set1_pd(0x1p51), unit = _mm256_set1_pd(0x1.8p52);
    const u64 *from = src;
    u64 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        __m256d large = _mm256_setzero_pd();

        for (int k = 0; k < SVI_BLOCK; k += 4) {
            const __m256d a = _mm256_loadu_pd((const double *)(from + k));
            const __m256d sum = _mm256_add_pd(_mm256_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC), unit);
            const __m256i v = _mm256_sub_epi64(_mm256_castpd_si256(sum), _mm256_castpd_si256(unit));

            _mm256_storeu_si256((__m256i *)(to + k), v);
            large = _mm256_or_pd(large, _mm256_cmp_pd(_mm256_andnot_pd(sign, a), most, _CMP_NLT_UQ));
        }
        if (_mm256_movemask_pd(large) != 0)
            for (int k = 0; k < SVI_BLOCK; k++)
                to[k] = svi_cut_64(from[k]);
    }
}

typedef __m256i ints;

enum { BATCH = 4 };

SVI_INLINE ints load(const char *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

SVI_INLINE void store(char *to, ints v)
{
    _mm256_storeu_si256((__m256i *)to, v);
}

SVI_INLINE __m256 floats(const char *from)
{
    return _mm256_loadu_ps((const float *)from);
}

SVI_INLINE ints halves(ints a, ints b)
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8);
}

SVI_INLINE ints low_halves(ints a, ints b)
{
    const ints none = _mm256_setzero_si256();

    return halves(_mm256_blend_epi16(a, none, 0xaa), _mm256_blend_epi16(b, none, 0xaa));
}

SVI_INLINE ints high_halves(ints a, ints b)
{
    return halves(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16));
}

SVI_INLINE ints low_bytes(const ints *v)
{
    const ints byte = _mm256_set1_epi32(0xff);
    const ints ab = _mm256_packus_epi32(_mm256_and_si256(v[0], byte), _mm256_and_si256(v[1], byte));
    const ints cd = _mm256_packus_epi32(_mm256_and_si256(v[2], byte), _mm256_and_si256(v[3], byte));

    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(ab, cd), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

SVI_INLINE bool any_nan(const char *from)
{
    const __m256 ab = _mm256_cmp_ps(floats(from), floats(from + 32), _CMP_UNORD_Q);
    const __m256 cd = _mm256_cmp_ps(floats(from + 64), floats(from + 96), _CMP_UNORD_Q);

    return _mm256_movemask_ps(_mm256_or_ps(ab, cd)) != 0;
}

SVI_INLINE void cut_off(ints *v, const char *from)
{
#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++)
        v[k] = _mm256_cvttps_epi32(floats(from + k * 32));
}

SVI_INLINE bool any_least(const ints *v)
{
    const ints smallest = _mm256_min_epi32(_mm256_min_epi32(v[0], v[1]), _mm256_min_epi32(v[2], v[3]));

    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(smallest, _mm256_set1_epi32(INT32_MIN))) != 0;
}

SVI_INLINE void cut_large(ints *v, const char *from)
{
    const ints hidden = _mm256_set1_epi32(0x800000), fraction = _mm256_set1_epi32(0x7fffff);

#pragma GCC unroll 4
    for (int k = 0; k < BATCH; k++) {
        const ints bits = load(from + k * 32), exponent = _mm256_srli_epi32(_mm256_slli_epi32(bits, 1), 24);
        const ints significand = _mm256_or_si256(_mm256_and_si256(bits, fraction), hidden);
        const ints shifted = _mm256_sllv_epi32(significand, _mm256_sub_epi32(exponent, _mm256_set1_epi32(150)));
        const ints least = _mm256_cmpeq_epi32(v[k], _mm256_set1_epi32(INT32_MIN));

        v[k] = _mm256_blendv_epi8(v[k], _mm256_sign_epi32(shifted, bits), least);
    }
}

#include "loops_narrow.h"

#define SVI_LOOPS svi_loops_avx2
#include "loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
