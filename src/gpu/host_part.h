/* The part of a device's copy that the host does. */
#ifndef SVI_GPU_HOST_PART_H
#define SVI_GPU_HOST_PART_H

#include "backend/backend.h"

/* By the host engine, in parts where there are threads; see struct svi_gpu_calls. */
sv_status svi_gpu_copy_on_host(const struct svi_plan *plan, void *dst, const void *src,
                               const struct svi_threads *threads);

#endif
