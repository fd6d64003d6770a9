/* What the CUDA backend does for memory. */
#ifndef SVI_CUDA_MEMORY_CUDA_H
#define SVI_CUDA_MEMORY_CUDA_H

#include "backend/memory.h"

extern const struct svi_driver svi_cuda_memory;

#endif
