#include "device/backends.h"

static sv_status fail_no_streams(struct svi_device device)
{
    return svi_fail(SV_ERROR_UNSUPPORTED, "no backend puts streams of %s devices in order",
                    svi_device_title(device.type));
}

enum { LAST_DEFAULT_STREAM = 2 }; /* 0 and 1 are two names of one stream of each device */

/* SVI_FAMILY_NONE where no backend has it. */
static enum svi_family family_of(struct svi_device device)
{
    const struct svi_backend *backend = svi_backend_of_streams(device.type);

    return backend == NULL ? SVI_FAMILY_NONE : backend->family;
}

/* Any other stream has one name everywhere; default streams are those of a device, whichever memory is meant. */
static bool is_same(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other)
{
    if (stream > LAST_DEFAULT_STREAM || other > LAST_DEFAULT_STREAM)
        return stream == other;
    if ((stream != other && stream + other != 1) || device.id != other_device.id)
        return false;
    return device.type == other_device.type ||
           (family_of(device) != SVI_FAMILY_NONE && family_of(device) == family_of(other_device));
}

sv_status sv_stream_wait(int32_t device_type, int32_t device_id, uintptr_t stream, int32_t other_device_type,
                         int32_t other_device_id, uintptr_t other)
{
    const struct svi_device device = {device_type, device_id}, other_device = {other_device_type, other_device_id};

    SVI_TRY(svi_device_check(device));
    SVI_TRY(svi_device_check(other_device));
    if (family_of(other_device) == SVI_FAMILY_HOST || is_same(device, stream, other_device, other))
        return SV_OK;
    if (family_of(device) == SVI_FAMILY_HOST)
        return svi_fail(SV_ERROR_INVALID, "host memory has no stream that could wait for one of %s",
                        svi_device_title(other_device_type));
    if (family_of(device) == SVI_FAMILY_NONE || family_of(other_device) == SVI_FAMILY_NONE)
        return fail_no_streams(family_of(device) == SVI_FAMILY_NONE ? device : other_device);
    if (family_of(device) != family_of(other_device))
        return svi_fail(SV_ERROR_UNSUPPORTED, "no backend puts streams of %s and of %s devices in order",
                        svi_device_title(device_type), svi_device_title(other_device_type));
    return svi_backend_of(family_of(device))->wait(device, stream, other_device, other);
}

sv_status sv_stream_synchronize(int32_t device_type, int32_t device_id, uintptr_t stream)
{
    const struct svi_device device = {device_type, device_id};
    const struct svi_backend *backend;

    SVI_TRY(svi_device_check(device));
    backend = svi_backend_of_streams(device_type);
    return backend == NULL ? fail_no_streams(device) : backend->synchronize(device, stream);
}

sv_status sv_stream_query(int32_t device_type, int32_t device_id, uintptr_t stream, int32_t *owner, int32_t *captured)
{
    const struct svi_device device = {device_type, device_id};
    const struct svi_backend *backend;
    bool is_captured = false;

    SVI_TRY(svi_device_check(device));
    backend = svi_backend_of_streams(device_type);
    if (backend == NULL)
        return fail_no_streams(device);
    if (backend->query_stream != NULL)
        SVI_TRY(backend->query_stream(device, stream, &device_id, &is_captured));
    if (owner != NULL)
        *owner = device_id;
    if (captured != NULL)
        *captured = is_captured;
    return SV_OK;
}
