#include "device/backends.h"
#include "host/front/host.h"
#include "gpu/cuda/cuda.h"

/* In the order they are asked: what host and device can both copy is the device's, in the order of its streams. */
static const struct svi_backend *const backends[] = {&svi_cuda, &svi_host};

enum { BACKENDS = sizeof backends / sizeof *backends };

static bool can_convert(const struct svi_backend *backend, struct svi_device dst, struct svi_device src,
                        const struct svi_chain *chain)
{
    if (chain == NULL || chain->count == 0)
        return true;
    return backend->converts != NULL && backend->converts(dst, src, chain);
}

const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src,
                                             const struct svi_chain *chain)
{
    for (int i = 0; i < BACKENDS; i++)
        if (can_convert(backends[i], dst, src, chain) && backends[i]->reaches(dst, src))
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
