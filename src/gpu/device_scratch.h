/* Memory of a device that a copy has for itself, in the order of its stream. */
#ifndef SVI_GPU_DEVICE_SCRATCH_H
#define SVI_GPU_DEVICE_SCRATCH_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Memory of the device in the order of the queue's stream, from the request's source or the driver. As many bytes as
 * wanted or fewer, at least; SV_ERROR_UNSUPPORTED or SV_ERROR_MEMORY where there are none. */
sv_status svi_gpu_scratch_take(const struct svi_request *request, const struct svi_gpu_queue *queue, int device,
                               int64_t wanted, int64_t least, struct svi_gpu_scratch *out);

/* Frees that memory in the order of the queue's stream. */
sv_status svi_gpu_scratch_give(const struct svi_request *request, const struct svi_gpu_queue *queue,
                               const struct svi_gpu_scratch *scratch);

#endif
