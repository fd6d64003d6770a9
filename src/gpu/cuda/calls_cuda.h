/* The calls of the CUDA runtime by which copies are done. */
#ifndef SVI_CUDA_CALLS_CUDA_H
#define SVI_CUDA_CALLS_CUDA_H

#include "gpu/calls.h"

extern const struct svi_gpu_calls svi_cuda_calls;

#endif
