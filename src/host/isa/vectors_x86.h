/*
 * Steps of conversions that AVX2 and AVX-512 have alike: VEC(name) is the instruction of the whole vector, HALF(name)
 * and HALF_BITS(name) those of half of one. After vectors_avx2.h or vectors_avx512.h.
 */
#ifndef SVI_HOST_VECTORS_X86_H
#define SVI_HOST_VECTORS_X86_H

#include "numbers.h"

SVI_INLINE half_vec load_half(const char *from)
{
    return HALF_BITS(loadu)((const half_vec *)from);
}

SVI_INLINE void store_half(char *to, half_vec v)
{
    HALF_BITS(storeu)((half_vec *)to, v);
}

SVI_INLINE void stream_half_vec(char *to, half_vec v)
{
    HALF_BITS(stream)((half_vec *)to, v);
}

/* Float32 to bfloat16 in the upper half of each number, as numbers.h has it, but NaN. */
SVI_INLINE vec rounded_number(vec bits)
{
    const vec odd = VEC(srli_epi32)(bits, 16) & VEC(set1_epi32)(1);

    return VEC(add_epi32)(VEC(add_epi32)(bits, VEC(set1_epi32)(0x7fff)), odd);
}

SVI_INLINE vec rounded(vec bits)
{
    const vec nan = (bits & VEC(set1_epi32)(INT32_MIN)) | VEC(set1_epi32)(SVI_F32_NAN);

    return where_nan(bits, nan, rounded_number(bits));
}

SVI_INLINE half_vec as_f16(floats v)
{
    return VEC(cvtps_ph)(v, _MM_FROUND_TO_NEAREST_INT);
}

SVI_INLINE vec as_f32(vec v)
{
    return (vec)VEC(cvtepi32_ps)(v);
}

/* Numbers of a byte to numbers of four, by an operation that is a constant. */
SVI_INLINE vec from_bytes(__m128i v, enum svi_op op)
{
    switch (op) {
    case SVI_OP_I32_FROM_U8: return VEC(cvtepu8_epi32)(v);
    case SVI_OP_I32_FROM_I8: return VEC(cvtepi8_epi32)(v);
    case SVI_OP_F32_FROM_U8: return as_f32(VEC(cvtepu8_epi32)(v));
    default: return as_f32(VEC(cvtepi8_epi32)(v));
    }
}

/* Numbers to such of twice the size. */
SVI_INLINE vec from_halves(half_vec v, enum svi_op op)
{
    switch (op) {
    case SVI_OP_I32_FROM_U16: return VEC(cvtepu16_epi32)(v);
    case SVI_OP_I32_FROM_I16: return VEC(cvtepi16_epi32)(v);
    case SVI_OP_F32_FROM_U16: return as_f32(VEC(cvtepu16_epi32)(v));
    case SVI_OP_F32_FROM_I16: return as_f32(VEC(cvtepi16_epi32)(v));
    case SVI_OP_F32_FROM_F16: return (vec)VEC(cvtph_ps)(v);
    case SVI_OP_F32_FROM_BF16: return VEC(slli_epi32)(VEC(cvtepu16_epi32)(v), 16);
    case SVI_OP_I64_FROM_I32: return VEC(cvtepi32_epi64)(v);
    case SVI_OP_F64_FROM_I32: return (vec)VEC(cvtepi32_pd)(v);
    default: return (vec)VEC(cvtps_pd)((half_floats)v);
    }
}

#endif
