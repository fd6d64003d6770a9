/* Rows of one item each in cache, for the vectors of the file that includes this; after lanes.h. */
#ifndef SVI_HOST_FILLS_H
#define SVI_HOST_FILLS_H

#include "host/base/words.h"

enum { FILLED_AHEAD = 8 }; /* rows */

/* By both its ends of size bytes, a constant, which meet or have something in common. */
SVI_INLINE void fill_ends(char *dst, struct svi_words w, int64_t nbytes, int64_t size)
{
    const vec v = all_lanes(w.low, w.high);
    char ends[2 * VECTOR];

    for (int64_t k = 0; k < size; k += VECTOR)
        store(ends + k, v);
    memcpy(dst, ends, (size_t)size);
    memcpy(dst + nbytes - size, ends, (size_t)size);
}

/* Two vectors or more. Those between the ends begin with lines where items do. */
SVI_INLINE void fill_long(char *dst, struct svi_words w, int64_t nbytes, int64_t item)
{
    const vec v = all_lanes(w.low, w.high);
    const uintptr_t head = -(uintptr_t)dst % VECTOR;
    char *const last = dst + nbytes - VECTOR;

    store(dst, v);
    dst += (head & (uintptr_t)(item - 1)) == 0 ? head : VECTOR;
    for (; last - dst >= 4 * VECTOR; dst += 4 * VECTOR)
#pragma GCC unroll 4
        for (int k = 0; k < 4 * VECTOR; k += VECTOR)
            store(dst + k, v);
    for (; dst < last; dst += VECTOR)
        store(dst, v);
    store(last, v);
}

SVI_INLINE void fill_rows_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                             int64_t nbytes, int64_t item, int64_t size, bool fetches)
{
    for (; rows > 0; rows--) {
        const struct svi_words w = svi_words_of(src, (size_t)item);

        if (fetches)
            __builtin_prefetch(dst + FILLED_AHEAD * dst_pitch, 1);
        if (size > VECTOR)
            fill_long(dst, w, nbytes, item);
        else
            fill_ends(dst, w, nbytes, size);
        dst += dst_pitch;
        src += src_pitch;
    }
}

static void fill_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                      int64_t item)
{
    /* A row that is one store to two lines waits for both. */
    const bool waits = (nbytes == 32 || nbytes == 64) && (((uintptr_t)dst | (uint64_t)dst_pitch) & (nbytes - 1)) != 0;

    if (nbytes > 2 * VECTOR)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 2 * VECTOR, false);
    else if (nbytes == 64 && VECTOR >= 64 && waits)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 64, true);
    else if (nbytes >= 64 && VECTOR >= 64)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 64, false);
    else if (nbytes == 32 && VECTOR >= 32 && waits)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 32, true);
    else if (nbytes >= 32 && VECTOR >= 32)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 32, false);
    else if (nbytes >= 16)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 16, false);
    else if (nbytes >= 8)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 8, false);
    else
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 4, false);
}

#endif
