/* How many operations a copy gives to a stream, by a dry run of its route. */
#ifndef SVI_GPU_LAUNCH_COUNT_H
#define SVI_GPU_LAUNCH_COUNT_H

#include "backend/backend.h"

/* At aligned addresses and with all the memory that the route asks for. See struct svi_backend. */
int64_t svi_gpu_count_launches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                               uint32_t flags);

#endif
