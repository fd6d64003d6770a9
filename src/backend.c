#include "backend.h"

/* In the order they are asked. */
static const struct svi_backend *const backends[] = {&svi_host, &svi_cuda};

enum { BACKENDS = sizeof backends / sizeof *backends };

const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src)
{
    for (int i = 0; i < BACKENDS; i++)
        if (backends[i]->reaches(dst, src))
            return backends[i];
    return NULL;
}

const struct svi_backend *svi_backend_of(enum svi_family family)
{
    for (int i = 0; i < BACKENDS; i++)
        if (backends[i]->family == family)
            return backends[i];
    return NULL;
}
