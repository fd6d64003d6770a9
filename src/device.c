#include "device.h"

#include <stdio.h>

#include "backend.h"

/* By their numbers. */
static const struct {
    bool handles;
    const char *name;
} devices[] = {
    [SV_DEVICE_CPU] = {false, "CPU"},
    [SV_DEVICE_CUDA] = {false, "CUDA"},
    [SV_DEVICE_CUDA_HOST] = {false, "CUDA host"},
    [SV_DEVICE_OPENCL] = {true, "OpenCL"},
    [SV_DEVICE_VULKAN] = {true, "Vulkan"},
    [SV_DEVICE_METAL] = {true, "Metal"},
    [SV_DEVICE_VPI] = {false, "VPI"},
    [SV_DEVICE_ROCM] = {false, "ROCm"},
    [SV_DEVICE_ROCM_HOST] = {false, "ROCm host"},
    [SV_DEVICE_EXT] = {false, "extension"},
    [SV_DEVICE_CUDA_MANAGED] = {false, "CUDA managed"},
    [SV_DEVICE_ONEAPI] = {false, "oneAPI"},
    [SV_DEVICE_WEBGPU] = {true, "WebGPU"},
    [SV_DEVICE_HEXAGON] = {false, "Hexagon"},
    [SV_DEVICE_MAIA] = {false, "MAIA"},
    [SV_DEVICE_TRN] = {false, "Trainium"},
};

enum { DEVICES = sizeof devices / sizeof *devices };

const char *svi_device_name(int32_t device_type)
{
    return device_type >= 0 && device_type < DEVICES ? devices[device_type].name : NULL;
}

bool svi_device_has_handles(int32_t device_type)
{
    return device_type >= 0 && device_type < DEVICES && devices[device_type].handles;
}

sv_status svi_device_check(int32_t device_type)
{
    if (svi_device_name(device_type) == NULL)
        return svi_fail(SV_ERROR_DEVICE, "no device type has the number %d", (int)device_type);
    return SV_OK;
}

/* What the backend that owns it says; a device type that none owns can only be passed on. */
static sv_device_state probe(int32_t device_type, int32_t *count, char *detail)
{
    for (int i = 0; i < svi_backend_count; i++)
        if (svi_backends[i]->owns(device_type))
            return svi_backends[i]->probe(device_type, count, detail);
    *count = 0;
    snprintf(detail, SVI_DETAIL, "libsv has no backend for it");
    return SV_DEVICE_NO_BACKEND;
}

sv_status sv_device_probe(int32_t device_type, sv_device_state *state, int32_t *count)
{
    char detail[SVI_DETAIL];
    int32_t found;

    SVI_NEED(state);
    SVI_TRY(svi_device_check(device_type));
    *state = probe(device_type, &found, detail);
    if (count != NULL)
        *count = found;
    return SV_OK;
}

sv_status sv_device_text(int32_t device_type, size_t capacity, char *text, size_t *length)
{
    char detail[SVI_DETAIL], line[SVI_DETAIL + 32];
    int32_t count;

    SVI_TRY(svi_device_check(device_type));
    probe(device_type, &count, detail);
    snprintf(line, sizeof line, "%s: %s", svi_device_name(device_type), detail);
    return svi_write_text(line, capacity, text, length);
}
