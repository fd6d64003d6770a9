/* What conversions are made of with AVX-512, where AVX2 has other instructions: vectors_x86.h. */
#ifndef SVI_HOST_VECTORS_AVX512_H
#define SVI_HOST_VECTORS_AVX512_H

#define VEC(name) _mm512_##name
#define HALF(name) _mm256_##name
#define HALF_BITS(name) _mm256_##name##_si256

typedef __m512 floats;
typedef __m512d doubles;
typedef __m256i half_vec;
typedef __m256 half_floats;

/* Half k of a vector. */
SVI_INLINE half_vec half_of(vec v, int k)
{
    return k == 0 ? _mm512_castsi512_si256(v) : _mm512_extracti64x4_epi64(v, 1);
}

/* As many bytes as a vector has numbers of 32 bits. */
SVI_INLINE __m128i load_quarter(const char *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

SVI_INLINE __m128i quarter_of(vec v, int k)
{
    switch (k) {
    case 0: return _mm512_castsi512_si128(v);
    case 1: return _mm512_extracti32x4_epi32(v, 1);
    case 2: return _mm512_extracti32x4_epi32(v, 2);
    default: return _mm512_extracti32x4_epi32(v, 3);
    }
}

/* The lower half of each number. */
SVI_INLINE half_vec low_words_of(vec v)
{
    return _mm512_cvtepi32_epi16(v);
}

SVI_INLINE half_vec low_ints_of(vec v)
{
    return _mm512_cvtepi64_epi32(v);
}

/* The lower half of each number is of a, the upper one of b. */
SVI_INLINE vec paired_words(vec a, vec b)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, a, b);
}

SVI_INLINE vec paired_ints(vec a, vec b)
{
    return _mm512_mask_blend_epi32(0xaaaa, a, b);
}

/* Where bits are a NaN as float32. */
SVI_INLINE vec where_nan(vec bits, vec nan, vec number)
{
    const floats f = _mm512_castsi512_ps(bits);

    return _mm512_mask_mov_epi32(number, _mm512_cmp_ps_mask(f, f, _CMP_UNORD_Q), nan);
}

/* Not 0 where a number of a or b is NaN. */
SVI_INLINE int any_nan(floats a, floats b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
}

SVI_INLINE floats without_nan(floats a)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a, a, _CMP_ORD_Q), a);
}

/* INT32_MIN is what the instruction makes of numbers that are out of range. */
SVI_INLINE bool any_least(vec v)
{
    return _mm512_cmpeq_epi32_mask(v, _mm512_set1_epi32(INT32_MIN)) != 0;
}

SVI_INLINE vec where_least(vec v, vec other)
{
    return _mm512_mask_mov_epi32(v, _mm512_cmpeq_epi32_mask(v, _mm512_set1_epi32(INT32_MIN)), other);
}

/* Negative where sign is; anything where that is 0. */
SVI_INLINE vec with_sign(vec v, vec sign)
{
    return _mm512_mask_sub_epi32(v, _mm512_movepi32_mask(sign), _mm512_setzero_si512(), v);
}

/* What was packed lane by lane, in the order of the numbers: from two vectors, and from four. */
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

#endif
