/* Rows, and planes of rows, moved by a device's copy engine. */
#ifndef SVI_GPU_PITCHED_H
#define SVI_GPU_PITCHED_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* By the copy engine. The first: whether that is few calls and long rows. */
bool svi_gpu_is_pitched(const struct svi_plan *plan);
int64_t svi_gpu_pitched_calls(const struct svi_plan *plan);
sv_status svi_gpu_copy_pitched(const struct svi_plan *plan, void *dst, const void *src,
                               const struct svi_gpu_queue *queue);
sv_status svi_gpu_copy_peer(const struct svi_request *request, const struct svi_gpu_queue *queue);

#endif
