#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif

#include <immintrin.h>

#include "host/base/isa.h"
#include "host/isa/convert_avx512.h"
#include "dtype/numbers.h"

typedef __m512i vec;
#define VEC(name) _mm512_##name

SVI_INLINE vec load(const char *from)
{
    return _mm512_loadu_si512(from);
}

SVI_INLINE void store(char *to, vec v)
{
    _mm512_storeu_si512(to, v);
}

#define SVI_AVX512
#include "host/isa/vectors.h"

/* --- what convert_vectors.h is made of -------------------------------------------- */

/* Loads a byte for each 32-bit number of a vector. */
SVI_INLINE __m128i load_quarter(const char *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

/* Not 0 if a number of a or b is NaN. */
SVI_INLINE int any_nan(floats a, floats b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
}

SVI_INLINE floats without_nan(floats a)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a, a, _CMP_ORD_Q), a);
}

/* Whether a number is INT32_MIN, which the instruction gives for numbers out of range. */
SVI_INLINE bool any_least(vec v)
{
    return _mm512_cmpeq_epi32_mask(v, _mm512_set1_epi32(INT32_MIN)) != 0;
}

/* Puts words that were packed lane by lane, from two vectors or from four, in the order of the numbers. */
SVI_INLINE vec ordered_words(vec v)
{
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v);
}

SVI_INLINE vec ordered_bytes(vec v)
{
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
}

/* Halves k, k + 2, k + 4 and so on of a, then of b. */
SVI_INLINE vec words(vec a, vec b, uint32_t k)
{
    const __m256i bytes = _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38,
                                           40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62);
    const vec from = _mm512_add_epi16(_mm512_cvtepu8_epi16(bytes), _mm512_set1_epi16((short)k));

    return _mm512_permutex2var_epi16(a, from, b);
}

SVI_INLINE vec low_words(vec a, vec b)
{
    return words(a, b, 0);
}

SVI_INLINE vec high_words(vec a, vec b)
{
    return words(a, b, 1);
}

/* The lowest bytes, of four vectors of 32 bits. */
SVI_INLINE vec low_bytes(const vec *v)
{
    const vec byte = _mm512_set1_epi16(0xff);

    return ordered_words(_mm512_packus_epi16(low_words(v[0], v[1]) & byte, low_words(v[2], v[3]) & byte));
}

/* --- float64 to float32, rounded to odd --- */

/* Truncates, and sets the last bit if the number changed. */

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

/* --- float64 to int64 --- */

/* INT64_MIN means that a number is out of range; its block is then converted again. */

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
            for (int k = 0; k < SVI_BLOCK; k += 8)
                store((char *)(to + k), cut_doubles(load((const char *)(from + k))));
    }
}

#include "host/isa/convert_vectors.h"

#define SVI_CONVERT svi_convert_avx512
#define SVI_SCALE svi_scale_avx512
#include "host/isa/convert_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
