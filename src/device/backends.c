#include "device/backends.h"

#include "device/backend_list.h"

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
    for (const struct svi_backend *const *at = svi_backends; *at != NULL; at++)
        if (can_convert(*at, dst, src, chain) && (*at)->reaches(dst, src))
            return *at;
    return NULL;
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
