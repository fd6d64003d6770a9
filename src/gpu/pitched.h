/* Rows, and planes of rows, moved by a device's copy engine. */
#ifndef SVI_GPU_PITCHED_H
#define SVI_GPU_PITCHED_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Whether the copy engine does it in few calls of long rows. */
bool svi_gpu_is_pitched(const struct svi_plan *plan);

/* How many calls of the copy engine it takes. */
int64_t svi_gpu_pitched_calls(const struct svi_plan *plan);

/* Copies between the device and the host, or within the device. */
sv_status svi_gpu_copy_pitched(const struct svi_plan *plan, void *dst, const void *src,
                               const struct svi_gpu_queue *queue);

/* Copies between two devices; SV_ERROR_UNSUPPORTED where that is a conversion. */
sv_status svi_gpu_copy_peer(const struct svi_request *request, const struct svi_gpu_queue *queue);

#endif
