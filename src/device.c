#include "device.h"

#include <stddef.h>

const struct svi_device_facts svi_devices[SVI_DEVICE_TYPES] = {
    [SV_DEVICE_CPU] =
        {.name = "CPU", .owner = SVI_FAMILY_HOST, .streams = SVI_FAMILY_HOST,
         .on_host = true, .pageable = true, .unified = true},
    [SV_DEVICE_CUDA] =
        {.name = "CUDA", .owner = SVI_FAMILY_CUDA, .streams = SVI_FAMILY_CUDA, .unified = true},
    [SV_DEVICE_CUDA_HOST] =
        {.name = "CUDA host", .owner = SVI_FAMILY_HOST, .streams = SVI_FAMILY_CUDA, .on_host = true, .unified = true},
    [SV_DEVICE_OPENCL] = {.name = "OpenCL", .handles = true},
    [SV_DEVICE_VULKAN] = {.name = "Vulkan", .handles = true},
    [SV_DEVICE_METAL] = {.name = "Metal", .handles = true},
    [SV_DEVICE_VPI] = {.name = "VPI"},
    [SV_DEVICE_ROCM] = {.name = "ROCm"},
    [SV_DEVICE_ROCM_HOST] = {.name = "ROCm host", .owner = SVI_FAMILY_HOST, .on_host = true},
    [SV_DEVICE_EXT] = {.name = "extension"},
    [SV_DEVICE_CUDA_MANAGED] =
        {.name = "CUDA managed", .owner = SVI_FAMILY_CUDA, .streams = SVI_FAMILY_CUDA,
         .on_host = true, .managed = true, .unified = true},
    [SV_DEVICE_ONEAPI] = {.name = "oneAPI"},
    [SV_DEVICE_WEBGPU] = {.name = "WebGPU", .handles = true},
    [SV_DEVICE_HEXAGON] = {.name = "Hexagon"},
    [SV_DEVICE_MAIA] = {.name = "MAIA"},
    [SV_DEVICE_TRN] = {.name = "Trainium"},
};

const char *svi_device_name(int32_t device_type)
{
    return device_type >= 0 && device_type < SVI_DEVICE_TYPES ? svi_devices[device_type].name : NULL;
}

sv_status svi_device_check_type(int32_t device_type)
{
    if (svi_device_name(device_type) == NULL)
        return svi_fail(SV_ERROR_DEVICE, "no device type has the number %d", (int)device_type);
    return SV_OK;
}

sv_status svi_device_check(struct svi_device device)
{
    SVI_TRY(svi_device_check_type(device.type));
    if (device.id < 0)
        return svi_fail(SV_ERROR_DEVICE, "device number %d", (int)device.id);
    return SV_OK;
}
