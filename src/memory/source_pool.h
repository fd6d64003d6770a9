/* Pools of the driver of any family. */
#ifndef SVI_SOURCE_POOL_H
#define SVI_SOURCE_POOL_H

#include "memory/allocator.h"

/* What sv_allocator_pool() does for CUDA. */
sv_status svi_driver_pool(enum svi_family family, const struct svi_pool_request *request, sv_allocator **out);

/* What sv_allocator_pool_view() does for CUDA. */
sv_status svi_driver_pool_view(enum svi_family family, sv_memory kind, int32_t device_id, uintptr_t pool,
                               sv_allocator **out);

#endif
