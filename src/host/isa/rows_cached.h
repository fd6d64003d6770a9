/*
 * Runs and rows in cache, copied or filled with one element. For the vectors of the file that includes this; after
 * lanes.h. Without SVI_ROWS it only has copies of runs of up to 256 bytes.
 */
#ifndef SVI_HOST_ROWS_CACHED_H
#define SVI_HOST_ROWS_CACHED_H

#include "host/base/isa.h"

/* Loads nbytes, a constant of at most 16 vectors. */
SVI_INLINE void load_all(vec *v, const char *src, size_t nbytes)
{
#pragma GCC unroll 16
    for (size_t k = 0; k < nbytes / VECTOR; k++)
        v[k] = load(src + k * VECTOR);
}

SVI_INLINE void store_all(char *dst, const vec *v, size_t nbytes)
{
#pragma GCC unroll 16
    for (size_t k = 0; k < nbytes / VECTOR; k++)
        store(dst + k * VECTOR, v[k]);
}

/* Copies both ends, of half bytes each, which meet or overlap. */
SVI_INLINE void copy_halves(char *dst, const char *src, size_t nbytes, size_t half)
{
    vec first[8], last[8];

    load_all(first, src, half);
    load_all(last, src + nbytes - half, half);
    store_all(dst, first, half);
    store_all(dst + nbytes - half, last, half);
}

#ifdef SVI_ROWS
enum {
    STEP = 4 * SVI_LINE,       /* bytes of a round of a long row */
    MOVE_PREFETCH_BYTES = 512, /* prefetch distance in the destination */
    MIN_PREFETCHED_ROW = 512   /* bytes of a row beyond L2 for which a prefetch of the next one pays */
};

SVI_INLINE size_t copy_step(char *dst, const char *src, size_t k, size_t step)
{
    vec v[STEP / VECTOR];

    load_all(v, src + k, step);
    store_all(dst + k, v, step);
    return k + step;
}

/* Copies a line or more. Whole lines are stored, and head and tail overlap the neighbouring lines. If next is not NULL,
 * the destination is prefetched, and at the end of the row from next on. */
SVI_INLINE void copy_long_row(char *dst, const char *src, size_t nbytes, const char *next)
{
    const size_t end = next == NULL || nbytes < MOVE_PREFETCH_BYTES ? 0 : nbytes - MOVE_PREFETCH_BYTES;
    vec last[VECTORS_OF_LINE];
    size_t k = SVI_LINE - (uintptr_t)dst % SVI_LINE;

    load_all(last, src + nbytes - SVI_LINE, SVI_LINE);
    copy_step(dst, src, 0, SVI_LINE);
    while (k + STEP <= nbytes) {
        const char *ahead = k < end ? dst + k + MOVE_PREFETCH_BYTES : next + (k - end);

#pragma GCC unroll 4
        for (size_t line = 0; next != NULL && line < STEP; line += SVI_LINE)
            svi_prefetch_store(ahead + line);
        k = copy_step(dst, src, k, STEP);
    }
    while (k + SVI_LINE <= nbytes)
        k = copy_step(dst, src, k, SVI_LINE);
    store_all(dst + nbytes - SVI_LINE, last, SVI_LINE);
}
#endif

/* --- one run in L1 -------------------------------------------------------------- */

/* Called directly by plans, as their backend's run function. The plan's offsets are 0. */

static sv_status dense(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const size_t nbytes = (size_t)plan->nbytes;

    (void)with;
    if (nbytes <= 128)
        copy_halves(dst, src, nbytes, 64);
    else if (nbytes <= 256)
        copy_halves(dst, src, nbytes, 128);
#ifdef SVI_ROWS
    else if (nbytes <= 512)
        copy_halves(dst, src, nbytes, 256);
    else
        copy_long_row(dst, src, nbytes, NULL);
#else
    else
        memcpy(dst, src, nbytes);
#endif
    return SV_OK;
}

#ifdef SVI_ROWS
/* --- rows by vectors --- */

/* Copies a row. step is a constant: for rows of less than a vector the bytes of each end, for longer rows four vectors.
 * next is that of copy_long_row(). */
SVI_INLINE void copy_row(char *dst, const char *src, size_t nbytes, size_t step, const char *next)
{
    vec last[2];

    if (step < VECTOR) {
        svi_copy_ends(dst, src, nbytes, step);
    } else if (step == 4 * VECTOR) {
        copy_long_row(dst, src, nbytes, next);
    } else {
        load_all(last, src + nbytes - step, step);
        for (size_t k = 0; k < nbytes - step;)
            k = copy_step(dst, src, k, step);
        store_all(dst + nbytes - step, last, step);
    }
}

/* Stores the first size bytes again, `times` times (loop/crowding.h). */
SVI_INLINE void store_again(char *dst, const char *src, size_t size, int64_t times)
{
    for (int64_t k = 0; k < times; k++) {
        __asm__ volatile("" ::: "memory");
        memcpy(dst, src, size);
    }
}

/* Copies rows of 32 to 63 bytes in four stores, and `again` more. */
SVI_INLINE void near_quarters(struct svi_rows r, int64_t again)
{
    for (; r.count > 0; svi_next_rows(&r, 1)) {
        svi_copy_ends(r.dst, r.src, 32, 16);
        svi_copy_ends(r.dst + r.nbytes - 32, r.src + r.nbytes - 32, 32, 16);
        store_again(r.dst, r.src, 16, again);
    }
}

/* Hardware prefetchers of Intel's processors follow loads only, so the last steps of a row prefetch the next row of the
 * destination. */
SVI_INLINE void near_rows_by(struct svi_rows r, size_t step, enum svi_row_prefetch prefetch, int64_t again)
{
    for (; r.count > 0; svi_next_rows(&r, 1)) {
        const int64_t more = r.count > 1;

        if (prefetch != SVI_PREFETCH_NONE)
            svi_prefetch(r.src + more * r.src_pitch);
        copy_row(r.dst, r.src, (size_t)r.nbytes, step,
                 prefetch == SVI_PREFETCH_BOTH ? r.dst + more * r.dst_pitch : NULL);
        store_again(r.dst, r.src, step < VECTOR ? step : VECTOR, again);
    }
}

/* stores: the least number of small stores for a row; of vectors half as many. */
static void cached_rows(const struct svi_rows *rows, enum svi_row_prefetch prefetch, int64_t stores)
{
    struct svi_rows r = *rows;
    const int64_t again = r.nbytes < VECTOR ? stores - 2 : stores / 2 - (r.nbytes + VECTOR - 1) / VECTOR;

    if (prefetch == SVI_PREFETCH_BOTH)
        near_rows_by(r, 4 * VECTOR, SVI_PREFETCH_BOTH, 0);
    else if (prefetch == SVI_PREFETCH_SRC && r.nbytes >= MIN_PREFETCHED_ROW)
        near_rows_by(r, 4 * VECTOR, SVI_PREFETCH_SRC, again);
    else if (r.nbytes >= 4 * VECTOR)
        near_rows_by(r, 4 * VECTOR, SVI_PREFETCH_NONE, again);
    else if (r.nbytes >= 2 * VECTOR)
        near_rows_by(r, 2 * VECTOR, SVI_PREFETCH_NONE, again);
    else if (r.nbytes >= VECTOR)
        near_rows_by(r, VECTOR, SVI_PREFETCH_NONE, again);
    else if (r.nbytes >= 32 && stores > 2)
        near_quarters(r, stores - 4);
    else if (r.nbytes >= 32)
        near_rows_by(r, 32, SVI_PREFETCH_NONE, 0);
    else
        near_rows_by(r, 16, SVI_PREFETCH_NONE, again);
}
#endif

/* --- rows that repeat one element ------------------------------------------------ */

enum { FILL_PREFETCH_ROWS = 8 }; /* prefetch distance in rows */

/* Fills both ends, of size bytes each (a constant), which meet or overlap. */
SVI_INLINE void fill_ends(char *dst, struct svi_words w, int64_t nbytes, int64_t size)
{
    const vec v = all_lanes(w.low, w.high);
    char ends[2 * VECTOR];

    for (int64_t k = 0; k < size; k += VECTOR)
        store(ends + k, v);
    memcpy(dst, ends, (size_t)size);
    memcpy(dst + nbytes - size, ends, (size_t)size);
}

/* Fills two vectors or more. Those between the ends are aligned if elements are. */
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

/* size: bytes of each end of a row, a constant. */
SVI_INLINE void fill_rows_by(struct svi_rows r, int64_t item, int64_t size, bool fetches)
{
    for (; r.count > 0; svi_next_rows(&r, 1)) {
        const struct svi_words w = svi_words_of(r.src, (size_t)item);

        if (fetches)
            svi_prefetch_store(r.dst + FILL_PREFETCH_ROWS * r.dst_pitch);
        if (size > VECTOR)
            fill_long(r.dst, w, r.nbytes, item);
        else
            fill_ends(r.dst, w, r.nbytes, size);
    }
}

static void fill_rows(const struct svi_rows *rows, int64_t item)
{
    struct svi_rows r = *rows;

    /* A store that crosses a line waits for both lines. */
    const bool waits = (r.nbytes == 32 || r.nbytes == 64) &&
                       (((uintptr_t)r.dst | (uint64_t)r.dst_pitch) & (uint64_t)(r.nbytes - 1)) != 0;

    if (r.nbytes > 2 * VECTOR)
        fill_rows_by(r, item, 2 * VECTOR, false);
    else if (r.nbytes >= 64 && VECTOR >= 64)
        fill_rows_by(r, item, 64, waits);
    else if (r.nbytes >= 32 && VECTOR >= 32)
        fill_rows_by(r, item, 32, waits);
    else if (r.nbytes >= 16)
        fill_rows_by(r, item, 16, false);
    else if (r.nbytes >= 8)
        fill_rows_by(r, item, 8, false);
    else
        fill_rows_by(r, item, 4, false);
}

#endif
