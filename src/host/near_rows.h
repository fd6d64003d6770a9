/* Rows in cache, of a vector and more, for the vectors of the file that includes this; after dense.h. */
#ifndef SVI_HOST_NEAR_ROWS_H
#define SVI_HOST_NEAR_ROWS_H

enum { ROW_AHEAD = 512 }; /* bytes; what is behind the end of a row comes from the next one */

SVI_INLINE void fetch_row(const char *src, const char *next, size_t from, size_t nbytes, size_t step)
{
    const char *ahead = from < nbytes ? src + from : next + (from - nbytes);

#pragma GCC unroll 4
    for (size_t k = 0; k < step; k += SVI_LINE)
        __builtin_prefetch(ahead + k);
}

/* The last step may have something in common with the one before. */
SVI_INLINE void near_row(char *dst, const char *src, const char *next, size_t nbytes, size_t step, bool fetches)
{
    const size_t behind = nbytes - step;
    vec v[4], last[4];

    load_all(last, src + behind, step);
    for (size_t k = 0; k < behind; k += step) {
        if (fetches)
            fetch_row(src, next, k + ROW_AHEAD, nbytes, step);
        load_all(v, src + k, step);
        store_all(dst + k, v, step);
    }
    store_all(dst + behind, last, step);
}

SVI_INLINE void near_rows_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                             int64_t nbytes, size_t step, bool fetches)
{
    for (; rows > 0; rows--) {
        near_row(dst, src, src + src_pitch, (size_t)nbytes, step, fetches);
        dst += dst_pitch;
        src += src_pitch;
    }
}

static void near_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                      bool fetches)
{
    if (fetches && nbytes >= ROW_AHEAD)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4 * VECTOR, true);
    else if (nbytes >= 4 * VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4 * VECTOR, false);
    else if (nbytes >= 2 * VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 2 * VECTOR, false);
    else
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, VECTOR, false);
}

#endif
