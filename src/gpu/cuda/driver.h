/*
 * Functions of the driver that not every driver has. Their parameters are written in the runtime's types, which the
 * driver's equal bit by bit: handles of pools and streams, places of memory, numbers of errors.
 */
#ifndef SVI_CUDA_DRIVER_H
#define SVI_CUDA_DRIVER_H

#include "gpu/cuda/api.h"

typedef unsigned long long svi_cuda_address;

/* cuStreamGetCtx(), 9.2; contexts are pointers */
typedef int svi_cuda_stream_context(cudaStream_t stream, void **context);
/* cuStreamGetCaptureInfo(), 10.1: the state, and a number of the capture that no other has */
typedef int svi_cuda_capture_info(cudaStream_t stream, int *state, unsigned long long *capture);
/* cuCtxPushCurrent(), cuCtxPopCurrent(), 4.0; cuCtxGetDevice(), 2.0 */
typedef int svi_cuda_push_context(void *context);
typedef int svi_cuda_pop_context(void **context);
typedef int svi_cuda_context_device(int *device);
/* cuPointerGetAttribute(), 4.0 */
typedef int svi_cuda_pointer_attribute(void *data, int attribute, svi_cuda_address pointer);
/* cuMemGetAddressRange(), 3.2 with sizes of 64 bits */
typedef int svi_cuda_address_range(svi_cuda_address *base, size_t *nbytes, svi_cuda_address pointer);
/* cuMemGetDefaultMemPool(), 13.0 */
typedef int svi_cuda_default_pool_of(cudaMemPool_t *pool, struct cudaMemLocation *place, int type);
/* cuMemPrefetchBatchAsync(), cuMemDiscardAndPrefetchBatchAsync(), 13.0 */
typedef int svi_cuda_place_batch(svi_cuda_address *pointers, size_t *sizes, size_t count,
                                 struct cudaMemLocation *places, size_t *first_of_place, size_t places_count,
                                 unsigned long long flags, cudaStream_t stream);

/* The function of this name as it was in this version of CUDA (13000 is 13.0). NULL: the driver has none. */
void *svi_cuda_driver(const char *name, int version);

#endif
