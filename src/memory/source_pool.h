/* Pools of the driver of any family. */
#ifndef SVI_SOURCE_POOL_H
#define SVI_SOURCE_POOL_H

#include "memory/allocator.h"

/* What sv_allocator_pool() and sv_allocator_pool_view() do for CUDA. */
sv_status svi_driver_pool(enum svi_family family, const struct svi_pool_request *request, sv_allocator **out);
sv_status svi_driver_pool_view(enum svi_family family, sv_memory kind, int32_t device_id, uintptr_t pool,
                               sv_allocator **out);

#endif
