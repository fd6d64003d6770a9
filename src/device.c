#include "device.h"

#include <stddef.h>

const struct svi_device_facts svi_devices[SVI_DEVICE_TYPES] = {
    [SV_DEVICE_CPU] = {"CPU", SVI_FAMILY_HOST, SVI_FAMILY_HOST, .on_host = true, .pageable = true, .unified = true},
    [SV_DEVICE_CUDA] = {"CUDA", SVI_FAMILY_CUDA, SVI_FAMILY_CUDA, .unified = true},
    [SV_DEVICE_CUDA_HOST] = {"CUDA host", SVI_FAMILY_HOST, SVI_FAMILY_CUDA, .on_host = true, .unified = true},
    [SV_DEVICE_OPENCL] = {"OpenCL", .handles = true},
    [SV_DEVICE_VULKAN] = {"Vulkan", .handles = true},
    [SV_DEVICE_METAL] = {"Metal", .handles = true},
    [SV_DEVICE_VPI] = {"VPI"},
    [SV_DEVICE_ROCM] = {"ROCm"},
    [SV_DEVICE_ROCM_HOST] = {"ROCm host", SVI_FAMILY_HOST, .on_host = true},
    [SV_DEVICE_EXT] = {"extension"},
    [SV_DEVICE_CUDA_MANAGED] = {"CUDA managed", SVI_FAMILY_CUDA, SVI_FAMILY_CUDA, .on_host = true, .managed = true,
                                .unified = true},
    [SV_DEVICE_ONEAPI] = {"oneAPI"},
    [SV_DEVICE_WEBGPU] = {"WebGPU", .handles = true},
    [SV_DEVICE_HEXAGON] = {"Hexagon"},
    [SV_DEVICE_MAIA] = {"MAIA"},
    [SV_DEVICE_TRN] = {"Trainium"},
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
