/* The CUDA backend; where it is not built, of cuda_absent.c, whose answers say so (SV_STATE_NO_BACKEND). */
#ifndef SVI_CUDA_CUDA_H
#define SVI_CUDA_CUDA_H

#include "backend/backend.h"

extern const struct svi_backend svi_cuda;

#endif
