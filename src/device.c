#include "device.h"

static const struct {
    int32_t type;
    bool handles;
    const char *name;
} devices[] = {
    {SV_DEVICE_CPU, false, "CPU"},
    {SV_DEVICE_CUDA, false, "CUDA"},
    {SV_DEVICE_CUDA_HOST, false, "CUDA host"},
    {SV_DEVICE_OPENCL, true, "OpenCL"},
    {SV_DEVICE_VULKAN, true, "Vulkan"},
    {SV_DEVICE_METAL, true, "Metal"},
    {SV_DEVICE_VPI, false, "VPI"},
    {SV_DEVICE_ROCM, false, "ROCm"},
    {SV_DEVICE_ROCM_HOST, false, "ROCm host"},
    {SV_DEVICE_EXT, false, "extension"},
    {SV_DEVICE_CUDA_MANAGED, false, "CUDA managed"},
    {SV_DEVICE_ONEAPI, false, "oneAPI"},
    {SV_DEVICE_WEBGPU, true, "WebGPU"},
    {SV_DEVICE_HEXAGON, false, "Hexagon"},
    {SV_DEVICE_MAIA, false, "MAIA"},
    {SV_DEVICE_TRN, false, "Trainium"},
};

enum { DEVICES = sizeof devices / sizeof *devices };

const char *svi_device_name(int32_t device_type)
{
    for (int i = 0; i < DEVICES; i++)
        if (devices[i].type == device_type)
            return devices[i].name;
    return NULL;
}

bool svi_device_has_handles(int32_t device_type)
{
    for (int i = 0; i < DEVICES; i++)
        if (devices[i].type == device_type)
            return devices[i].handles;
    return false;
}

sv_status svi_device_check(int32_t device_type)
{
    if (svi_device_name(device_type) == NULL)
        return svi_fail(SV_ERROR_DEVICE, "no device type has the number %d", (int)device_type);
    return SV_OK;
}
