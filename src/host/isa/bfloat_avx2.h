/* The rounding of float32 to bfloat16 in the upper half of each number, with AVX2; as numbers.h has it. */
#ifndef SVI_HOST_BFLOAT_AVX2_H
#define SVI_HOST_BFLOAT_AVX2_H

#include <immintrin.h>

#include "host/base/elements.h"

/* But NaN. */
SVI_INLINE __m256i rounded_number(__m256i bits)
{
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));

    return _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
}

SVI_INLINE __m256i rounded(__m256i bits)
{
    const __m256i sign = _mm256_and_si256(bits, _mm256_set1_epi32(INT32_MIN));
    const __m256i nan = _mm256_or_si256(sign, _mm256_set1_epi32(0x7fc00000));
    const __m256 f = _mm256_castsi256_ps(bits), is_nan = _mm256_cmp_ps(f, f, _CMP_UNORD_Q);

    return _mm256_blendv_epi8(rounded_number(bits), nan, _mm256_castps_si256(is_nan));
}

#endif
