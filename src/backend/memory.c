#include "backend/memory.h"

#include <stddef.h>

const struct svi_memory_kind svi_memory_kinds[SVI_MEMORY_KINDS] = {
    [SV_MEMORY_HOST] = {.name = "host", .device_type = SV_DEVICE_CPU, .alignment = 64, .aligned = 16},
    [SV_MEMORY_PINNED] = {.name = "pinned", .device_type = SV_DEVICE_CUDA_HOST, .alignment = 4096, .aligned = 4096},
    [SV_MEMORY_DEVICE] = {.name = "device", .device_type = SV_DEVICE_CUDA, .alignment = 256, .aligned = 256},
    [SV_MEMORY_MANAGED] = {.name = "managed", .device_type = SV_DEVICE_CUDA_MANAGED, .alignment = 256, .aligned = 256},
    [SV_MEMORY_FOREIGN] = {.name = "foreign", .alignment = 1, .aligned = 1},
};

sv_memory svi_memory_kind_of(int32_t device_type)
{
    for (sv_memory kind = SV_MEMORY_HOST; kind < SV_MEMORY_FOREIGN; kind++)
        if (svi_memory_kinds[kind].device_type == device_type)
            return kind;
    return SV_MEMORY_FOREIGN;
}

const char *sv_memory_name(sv_memory kind)
{
    return kind >= 0 && kind < SVI_MEMORY_KINDS ? svi_memory_kinds[kind].name : NULL;
}
