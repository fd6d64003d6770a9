/* What the driver says of an address. */
#ifndef SVI_CUDA_POINTER_CUDA_H
#define SVI_CUDA_POINTER_CUDA_H

#include "backend/memory.h"

sv_status svi_cuda_query(const void *pointer, struct svi_pointer *out);

#endif
