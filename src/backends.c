#include "backends.h"

/* In the order they are asked: what host and device can both copy is the device's, in the order of its streams. */
static const struct svi_backend *const backends[] = {&svi_cuda, &svi_host};

enum { BACKENDS = sizeof backends / sizeof *backends };

const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src, bool casts)
{
    for (int i = 0; i < BACKENDS; i++)
        if ((backends[i]->casts || !casts) && backends[i]->reaches(dst, src))
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
