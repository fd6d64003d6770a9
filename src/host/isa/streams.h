/* Runs past the cache, for the vectors of the file that includes this; after lanes.h. */
#ifndef SVI_HOST_STREAMS_H
#define SVI_HOST_STREAMS_H

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

/* What is not a whole line of the destination goes through the cache. */
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

/* Whole lines of the same 16 bytes, in registers: a buffer that was written just now waits for all stores before. */
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

/* places is a constant. Lines begin where they do in the destination; what is left of each plane is kept in front. */
SVI_INLINE void stream_planes_by(char *dst, int64_t dst_pitch, int64_t dst_place, char *src, int64_t src_pitch,
                                 int64_t src_place, int64_t planes, int64_t nbytes, const char *next,
                                 int64_t next_place, int places)
{
    for (; planes > 0; planes--, dst += dst_pitch, src += src_pitch) {
        const int64_t past = (int64_t)((uintptr_t)dst % SVI_LINE);
        char *const from = src - past;

        for (int64_t k = 0; k < nbytes; k += SVI_LINE, next += SVI_LINE)
#pragma GCC unroll 4
            for (int place = 0; place < places; place++) {
                __builtin_prefetch(next + place * next_place);
                stream_line(dst - past + place * dst_place + k, from + place * src_place + k);
            }
        for (int place = 0; past != 0 && place < places; place++)
            memcpy(from + place * src_place, from + place * src_place + nbytes, SVI_LINE);
    }
}

static void stream_planes(char *dst, int64_t dst_pitch, int64_t dst_place, char *src, int64_t src_pitch,
                          int64_t src_place, int64_t planes, int64_t nbytes, const char *next, int64_t next_place,
                          int places)
{
    if (places == 4)
        stream_planes_by(dst, dst_pitch, dst_place, src, src_pitch, src_place, planes, nbytes, next, next_place, 4);
    else if (places == 2)
        stream_planes_by(dst, dst_pitch, dst_place, src, src_pitch, src_place, planes, nbytes, next, next_place, 2);
    else
        stream_planes_by(dst, dst_pitch, dst_place, src, src_pitch, src_place, planes, nbytes, next, next_place, 1);
}

/* once is a constant. */
SVI_INLINE void stream_rows_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                               int64_t nbytes, int64_t ahead, bool once)
{
    for (; rows > 0; rows--) {
        for (int64_t k = 0; ahead != 0 && k < nbytes; k += SVI_LINE)
            fetch_line(src + ahead + k, once);
        stream_lines(dst, src, (size_t)nbytes);
        dst += dst_pitch;
        src += src_pitch;
    }
}

static void stream_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                        struct svi_fetch fetch)
{
    if (fetch.once)
        stream_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, fetch.ahead, true);
    else
        stream_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, fetch.ahead, false);
}

/* group rows line by line. */
SVI_INLINE void stream_turn(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int group, int64_t nbytes,
                            int64_t ahead)
{
    for (int64_t k = 0; k < nbytes; k += SVI_LINE) {
#pragma GCC unroll 8
        for (int i = 0; ahead != 0 && i < group; i++)
            __builtin_prefetch(src + ahead + i * src_pitch + k, 0, 0);
#pragma GCC unroll 8
        for (int i = 0; i < group; i++)
            stream_line(dst + i * dst_pitch + k, src + i * src_pitch + k);
    }
}

/* Sets of rows; returns how many rows are done. */
SVI_INLINE int64_t stream_group(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                                int64_t nbytes, int64_t ahead, int group)
{
    int64_t k = 0;

    for (; k + group <= rows; k += group)
        stream_turn(dst + k * dst_pitch, dst_pitch, src + k * src_pitch, src_pitch, group, nbytes, ahead);
    return k;
}

static void stream_turns(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         int64_t ahead, int group)
{
    int64_t done = 0;

    switch (group) {
    case 16: done = stream_group(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, 16); break;
    case 8: done = stream_group(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, 8); break;
    case 4: done = stream_group(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, 4); break;
    case 2: done = stream_group(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, 2); break;
    }
    stream_group(dst + done * dst_pitch, dst_pitch, src + done * src_pitch, src_pitch, rows - done, nbytes, ahead, 1);
}

/* Rows of lines lines, some at once, without a loop inside; returns how many rows are done. */
SVI_INLINE int64_t stream_some(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                               int64_t ahead, bool once, int lines, int some)
{
    int64_t k = 0;

    for (; k + some <= rows; k += some, dst += some * dst_pitch, src += some * src_pitch) {
#pragma GCC unroll 16
        for (int i = 0; i < some * lines; i++)
            fetch_line(src + ahead + i / lines * src_pitch + i % lines * SVI_LINE, once);
#pragma GCC unroll 16
        for (int i = 0; i < some * lines; i++)
            stream_line(dst + i / lines * dst_pitch + i % lines * SVI_LINE,
                        src + i / lines * src_pitch + i % lines * SVI_LINE);
    }
    return k;
}

SVI_INLINE void stream_short_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                                int64_t nbytes, int64_t ahead, bool once)
{
    int64_t done = 0;

    switch (nbytes / SVI_LINE) {
    case 1: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 1, 4); break;
    case 2: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 2, 4); break;
    case 3: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 3, 2); break;
    case 4: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 4, 2); break;
    case 5: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 5, 1); break;
    case 6: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 6, 1); break;
    case 7: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 7, 1); break;
    case 8: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 8, 1); break;
    case 9: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 9, 1); break;
    case 10: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 10, 1); break;
    case 11: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 11, 1); break;
    case 12: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 12, 1); break;
    case 13: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 13, 1); break;
    case 14: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 14, 1); break;
    case 15: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 15, 1); break;
    case 16: done = stream_some(dst, dst_pitch, src, src_pitch, rows, ahead, once, 16, 1); break;
    }
    stream_rows_by(dst + done * dst_pitch, dst_pitch, src + done * src_pitch, src_pitch, rows - done, nbytes, ahead,
                   once);
}

static void stream_short(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         struct svi_fetch fetch)
{
    if (fetch.once)
        stream_short_by(dst, dst_pitch, src, src_pitch, rows, nbytes, fetch.ahead, true);
    else
        stream_short_by(dst, dst_pitch, src, src_pitch, rows, nbytes, fetch.ahead, false);
}

/* unit is a constant: 16 bytes, or half a line; once is one too. */
SVI_INLINE void stream_units_by(char *dst, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                                int64_t ahead, bool once, int unit)
{
    for (; rows > 0; rows--) {
        for (int64_t k = 0; k < nbytes; k += unit) {
            if (k % SVI_LINE == 0)
                fetch_line(src + ahead + k, once);
            (unit == SVI_UNIT ? stream_unit : stream_half)(dst + k, src + k);
        }
        dst += nbytes;
        src += src_pitch;
    }
}

SVI_INLINE void stream_units_once(char *dst, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                                  int64_t ahead, bool once)
{
    if (((uintptr_t)dst | (uint64_t)nbytes) % (2 * SVI_UNIT) == 0)
        stream_units_by(dst, src, src_pitch, rows, nbytes, ahead, once, 2 * SVI_UNIT);
    else
        stream_units_by(dst, src, src_pitch, rows, nbytes, ahead, once, SVI_UNIT);
}

static void stream_units(char *dst, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                         struct svi_fetch fetch)
{
    if (fetch.once)
        stream_units_once(dst, src, src_pitch, rows, nbytes, fetch.ahead, true);
    else
        stream_units_once(dst, src, src_pitch, rows, nbytes, fetch.ahead, false);
}

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

#endif
