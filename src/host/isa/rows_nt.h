/*
 * Runs and rows beyond the cache, by non-temporal stores of whole lines, for the vectors of the file that includes
 * this; after lanes.h. With SVI_ROWS there are rows whose partial lines are stored once where two rows share them.
 */
#ifndef SVI_HOST_ROWS_NT_H
#define SVI_HOST_ROWS_NT_H

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

static void stream_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                        struct svi_fetch fetch)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        for (int64_t k = 0; fetch.ahead != 0 && k < nbytes; k += SVI_LINE)
            fetch_line(src + fetch.ahead + k, fetch.once);
        stream_lines(dst, src, (size_t)nbytes);
    }
}

/* One line of each of group rows at a time; the last rows, fewer than that, one after another. */
static void stream_turns(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         int64_t ahead, int group)
{
    for (; rows > 0; rows -= group, dst += group * dst_pitch, src += group * src_pitch) {
        if (rows < group)
            group = 1;
        for (int64_t k = 0; k < nbytes; k += SVI_LINE) {
            for (int i = 0; ahead != 0 && i < group; i++)
                __builtin_prefetch(src + ahead + i * src_pitch + k, 0, 0);
            for (int i = 0; i < group; i++)
                stream_line(dst + i * dst_pitch + k, src + i * src_pitch + k);
        }
    }
}

/* Rows of so many lines, some at once, constants as once: all lines are prefetched first. Returns how many are done. */
SVI_INLINE int64_t stream_some(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                               int64_t ahead, bool once, int lines, int some)
{
    int64_t k = 0;

    for (; k + some <= rows; k += some, dst += some * dst_pitch, src += some * src_pitch) {
#pragma GCC unroll 8
        for (int i = 0; i < some * lines; i++)
            fetch_line(src + ahead + i / lines * src_pitch + i % lines * SVI_LINE, once);
#pragma GCC unroll 8
        for (int i = 0; i < some * lines; i++)
            stream_line(dst + i / lines * dst_pitch + i % lines * SVI_LINE,
                        src + i / lines * src_pitch + i % lines * SVI_LINE);
    }
    return k;
}

SVI_INLINE int64_t stream_few(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                              int64_t nbytes, int64_t ahead, bool once)
{
    switch (nbytes / SVI_LINE) {
    case 1: return stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 1, 4);
    case 2: return stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 2, 4);
    case 3: return stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 3, 2);
    case 4: return stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 4, 2);
    default: return 0;
    }
}

static void stream_short(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         struct svi_fetch fetch)
{
    const int64_t done = fetch.once ? stream_few(dst, dst_pitch, src, src_pitch, rows, nbytes, fetch.ahead, true)
                                    : stream_few(dst, dst_pitch, src, src_pitch, rows, nbytes, fetch.ahead, false);

    stream_rows(dst + done * dst_pitch, dst_pitch, src + done * src_pitch, src_pitch, rows - done, nbytes, fetch);
}

/* once and unit, which is 16 bytes or half a line, are constants: rows may be that short. */
SVI_INLINE void stream_units_by(char *dst, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                                int64_t ahead, bool once, int unit)
{
    for (; rows > 0; rows--, dst += nbytes, src += src_pitch)
        for (int64_t k = 0; k < nbytes; k += unit) {
            if (k % SVI_LINE == 0)
                fetch_line(src + ahead + k, once);
            (unit == SVI_UNIT ? stream_unit : stream_half)(dst + k, src + k);
        }
}

static void stream_units(char *dst, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         struct svi_fetch fetch)
{
    const bool halves = ((uintptr_t)dst | (uint64_t)nbytes) % (2 * SVI_UNIT) == 0;

    if (halves && fetch.once)
        stream_units_by(dst, src, src_pitch, rows, nbytes, fetch.ahead, true, 2 * SVI_UNIT);
    else if (halves)
        stream_units_by(dst, src, src_pitch, rows, nbytes, fetch.ahead, false, 2 * SVI_UNIT);
    else if (fetch.once)
        stream_units_by(dst, src, src_pitch, rows, nbytes, fetch.ahead, true, SVI_UNIT);
    else
        stream_units_by(dst, src, src_pitch, rows, nbytes, fetch.ahead, false, SVI_UNIT);
}

/* --- rows with gaps, by non-temporal stores of partial lines --- */

#ifdef __x86_64__
/* unit is a constant. */
SVI_INLINE void stream_unit_of(char *dst, const char *src, int unit)
{
    int one;
    long long two;

    switch (unit) {
    case 4:
        memcpy(&one, src, sizeof one);
        _mm_stream_si32((int *)dst, one);
        break;
    case 8:
        memcpy(&two, src, sizeof two);
        _mm_stream_si64((long long *)dst, two);
        break;
    case 16: stream_unit(dst, src); break;
    default: stream_half(dst, src); break;
    }
}

SVI_INLINE void stream_gaps_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                               int64_t nbytes, int unit)
{
    if (nbytes == unit)
        for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch)
            stream_unit_of(dst, src, unit);
    else
        for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch)
            for (int64_t k = 0; k < nbytes; k += unit)
                stream_unit_of(dst + k, src + k, unit);
}

static void stream_gaps(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                        int unit)
{
    switch (unit) {
    case 4: stream_gaps_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4); break;
    case 8: stream_gaps_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 8); break;
    case 16: stream_gaps_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 16); break;
    default: stream_gaps_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 32); break;
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

static void stream_parts(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         int64_t ahead, int64_t dst_ahead)
{
    const int64_t gap = dst_pitch - nbytes;
    struct part p = {0};

    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        for (int64_t k = 0; k < nbytes; k += SVI_LINE)
            __builtin_prefetch(src + ahead + k);
        if (gap >= SVI_LINE)
            __builtin_prefetch(dst + dst_ahead - 1, 1);
        if (gap != 0)
            __builtin_prefetch(dst + dst_ahead + nbytes, 1);
        put_row(&p, dst, src, nbytes);
    }
    store_part(&p);
}
#endif

#endif
