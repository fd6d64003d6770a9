/* Many small copies between ordinary memory of the host and a device. */
#ifndef SVI_GPU_BATCHED_RING_H
#define SVI_GPU_BATCHED_RING_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Whether a copy needs no more than its part of a slot of pinned memory. */
bool svi_gpu_fits_slot(const struct svi_plan *plan);

/* Does copies that fit, by way of one slot. Returns when the host's sides have been read or written. */
sv_status svi_gpu_copy_gathered(const struct svi_request *request, int64_t count, const struct svi_transfer *transfers,
                                const struct svi_gpu_queue *queue);

#endif
