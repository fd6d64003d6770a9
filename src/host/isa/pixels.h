/*
 * Pixels of 2 to 4 units: deinterleave, interleave and swizzle, for the loops of few_units. Byte shuffles by masks move
 * the units within lanes. A vector of a plane is contiguous; the lanes of a vector of pixels alternate with those of
 * the others. A single plane needs no masks if the instruction set permutes words across lanes. For the vectors of the
 * file that includes this; after lanes.h.
 */
#ifndef SVI_HOST_PIXELS_H
#define SVI_HOST_PIXELS_H

SVI_INLINE void fetch(const char *src, int64_t nbytes)
{
#pragma GCC unroll 4
    for (int64_t k = 0; k < nbytes; k += SVI_LINE)
        svi_prefetch(src + k);
}

/* --- one plane without masks --------------------------------------------------------- */

#ifdef __x86_64__
#ifdef SVI_AVX512
enum { WORDS = VECTOR / 2 };

/* The place of each word of the result in the source. */
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

/* Permutes two vectors at once; then adds the words that a third vector has, by the mask here. */
SVI_INLINE vec gathered_units(const char *src, vec last, vec places, const __mmask32 *here, int from)
{
    vec v = _mm512_permutex2var_epi16(load(src), places, from == 2 ? last : load(src + VECTOR));

#pragma GCC unroll 4
    for (int c = 2; c < from; c++)
        v = _mm512_mask_permutexvar_epi16(v, here[c], places, c == from - 1 ? last : load(src + c * VECTOR));
    return v;
}

/*
 * step: bytes that are stored at a time. Of the last vector of a line only the words up to the last unit are loaded,
 * since nothing may be behind it.
 */
SVI_INLINE void gather_units_of(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int from,
                                int64_t step, int how)
{
    const int64_t size = from * VECTOR, last = size - VECTOR, ahead = p->ahead;
    const vec places = word_places(p);
    const __mmask32 there = (__mmask32)-1 >> ((from - 1) * p->unit / 2);
    __mmask32 here[SVI_CHANNELS];

#pragma GCC unroll 4
    for (int c = 2; c < from; c++)
        here[c] = _mm512_cmpge_epu16_mask(places, _mm512_set1_epi16((short)(c * WORDS)));
    for (int64_t k = 0; k < nbytes; k += VECTOR, dst += step, src += size) {
        if (ahead != 0)
            fetch(src + ahead, size);
        put_by(dst, gathered_units(src, _mm512_maskz_loadu_epi16(there, src + last), places, here, from), how);
    }
}

SVI_INLINE void gather_units(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t step,
                             int how)
{
    switch (p->from) {
    case 2: gather_units_of(p, dst, src, nbytes, 2, step, how); break;
    case 3: gather_units_of(p, dst, src, nbytes, 3, step, how); break;
    default: gather_units_of(p, dst, src, nbytes, 4, step, how); break;
    }
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

/* Every third unit of three vectors. No two of these units have the same place in their vectors, so blends collect
 * them. */
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

/* step: bytes that are stored at a time. */
SVI_INLINE void gather_units_of(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int from,
                                int unit, int64_t step, int how)
{
    const int64_t size = from * VECTOR;

    for (int64_t k = 0; k < nbytes; k += VECTOR, dst += step, src += size) {
        if (p->ahead != 0 && k % SVI_LINE == 0)
            fetch(src + p->ahead, SVI_LINE * from);
        put_by(dst,
               from == 2   ? every_second(src, unit)
               : from == 3 ? every_third(src, unit)
                           : every_fourth(src, unit),
               how);
    }
}

SVI_INLINE void gather_units(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t step,
                             int how)
{
    switch (p->from * 16 + p->unit) {
    case 2 * 16 + 4: gather_units_of(p, dst, src, nbytes, 2, 4, step, how); break;
    case 2 * 16 + 8: gather_units_of(p, dst, src, nbytes, 2, 8, step, how); break;
    case 3 * 16 + 4: gather_units_of(p, dst, src, nbytes, 3, 4, step, how); break;
    case 3 * 16 + 8: gather_units_of(p, dst, src, nbytes, 3, 8, step, how); break;
    case 4 * 16 + 4: gather_units_of(p, dst, src, nbytes, 4, 4, step, how); break;
    default: gather_units_of(p, dst, src, nbytes, 4, 8, step, how); break;
    }
}

SVI_INLINE bool is_maskless(const struct svi_pixels *p)
{
    return p->to == 1 && (p->unit == 4 || p->unit == 8);
}

#endif
#endif

/* --- by masks ---------------------------------------------------------------------------- */

/* The bytes of all vectors v that go to one vector. */
SVI_INLINE vec picked(const vec *v, const vec *mask, int from)
{
    vec sum = pick(v[0], mask[0]);

#pragma GCC unroll 4
    for (int k = 1; k < from; k++)
        sum |= pick(v[k], mask[k]);
    return sum;
}

/* Rearranges pixels. step: bytes that are stored of a vector of each unit. */
SVI_INLINE void permute_units(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int from, int to,
                              bool from_planes, bool to_planes, int64_t step, int how)
{
    vec mask[SVI_CHANNELS][SVI_CHANNELS], v[SVI_CHANNELS], sum[SVI_CHANNELS];

    for (int i = 0; i < to; i++)
        for (int k = 0; k < from; k++)
            mask[i][k] = load_lanes((const char *)p->mask[i][k], 0);
    for (int64_t k = 0; k < nbytes; k += VECTOR) {
        const bool fetches = p->ahead != 0 && k % SVI_LINE == 0;

        if (fetches && !from_planes)
            fetch(src + k * from + p->ahead, SVI_LINE * from);
#pragma GCC unroll 4
        for (int c = 0; c < from; c++) {
            if (fetches && from_planes)
                svi_prefetch(src + c * p->src_pitch + k + p->ahead);
            v[c] = from_planes ? load(src + c * p->src_pitch + k) : load_lanes(src + k * from + 16 * c, 16 * from);
        }
#pragma GCC unroll 4
        for (int c = 0; c < to; c++)
            sum[c] = picked(v, mask[c], from);
        if (!to_planes)
            weave(sum, to);
#pragma GCC unroll 4
        for (int c = 0; c < to; c++)
            put_by(to_planes ? dst + c * p->dst_pitch + k / VECTOR * step : dst + k * to + c * VECTOR, sum[c], how);
    }
}

/* step: bytes of a plane that are stored at a time. */
SVI_INLINE void deinterleave_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int64_t step,
                                int how)
{
#ifdef __x86_64__
    if (is_maskless(p)) {
        gather_units(p, dst, src, nbytes, step, how);
        return;
    }
#endif
    switch (p->from * 8 + p->to) {
    case 2 * 8 + 1: permute_units(p, dst, src, nbytes, 2, 1, false, true, step, how); break;
    case 3 * 8 + 1: permute_units(p, dst, src, nbytes, 3, 1, false, true, step, how); break;
    case 4 * 8 + 1: permute_units(p, dst, src, nbytes, 4, 1, false, true, step, how); break;
    case 2 * 8 + 2: permute_units(p, dst, src, nbytes, 2, 2, false, true, step, how); break;
    case 3 * 8 + 3: permute_units(p, dst, src, nbytes, 3, 3, false, true, step, how); break;
    default: permute_units(p, dst, src, nbytes, 4, 4, false, true, step, how); break;
    }
}

/* A source whose one unit is repeated to pixels is a plane. */
SVI_INLINE void units_by(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes, int how)
{
    if (p->form == SVI_DEINTERLEAVE) {
        deinterleave_by(p, dst, src, nbytes, VECTOR, how);
        return;
    }
    switch (p->form == SVI_INTERLEAVE ? -p->from : p->from * 8 + p->to) {
    case -2: permute_units(p, dst, src, nbytes, 2, 2, true, false, VECTOR, how); break;
    case -3: permute_units(p, dst, src, nbytes, 3, 3, true, false, VECTOR, how); break;
    case -4: permute_units(p, dst, src, nbytes, 4, 4, true, false, VECTOR, how); break;
    case 1 * 8 + 2: permute_units(p, dst, src, nbytes, 1, 2, true, false, VECTOR, how); break;
    case 1 * 8 + 3: permute_units(p, dst, src, nbytes, 1, 3, true, false, VECTOR, how); break;
    case 1 * 8 + 4: permute_units(p, dst, src, nbytes, 1, 4, true, false, VECTOR, how); break;
    case 2 * 8 + 2: permute_units(p, dst, src, nbytes, 2, 2, false, false, VECTOR, how); break;
    case 3 * 8 + 2: permute_units(p, dst, src, nbytes, 3, 2, false, false, VECTOR, how); break;
    case 3 * 8 + 3: permute_units(p, dst, src, nbytes, 3, 3, false, false, VECTOR, how); break;
    case 4 * 8 + 3: permute_units(p, dst, src, nbytes, 4, 3, false, false, VECTOR, how); break;
    default: permute_units(p, dst, src, nbytes, 4, 4, false, false, VECTOR, how); break;
    }
}

static void units(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    units_by(p, dst, src, nbytes, PUT_STORE);
}

static void units_nt(const struct svi_pixels *p, char *dst, const char *src, int64_t nbytes)
{
    units_by(p, dst, src, nbytes, PUT_STREAM);
}

#endif
