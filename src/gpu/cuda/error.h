/* From the runtime's errors to libsv's. */
#ifndef SVI_CUDA_ERROR_H
#define SVI_CUDA_ERROR_H

#include "gpu/cuda/api.h"

/* Sets the message to what failed and the runtime's words, and leaves no error pending. */
sv_status svi_cuda_fail(cudaError_t error, const char *what);

/* As svi_cuda_fail(), for functions of the driver: their errors have the runtime's numbers and are never pending. */
sv_status svi_cuda_fail_driver(int error, const char *what);

/* As svi_cuda_fail(), for an allocation of so many bytes of some memory. */
sv_status svi_cuda_fail_to_allocate(cudaError_t error, int64_t nbytes, const char *memory);

#endif
