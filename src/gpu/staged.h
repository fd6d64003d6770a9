/* Between a device and memory that only its copy engine reaches well. */
#ifndef SVI_GPU_STAGED_H
#define SVI_GPU_STAGED_H

#include "backend/backend.h"
#include "gpu/calls.h"

/*
 * In chunks by way of scratch memory of the device, where the rest is a kernel's. The far side, which only
 * the copy engine reaches, is memory of the host or another device. The second: whether the far side is one run. The
 * third: how many calls that is for the far half.
 */
bool svi_gpu_is_staged(const struct svi_plan *plan, int32_t far_side);
bool svi_gpu_is_staged_dense(const struct svi_plan *plan, int32_t far_side);
int64_t svi_gpu_staged_calls(const struct svi_plan *plan, int32_t far_side);
sv_status svi_gpu_copy_staged(const struct svi_request *request, int32_t far_side, const struct svi_gpu_queue *queue);

#endif
