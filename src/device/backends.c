#include "device/backends.h"

#include "device/backend_list.h"

static bool is_ready(struct svi_device device)
{
    const struct svi_backend *backend = svi_backend_of_streams(device.type);
    char detail[SVI_DETAIL];
    int32_t count;

    return backend != NULL && backend->probe(device.type, &count, detail) == SV_STATE_READY;
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

    if (backend == NULL || !(backend->relations >> placement->relation & 1) || (converts && !backend->converts))
        return NULL;
    return backend;
}

const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src,
                                             const struct svi_chain *chain)
{
    const struct svi_placement placement = svi_backend_place(dst, src);

    return svi_backend_for(&placement, chain);
}

const struct svi_backend *svi_backend_of(enum svi_family family)
{
    for (const struct svi_backend *const *at = svi_backends; *at != NULL; at++)
        if ((*at)->family == family)
            return *at;
    return NULL;
}

const struct svi_backend *svi_backend_of_streams(int32_t device_type)
{
    return svi_backend_of(svi_devices[device_type].family);
}

const struct svi_driver *svi_driver_of(int32_t device_type)
{
    const struct svi_backend *backend = svi_backend_of_streams(device_type);

    return backend == NULL ? NULL : backend->driver;
}

sv_status svi_driver_refuse(int32_t device_type)
{
    return svi_fail(SV_ERROR_UNSUPPORTED, "libsv was built without %s",
                    svi_family_title(svi_devices[device_type].family));
}

sv_memory svi_memory_kind_of(int32_t device_type)
{
    return svi_backend_of_streams(device_type) == NULL ? SV_MEMORY_FOREIGN : svi_devices[device_type].kind;
}
