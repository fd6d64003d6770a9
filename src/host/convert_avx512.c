#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif

#include <immintrin.h>

#include "isa.h"

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

#define SVI_LOOPS svi_loops_avx512
#include "loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
