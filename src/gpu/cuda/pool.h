/* Pools. */
#ifndef SVI_CUDA_POOL_H
#define SVI_CUDA_POOL_H

#include "backend/memory.h"

sv_status svi_cuda_new_pool(const struct svi_pool_request *request, uintptr_t *pool);
sv_status svi_cuda_default_pool(sv_memory kind, int32_t device_id, uintptr_t *pool);
sv_status svi_cuda_end_pool(int32_t device_id, uintptr_t pool);
sv_status svi_cuda_allocate_from_pool(int32_t device_id, uintptr_t pool, int64_t nbytes, uintptr_t stream, void **out);
sv_status svi_cuda_free_in_order(int32_t device_id, void *pointer, uintptr_t stream);
sv_status svi_cuda_check_order(int32_t device_id, uintptr_t stream);

#endif
