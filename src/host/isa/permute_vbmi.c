/*
 * The inner loops of permute_period.c and permute_sources.c, with AVX-512 VBMI: vectors of rows from up to four vectors
 * of the source that follow each other, and lines from up to eight source windows that lie anywhere. Parts of vectors
 * are loaded and stored by masks.
 */
#ifdef __x86_64__
#include "checked.h"
#include "isa.h"
#include "host/base/elements.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,prfchw"))),          \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,prfchw")
#endif

#include <immintrin.h>

typedef __m512i vec;
enum {
    WORDS = SVI_LINE / 2,
    SRC_AHEAD = 4096, /* bytes that are fetched before they are needed, beyond the cache, */
    DST_AHEAD = 2048  /* and before they are written in part */
};

/* --- one vector ------------------------------------------------------------------- */

SVI_INLINE vec load(const char *src)
{
    return _mm512_loadu_si512(src);
}

/* whole: all of it may be read. */
SVI_INLINE vec load_part(const char *src, uint64_t read, bool whole)
{
    return whole ? load(src) : _mm512_maskz_loadu_epi8(read, src);
}

SVI_INLINE vec of_two(vec a, vec lane, vec b, int unit)
{
    switch (unit) {
    case 1: return _mm512_permutex2var_epi8(a, lane, b);
    case 2: return _mm512_permutex2var_epi16(a, lane, b);
    case 4: return _mm512_permutex2var_epi32(a, lane, b);
    default: return _mm512_permutex2var_epi64(a, lane, b);
    }
}

SVI_INLINE vec of_one(vec v, uint64_t those, vec lane, vec a, int unit)
{
    switch (unit) {
    case 1: return _mm512_mask_permutexvar_epi8(v, those, lane, a);
    case 2: return _mm512_mask_permutexvar_epi16(v, (__mmask32)those, lane, a);
    case 4: return _mm512_mask_permutexvar_epi32(v, (__mmask16)those, lane, a);
    default: return _mm512_mask_permutexvar_epi64(v, (__mmask8)those, lane, a);
    }
}

SVI_INLINE vec blend(vec v, uint64_t those, vec a, int unit)
{
    switch (unit) {
    case 1: return _mm512_mask_mov_epi8(v, those, a);
    case 2: return _mm512_mask_mov_epi16(v, (__mmask32)those, a);
    case 4: return _mm512_mask_mov_epi32(v, (__mmask16)those, a);
    default: return _mm512_mask_mov_epi64(v, (__mmask8)those, a);
    }
}

SVI_INLINE void put(char *dst, uint64_t those, vec v, int unit)
{
    switch (unit) {
    case 1: _mm512_mask_storeu_epi8(dst, those, v); break;
    case 2: _mm512_mask_storeu_epi16(dst, (__mmask32)those, v); break;
    case 4: _mm512_mask_storeu_epi32(dst, (__mmask16)those, v); break;
    default: _mm512_mask_storeu_epi64(dst, (__mmask8)those, v); break;
    }
}

/* What a loop keeps of a table: what is stored could be a part of it, as far as the compiler knows. */
struct kept {
    vec lane;
    uint64_t second, there;
    int64_t from;
};

SVI_INLINE struct kept keep(const struct svi_period_line *c)
{
    return (struct kept){load((const char *)c->lane), c->second, c->there, c->from};
}

/* src: of the first vector. */
SVI_INLINE vec permuted(const struct kept *k, const char *src, const uint64_t *read, int unit, int vectors, bool whole)
{
    vec v = load_part(src, read[0], whole), w;

    if (vectors == 1)
        return of_one(v, ~(uint64_t)0, k->lane, v, unit);
    v = of_two(v, k->lane, load_part(src + SVI_LINE, read[1], whole), unit);
    if (vectors == 2)
        return v;
    w = load_part(src + 2 * SVI_LINE, read[2], whole);
    if (vectors == 3)
        return of_one(v, k->second, k->lane, w, unit);
    return blend(v, k->second, of_two(w, k->lane, load_part(src + 3 * SVI_LINE, read[3], whole), unit), unit);
}

/* --- rows ------------------------------------------------------------------------- */

SVI_INLINE void fetch(const char *dst, const char *src, int vectors, bool dense)
{
    if (!dense)
        __builtin_prefetch(dst + DST_AHEAD, 1);
    for (int k = 0; k < vectors; k++)
        __builtin_prefetch(src + SRC_AHEAD + k * SVI_LINE);
}

SVI_INLINE void body(const struct svi_period_rows *s, char *dst, const char *src, int unit, int vectors, int period)
{
    const bool beyond_cache = s->beyond_cache, dense = s->dst_step == s->item * s->times;
    const int64_t step = s->step;
    char *const end = dst + s->body * SVI_LINE;
    struct kept k[SVI_PERIOD_LINES];

#pragma GCC unroll 3
    for (int p = 0; p < period; p++)
        k[p] = keep(&s->line[p]);
    for (; dst < end; src += step)
#pragma GCC unroll 3
        for (int p = 0; p < period; p++, dst += SVI_LINE) {
            if (beyond_cache)
                fetch(dst, src + k[p].from, vectors, dense);
            put(dst, k[p].there, permuted(&k[p], src + k[p].from, s->line[p].read, unit, vectors, true), unit);
        }
}

SVI_INLINE void ends(const struct svi_period_rows *s, char *dst, const char *src, int unit, int vectors)
{
    for (int32_t i = 0; i < s->ends; i++) {
        const struct kept k = keep(&s->end[i]);

        if (s->beyond_cache)
            fetch(dst + i * SVI_LINE, src + k.from, vectors, s->dst_step == s->item * s->times);
        put(dst + i * SVI_LINE, k.there, permuted(&k, src + k.from, s->end[i].read, unit, vectors, false), unit);
    }
}

/* Rows of both sides, and from one to the next. */
struct area {
    char *dst;
    const char *src;
    int64_t dst_pitch, src_pitch, rows;
};

SVI_INLINE void rows(const struct svi_period_rows *s, const struct area *a, int unit, int vectors)
{
    for (int64_t i = 0; i < a->rows; i++) {
        char *const dst = a->dst + i * a->dst_pitch;
        const char *const src = a->src + i * a->src_pitch;

        if (s->body > 0 && s->period == 1)
            body(s, dst, src, unit, vectors, 1);
        else if (s->body > 0)
            body(s, dst, src, unit, vectors, SVI_PERIOD_LINES);
        ends(s, dst + s->body * SVI_LINE, src, unit, vectors);
    }
}

SVI_INLINE void rows_of(const struct svi_period_rows *s, const struct area *a, int unit)
{
    switch (s->vectors) {
    case 1: rows(s, a, unit, 1); break;
    case 2: rows(s, a, unit, 2); break;
    case 3: rows(s, a, unit, 3); break;
    default: rows(s, a, unit, 4); break;
    }
}

void svi_permute_period_vbmi(const struct svi_period_rows *s, char *dst, int64_t dst_pitch, const char *src,
                          int64_t src_pitch, int64_t rows)
{
    const struct area a = {dst, src, dst_pitch, src_pitch, rows};

    switch (s->unit) {
    case 1: rows_of(s, &a, 1); break;
    case 2: rows_of(s, &a, 2); break;
    case 4: rows_of(s, &a, 4); break;
    default: rows_of(s, &a, 8); break;
    }
}

/* --- which lanes ------------------------------------------------------------------ */

static const uint16_t counting[WORDS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                         16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

SVI_INLINE vec words(int64_t n)
{
    return _mm512_set1_epi16((short)n);
}

/* In a register of its own: gcc 12 may keep a mask in 4 bytes of the stack, and load 8 where it is made wider. */
SVI_INLINE uint32_t bits_of(__mmask32 mask)
{
    uint32_t bits = mask;

    __asm__("" : "+r"(bits));
    return bits;
}

/* Units of the destination: bytes from the item that a vector begins in to the place in the source of each; and which
 * of them are parts of items. */
struct places {
    vec byte;
    uint32_t there;
};

/* Of WORDS units from the first on; skip: bytes from the item to the vector. */
SVI_INLINE struct places places_of(const struct svi_period_rows *s, int64_t first, int64_t skip, int64_t items)
{
    const int log = __builtin_ctz((unsigned)s->unit);
    const vec unit = _mm512_add_epi16(load((const char *)counting), words(first));
    const vec byte = _mm512_add_epi16(_mm512_sll_epi16(unit, _mm_cvtsi32_si128(log)), words(skip));
    const vec item = s->dst_step == 1 ? byte : _mm512_mulhi_epu16(byte, words(0xffff / s->dst_step + 1));
    const vec part = _mm512_sub_epi16(byte, _mm512_mullo_epi16(item, words(s->dst_step)));
    const vec there = s->times == 1 ? part : _mm512_and_si512(part, words(s->item - 1));

    return (struct places){_mm512_add_epi16(_mm512_mullo_epi16(item, words(s->src_step)), there),
                           bits_of(_mm512_cmplt_epu16_mask(part, words(s->item * s->times)) &
                                   _mm512_cmplt_epu16_mask(item, words(items)))};
}

/* Words with the numbers of units, as wide as these are. */
SVI_INLINE void write_lanes(const struct svi_period_rows *s, struct svi_period_line *out, int64_t first, vec unit)
{
    switch (s->unit) {
    case 1: _mm256_store_si256((__m256i *)(void *)(out->lane + first), _mm512_cvtepi16_epi8(unit)); break;
    case 2: _mm512_store_si512(out->lane, unit); break;
    case 4: _mm512_store_si512(out->lane, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(unit))); break;
    default: _mm512_store_si512(out->lane, _mm512_cvtepu16_epi64(_mm512_castsi512_si128(unit))); break;
    }
}

/* Which units of which pair, by bytes from the first item. */
SVI_INLINE void find_lanes(const struct svi_period_rows *s, struct svi_period_line *out, int64_t first, vec byte)
{
    out->second |= (uint64_t)bits_of(_mm512_cmpge_epu16_mask(byte, words(2 * SVI_LINE))) << first;
    write_lanes(s, out, first, _mm512_srl_epi16(byte, _mm_cvtsi32_si128(__builtin_ctz((unsigned)s->unit))));
}

/* Bytes of the source between the first item and the end of the last, of the items that a vector has parts of. */
static int64_t find_reach(const struct svi_period_rows *s, struct svi_period_line *out, int64_t skip, int64_t *begin)
{
    const int log = __builtin_ctz((unsigned)s->unit);
    const int64_t first = (skip + ((int64_t)__builtin_ctzll(out->there) << log)) / s->dst_step;
    const int64_t last = (skip + ((63 - (int64_t)__builtin_clzll(out->there)) << log)) / s->dst_step;

    *begin = first * s->src_step;
    return (last - first) * s->src_step + s->item;
}

void svi_make_period_line_vbmi(const struct svi_period_rows *s, int64_t vector, struct svi_period_line *out)
{
    const int64_t item = vector * SVI_LINE / s->dst_step, skip = vector * SVI_LINE % s->dst_step;
    const int64_t items = svi_smaller(s->count - item, SVI_LINE + 1);
    const struct places low = places_of(s, 0, skip, items), high = places_of(s, WORDS, skip, items);
    int64_t begin = 0, nbytes = 0;

    out->there = (low.there | (uint64_t)high.there << WORDS) & svi_bits_below(SVI_LINE / s->unit);
    out->second = 0;
    if (out->there != 0) {
        nbytes = find_reach(s, out, skip, &begin);
        find_lanes(s, out, 0, _mm512_sub_epi16(low.byte, words(begin)));
        if (s->unit == 1)
            find_lanes(s, out, WORDS, _mm512_sub_epi16(high.byte, words(begin)));
    }
    out->from = item * s->src_step + begin;
    out->vectors = (int32_t)((nbytes + SVI_LINE - 1) / SVI_LINE);
    for (int k = 0; k < SVI_PERIOD_VECTORS; k++)
        out->read[k] = svi_bits_below(nbytes - k * SVI_LINE);
}

/* --- several sources ------------------------------------------------------------- */

/* Lines, and from one to the next. */
struct lines {
    char *dst;
    const char *src;
    int64_t dst_step, src_step, count;
};

/* all: each byte of it is stored. */
SVI_INLINE void put_bytes(char *dst, uint64_t there, vec v, bool all)
{
    if (all)
        _mm512_storeu_si512(dst, v);
    else
        _mm512_mask_storeu_epi8(dst, there, v);
}

/* What the table says stays in registers. */
SVI_INLINE void windows_of(const struct svi_sources_line *b, const struct lines *a, int windows, bool all)
{
    const vec lane = load((const char *)b->lane);
    const int64_t src_step = a->src_step, dst_step = a->dst_step;
    const char *from[SVI_WINDOWS];
    char *dst = a->dst;

#pragma GCC unroll 8
    for (int k = 0; k < windows; k++)
        from[k] = a->src + b->from[k];
    for (int64_t i = 0; i < a->count; i++, dst += dst_step) {
        vec v = _mm512_maskz_permutexvar_epi8(b->of[0], lane, load(from[0] + i * src_step));

#pragma GCC unroll 8
        for (int k = 1; k < windows; k++)
            v = _mm512_mask_permutexvar_epi8(v, b->of[k], lane, load(from[k] + i * src_step));
        put_bytes(dst, b->there, v, all);
    }
}

SVI_INLINE void windows_whole(const struct svi_sources_line *b, const struct lines *a, int windows)
{
    const struct svi_sources_line mine = *b; /* what is stored could be a part of it, as far as the compiler knows */

    windows_of(&mine, a, windows, b->there == ~(uint64_t)0);
}

/* Nothing is read but what is needed, and what is between. */
static void windows_ends(const struct svi_sources_line *b, const struct lines *a)
{
    const vec lane = load((const char *)b->lane);

    for (int64_t i = 0; i < a->count; i++) {
        const char *const src = a->src + i * a->src_step;
        vec v = _mm512_setzero_si512();

        for (int k = 0; k < b->windows; k++)
            v = _mm512_mask_permutexvar_epi8(v, b->of[k], lane, _mm512_maskz_loadu_epi8(b->read[k], src + b->from[k]));
        put_bytes(a->dst + i * a->dst_step, b->there, v, false);
    }
}

void svi_permute_sources_vbmi(const struct svi_sources_line *b, char *dst, int64_t dst_step, const char *src,
                              int64_t src_step, int64_t count, bool whole)
{
    const struct lines a = {dst, src, dst_step, src_step, count};

    if (!whole)
        windows_ends(b, &a);
    else
        switch (b->windows) {
        case 1: windows_whole(b, &a, 1); break;
        case 2: windows_whole(b, &a, 2); break;
        case 3: windows_whole(b, &a, 3); break;
        case 4: windows_whole(b, &a, 4); break;
        case 5: windows_whole(b, &a, 5); break;
        case 6: windows_whole(b, &a, 6); break;
        case 7: windows_whole(b, &a, 7); break;
        default: windows_whole(b, &a, 8); break;
        }
}

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
