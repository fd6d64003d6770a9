// Compiled with hooks on all accesses, after device.h: the kernels as they are.
#include "gpu/cuda/kernels.cu"

#include "gpu/kernel_list.h"
#include "kernels.h"

#define TRAMPOLINE(name, type) EMULATED_KERNEL(run_##name, type, svi_##name(a, dst, src))
SVI_KERNELS(TRAMPOLINE)

#define ROW(name, type) run_##name,
static emulated_kernel *const kernels[] = {SVI_KERNELS(ROW)};

extern "C" emulated_kernel *emulated_kernel_of(int kernel)
{
    return kernels[kernel];
}
