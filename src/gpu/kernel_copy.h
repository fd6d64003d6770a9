/* Copies by the kernels of a device. */
#ifndef SVI_GPU_KERNEL_COPY_H
#define SVI_GPU_KERNEL_COPY_H

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"

/* Copies a plan; the device reads and writes both addresses itself. */
sv_status svi_gpu_launch(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream);

/* How many launches svi_gpu_launch() makes. */
int64_t svi_gpu_kernel_launches(const struct svi_plan *plan);

/* Fills; the plan is one of launch_shape.h. */
sv_status svi_gpu_launch_fill(const struct svi_plan *plan, void *dst, const char *item, cudaStream_t stream);

/* One launch, of a shape that is chosen already. */
sv_status svi_gpu_launch_shaped(struct svi_launch_shape *shape, void *dst, const void *src, cudaStream_t stream);

/* Many copies, in one launch where that can be: see copy_batched of struct svi_backend. */
sv_status svi_gpu_launch_many(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                              cudaStream_t stream);

#endif
