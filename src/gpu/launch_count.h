/* How many operations a copy gives to a stream, route by route. */
#ifndef SVI_GPU_LAUNCH_COUNT_H
#define SVI_GPU_LAUNCH_COUNT_H

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"

/* How many operations a copy by the route that the decision is for gives to a stream, at aligned
 * addresses and with all the scratch memory that it asks for. See struct svi_backend. */
int64_t svi_gpu_count_launches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                               uint32_t flags);

#endif
