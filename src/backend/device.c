#include "backend/device.h"

#include <stddef.h>

/* clang-format off */
const struct svi_device_facts svi_devices[SVI_DEVICE_TYPES] = {
    [SV_DEVICE_CPU] =
        {.name = "cpu", .title = "CPU", .traits = SV_TRAIT_HOST,
         .owner = SVI_FAMILY_HOST, .family = SVI_FAMILY_HOST, .kind = SV_MEMORY_HOST, .unified = true,
         .pageable = true},
    [SV_DEVICE_CUDA] =
        {.name = "cuda", .title = "CUDA", .traits = SV_TRAIT_CUDA,
         .owner = SVI_FAMILY_CUDA, .family = SVI_FAMILY_CUDA, .kind = SV_MEMORY_DEVICE, .unified = true},
    [SV_DEVICE_CUDA_HOST] =
        {.name = "cuda_host", .title = "CUDA host", .traits = SV_TRAIT_HOST | SV_TRAIT_CUDA,
         .owner = SVI_FAMILY_HOST, .family = SVI_FAMILY_CUDA, .kind = SV_MEMORY_PINNED, .unified = true},
    [SV_DEVICE_OPENCL] = {.name = "opencl", .title = "OpenCL", .traits = SV_TRAIT_HANDLES},
    [SV_DEVICE_VULKAN] = {.name = "vulkan", .title = "Vulkan", .traits = SV_TRAIT_HANDLES},
    [SV_DEVICE_METAL] = {.name = "metal", .title = "Metal", .traits = SV_TRAIT_HANDLES},
    [SV_DEVICE_VPI] = {.name = "vpi", .title = "VPI"},
    [SV_DEVICE_ROCM] =
        {.name = "rocm", .title = "ROCm",
         .owner = SVI_FAMILY_ROCM, .family = SVI_FAMILY_ROCM, .kind = SV_MEMORY_DEVICE},
    [SV_DEVICE_ROCM_HOST] =
        {.name = "rocm_host", .title = "ROCm host", .traits = SV_TRAIT_HOST,
         .owner = SVI_FAMILY_HOST, .family = SVI_FAMILY_ROCM, .kind = SV_MEMORY_PINNED},
    [SV_DEVICE_EXT] = {.name = "ext", .title = "extension"},
    [SV_DEVICE_CUDA_MANAGED] =
        {.name = "cuda_managed", .title = "CUDA managed", .traits = SV_TRAIT_HOST | SV_TRAIT_CUDA | SV_TRAIT_MANAGED,
         .owner = SVI_FAMILY_CUDA, .family = SVI_FAMILY_CUDA, .kind = SV_MEMORY_MANAGED, .unified = true},
    [SV_DEVICE_ONEAPI] = {.name = "oneapi", .title = "oneAPI"},
    [SV_DEVICE_WEBGPU] = {.name = "webgpu", .title = "WebGPU", .traits = SV_TRAIT_HANDLES},
    [SV_DEVICE_HEXAGON] = {.name = "hexagon", .title = "Hexagon"},
    [SV_DEVICE_MAIA] = {.name = "maia", .title = "MAIA"},
    [SV_DEVICE_TRN] = {.name = "trn", .title = "Trainium"},
};
/* clang-format on */

static const struct svi_device_facts *find_device_facts(int32_t device_type)
{
    static const struct svi_device_facts none = {0};

    return device_type >= 0 && device_type < SVI_DEVICE_TYPES ? &svi_devices[device_type] : &none;
}

const char *sv_device_name(int32_t device_type)
{
    return find_device_facts(device_type)->name;
}

uint32_t sv_device_traits(int32_t device_type)
{
    return find_device_facts(device_type)->traits;
}

const char *svi_device_title(int32_t device_type)
{
    return find_device_facts(device_type)->title;
}

int32_t svi_family_device_type(enum svi_family family, sv_memory kind)
{
    for (int32_t type = 0; type < SVI_DEVICE_TYPES; type++)
        if (svi_devices[type].family == family && svi_devices[type].kind == kind)
            return type;
    return 0;
}

const char *svi_family_title(enum svi_family family)
{
    return svi_devices[svi_family_device_type(family, SV_MEMORY_DEVICE)].title;
}

sv_status svi_device_check_type(int32_t device_type)
{
    if (svi_device_title(device_type) == NULL)
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
