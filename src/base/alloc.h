/* The one way to allocate in libsv, so that tests can make any allocation fail. errno stays as it was. */
#ifndef SVI_ALLOC_H
#define SVI_ALLOC_H

#include <stddef.h>

/* The functions behind all allocations. Only tests replace them, to make the Nth allocation fail. */
struct svi_alloc {
    void *(*allocate)(size_t nbytes);
    void (*release)(void *pointer);
    void *(*allocate_zeros)(size_t count, size_t nbytes); /* NULL: allocate, then write zeros */
};

extern struct svi_alloc svi_alloc;

/* Allocates. NULL: out of memory; the thread's message is set, and the caller returns SV_ERROR_MEMORY. */
void *svi_malloc(size_t nbytes);

/* Allocates zeros. The pages of a large block are made when they are first used. */
void *svi_calloc(size_t nbytes);

void svi_free(void *pointer);

#endif
