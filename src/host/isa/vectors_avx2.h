/* What conversions are made of with AVX2 and F16C, where AVX-512 has other instructions: vectors_x86.h. */
#ifndef SVI_HOST_VECTORS_AVX2_H
#define SVI_HOST_VECTORS_AVX2_H

#define VEC(name) _mm256_##name
#define HALF(name) _mm_##name
#define HALF_BITS(name) _mm_##name##_si128

typedef __m256 floats;
typedef __m256d doubles;
typedef __m128i half_vec;
typedef __m128 half_floats;

/* Half k of a vector. */
SVI_INLINE half_vec half_of(vec v, int k)
{
    return k == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
}

/* As many bytes as a vector has numbers of 32 bits. */
SVI_INLINE __m128i load_quarter(const char *from)
{
    return _mm_loadl_epi64((const __m128i *)from);
}

SVI_INLINE __m128i quarter_of(vec v, int k)
{
    const half_vec half = half_of(v, k / 2);

    return k % 2 == 0 ? half : _mm_unpackhi_epi64(half, half);
}

/* The lower half of each number. */
SVI_INLINE half_vec low_words_of(vec v)
{
    const vec words = _mm256_shuffle_epi8(v, _mm256_set1_epi64x(0x0d0c090805040100));

    return _mm_unpacklo_epi64(half_of(words, 0), half_of(words, 1));
}

SVI_INLINE half_vec low_ints_of(vec v)
{
    return half_of(_mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)), 0);
}

/* The lower half of each number is of a, the upper one of b. */
SVI_INLINE vec paired_words(vec a, vec b)
{
    return _mm256_blend_epi16(a, b, 0xaa);
}

SVI_INLINE vec paired_ints(vec a, vec b)
{
    return _mm256_blend_epi32(a, b, 0xaa);
}

/* Where bits are a NaN as float32. */
SVI_INLINE vec where_nan(vec bits, vec nan, vec number)
{
    const floats f = _mm256_castsi256_ps(bits), is_nan = _mm256_cmp_ps(f, f, _CMP_UNORD_Q);

    return _mm256_blendv_epi8(number, nan, _mm256_castps_si256(is_nan));
}

/* Not 0 where a number of a or b is NaN. */
SVI_INLINE int any_nan(floats a, floats b)
{
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}

SVI_INLINE floats without_nan(floats a)
{
    return _mm256_and_ps(a, _mm256_cmp_ps(a, a, _CMP_ORD_Q));
}

/* INT32_MIN is what the instruction makes of numbers that are out of range. */
SVI_INLINE bool any_least(vec v)
{
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(v, _mm256_set1_epi32(INT32_MIN))) != 0;
}

SVI_INLINE vec where_least(vec v, vec other)
{
    return _mm256_blendv_epi8(v, other, _mm256_cmpeq_epi32(v, _mm256_set1_epi32(INT32_MIN)));
}

/* Negative where sign is; anything where that is 0. */
SVI_INLINE vec with_sign(vec v, vec sign)
{
    return _mm256_sign_epi32(v, sign);
}

/* What was packed lane by lane, in the order of the numbers: from two vectors, and from four. */
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

#endif
