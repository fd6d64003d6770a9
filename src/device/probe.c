/* Which devices can be used, and what they have, as sv/device.h tells it. */
#include <stdio.h>

#include "device/backends.h"
#include "base/system_memory.h"

/* What the backend that owns it says; a device type that none owns can only be passed on. */
static sv_device_state probe_device_type(int32_t device_type, int32_t *count, char *detail)
{
    const struct svi_backend *backend = svi_backend_of(svi_devices[device_type].owner);

    if (backend != NULL)
        return backend->probe(device_type, count, detail);
    *count = 0;
    snprintf(detail, SVI_DETAIL, "libsv has no backend for it");
    return SV_STATE_NO_BACKEND;
}

sv_status sv_device_probe(int32_t device_type, sv_device_state *state, int32_t *count)
{
    char detail[SVI_DETAIL];
    int32_t found;

    SVI_NEED(state);
    SVI_TRY(svi_device_check_type(device_type));
    *state = probe_device_type(device_type, &found, detail);
    if (count != NULL)
        *count = found;
    return SV_OK;
}

sv_status sv_device_text(int32_t device_type, size_t capacity, char *text, size_t *length)
{
    char detail[SVI_DETAIL], line[SVI_DETAIL + 32];
    int32_t count;

    SVI_TRY(svi_device_check_type(device_type));
    probe_device_type(device_type, &count, detail);
    snprintf(line, sizeof line, "%s: %s", svi_device_title(device_type), detail);
    return svi_write_text(line, capacity, text, length);
}

/* --- properties ------------------------------------------------------------- */

/* The host has nothing else that a property is about. */
static sv_status host_property(int32_t device_id, int32_t property, int64_t *value)
{
    int64_t total, available;

    if (device_id != 0)
        return svi_fail(SV_ERROR_DEVICE, "device number %d: the host is one device, number 0", (int)device_id);
    svi_system_memory(&total, &available);
    *value = 0;
    if (property == SV_PROPERTY_MEMORY_TOTAL)
        *value = total;
    else if (property == SV_PROPERTY_MEMORY_FREE)
        *value = available;
    return SV_OK;
}

static sv_status fail_unavailable(int32_t device_type)
{
    char detail[SVI_DETAIL];
    int32_t count;

    probe_device_type(device_type, &count, detail);
    return svi_fail(SV_ERROR_UNSUPPORTED, "%s: %s", svi_device_title(device_type), detail);
}

sv_status sv_device_property(int32_t device_type, int32_t device_id, int32_t property, int64_t *value)
{
    const struct svi_device device = {device_type, device_id};
    const struct svi_backend *backend;

    SVI_NEED(value);
    SVI_TRY(svi_device_check(device));
    if (property < SV_PROPERTY_MEMORY_TOTAL || property > SV_PROPERTY_MULTIPROCESSORS)
        return svi_fail(SV_ERROR_INVALID, "no property has the number %d", (int)property);
    if (svi_devices[device_type].owner == SVI_FAMILY_HOST)
        return host_property(device_id, property, value);
    backend = svi_backend_of(svi_devices[device_type].owner);
    if (backend == NULL || backend->driver == NULL)
        return fail_unavailable(device_type);
    return backend->driver->property(device_id, property, value);
}
