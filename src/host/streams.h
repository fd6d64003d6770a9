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
    memcpy(dst, src, head);
    stream_lines(dst + head, src + head, body);
    memcpy(dst + head + body, src + head + body, nbytes - head - body);
}

static void stream_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                        int64_t ahead)
{
    for (; rows > 0; rows--) {
        for (int64_t k = 0; ahead != 0 && k < nbytes; k += SVI_LINE)
            __builtin_prefetch(src + ahead + k);
        stream_lines(dst, src, (size_t)nbytes);
        dst += dst_pitch;
        src += src_pitch;
    }
}

static void stream_units(char *dst, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes, int64_t ahead)
{
    for (; rows > 0; rows--) {
        for (int64_t k = 0; k < nbytes; k += SVI_UNIT) {
            if (k % SVI_LINE == 0)
                __builtin_prefetch(src + ahead + k);
            stream_unit(dst + k, src + k);
        }
        dst += nbytes;
        src += src_pitch;
    }
}

#endif
