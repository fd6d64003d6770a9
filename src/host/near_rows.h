/* Rows in cache, of a vector and more, for the vectors of the file that includes this; after dense.h. */
#ifndef SVI_HOST_NEAR_ROWS_H
#define SVI_HOST_NEAR_ROWS_H

enum { FETCHED_ROW = 512 }; /* bytes from which on it pays to begin with the next row early */

/* The last step may have something in common with the one before. */
SVI_INLINE void near_row(char *dst, const char *src, size_t nbytes, size_t step)
{
    const size_t behind = nbytes - step;
    vec v[4], last[4];

    load_all(last, src + behind, step);
    for (size_t k = 0; k < behind; k += step) {
        load_all(v, src + k, step);
        store_all(dst + k, v, step);
    }
    store_all(dst + behind, last, step);
}

SVI_INLINE void near_rows_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                             int64_t nbytes, size_t step, bool fetches)
{
    for (; rows > 0; rows--) {
        if (fetches)
            __builtin_prefetch(src + src_pitch);
        near_row(dst, src, (size_t)nbytes, step);
        dst += dst_pitch;
        src += src_pitch;
    }
}

static void near_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                      bool fetches)
{
    if (fetches && nbytes >= FETCHED_ROW)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4 * VECTOR, true);
    else if (nbytes >= 4 * VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4 * VECTOR, false);
    else if (nbytes >= 2 * VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 2 * VECTOR, false);
    else
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, VECTOR, false);
}

#endif
