/*
 * Dense copies of a few lines to some KiB, which stay in the first cache, for
 * the vectors of the file that includes this; after lanes.h. They are run as a
 * backend's plans are, without a call in them; the plan's offsets are 0.
 */
#ifndef SVI_HOST_DENSE_H
#define SVI_HOST_DENSE_H

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

/* By its ends of half, which meet or have something in common. */
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

#ifdef SVI_DENSE_LOOPS
enum { DENSE_STEP = 256 }; /* bytes that are loaded before any is stored */

static sv_status dense_512(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return dense_ends(plan, dst, src, 256);
}

/* The last step may have something in common with the one before. */
SVI_INLINE sv_status dense_loop(const struct svi_plan *plan, char *dst, const char *src, bool aligns)
{
    const size_t step = DENSE_STEP, behind = (size_t)plan->nbytes - step;
    const char *const end = src + behind;
    char *const dst_end = dst + behind;
    vec v[DENSE_STEP / VECTOR];

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
    return dense_loop(plan, dst, src, false);
}

/* Vectors of the destination begin with a line, which pays from some KiB on. */
static sv_status dense_long(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    return dense_loop(plan, dst, src, true);
}
#endif

#endif
