/* The kernels, which fatbin.S embeds. */
#ifndef SVI_CUDA_LIBRARY_H
#define SVI_CUDA_LIBRARY_H

#include "gpu/cuda/api.h"

/* A kernel of enum svi_kernel; the first call loads the embedded kernels. */
sv_status svi_cuda_kernel(int32_t kernel, cudaKernel_t *out);

#endif
