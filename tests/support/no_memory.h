/* For svi_alloc.allocate: every allocation fails. */
#ifndef SVI_TEST_NO_MEMORY_H
#define SVI_TEST_NO_MEMORY_H

#include <stddef.h>

static inline void *no_memory(size_t nbytes)
{
    (void)nbytes;
    return NULL;
}

#endif
