/*
 * Buffers that a loop stages data in for the time of one copy, and runs that are stored from such a buffer piece by
 * piece. A caller's stack may be small (a thread of 64 KiB, musl's 128 KiB), so buffers of more than SVI_SCRATCH_OWN
 * bytes are allocated. Every loop that asks for one has a way without it, which is slower.
 */
#ifndef SVI_HOST_BUFFER_H
#define SVI_HOST_BUFFER_H

#include "base/alloc.h"
#include "host/base/isa.h"
#include "host/base/elements.h"

/*
 * Bytes that a frame may hold instead. An allocation takes as long as a copy of
 * some hundred bytes, so small copies go without one.
 */
enum { SVI_SCRATCH_OWN = 4096 };

/* nbytes, aligned to a cache line, behind the address that malloc returned. NULL: out of memory. */
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

/* NULL is a no-op. */
static inline void svi_scratch_free(void *scratch)
{
    if (scratch != NULL)
        svi_free(((void **)scratch)[-1]);
}

/* --- pieces, stored by whole lines and NT stores: the partial line behind one is carried on to the next --- */

/* Bytes between the rows of a buffer that are stored pitch bytes apart, each of them most bytes and a line in front. */
SVI_INLINE int64_t svi_carry_pitch(int64_t most, int64_t pitch)
{
    return most + 2 * SVI_LINE + (int64_t)((uint64_t)pitch % SVI_LINE);
}

typedef void svi_put(char *dst, const char *src, size_t nbytes);

/*
 * nbytes at row, behind a line that ends with the carried bytes; at the end whole lines of dst are complete. The last
 * SVI_LINE bytes go to carry: they end with what is carried on. first: nothing is carried to it, and it is a line or
 * more. last: all is stored.
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

/* Runs whose pieces come in order, but that may end after any piece. At first to is NULL. */
struct svi_carried_run {
    svi_put *put;
    char *to; /* where the next piece would continue it */
    char line[SVI_LINE];
};

static inline void svi_end_carried_run(struct svi_carried_run *run)
{
    const int64_t nbytes = (int64_t)((uintptr_t)run->to % SVI_LINE);

    run->put(run->to - nbytes, run->line + SVI_LINE - nbytes, (size_t)nbytes);
}

/* A piece, which has a line of room in front; one that begins a run is a line or more. */
static inline void svi_continue_carried_run(struct svi_carried_run *run, char *dst, char *row, int64_t nbytes)
{
    if (dst != run->to)
        svi_end_carried_run(run);
    memcpy(row - SVI_LINE, run->line, SVI_LINE);
    svi_store_carried(run->put, dst, row, nbytes, dst != run->to, false, run->line);
    run->to = dst + nbytes;
}

#endif
