/*
 * The inner loop of permute_period.c and permute_sources.c, with AVX-512 VBMI: lines of the destination whose bytes
 * come from up to eight vectors of the source, its windows; and the tables of lines that permute_period.c asks for.
 * Parts of vectors are loaded and stored by masks.
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
    MAX_PERIOD_WINDOWS = 4,
    SRC_PREFETCH_BYTES = 4096, /* prefetch distance, */
    DST_PREFETCH_BYTES = 2048  /* and that of lines that are stored in part */
};

SVI_INLINE vec load(const char *src)
{
    return _mm512_loadu_si512(src);
}

/* --- lines ------------------------------------------------------------------------ */

/* Lines, and from one to the next. */
struct lines {
    char *dst;
    const char *src;
    int64_t dst_step, src_step, count;
    bool beyond_cache;
};

/* whole: all of a window may be read. all: each byte of a line is stored. What the table says stays in registers. */
SVI_INLINE void windows_of(const struct svi_sources_line *b, const struct lines *a, int windows, bool whole, bool all)
{
    const vec lane = load((const char *)b->lane);
    const int64_t src_step = a->src_step, dst_step = a->dst_step;
    const uint64_t there = b->there;
    const bool prefetches = a->beyond_cache;
    uint64_t of[SVI_WINDOWS], read[SVI_WINDOWS];
    const char *from[SVI_WINDOWS];
    char *dst = a->dst;

#pragma GCC unroll 8
    for (int k = 0; k < windows; k++) {
        of[k] = b->of[k];
        read[k] = b->read[k];
        from[k] = a->src + b->from[k];
    }
    for (int64_t i = 0; i < a->count; i++, dst += dst_step) {
        vec v = _mm512_setzero_si512();

#pragma GCC unroll 8
        for (int k = 0; k < windows; k++) {
            const char *const at = from[k] + i * src_step;

            if (prefetches)
                __builtin_prefetch(at + SRC_PREFETCH_BYTES);
            v = _mm512_mask_permutexvar_epi8(v, of[k], lane, whole ? load(at) : _mm512_maskz_loadu_epi8(read[k], at));
        }
        if (prefetches && !all)
            __builtin_prefetch(dst + DST_PREFETCH_BYTES, 1);
        if (all)
            _mm512_storeu_si512(dst, v);
        else
            _mm512_mask_storeu_epi8(dst, there, v);
    }
}

SVI_INLINE void windows_by(const struct svi_sources_line *b, const struct lines *a, int windows, bool whole)
{
    if (!whole)
        windows_of(b, a, windows, false, false);
    else if (b->there != ~(uint64_t)0)
        windows_of(b, a, windows, true, false);
    else
        windows_of(b, a, windows, true, true);
}

void svi_permute_sources_vbmi(const struct svi_sources_line *b, char *dst, int64_t dst_step, const char *src,
                              int64_t src_step, int64_t count, bool whole, bool beyond_cache)
{
    const struct lines a = {dst, src, dst_step, src_step, count, beyond_cache};

    switch (b->windows) {
    case 1: windows_by(b, &a, 1, whole); break;
    case 2: windows_by(b, &a, 2, whole); break;
    case 3: windows_by(b, &a, 3, whole); break;
    case 4: windows_by(b, &a, 4, whole); break;
    case 5: windows_by(b, &a, 5, whole); break;
    case 6: windows_by(b, &a, 6, whole); break;
    case 7: windows_by(b, &a, 7, whole); break;
    default: windows_by(b, &a, 8, whole); break;
    }
}

/* --- tables of rows ---------------------------------------------------------------- */

static const uint16_t counting[WORDS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                         16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

SVI_INLINE vec words(int64_t n)
{
    return _mm512_set1_epi16((short)n);
}

/* In a register of its own: gcc 12 may keep a mask in 4 bytes of the stack, and load 8 where it is made wider. */
SVI_INLINE uint64_t bits_of(__mmask32 mask)
{
    uint32_t bits = mask;

    __asm__("" : "+r"(bits));
    return bits;
}

/* Bytes of the destination: where each is in the source, from the item that the line begins in; and which of them are
 * parts of items. */
struct places {
    vec byte;
    uint64_t there;
};

/* Of WORDS bytes from the first on, which is so many bytes behind the beginning of that item. */
SVI_INLINE struct places places_of(const struct svi_period_row *s, int64_t first, int64_t items)
{
    const vec byte = _mm512_add_epi16(load((const char *)counting), words(first));
    const vec item = s->dst_step == 1 ? byte : _mm512_mulhi_epu16(byte, words(0xffff / s->dst_step + 1));
    const vec part = _mm512_sub_epi16(byte, _mm512_mullo_epi16(item, words(s->dst_step)));
    const vec there = s->times == 1 ? part : _mm512_and_si512(part, words(s->item - 1));

    return (struct places){_mm512_add_epi16(_mm512_mullo_epi16(item, words(s->src_step)), there),
                           bits_of(_mm512_cmplt_epu16_mask(part, words(s->item * s->times)) &
                                   _mm512_cmplt_epu16_mask(item, words(items)))};
}

/* Half of the lanes, from the first on, by bytes from the first item that the line has a part of. */
SVI_INLINE void find_lanes(struct svi_sources_line *out, int64_t first, vec byte)
{
    const vec window = _mm512_srli_epi16(byte, 6);

    _mm256_store_si256((__m256i *)(void *)(out->lane + first), _mm512_cvtepi16_epi8(byte));
#pragma GCC unroll 4
    for (int k = 0; k < MAX_PERIOD_WINDOWS; k++)
        out->of[k] |= bits_of(_mm512_cmpeq_epi16_mask(window, words(k))) << first;
}

/* Bytes of the source between the first item and the end of the last, of the items that a line has parts of. */
static int64_t find_reach(const struct svi_period_row *s, uint64_t there, int64_t skip, int64_t *begin)
{
    const int64_t first = (skip + __builtin_ctzll(there)) / s->dst_step;
    const int64_t last = (skip + 63 - __builtin_clzll(there)) / s->dst_step;

    *begin = first * s->src_step;
    return (last - first) * s->src_step + s->item;
}

bool svi_make_period_line_vbmi(const struct svi_period_row *s, int64_t number, struct svi_sources_line *out)
{
    const int64_t item = number * SVI_LINE / s->dst_step, skip = number * SVI_LINE % s->dst_step;
    const int64_t items = svi_smaller(s->count - item, SVI_LINE + 1);
    const struct places low = places_of(s, skip, items), high = places_of(s, skip + WORDS, items);
    int64_t begin = 0, nbytes = 0;

    out->there = low.there | high.there << WORDS;
    if (out->there != 0)
        nbytes = find_reach(s, out->there, skip, &begin);
    out->windows = (int32_t)((nbytes + SVI_LINE - 1) / SVI_LINE);
    for (int k = 0; k < MAX_PERIOD_WINDOWS; k++) {
        out->of[k] = 0;
        out->read[k] = svi_bits_below(nbytes - k * SVI_LINE);
        out->from[k] = item * s->src_step + begin + k * SVI_LINE;
    }
    find_lanes(out, 0, _mm512_sub_epi16(low.byte, words(begin)));
    find_lanes(out, WORDS, _mm512_sub_epi16(high.byte, words(begin)));
    return out->windows <= MAX_PERIOD_WINDOWS;
}

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
