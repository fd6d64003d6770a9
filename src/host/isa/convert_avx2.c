#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#include <immintrin.h>

#include "host/base/isa.h"
#include "host/isa/convert_avx2.h"
#include "dtype/numbers.h"

typedef __m256i vec;
#define VEC(name) _mm256_##name

SVI_INLINE vec load(const char *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

SVI_INLINE void store(char *to, vec v)
{
    _mm256_storeu_si256((__m256i *)to, v);
}

#include "host/isa/vectors.h"

/* --- what convert_vectors.h is made of -------------------------------------------- */

/* Loads a byte for each 32-bit number of a vector. */
SVI_INLINE __m128i load_quarter(const char *from)
{
    return _mm_loadl_epi64((const __m128i *)from);
}

/* Not 0 if a number of a or b is NaN. */
SVI_INLINE int any_nan(floats a, floats b)
{
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}

SVI_INLINE floats without_nan(floats a)
{
    return _mm256_and_ps(a, _mm256_cmp_ps(a, a, _CMP_ORD_Q));
}

/* Whether a number is INT32_MIN, which the instruction gives for numbers out of range. */
SVI_INLINE bool any_least(vec v)
{
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(v, _mm256_set1_epi32(INT32_MIN))) != 0;
}

/* Puts words that were packed lane by lane, from two vectors or from four, in the order of the numbers. */
SVI_INLINE vec ordered_words(vec v)
{
    return _mm256_permute4x64_epi64(v, 0xd8);
}

SVI_INLINE vec ordered_bytes(vec v)
{
    return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* The lower halves of numbers of 32 bits of a, then of b. */
SVI_INLINE vec low_words(vec a, vec b)
{
    const vec none = _mm256_setzero_si256();

    return ordered_words(_mm256_packus_epi32(_mm256_blend_epi16(a, none, 0xaa), _mm256_blend_epi16(b, none, 0xaa)));
}

SVI_INLINE vec high_words(vec a, vec b)
{
    return ordered_words(_mm256_packus_epi32(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16)));
}

/* The lowest bytes, of four vectors. */
SVI_INLINE vec low_bytes(const vec *v)
{
    const vec byte = _mm256_set1_epi32(0xff);
    const vec ab = _mm256_packus_epi32(v[0] & byte, v[1] & byte), cd = _mm256_packus_epi32(v[2] & byte, v[3] & byte);

    return ordered_bytes(_mm256_packus_epi16(ab, cd));
}

/* --- float64 to float32 and int64 ----------------------------------------------------- */

/*
 * Rounds to odd: bits that float32 cannot hold set its last bit, so that a later rounding to a smaller type is exact.
 * Subnormal numbers hold fewer bits. Numbers that are too large become infinity, as any later rounding makes them.
 */
static void odd_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const __m256i lost = _mm256_set1_epi64x(0x1fffffff), magnitude = _mm256_set1_epi64x(INT64_MAX);
    const __m256i subnormal = _mm256_set1_epi64x(INT64_C(0x3810000000000000));
    const u64 *from = src;
    u32 *to = dst;

    for (; blocks > 0; blocks--, to += SVI_BLOCK, from += SVI_BLOCK) {
        __m256i least = magnitude; /* least of the upper halves; 0 counts as the largest */

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

/* The last bit of the sum with 1.5 * 2^52 is worth 1, so numbers below 2^51 can be read from it. */
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
            for (int k = 0; k < SVI_BLOCK; k += 4)
                store((char *)(to + k), cut_doubles(load((const char *)(from + k))));
    }
}

#include "host/isa/convert_vectors.h"

#define SVI_CONVERT svi_convert_avx2
#define SVI_SCALE svi_scale_avx2
#include "host/isa/convert_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
