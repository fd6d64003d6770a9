/*
 * Runs and rows in cache, for the vectors of the file that includes this; after lanes.h. Without SVI_ROWS there are
 * only dense copies of up to 256 bytes.
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

/* --- dense copies in L1, run as a backend's plans are, without a call; the plan's offsets are 0 --- */

/* By both ends of half bytes, which meet or overlap. */
SVI_INLINE sv_status dense_ends(const struct svi_plan *plan, char *dst, const char *src, size_t half)
{
    const size_t behind = (size_t)plan->nbytes - half;
    vec first[8], last[8];

    load_all(first, src, half);
    load_all(last, src + behind, half);
    store_all(dst, first, half);
    store_all(dst + behind, last, half);
    return SV_OK;
}

static sv_status dense_128(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return dense_ends(plan, dst, src, 64);
}

static sv_status dense_256(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return dense_ends(plan, dst, src, 128);
}

#ifdef SVI_ROWS
enum {
    DENSE_STEP_BYTES = 256, /* that are loaded before any is stored */
    MOVE_STEP_BYTES = 256,
    MOVE_PREFETCH_BYTES = 512,
    MIN_PREFETCHED_ROW = 512 /* bytes of a row beyond L2, from which on the next one is worth a prefetch */
};

static sv_status dense_512(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return dense_ends(plan, dst, src, 256);
}

/* The last step may overlap the one before. */
SVI_INLINE sv_status dense_steps(const struct svi_plan *plan, char *dst, const char *src, bool aligns)
{
    const size_t step = DENSE_STEP_BYTES, behind = (size_t)plan->nbytes - step;
    const char *const end = src + behind;
    char *const dst_end = dst + behind;
    vec v[DENSE_STEP_BYTES / VECTOR];

    if (aligns) {
        const size_t head = VECTOR - (uintptr_t)dst % VECTOR;

        store(dst, load(src));
        dst += head;
        src += head;
    }
    for (; src < end; src += step, dst += step) {
        load_all(v, src, step);
        store_all(dst, v, step);
    }
    load_all(v, end, step);
    store_all(dst_end, v, step);
    return SV_OK;
}

static sv_status dense_short(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return dense_steps(plan, dst, src, false);
}

/* Aligned stores pay from some KiB on. */
static sv_status dense_long(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return dense_steps(plan, dst, src, true);
}

/* --- rows by vectors --- */

SVI_INLINE void copy_steps(char *dst, const char *src, size_t nbytes, size_t step)
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

/* step is a constant: of rows of less than a vector the bytes of both ends, of rows of four vectors and more these. */
SVI_INLINE void copy_row(char *dst, const char *src, size_t nbytes, size_t step)
{
    if (step < VECTOR)
        svi_copy_ends(dst, src, nbytes, step);
    else if (step == 4 * VECTOR)
        copy_long_row(dst, src, nbytes);
    else
        copy_steps(dst, src, nbytes, step);
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
static void near_quarters(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                          int64_t nbytes, int64_t again)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        svi_copy_ends(dst, src, 32, 16);
        svi_copy_ends(dst + nbytes - 32, src + nbytes - 32, 32, 16);
        store_again(dst, src, 16, again);
    }
}

SVI_INLINE void near_rows_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                             int64_t nbytes, size_t step, bool fetches, int64_t again)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        if (fetches)
            __builtin_prefetch(src + src_pitch);
        copy_row(dst, src, (size_t)nbytes, step);
        store_again(dst, src, step < VECTOR ? step : VECTOR, again);
    }
}

SVI_INLINE void near_rows_again(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                                int64_t nbytes, bool fetches, int64_t again)
{
    if (nbytes >= 4 * VECTOR)
        near_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, 4 * VECTOR, fetches && nbytes >= MIN_PREFETCHED_ROW,
                     again);
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

/* --- rows with a prefetch of all lines of both sides, of a copy beyond the cache --- */

SVI_INLINE void cache_parts_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                               int64_t nbytes, int64_t ahead, int64_t dst_ahead, size_t step)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        for (int64_t k = 0; k < nbytes; k += SVI_LINE) {
            __builtin_prefetch(src + ahead + k);
            __builtin_prefetch(dst + dst_ahead + k, 1);
        }
        copy_row(dst, src, (size_t)nbytes, step);
    }
}

static void cache_parts(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                        int64_t ahead, int64_t dst_ahead)
{
    if (nbytes >= VECTOR)
        cache_parts_by(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, dst_ahead, VECTOR);
    else if (nbytes >= 32)
        cache_parts_by(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, dst_ahead, 32);
    else
        cache_parts_by(dst, dst_pitch, src, src_pitch, rows, nbytes, ahead, dst_ahead, 16);
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

static void move_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        const bool last = rows == 1;

        __builtin_prefetch(last ? src : src + src_pitch);
        move_run(dst, src, (size_t)nbytes, last ? dst : dst + dst_pitch);
    }
}
#endif

#endif
