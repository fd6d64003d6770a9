/* Copies by the kernels of a device. */
#ifndef SVI_GPU_KERNEL_COPY_H
#define SVI_GPU_KERNEL_COPY_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Copies a plan; the device reads and writes both addresses itself. */
sv_status svi_gpu_launch(const struct svi_plan *plan, void *dst, const void *src, const struct svi_gpu_queue *queue);

/* Fills; the plan is one of launch_shape.h. */
sv_status svi_gpu_launch_fill(const struct svi_plan *plan, void *dst, const char *item,
                              const struct svi_gpu_queue *queue);

/* Many copies, in one launch where that can be: see copy_batched of struct svi_backend. */
sv_status svi_gpu_launch_many(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                              const struct svi_gpu_queue *queue);

#endif
