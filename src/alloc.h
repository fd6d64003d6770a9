/* Every allocation of libsv. */
#ifndef SVI_ALLOC_H
#define SVI_ALLOC_H

#include <stddef.h>

/* The one table. Tests replace it to make the Nth allocation fail; nothing else does. */
struct svi_alloc {
    void *(*allocate)(size_t nbytes);
    void (*release)(void *pointer);
};

extern struct svi_alloc svi_alloc;

/* NULL when out of memory, with the thread's message set. The caller answers SV_ERROR_MEMORY. */
void *svi_malloc(size_t nbytes);
void svi_free(void *pointer);

#endif
