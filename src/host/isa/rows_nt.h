/*
 * Runs and rows beyond the cache, by non-temporal stores of whole lines, for the vectors of the file that includes
 * this; after lanes.h. With SVI_ROWS there are rows whose partial lines are stored once where two rows share them.
 */
#ifndef SVI_HOST_ROWS_NT_H
#define SVI_HOST_ROWS_NT_H

#include "numbers.h"

#ifdef __x86_64__
#include <emmintrin.h>

static void fence(void)
{
    _mm_sfence();
}

SVI_INLINE void stream_unit(char *dst, const char *src)
{
    _mm_stream_si128((__m128i *)dst, _mm_loadu_si128((const __m128i *)src));
}
#else
static void fence(void)
{
}

SVI_INLINE void stream_unit(char *dst, const char *src)
{
    memcpy(dst, src, SVI_UNIT);
}
#endif

/* Whole lines. */
SVI_INLINE void stream_lines(char *dst, const char *src, size_t nbytes)
{
    size_t k = 0;

    for (; k + 2 * SVI_LINE <= nbytes; k += 2 * SVI_LINE) {
        stream_line(dst + k, src + k);
        stream_line(dst + k + SVI_LINE, src + k + SVI_LINE);
    }
    if (k < nbytes)
        stream_line(dst + k, src + k);
}

/* The unaligned head and tail go through the cache. */
static void stream_copy(char *dst, const char *src, size_t nbytes)
{
    size_t head = (size_t)-(uintptr_t)dst % SVI_LINE, body;

    if (head > nbytes)
        head = nbytes;
    body = (nbytes - head) / SVI_LINE * SVI_LINE;
    if (head > 0)
        memcpy(dst, src, head);
    stream_lines(dst + head, src + head, body);
    if (head + body < nbytes)
        memcpy(dst + head + body, src + head + body, nbytes - head - body);
}

/* Whole lines of the same 16 bytes, from registers: loads from a new buffer would wait for all stores before. */
static void stream_fill(char *dst, uint64_t low, uint64_t high, int64_t lines)
{
    const vec v = all_lanes(low, high);

    for (; lines >= 4; lines -= 4, dst += 4 * SVI_LINE)
#pragma GCC unroll 16
        for (int k = 0; k < 4 * SVI_LINE; k += VECTOR)
            stream(dst + k, v);
    for (; lines > 0; lines--, dst += SVI_LINE)
#pragma GCC unroll 4
        for (int k = 0; k < SVI_LINE; k += VECTOR)
            stream(dst + k, v);
}

/* Rows of the buffer have the offset modulo 64 of their plane; the rest of each is carried on in front of it. */
static void stream_planes(char *dst, int64_t dst_pitch, int64_t dst_place, char *src, int64_t src_pitch,
                          int64_t src_place, int64_t planes, int64_t nbytes, const char *next, int64_t next_place,
                          int places)
{
    for (; planes > 0; planes--, dst += dst_pitch, src += src_pitch) {
        const int64_t past = (int64_t)((uintptr_t)dst % SVI_LINE);
        char *const from = src - past;

        for (int64_t k = 0; k < nbytes; k += SVI_LINE, next += SVI_LINE)
            for (int place = 0; place < places; place++) {
                __builtin_prefetch(next + place * next_place);
                stream_line(dst - past + place * dst_place + k, from + place * src_place + k);
            }
        for (int place = 0; past != 0 && place < places; place++)
            memcpy(from + place * src_place, from + place * src_place + nbytes, SVI_LINE);
    }
}

static void stream_rows(const struct svi_rows *rows, struct svi_fetch fetch)
{
    struct svi_rows r = *rows;

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        for (int64_t k = 0; fetch.ahead != 0 && k < r.nbytes; k += SVI_LINE)
            fetch_line(r.src + fetch.ahead + k, fetch.once);
        stream_lines(r.dst, r.src, (size_t)r.nbytes);
    }
}

/* Rows group by group, one line of each at a time; the rows of a group follow each other or, if distant, are as far
 * apart as all groups have rows. The last rows, fewer than that, one after another. */
static void stream_turns(const struct svi_rows *rows, int64_t ahead, int group, bool distant)
{
    struct svi_rows r = *rows;
    const int64_t groups = r.count / group, apart = distant ? groups : 1, next = distant ? 1 : group;

    for (int64_t n = 0; n < groups; n++) {
        const struct svi_rows g = svi_some_rows(&r, n * next, group);

        for (int64_t k = 0; k < r.nbytes; k += SVI_LINE) {
            for (int i = 0; ahead != 0 && i < group; i++)
                __builtin_prefetch(g.src + ahead + i * apart * r.src_pitch + k, 0, 0);
            for (int i = 0; i < group; i++)
                stream_line(g.dst + i * apart * r.dst_pitch + k, g.src + i * apart * r.src_pitch + k);
        }
    }
    r = svi_some_rows(&r, groups * group, r.count - groups * group);
    stream_rows(&r, (struct svi_fetch){0, false});
}

/* unit, which is 16 bytes or half a line, is a constant: rows may be that short. */
SVI_INLINE void stream_units_by(struct svi_rows r, struct svi_fetch fetch, int unit)
{
    for (; r.count > 0; svi_next_rows(&r, 1))
        for (int64_t k = 0; k < r.nbytes; k += unit) {
            if (k % SVI_LINE == 0)
                fetch_line(r.src + fetch.ahead + k, fetch.once);
            (unit == SVI_UNIT ? stream_unit : stream_half)(r.dst + k, r.src + k);
        }
}

/* some rows of each of several distant parts at a time. */
static void stream_units(const struct svi_rows *rows, struct svi_fetch fetch, int64_t parts, int64_t some)
{
    struct svi_rows r = *rows;
    const int64_t part = r.count / parts / some * some;
    const bool halves = ((uintptr_t)r.dst | (uint64_t)r.nbytes) % (2 * SVI_UNIT) == 0;

    for (int64_t k = 0; k < part; k += some)
        for (int64_t at = k; at < parts * part; at += part)
            if (halves)
                stream_units_by(svi_some_rows(&r, at, some), fetch, 2 * SVI_UNIT);
            else
                stream_units_by(svi_some_rows(&r, at, some), fetch, SVI_UNIT);
    stream_units_by(svi_some_rows(&r, parts * part, r.count - parts * part), fetch, SVI_UNIT);
}

/* --- rows with gaps, by non-temporal stores of partial lines --- */

#ifdef __x86_64__
/* unit is a constant. */
SVI_INLINE void stream_gaps_by(struct svi_rows r, int unit)
{
    for (; r.count > 0; svi_next_rows(&r, 1))
        for (int64_t k = 0; k < r.nbytes; k += unit)
            switch (unit) {
            case 4: _mm_stream_si32((int *)(r.dst + k), *(const i32 *)(r.src + k)); break;
            case 8: _mm_stream_si64((long long *)(r.dst + k), *(const i64 *)(r.src + k)); break;
            case 16: stream_unit(r.dst + k, r.src + k); break;
            default: stream_half(r.dst + k, r.src + k); break;
            }
}

static void stream_gaps(const struct svi_rows *rows, int unit)
{
    struct svi_rows r = *rows;

    switch (unit) {
    case 4: stream_gaps_by(r, 4); break;
    case 8: stream_gaps_by(r, 8); break;
    case 16: stream_gaps_by(r, 16); break;
    default: stream_gaps_by(r, 32); break;
    }
}
#endif

/* --- rows of whole lines and parts of them, each of which is stored once --- */

#ifdef SVI_ROWS
#ifdef SVI_MASKS
/* The partial line that comes next: the 2-byte words of it that are in mask. */
struct part {
    char *line;
    __mmask32 mask;
    vec bytes;
};

/* Rotates by shift words. */
SVI_INLINE vec rotate(vec v, int64_t shift)
{
    static const uint16_t pairs[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                       16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

    return _mm512_permutexvar_epi16(_mm512_add_epi16(load((const char *)pairs), _mm512_set1_epi16((short)shift)), v);
}

SVI_INLINE void store_part(const struct part *p)
{
    if (p->mask == ~(__mmask32)0)
        stream(p->line, p->bytes);
    else if (p->mask != 0)
        _mm512_mask_storeu_epi16(p->line, p->mask, p->bytes);
}

/* The tail of the row before is stored with the head of this one, if they share a line. */
SVI_INLINE void put_head(struct part *p, char *line, vec bytes, __mmask32 mask)
{
    if (p->line != line) {
        store_part(p);
        *p = (struct part){line, mask, bytes};
    } else {
        p->mask |= mask;
        p->bytes = _mm512_mask_mov_epi16(p->bytes, mask, bytes);
    }
    store_part(p);
}

/* A line or more. */
SVI_INLINE void put_row(struct part *p, char *dst, const char *src, int64_t nbytes)
{
    const int64_t offset = (int64_t)((uintptr_t)dst % SVI_LINE), head = offset == 0 ? 0 : SVI_LINE - offset;
    int64_t k = head;

    if (head != 0)
        put_head(p, dst - offset, rotate(load(src), -offset / 2), ~(__mmask32)0 << offset / 2);
    else
        store_part(p);
    for (; k + SVI_LINE <= nbytes; k += SVI_LINE)
        stream_line(dst + k, src + k);
    p->line = dst + k;
    p->mask = ((__mmask32)1 << (nbytes - k) / 2) - 1;
    p->bytes = rotate(load(src + nbytes - SVI_LINE), (k - nbytes) / 2);
}

#else
/* The tail of a row, less than a line. */
struct part {
    char *to;
    const char *from;
    int64_t nbytes;
};

/* An even number of bytes, less than a line. */
SVI_INLINE void move_part(char *dst, const char *src, int64_t nbytes)
{
    if (nbytes >= 32)
        svi_copy_ends(dst, src, (size_t)nbytes, 32);
    else if (nbytes >= 16)
        svi_copy_ends(dst, src, (size_t)nbytes, 16);
    else if (nbytes >= 8)
        svi_copy_ends(dst, src, (size_t)nbytes, 8);
    else if (nbytes >= 4)
        svi_copy_ends(dst, src, (size_t)nbytes, 4);
    else if (nbytes > 0)
        memcpy(dst, src, 2);
}

SVI_INLINE void store_part(const struct part *p)
{
    move_part(p->to, p->from, p->nbytes);
}

/* A line or more. */
SVI_INLINE void put_row(struct part *p, char *dst, const char *src, int64_t nbytes)
{
    int64_t k = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    store_part(p);
    move_part(dst, src, k);
    for (; k + SVI_LINE <= nbytes; k += SVI_LINE)
        stream_line(dst + k, src + k);
    *p = (struct part){dst + k, src + k, nbytes - k};
}
#endif

static void stream_parts(const struct svi_rows *rows, int64_t ahead, int64_t dst_ahead)
{
    struct svi_rows r = *rows;
    const int64_t gap = r.dst_pitch - r.nbytes;
    struct part p = {0};

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        for (int64_t k = 0; k < r.nbytes; k += SVI_LINE)
            __builtin_prefetch(r.src + ahead + k);
        if (gap >= SVI_LINE)
            __builtin_prefetch(r.dst + dst_ahead - 1, 1);
        if (gap != 0)
            __builtin_prefetch(r.dst + dst_ahead + r.nbytes, 1);
        put_row(&p, r.dst, r.src, r.nbytes);
    }
    store_part(&p);
}
#endif

#endif
