#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif

#include <immintrin.h>

#include "isa.h"
#include "numbers.h"

typedef __m512i vec;

SVI_INLINE vec load(const char *from)
{
    return _mm512_loadu_si512(from);
}

SVI_INLINE void store(char *to, vec v)
{
    _mm512_storeu_si512(to, v);
}

#include "vectors_avx512.h"
#include "vectors_x86.h"

/* --- to the odd neighbour: towards 0, and the last bit is set where that is another number --- */

enum { TOWARDS_0 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC };

SVI_INLINE vec odd_of_16(__m512 less, __mmask16 other)
{
    const vec bits = _mm512_castps_si512(less);

    return _mm512_mask_or_epi32(bits, other, bits, _mm512_set1_epi32(1));
}

SVI_INLINE half_vec odd_of_8(__m256 less, __mmask8 other)
{
    const half_vec bits = _mm256_castps_si256(less);

    return _mm256_mask_or_epi32(bits, other, bits, _mm256_set1_epi32(1));
}

SVI_INLINE vec odd_from_32(vec a, bool is_signed)
{
    const __m512 less = is_signed ? _mm512_cvt_roundepi32_ps(a, TOWARDS_0) : _mm512_cvt_roundepu32_ps(a, TOWARDS_0);
    const vec again = is_signed ? _mm512_cvttps_epi32(less) : _mm512_cvttps_epu32(less);

    return odd_of_16(less, _mm512_cmpneq_epi32_mask(again, a));
}

SVI_INLINE half_vec odd_from_64(vec a, bool is_signed)
{
    const __m256 less = is_signed ? _mm512_cvt_roundepi64_ps(a, TOWARDS_0) : _mm512_cvt_roundepu64_ps(a, TOWARDS_0);
    const vec again = is_signed ? _mm512_cvttps_epi64(less) : _mm512_cvttps_epu64(less);

    return odd_of_8(less, _mm512_cmpneq_epi64_mask(again, a));
}

SVI_INLINE void odd_from_integers(void *restrict dst, const void *restrict src, int64_t blocks, enum svi_op op,
                                  int item)
{
    const bool is_signed = op == SVI_OP_ODD_FROM_I32 || op == SVI_OP_ODD_FROM_I64;
    const char *from = src;
    char *to = dst;

    for (blocks *= SVI_BLOCK * item / 64; blocks > 0; blocks--, to += 256 / item, from += 64)
        if (item == 4)
            store(to, odd_from_32(load(from), is_signed));
        else
            store_half(to, odd_from_64(load(from), is_signed));
}

#define SVI_SPECIAL_ODD

static void odd_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    const char *from = src;
    char *to = dst;

    for (blocks *= SVI_BLOCK / 8; blocks > 0; blocks--, to += 32, from += 64) {
        const __m512d a = _mm512_castsi512_pd(load(from));
        const __m256 less = _mm512_cvt_roundpd_ps(a, TOWARDS_0);

        store_half(to, odd_of_8(less, _mm512_cmp_pd_mask(_mm512_cvtps_pd(less), a, _CMP_NEQ_UQ)));
    }
}

/* --- float64 to int64: the least number is what is out of range, and its block is done again --- */

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

#include "convert_vectors.h"

#define SVI_CONVERT svi_convert_avx512
#include "convert_loops.h"

#define SVI_SCALE svi_scale_avx512
#define SVI_TO_WHOLE svi_to_whole_avx512
#include "affine_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
