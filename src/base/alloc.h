/* Every allocation of libsv. */
#ifndef SVI_ALLOC_H
#define SVI_ALLOC_H

#include <stddef.h>

/* The one table. Tests replace it to make the Nth allocation fail; nothing else does. */
struct svi_alloc {
    void *(*allocate)(size_t nbytes);
    void (*release)(void *pointer);
    void *(*allocate_zeros)(size_t count, size_t nbytes); /* NULL: zeros are written to what allocate gives */
};

extern struct svi_alloc svi_alloc;

/* NULL when out of memory, with the thread's message set. The caller answers SV_ERROR_MEMORY. */
void *svi_malloc(size_t nbytes);

/* The same, all zeros. Large blocks are pages that the system has not made yet, which costs nothing. */
void *svi_calloc(size_t nbytes);

void svi_free(void *pointer);

#endif
