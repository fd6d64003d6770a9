/* Which devices can be used, as sv.h's section on devices tells it. */
#include <stdio.h>

#include "backends.h"

/* What the backend that owns it says; a device type that none owns can only be passed on. */
static sv_device_state probe(int32_t device_type, int32_t *count, char *detail)
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
    *state = probe(device_type, &found, detail);
    if (count != NULL)
        *count = found;
    return SV_OK;
}

sv_status sv_device_text(int32_t device_type, size_t capacity, char *text, size_t *length)
{
    char detail[SVI_DETAIL], line[SVI_DETAIL + 32];
    int32_t count;

    SVI_TRY(svi_device_check_type(device_type));
    probe(device_type, &count, detail);
    snprintf(line, sizeof line, "%s: %s", svi_device_title(device_type), detail);
    return svi_write_text(line, capacity, text, length);
}
