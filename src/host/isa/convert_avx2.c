#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#include <immintrin.h>

#include "isa.h"
#include "numbers.h"

typedef __m256i vec;

SVI_INLINE vec load(const char *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

SVI_INLINE void store(char *to, vec v)
{
    _mm256_storeu_si256((__m256i *)to, v);
}

#include "vectors_avx2.h"
#include "vectors_x86.h"

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

#include "convert_vectors.h"

#define SVI_CONVERT svi_convert_avx2
#include "convert_loops.h"

#define SVI_SCALE svi_scale_avx2
#define SVI_TO_WHOLE svi_to_whole_avx2
#include "affine_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
