#include "alloc.h"

#include <errno.h>
#include <stdlib.h>

#include "status.h"

struct svi_alloc svi_alloc = {malloc, free};

void *svi_malloc(size_t nbytes)
{
    int saved = errno;
    void *pointer = svi_alloc.allocate(nbytes > 0 ? nbytes : 1);

    if (pointer == NULL) {
        errno = saved;
        svi_fail(SV_ERROR_MEMORY, "no memory for %zu bytes", nbytes);
    }
    return pointer;
}

void svi_free(void *pointer)
{
    int saved = errno;

    if (pointer != NULL)
        svi_alloc.release(pointer);
    errno = saved;
}
