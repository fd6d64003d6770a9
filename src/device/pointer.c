/* What is known of an address. */
#include "device/backends.h"

/* Where CUDA is not built, nobody else has given out memory that libsv knows. */
static sv_status query_pointer(const void *pointer, struct svi_pointer *out)
{
    const struct svi_driver *cuda = svi_backend_of(SVI_FAMILY_CUDA)->driver;

    if (pointer == NULL)
        *out = (struct svi_pointer){.kind = SV_MEMORY_UNKNOWN};
    else if (cuda != NULL)
        return cuda->query(pointer, out);
    else
        *out = (struct svi_pointer){
            .kind = SV_MEMORY_HOST,
            .traits = SV_TRAIT_HOST,
            .device = svi_cpu,
            .host_address = (void *)(uintptr_t)pointer,
        };
    return SV_OK;
}

sv_status sv_pointer_query(const void *pointer, sv_memory *kind, uint32_t *traits, int32_t *device_id,
                           void **device_address, void **host_address)
{
    struct svi_pointer found;

    SVI_NEED(kind);
    SVI_TRY(query_pointer(pointer, &found));
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
