/* Rows in cache, of more than a unit, for the vectors of the file that includes this; after dense.h. */
#ifndef SVI_HOST_NEAR_ROWS_H
#define SVI_HOST_NEAR_ROWS_H

enum { FETCHED_ROW = 512 }; /* bytes from which on it pays to begin with the next row early */

/* The last step may have something in common with the one before. */
SVI_INLINE void near_row(char *dst, const char *src, size_t nbytes, size_t step)
{
    const size_t behind = nbytes - step;
    vec v[2], last[2];

    load_all(last, src + behind, step);
    for (size_t k = 0; k < behind; k += step) {
        load_all(v, src + k, step);
        store_all(dst + k, v, step);
    }
    store_all(dst + behind, last, step);
}

SVI_INLINE size_t near_step(char *dst, const char *src, size_t k, size_t step)
{
    vec v[4];

    load_all(v, src + k, step);
    store_all(dst + k, v, step);
    return k + step;
}

/* Four vectors and more: lines are stored whole, and the ends have something in common with the lines beside. */
SVI_INLINE void near_long_row(char *dst, const char *src, size_t nbytes)
{
    const vec last = load(src + nbytes - VECTOR);
    size_t k;

    near_step(dst, src, 0, SVI_LINE);
    k = SVI_LINE - (uintptr_t)dst % SVI_LINE;
    while (k + 4 * VECTOR <= nbytes)
        k = near_step(dst, src, k, 4 * VECTOR);
    if (k + 2 * VECTOR <= nbytes)
        k = near_step(dst, src, k, 2 * VECTOR);
    if (k + VECTOR <= nbytes)
        near_step(dst, src, k, VECTOR);
    store(dst + nbytes - VECTOR, last);
}

/* Less than a vector: size bytes, a constant, of both ends, which have something in common. */
SVI_INLINE void near_ends(char *dst, const char *src, size_t nbytes, size_t size)
{
    char head[VECTOR], tail[VECTOR];

    memcpy(head, src, size);
    memcpy(tail, src + nbytes - size, size);
    memcpy(dst, head, size);
    memcpy(dst + nbytes - size, tail, size);
}

/* So many stores more than a row takes. */
SVI_INLINE void near_again(char *dst, const char *src, size_t size, int64_t times)
{
    for (int64_t k = 0; k < times; k++) {
        __asm__ volatile("" ::: "memory");
        memcpy(dst, src, size);
    }
}

/* 32 bytes to less than 64, in four stores and some more. */
static void near_quarters(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                          int64_t nbytes, int64_t again)
{
    for (; rows > 0; rows--) {
        near_ends(dst, src, 32, 16);
        near_ends(dst + nbytes - 32, src + nbytes - 32, 32, 16);
        near_again(dst, src, 16, again);
        dst += dst_pitch;
        src += src_pitch;
    }
}

SVI_INLINE void near_rows_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                             int64_t nbytes, size_t step, bool fetches, int64_t again)
{
    for (; rows > 0; rows--) {
        if (fetches)
            __builtin_prefetch(src + src_pitch);
        if (step < VECTOR)
            near_ends(dst, src, (size_t)nbytes, step);
        else if (step == 4 * VECTOR)
            near_long_row(dst, src, (size_t)nbytes);
        else
            near_row(dst, src, (size_t)nbytes, step);
        near_again(dst, src, step < VECTOR ? step : VECTOR, again);
        dst += dst_pitch;
        src += src_pitch;
    }
}

SVI_INLINE void near_rows_again(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                                int64_t nbytes, bool fetches, int64_t again)
{
    if (fetches && nbytes >= FETCHED_ROW)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4 * VECTOR, true, again);
    else if (nbytes >= 4 * VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4 * VECTOR, false, again);
    else if (nbytes >= 2 * VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 2 * VECTOR, false, again);
    else if (nbytes >= VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, VECTOR, false, again);
    else if (nbytes >= 32)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 32, false, again);
    else
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 16, false, again);
}

/* stores: how many small ones a row should take at least, or half as many vectors. */
static void near_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                      bool fetches, int64_t stores)
{
    const int64_t more = nbytes < VECTOR ? stores - 2 : stores / 2 - (nbytes + VECTOR - 1) / VECTOR;

    if (nbytes >= 32 && nbytes < VECTOR && stores > 2)
        near_quarters(dst, dst_pitch, src, src_pitch, rows, nbytes, stores - 4);
    else if (more <= 0)
        near_rows_again(dst, dst_pitch, src, src_pitch, rows, nbytes, fetches, 0);
    else
        near_rows_again(dst, dst_pitch, src, src_pitch, rows, nbytes, fetches, more);
}

#endif
