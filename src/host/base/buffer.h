/*
 * Buffers that a loop uses during one copy, and runs that are stored from such a buffer piece by piece. A caller's
 * stack may be small (a thread of 64 KiB, musl's 128 KiB), so buffers of more than SVI_SCRATCH_OWN bytes are allocated.
 * Every loop can copy without its buffer, more slowly, or leaves the copy to a later loop.
 */
#ifndef SVI_HOST_BUFFER_H
#define SVI_HOST_BUFFER_H

#include "base/alloc.h"
#include "base/checked.h"
#include "host/base/isa.h"
#include "host/base/elements.h"

/* Bytes of a buffer that may be in a frame. An allocation takes as long as a copy of some hundred bytes, so small
 * copies avoid it. */
enum { SVI_SCRATCH_OWN = 4096 };

/* nbytes, rounded up to an odd number of lines: rows at such a pitch share no sets of the caches. */
static inline int64_t svi_odd_lines(int64_t nbytes)
{
    return (svi_divide_up(nbytes, SVI_LINE) | 1) * SVI_LINE;
}

/* Allocates nbytes, aligned to a cache line. The address that malloc returned is stored before them. NULL: out of
 * memory. */
static inline void *svi_scratch_new(size_t nbytes)
{
    char *block = svi_malloc(nbytes + sizeof(void *) + SVI_LINE);
    void **scratch;

    if (block == NULL)
        return NULL;
    scratch = (void *)svi_line_from(block + sizeof(void *));
    scratch[-1] = block;
    return scratch;
}

/* Frees a buffer; NULL is none. */
static inline void svi_scratch_free(void *scratch)
{
    if (scratch != NULL)
        svi_free(((void **)scratch)[-1]);
}

/* --- pieces that are stored by whole lines ----------------------------------------- */

/* The partial line at the end of a piece is carried on to the next piece, so that non-temporal stores are whole
 * lines. */

/* Bytes from row to row of a buffer whose rows are stored pitch bytes apart. A row has `most` bytes, and a line in
 * front of it. */
SVI_INLINE int64_t svi_carry_pitch(int64_t most, int64_t pitch)
{
    return most + 2 * SVI_LINE + (int64_t)((uint64_t)pitch % SVI_LINE);
}

typedef void svi_put(char *dst, const char *src, size_t nbytes);

/*
 * Stores nbytes at row as whole lines of dst. The line before row ends with the bytes that are carried from the piece
 * before. The last SVI_LINE bytes are copied to carry, as they end with the bytes that are carried on. first: nothing
 * is carried to this piece, which is a line or more. last: the partial line at the end is stored too.
 */
SVI_INLINE void svi_store_carried(svi_put *put, char *dst, const char *row, int64_t nbytes, bool first, bool last,
                                  char *carry)
{
    const int64_t before = first ? 0 : (int64_t)((uintptr_t)dst % SVI_LINE);
    const int64_t after = last ? 0 : (int64_t)((uintptr_t)(dst + nbytes) % SVI_LINE);

    put(dst - before, row - before, (size_t)(before + nbytes - after));
    if (!last)
        memcpy(carry, row + nbytes - SVI_LINE, SVI_LINE);
}

/* A run that is stored piece by piece, and that may end after any piece. At first `to` is NULL. */
struct svi_carried_run {
    svi_put *put;
    char *to; /* the address at which the next piece would continue the run */
    char line[SVI_LINE];
};

/* Stores the partial line at the end of a run. */
static inline void svi_end_carried_run(struct svi_carried_run *run)
{
    const int64_t nbytes = (int64_t)((uintptr_t)run->to % SVI_LINE);

    run->put(run->to - nbytes, run->line + SVI_LINE - nbytes, (size_t)nbytes);
}

/* Stores a piece, which continues the run or ends it and begins another. row has a line of room before it. The first
 * piece of a run is a line or more. */
static inline void svi_continue_carried_run(struct svi_carried_run *run, char *dst, char *row, int64_t nbytes)
{
    if (dst != run->to)
        svi_end_carried_run(run);
    memcpy(row - SVI_LINE, run->line, SVI_LINE);
    svi_store_carried(run->put, dst, row, nbytes, dst != run->to, false, run->line);
    run->to = dst + nbytes;
}

#endif
