#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#include <immintrin.h>

#include "isa.h"

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

#define SVI_LOOPS svi_loops_avx2
#include "loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
