#include "device/pointer.h"

#include "device/backend_list.h"

/* Ordinary memory, unless a driver says that devices read it, too. */
static struct svi_pointer describe_ordinary(const void *pointer)
{
    return (struct svi_pointer){
        .kind = SV_MEMORY_HOST,
        .traits = SV_TRAIT_HOST,
        .device = svi_cpu,
        .host_address = (void *)(uintptr_t)pointer,
    };
}

static sv_status ask_drivers(const void *pointer, struct svi_pointer *out)
{
    struct svi_pointer found = describe_ordinary(pointer);

    for (const struct svi_backend *const *at = svi_backends; *at != NULL && found.kind == SV_MEMORY_HOST; at++) {
        struct svi_pointer answer;

        if ((*at)->driver == NULL)
            continue;
        SVI_TRY((*at)->driver->query(pointer, &answer));
        if (answer.kind != SV_MEMORY_HOST || answer.device_address != NULL)
            found = answer;
    }
    *out = found;
    return SV_OK;
}

sv_status svi_pointer_query(const void *pointer, struct svi_pointer *out)
{
    if (pointer != NULL)
        return ask_drivers(pointer, out);
    *out = (struct svi_pointer){.kind = SV_MEMORY_UNKNOWN};
    return SV_OK;
}

sv_status sv_pointer_query(const void *pointer, sv_memory *kind, uint32_t *traits, int32_t *device_id,
                           void **device_address, void **host_address)
{
    struct svi_pointer found;

    SVI_NEED(kind);
    SVI_TRY(svi_pointer_query(pointer, &found));
    *kind = found.kind;
    if (traits != NULL)
        *traits = found.traits;
    if (device_id != NULL)
        *device_id = found.device.id;
    if (device_address != NULL)
        *device_address = found.device_address;
    if (host_address != NULL)
        *host_address = found.host_address;
    return SV_OK;
}
