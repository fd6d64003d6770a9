/*
 * Every second, third or fourth unit without masks; before pixels.h. With
 * SVI_MASKS, units of 2 bytes and more by permutations of words, and nothing is
 * read behind the last unit; else units of 4 and 8 bytes by shuffles of AVX2.
 */
#ifndef SVI_HOST_GATHER_H
#define SVI_HOST_GATHER_H

#define SVI_MASKLESS

SVI_INLINE void fetch(const char *src, int64_t nbytes)
{
#pragma GCC unroll 4
    for (int64_t k = 0; k < nbytes; k += SVI_LINE)
        __builtin_prefetch(src + k);
}

#ifdef SVI_MASKS
enum { WORDS = VECTOR / 2 };

/* Where each word of the result is in the source, in words. */
SVI_INLINE vec word_places(const struct svi_pixels *p)
{
    const int words = p->unit / 2; /* of a unit; a power of two */
    uint16_t counting[WORDS];
    vec unit, part;

    for (int k = 0; k < WORDS; k++)
        counting[k] = (uint16_t)k;
    part = _mm512_and_si512(load((const char *)counting), _mm512_set1_epi16((short)(words - 1)));
    unit = _mm512_srl_epi16(load((const char *)counting), _mm_cvtsi32_si128(__builtin_ctz((unsigned)words)));
    return _mm512_add_epi16(_mm512_mullo_epi16(unit, _mm512_set1_epi16((short)(words * p->from))), part);
}

/* A line of two vectors at once; then of one more what is in it by here. */
SVI_INLINE vec gathered_units(const char *src, vec last, vec places, const __mmask32 *here, int from)
{
    vec v = _mm512_permutex2var_epi16(load(src), places, from == 2 ? last : load(src + VECTOR));

#pragma GCC unroll 4
    for (int c = 2; c < from; c++)
        v = _mm512_mask_permutexvar_epi16(v, here[c], places, c == from - 1 ? last : load(src + c * VECTOR));
    return v;
}

/*
 * A vector of each of parts runs in turns, step bytes of which are put. Of a line's last vector only the words up to
 * the last unit are loaded: what is behind it may not be there.
 */
SVI_INLINE void gather_parts_of(const struct svi_pixels *p, char *dst, int64_t dst_part, const char *src,
                                int64_t src_part, int parts, int64_t nbytes, int from, int64_t step, put_vector *put)
{
    const int64_t size = from * VECTOR, last = size - VECTOR, ahead = p->ahead;
    const vec places = word_places(p);
    const __mmask32 there = (__mmask32)-1 >> ((from - 1) * p->unit / 2);
    __mmask32 here[SVI_CHANNELS];

#pragma GCC unroll 4
    for (int c = 2; c < from; c++)
        here[c] = _mm512_cmpge_epu16_mask(places, _mm512_set1_epi16((short)(c * WORDS)));
    for (int64_t k = 0; k < nbytes; k += VECTOR, dst += step, src += size)
        for (int i = 0; i < parts; i++) {
            const char *at = src + i * src_part;

            if (ahead != 0)
                fetch(at + ahead, size);
            put(dst + i * dst_part,
                gathered_units(at, _mm512_maskz_loadu_epi16(there, at + last), places, here, from));
        }
}

SVI_INLINE void gather_parts(const struct svi_pixels *p, char *dst, int64_t dst_part, const char *src, int64_t src_part,
                             int parts, int64_t nbytes, int64_t step, put_vector *put)
{
    switch (p->from) {
    case 2: gather_parts_of(p, dst, dst_part, src, src_part, parts, nbytes, 2, step, put); break;
    case 3: gather_parts_of(p, dst, dst_part, src, src_part, parts, nbytes, 3, step, put); break;
    default: gather_parts_of(p, dst, dst_part, src, src_part, parts, nbytes, 4, step, put); break;
    }
}

SVI_INLINE void gather_units(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t step,
                             put_vector *put)
{
    gather_parts(p, dst, 0, src, 0, 1, nbytes, step, put);
}

static void deinterleave_parts(const struct svi_pixels *p, char *dst, int64_t dst_part, const char *src,
                               int64_t src_part, int parts, int64_t nbytes)
{
    gather_parts(p, dst, dst_part, src, src_part, parts, nbytes, VECTOR, stream);
}

SVI_INLINE bool is_maskless(const struct svi_pixels *p)
{
    return p->to == 1 && p->unit > 1;
}

#else
SVI_INLINE vec even_words(vec a, vec b)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
}

SVI_INLINE vec in_order(vec v, vec places)
{
    return _mm256_permutevar8x32_epi32(v, places);
}

SVI_INLINE vec every_second(const char *src, int unit)
{
    const vec a = load(src), b = load(src + VECTOR);

    return in_order(unit == 4 ? even_words(a, b) : low(a, b, 8), _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7));
}

/* No two of the units are at one place of their vectors. */
SVI_INLINE vec every_third(const char *src, int unit)
{
    const vec a = load(src), b = load(src + VECTOR), c = load(src + 2 * VECTOR);

    if (unit == 4)
        return in_order(_mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x92), c, 0x24),
                        _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
    return in_order(_mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x30), c, 0x0c),
                    _mm256_setr_epi32(0, 1, 6, 7, 4, 5, 2, 3));
}

SVI_INLINE vec every_fourth(const char *src, int unit)
{
    const vec a = low(load(src), load(src + VECTOR), unit);
    const vec b = low(load(src + 2 * VECTOR), load(src + 3 * VECTOR), unit);

    if (unit == 4)
        return in_order(low(a, b, 8), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    return _mm256_permute2x128_si256(a, b, 0x20);
}

/* step: bytes that are put at a time. */
SVI_INLINE void gather_units_of(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int from,
                                int unit, int64_t step, put_vector *put)
{
    const int64_t size = from * VECTOR;

    for (int64_t k = 0; k < nbytes; k += VECTOR, dst += step, src += size) {
        if (p->ahead != 0 && k % SVI_LINE == 0)
            fetch(src + p->ahead, SVI_LINE * from);
        put(dst, from == 2 ? every_second(src, unit) : from == 3 ? every_third(src, unit) : every_fourth(src, unit));
    }
}

SVI_INLINE void gather_units(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t step,
                             put_vector *put)
{
    switch (p->from * 16 + p->unit) {
    case 2 * 16 + 4: gather_units_of(p, dst, src, nbytes, 2, 4, step, put); break;
    case 2 * 16 + 8: gather_units_of(p, dst, src, nbytes, 2, 8, step, put); break;
    case 3 * 16 + 4: gather_units_of(p, dst, src, nbytes, 3, 4, step, put); break;
    case 3 * 16 + 8: gather_units_of(p, dst, src, nbytes, 3, 8, step, put); break;
    case 4 * 16 + 4: gather_units_of(p, dst, src, nbytes, 4, 4, step, put); break;
    default: gather_units_of(p, dst, src, nbytes, 4, 8, step, put); break;
    }
}

SVI_INLINE bool is_maskless(const struct svi_pixels *p)
{
    return p->to == 1 && (p->unit == 4 || p->unit == 8);
}
#endif

#endif
