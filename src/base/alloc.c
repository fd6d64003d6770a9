/* Allocates by the table svi_alloc. A message is set and errno kept in one place. */
#include "base/alloc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct svi_alloc svi_alloc = {malloc, free, calloc};

static void *allocate_or_fail(size_t nbytes, bool zeros)
{
    int saved = errno;
    const size_t needed = nbytes > 0 ? nbytes : 1;
    const bool by_system = zeros && svi_alloc.allocate_zeros != NULL;
    void *pointer = by_system ? svi_alloc.allocate_zeros(1, needed) : svi_alloc.allocate(needed);

    if (pointer == NULL) {
        errno = saved;
        svi_fail(SV_ERROR_MEMORY, "no memory for %zu bytes", nbytes);
    } else if (zeros && !by_system) {
        memset(pointer, 0, needed);
    }
    return pointer;
}

void *svi_malloc(size_t nbytes)
{
    return allocate_or_fail(nbytes, false);
}

void *svi_calloc(size_t nbytes)
{
    return allocate_or_fail(nbytes, true);
}

void svi_free(void *pointer)
{
    int saved = errno;

    if (pointer != NULL)
        svi_alloc.release(pointer);
    errno = saved;
}
