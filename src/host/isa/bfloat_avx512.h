/* The rounding of float32 to bfloat16 in the upper half of each number, with AVX-512; as numbers.h has it. */
#ifndef SVI_HOST_BFLOAT_AVX512_H
#define SVI_HOST_BFLOAT_AVX512_H

#include <immintrin.h>

#include "host/base/elements.h"

/* But NaN. */
SVI_INLINE __m512i rounded_number(__m512i bits)
{
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));

    return _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
}

SVI_INLINE __m512i rounded(__m512i bits)
{
    const __m512i sign = _mm512_and_si512(bits, _mm512_set1_epi32(INT32_MIN));
    const __m512 f = _mm512_castsi512_ps(bits);

    return _mm512_mask_or_epi32(rounded_number(bits), _mm512_cmp_ps_mask(f, f, _CMP_UNORD_Q), sign,
                                _mm512_set1_epi32(0x7fc00000));
}

#endif
