/*
 * Scratch buffers: memory that a kernel stages data in for the time of one
 * copy. A caller's stack may be small (a thread of 64 KiB, musl's 128 KiB), so
 * buffers of more than SVI_SCRATCH_OWN bytes are allocated. Every kernel that
 * asks for one has a way without it, which is slower.
 */
#ifndef SVI_HOST_SCRATCH_H
#define SVI_HOST_SCRATCH_H

#include "alloc.h"
#include "host/isa/isa.h"

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

/* A buffer in the caller's frame if it is small, else an allocated one. */
struct svi_scratch {
    void *allocated; /* or NULL */
    _Alignas(SVI_LINE) char own[SVI_SCRATCH_OWN];
};

/* NULL: out of memory. */
static inline void *svi_scratch_open(struct svi_scratch *s, size_t nbytes)
{
    s->allocated = NULL;
    if (nbytes <= sizeof s->own)
        return s->own;
    s->allocated = svi_scratch_new(nbytes);
    return s->allocated;
}

static inline void svi_scratch_close(struct svi_scratch *s)
{
    svi_scratch_free(s->allocated);
}

#endif
