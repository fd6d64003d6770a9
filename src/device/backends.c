#include "device/backends.h"
#include "host/front/host.h"
#include "cuda/cuda.h"

static const struct svi_backend *const backends[] = {&svi_host, &svi_cuda};

enum { BACKENDS = sizeof backends / sizeof *backends };

const struct svi_backend *svi_backend_of(enum svi_family family)
{
    for (int i = 0; i < BACKENDS; i++)
        if (backends[i]->family == family)
            return backends[i];
    return NULL;
}

static bool is_ready(struct svi_device device)
{
    const struct svi_backend *backend = svi_backend_of(svi_devices[device.type].owner);
    char detail[SVI_DETAIL];
    int32_t count;

    return backend->probe(device.type, &count, detail) == SV_STATE_READY;
}

struct svi_placement svi_backend_place(struct svi_device dst, struct svi_device src)
{
    const struct svi_placement placement = svi_placement_make(dst, src, true);

    if (!placement.asks_driver || is_ready(placement.where))
        return placement;
    return svi_placement_make(dst, src, false);
}

const struct svi_backend *svi_backend_for(const struct svi_placement *placement, const struct svi_chain *chain)
{
    const struct svi_backend *backend = svi_backend_of(placement->family);
    const bool converts = chain != NULL && chain->count > 0;

    return backend == NULL || backend->is_absent || (converts && !backend->converts) ? NULL : backend;
}

const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src,
                                             const struct svi_chain *chain)
{
    const struct svi_placement placement = svi_backend_place(dst, src);

    return svi_backend_for(&placement, chain);
}
