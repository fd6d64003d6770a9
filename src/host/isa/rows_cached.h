/*
 * Runs and rows in cache, for the vectors of the file that includes this; after lanes.h. Without SVI_ROWS there are
 * only runs of up to 256 bytes.
 */
#ifndef SVI_HOST_ROWS_CACHED_H
#define SVI_HOST_ROWS_CACHED_H

#include "isa.h"

/* nbytes is a constant of 16 vectors or less. */
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

/* By both ends of half bytes, which meet or overlap. */
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
    MOVE_STEP_BYTES = 256,
    MOVE_PREFETCH_BYTES = 512,
    MIN_PREFETCHED_ROW = 512 /* bytes of a row beyond L2, from which on the next one is worth a prefetch */
};

SVI_INLINE size_t copy_step(char *dst, const char *src, size_t k, size_t step)
{
    vec v[4];

    load_all(v, src + k, step);
    store_all(dst + k, v, step);
    return k + step;
}

/* Four vectors and more: whole lines are stored, and head and tail overlap the lines beside them. */
SVI_INLINE void copy_long_row(char *dst, const char *src, size_t nbytes)
{
    const vec last = load(src + nbytes - VECTOR);
    size_t k = SVI_LINE - (uintptr_t)dst % SVI_LINE;

    copy_step(dst, src, 0, SVI_LINE);
    while (k + 4 * VECTOR <= nbytes)
        k = copy_step(dst, src, k, 4 * VECTOR);
    if (k + 2 * VECTOR <= nbytes)
        k = copy_step(dst, src, k, 2 * VECTOR);
    if (k + VECTOR <= nbytes)
        copy_step(dst, src, k, VECTOR);
    store(dst + nbytes - VECTOR, last);
}
#endif

/* --- one run in L1, run as a backend's plans are, without a call; the plan's offsets are 0 --- */

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
        copy_long_row(dst, src, nbytes);
#else
    else
        memcpy(dst, src, nbytes);
#endif
    return SV_OK;
}

#ifdef SVI_ROWS
/* --- rows by vectors --- */

/* step is a constant: of rows of less than a vector the bytes of both ends, of rows of four vectors and more these. */
SVI_INLINE void copy_row(char *dst, const char *src, size_t nbytes, size_t step)
{
    vec last[2];

    if (step < VECTOR) {
        svi_copy_ends(dst, src, nbytes, step);
    } else if (step == 4 * VECTOR) {
        copy_long_row(dst, src, nbytes);
    } else {
        load_all(last, src + nbytes - step, step);
        for (size_t k = 0; k < nbytes - step;)
            k = copy_step(dst, src, k, step);
        store_all(dst + nbytes - step, last, step);
    }
}

/* Stores the first size bytes again, so many times. */
SVI_INLINE void store_again(char *dst, const char *src, size_t size, int64_t times)
{
    for (int64_t k = 0; k < times; k++) {
        __asm__ volatile("" ::: "memory");
        memcpy(dst, src, size);
    }
}

/* 32 bytes to less than 64, in four stores and some more. */
SVI_INLINE void near_quarters(struct svi_rows r, int64_t again)
{
    for (; r.count > 0; svi_next_rows(&r, 1)) {
        svi_copy_ends(r.dst, r.src, 32, 16);
        svi_copy_ends(r.dst + r.nbytes - 32, r.src + r.nbytes - 32, 32, 16);
        store_again(r.dst, r.src, 16, again);
    }
}

SVI_INLINE void near_rows_by(struct svi_rows r, size_t step, bool fetches, int64_t again)
{
    for (; r.count > 0; svi_next_rows(&r, 1)) {
        if (fetches)
            __builtin_prefetch(r.src + r.src_pitch);
        copy_row(r.dst, r.src, (size_t)r.nbytes, step);
        store_again(r.dst, r.src, step < VECTOR ? step : VECTOR, again);
    }
}

/* stores: how many small ones a row should take at least, or half as many vectors. */
static void cached_rows(const struct svi_rows *rows, bool fetches, int64_t stores)
{
    struct svi_rows r = *rows;
    const int64_t again = r.nbytes < VECTOR ? stores - 2 : stores / 2 - (r.nbytes + VECTOR - 1) / VECTOR;

    if (r.nbytes >= 4 * VECTOR)
        near_rows_by(r, 4 * VECTOR, fetches && r.nbytes >= MIN_PREFETCHED_ROW, again);
    else if (r.nbytes >= 2 * VECTOR)
        near_rows_by(r, 2 * VECTOR, false, again);
    else if (r.nbytes >= VECTOR)
        near_rows_by(r, VECTOR, false, again);
    else if (r.nbytes >= 32 && stores > 2)
        near_quarters(r, stores - 4);
    else if (r.nbytes >= 32)
        near_rows_by(r, 32, false, 0);
    else
        near_rows_by(r, 16, false, again);
}

/* Rows of a copy beyond the cache, with a prefetch of all lines of both sides. */
static void cache_parts(const struct svi_rows *rows, int64_t ahead, int64_t dst_ahead)
{
    struct svi_rows r = *rows;

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        for (int64_t k = 0; k < r.nbytes; k += SVI_LINE) {
            __builtin_prefetch(r.src + ahead + k);
            __builtin_prefetch(r.dst + dst_ahead + k, 1);
        }
        if (r.nbytes >= VECTOR)
            copy_row(r.dst, r.src, (size_t)r.nbytes, VECTOR);
        else if (r.nbytes >= 32)
            copy_row(r.dst, r.src, (size_t)r.nbytes, 32);
        else
            copy_row(r.dst, r.src, (size_t)r.nbytes, 16);
    }
}

/* --- runs of some lines to some MiB beyond L1, with a prefetch of the destination: Intel's processors prefetch only
 * what is loaded --- */

/* nbytes: whole steps from a line's beginning in dst; as many bytes from ahead on are prefetched. */
SVI_INLINE void move_steps(char *dst, const char *src, size_t nbytes, const char *ahead)
{
    vec v[MOVE_STEP_BYTES / VECTOR];

    for (size_t k = 0; k < nbytes; k += MOVE_STEP_BYTES) {
#pragma GCC unroll 4
        for (size_t line = 0; line < MOVE_STEP_BYTES; line += SVI_LINE)
            __builtin_prefetch(ahead + k + line, 1);
        load_all(v, src + k, MOVE_STEP_BYTES);
        store_all(dst + k, v, MOVE_STEP_BYTES);
    }
}

/* A line or more. The last steps prefetch where the next run is written. */
SVI_INLINE void move_run(char *dst, const char *src, size_t nbytes, const char *next)
{
    const size_t head = -(uintptr_t)dst % SVI_LINE, steps = (nbytes - head) / MOVE_STEP_BYTES * MOVE_STEP_BYTES;
    const size_t own = steps > MOVE_PREFETCH_BYTES ? steps - MOVE_PREFETCH_BYTES : 0;
    vec v[SVI_LINE / VECTOR], last[SVI_LINE / VECTOR];

    load_all(v, src, SVI_LINE);
    store_all(dst, v, SVI_LINE);
    load_all(last, src + nbytes - SVI_LINE, SVI_LINE);
    move_steps(dst + head, src + head, own, dst + head + MOVE_PREFETCH_BYTES);
    move_steps(dst + head + own, src + head + own, steps - own, next);
    for (size_t k = head + steps; k + SVI_LINE < nbytes; k += SVI_LINE) {
        load_all(v, src + k, SVI_LINE);
        store_all(dst + k, v, SVI_LINE);
    }
    store_all(dst + nbytes - SVI_LINE, last, SVI_LINE);
}

static void move_rows(const struct svi_rows *rows)
{
    struct svi_rows r = *rows;

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        const bool last = r.count == 1;

        __builtin_prefetch(last ? r.src : r.src + r.src_pitch);
        move_run(r.dst, r.src, (size_t)r.nbytes, last ? r.dst : r.dst + r.dst_pitch);
    }
}
#endif

#endif
