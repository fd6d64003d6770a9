/*
 * Runs of some lines to some MiB, behind the first cache, for the vectors of
 * the file that includes this; after dense.h. What will be written is fetched:
 * Intel's processors do so by themselves for what is read only.
 */
#ifndef SVI_HOST_MOVES_H
#define SVI_HOST_MOVES_H

enum { MOVED_AHEAD = 512, MOVED_STEP = 256 }; /* bytes */

/* nbytes: whole steps from a line's beginning in dst; as many bytes from ahead on are fetched. */
SVI_INLINE void move_steps(char *dst, const char *src, size_t nbytes, const char *ahead)
{
    vec v[MOVED_STEP / VECTOR];

    for (size_t k = 0; k < nbytes; k += MOVED_STEP) {
#pragma GCC unroll 4
        for (size_t line = 0; line < MOVED_STEP; line += SVI_LINE)
            __builtin_prefetch(ahead + k + line, 1);
        load_all(v, src + k, MOVED_STEP);
        store_all(dst + k, v, MOVED_STEP);
    }
}

/* A line or more, as many as make whole steps from a line's beginning on. next: where the next run is written. */
SVI_INLINE void move_run(char *dst, const char *src, size_t nbytes, const char *next)
{
    const size_t head = -(uintptr_t)dst % SVI_LINE, steps = (nbytes - head) / MOVED_STEP * MOVED_STEP;
    const size_t own = steps > MOVED_AHEAD ? steps - MOVED_AHEAD : 0;
    vec v[SVI_LINE / VECTOR], last[SVI_LINE / VECTOR];

    load_all(v, src, SVI_LINE);
    store_all(dst, v, SVI_LINE);
    load_all(last, src + nbytes - SVI_LINE, SVI_LINE);
    move_steps(dst + head, src + head, own, dst + head + MOVED_AHEAD);
    move_steps(dst + head + own, src + head + own, steps - own, next);
    for (size_t k = head + steps; k + SVI_LINE < nbytes; k += SVI_LINE) {
        load_all(v, src + k, SVI_LINE);
        store_all(dst + k, v, SVI_LINE);
    }
    store_all(dst + nbytes - SVI_LINE, last, SVI_LINE);
}

static void move_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes)
{
    for (; rows > 0; rows--) {
        const bool last = rows == 1;

        __builtin_prefetch(last ? src : src + src_pitch);
        move_run(dst, src, (size_t)nbytes, last ? dst : dst + dst_pitch);
        dst += dst_pitch;
        src += src_pitch;
    }
}

#endif
