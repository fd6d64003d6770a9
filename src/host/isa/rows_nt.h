/*
 * The kernels of struct svi_nt_kernels (isa.h): runs and rows beyond the cache, by non-temporal stores of whole lines.
 * For the vectors of the file that includes this; after lanes.h.
 */
#ifndef SVI_HOST_ROWS_NT_H
#define SVI_HOST_ROWS_NT_H

#include "dtype/numbers.h"

enum { FETCHED_ROW_BYTES = 4096 }; /* bytes of a row that are prefetched; the hardware prefetcher does the rest */

static void fence(void)
{
#ifdef __x86_64__
    _mm_sfence();
#endif
}

/* Stores size bytes, a constant: a power of 2 from 4 to SVI_LINE. */
SVI_INLINE void stream_bytes(char *dst, const char *src, int size)
{
    switch (size) {
#ifdef __x86_64__
    case 4: SVI_NT_STORE(_mm_stream_si32, int, dst, *(const i32 *)src); break;
    case 8: SVI_NT_STORE(_mm_stream_si64, long long, dst, *(const i64 *)src); break;
    case SVI_UNIT: SVI_NT_STORE(_mm_stream_si128, __m128i, dst, _mm_loadu_si128((const __m128i *)src)); break;
    case SVI_LINE / 2: stream_half(dst, src); break;
    case SVI_LINE: stream_line(dst, src); break;
#endif
    default: memcpy(dst, src, (size_t)size);
    }
}

/* The unaligned head and tail are stored through the cache. */
static void stream_copy(char *dst, const char *src, size_t nbytes)
{
    size_t head = (size_t)-(uintptr_t)dst % SVI_LINE, body;

    if (head > nbytes)
        head = nbytes;
    body = (nbytes - head) / SVI_LINE * SVI_LINE;
    if (head > 0)
        memcpy(dst, src, head);
    for (size_t k = head; k < head + body; k += SVI_LINE)
        stream_line(dst + k, src + k);
    if (head + body < nbytes)
        memcpy(dst + head + body, src + head + body, nbytes - head - body);
}

/* Stores from registers: loads from a new buffer would wait for all earlier stores. */
static void stream_fill(char *dst, uint64_t low, uint64_t high, int64_t lines)
{
    const vec v = all_lanes(low, high);

    for (; lines > 0; lines--, dst += SVI_LINE)
#pragma GCC unroll 4
        for (int k = 0; k < SVI_LINE; k += VECTOR)
            stream(dst + k, v);
}

/* Rows of the buffer have the offset modulo 64 of their plane. The partial line at the end of each is copied to the
 * front of its row. */
static void stream_planes(char *dst, int64_t dst_pitch, int64_t dst_place, char *src, int64_t src_pitch,
                          int64_t src_place, int64_t planes, int64_t nbytes, const char *next, int64_t next_place,
                          int places)
{
    for (; planes > 0; planes--, dst += dst_pitch, src += src_pitch) {
        const int64_t past = (int64_t)((uintptr_t)dst % SVI_LINE);
        char *const from = src - past;

        for (int64_t k = 0; k < nbytes; k += SVI_LINE, next += SVI_LINE)
            for (int place = 0; place < places; place++) {
                svi_prefetch(next + place * next_place);
                stream_line(dst - past + place * dst_place + k, from + place * src_place + k);
            }
        for (int place = 0; past != 0 && place < places; place++)
            memcpy(from + place * src_place, from + place * src_place + nbytes, SVI_LINE);
    }
}

/* size: bytes of the units that rows are made of, a constant. Rows may be shorter than a line. */
SVI_INLINE void stream_rows_by(struct svi_rows r, struct svi_fetch fetch, int size)
{
    for (; r.count > 0; svi_next_rows(&r, 1)) {
        for (int64_t k = 0; fetch.ahead != 0 && k < r.nbytes; k += SVI_LINE)
            fetch_line(r.src + fetch.ahead + k, fetch.once);
        for (int64_t k = 0; k < r.nbytes; k += size)
            stream_bytes(r.dst + k, r.src + k, size);
    }
}

SVI_INLINE void stream_some_rows(struct svi_rows r, struct svi_fetch fetch)
{
    const uint64_t bits = (uintptr_t)r.dst | (uint64_t)r.dst_pitch | (uint64_t)r.nbytes | SVI_LINE;

    switch (bits & -bits) {
    case SVI_LINE: stream_rows_by(r, fetch, SVI_LINE); break;
    case SVI_LINE / 2: stream_rows_by(r, fetch, SVI_LINE / 2); break;
    case SVI_UNIT: stream_rows_by(r, fetch, SVI_UNIT); break;
    case 8: stream_rows_by(r, fetch, 8); break;
    default: stream_rows_by(r, fetch, 4); break;
    }
}

static void stream_rows(const struct svi_rows *rows, struct svi_fetch fetch, int64_t streams, int64_t some)
{
    const int64_t part = rows->count / streams / some * some;

    for (int64_t k = 0; k < part; k += some)
        for (int64_t at = k; at < streams * part; at += part)
            stream_some_rows(svi_some_rows(rows, at, some), fetch);
    stream_some_rows(svi_some_rows(rows, streams * part, rows->count - streams * part), fetch);
}

/* Copies the rows of a group alternately, line by line. The last rows, fewer than a group, are copied one by one. */
static void stream_turns(const struct svi_rows *rows, int64_t ahead, int group)
{
    struct svi_rows r = *rows;

    for (; r.count >= group; svi_next_rows(&r, group))
        for (int64_t k = 0; k < r.nbytes; k += SVI_LINE) {
            for (int i = 0; ahead != 0 && i < group; i++)
                svi_prefetch_once(r.src + ahead + i * r.src_pitch + k);
            for (int i = 0; i < group; i++)
                stream_line(r.dst + i * r.dst_pitch + k, r.src + i * r.src_pitch + k);
        }
    stream_rows_by(r, (struct svi_fetch){0, false}, SVI_LINE);
}

/* --- rows that begin and end anywhere in a line ----------------------------------- */

/* A line that two rows share is stored once (AVX-512), or its two parts directly after each other. */

#ifdef SVI_AVX512
/* A partial line: the bytes in mask are not stored yet. */
struct part {
    char *line;
    uint64_t mask;
    vec bytes;
};

SVI_INLINE void store_part(const struct part *p)
{
    if (p->mask == ~(uint64_t)0)
        stream(p->line, p->bytes);
    else if (p->mask != 0)
        _mm512_mask_storeu_epi8(p->line, p->mask, p->bytes);
}

/* Adds the bytes in mask to a partial line. src: the address at which the line would begin in the source. */
SVI_INLINE void add_part(struct part *p, char *line, const char *src, uint64_t mask)
{
    const vec bytes = _mm512_maskz_loadu_epi8(mask, src);

    if (p->line == line) {
        p->mask |= mask;
        p->bytes = _mm512_or_si512(p->bytes, bytes);
    } else {
        store_part(p);
        *p = (struct part){line, mask, bytes};
    }
}

/* Stores a row of a line or more. */
SVI_INLINE void stream_row(struct part *p, char *dst, const char *src, int64_t nbytes)
{
    const int64_t offset = (int64_t)((uintptr_t)dst % SVI_LINE);
    int64_t k = -offset & (SVI_LINE - 1);

    if (offset != 0)
        add_part(p, dst - offset, src - offset, ~(uint64_t)0 << offset);
    store_part(p);
    for (; k + SVI_LINE <= nbytes; k += SVI_LINE)
        stream_line(dst + k, src + k);
    p->line = dst + k;
    p->mask = ((uint64_t)1 << (nbytes - k)) - 1;
    p->bytes = _mm512_maskz_loadu_epi8(p->mask, src + k);
}
#else
/* The tail of a row, less than a line, which is not stored yet. */
struct part {
    char *to;
    const char *from;
    int64_t nbytes;
};

SVI_INLINE void store_part(const struct part *p)
{
    svi_copy_short(p->to, p->from, (size_t)p->nbytes);
}

/* Stores a row of a line or more. */
SVI_INLINE void stream_row(struct part *p, char *dst, const char *src, int64_t nbytes)
{
    int64_t k = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    store_part(p);
    svi_copy_short(dst, src, (size_t)k);
    for (; k + SVI_LINE <= nbytes; k += SVI_LINE)
        stream_line(dst + k, src + k);
    *p = (struct part){dst + k, src + k, nbytes - k};
}
#endif

static void stream_parts(const struct svi_rows *rows, int64_t ahead, int64_t dst_ahead)
{
    struct svi_rows r = *rows;
    const int64_t gap = r.dst_pitch - r.nbytes;
    const int64_t fetched = r.nbytes < FETCHED_ROW_BYTES ? r.nbytes : FETCHED_ROW_BYTES;
    struct part p = {0};

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        for (int64_t k = 0; k < fetched; k += SVI_LINE)
            svi_prefetch(r.src + ahead + k + SVI_LINE - 1);
        if (gap >= SVI_LINE)
            svi_prefetch_store(r.dst + dst_ahead - 1);
        if (gap != 0)
            svi_prefetch_store(r.dst + dst_ahead + r.nbytes);
        stream_row(&p, r.dst, r.src, r.nbytes);
    }
    store_part(&p);
}

static const struct svi_nt_kernels nt_kernels = {
    .copy = stream_copy,
    .planes = stream_planes,
    .fill = stream_fill,
    .rows = stream_rows,
    .turns = stream_turns,
    .parts = stream_parts,
    .tiles = stream_tiles,
    .fence = fence,
};

#endif
