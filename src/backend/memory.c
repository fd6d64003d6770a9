#include "backend/memory.h"

#include <stddef.h>

const struct svi_memory_kind svi_memory_kinds[SVI_MEMORY_KINDS] = {
    [SV_MEMORY_HOST] = {.name = "host", .alignment = 64},
    [SV_MEMORY_PINNED] = {.name = "pinned", .alignment = 4096},
    [SV_MEMORY_DEVICE] = {.name = "device", .alignment = 256},
    [SV_MEMORY_MANAGED] = {.name = "managed", .alignment = 256},
    [SV_MEMORY_FOREIGN] = {.name = "foreign", .alignment = 1},
};

const char *sv_memory_name(sv_memory kind)
{
    return kind >= 0 && kind < SVI_MEMORY_KINDS ? svi_memory_kinds[kind].name : NULL;
}
