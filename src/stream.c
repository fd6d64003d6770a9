#include "backend.h"

static sv_status refuse(struct svi_device device)
{
    return svi_fail(SV_ERROR_UNSUPPORTED, "no backend puts streams of %s devices in order",
                    svi_device_name(device.type));
}

/* 0 and 1 are two names of one stream. */
static bool is_same(uintptr_t stream, uintptr_t other)
{
    return stream == other || (stream <= 1 && other <= 1);
}

sv_status sv_stream_wait(int32_t device_type, int32_t device_id, uintptr_t stream, uintptr_t other)
{
    const struct svi_device device = {device_type, device_id};
    const struct svi_backend *backend;

    SVI_TRY(svi_device_check(device));
    if (is_same(stream, other))
        return SV_OK;
    backend = svi_backend_of(svi_devices[device_type].streams);
    return backend == NULL ? refuse(device) : backend->wait(device, stream, other);
}

sv_status sv_stream_synchronize(int32_t device_type, int32_t device_id, uintptr_t stream)
{
    const struct svi_device device = {device_type, device_id};
    const struct svi_backend *backend;

    SVI_TRY(svi_device_check(device));
    backend = svi_backend_of(svi_devices[device_type].streams);
    return backend == NULL ? refuse(device) : backend->synchronize(device, stream);
}
