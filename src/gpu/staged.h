/*
 * Between a device and memory that only its copy engine reaches well, in chunks by way of scratch memory of the device:
 * one half is the copy engine's, the other a kernel's. The far side is the memory that only the copy engine reaches, of
 * the host or another device.
 */
#ifndef SVI_GPU_STAGED_H
#define SVI_GPU_STAGED_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Whether the far half is few calls and long rows. */
bool svi_gpu_is_staged(const struct svi_plan *plan, int32_t far_side);

/* Whether the far side is one run, and where: so many bytes, offset bytes behind its element [0,...,0]. */
bool svi_gpu_find_far_run(const struct svi_plan *plan, int32_t far_side, int64_t *offset, int64_t *nbytes);

/* How many calls of the copy engine the far half takes. */
int64_t svi_gpu_staged_calls(const struct svi_plan *plan, int32_t far_side);

/* Does the copy in the order of the queue's stream. */
sv_status svi_gpu_copy_staged(const struct svi_request *request, int32_t far_side, const struct svi_gpu_queue *queue);

#endif
