#include "gpu/kernel_list.h"

static const struct {
    const char *name;
    uint32_t bytes;
} kernels[] = {
#define ROW(name, block) {"svi_" #name, sizeof(struct block)},
    SVI_KERNELS(ROW)
#undef ROW
};

const char *svi_kernel_name(int32_t kernel)
{
    return kernels[kernel].name;
}

uint32_t svi_kernel_block_bytes(int32_t kernel)
{
    return kernels[kernel].bytes;
}
