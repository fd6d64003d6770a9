/* Copies by the kernels of a device. */
#ifndef SVI_CUDA_KERNEL_COPY_H
#define SVI_CUDA_KERNEL_COPY_H

#include "cuda/api.h"
#include "cuda/launch_parts.h"

/* By kernels, both addresses being within the device's reach. The second: by how many operations; then
 * a fill, whose plan is as for launch_shape.h; then one launch; the last: copies as for struct svi_backend's copy_batched,
 * in one launch where that can be. */
sv_status svi_cuda_launch(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream);
int64_t svi_cuda_kernel_launches(const struct svi_plan *plan);
sv_status svi_cuda_launch_fill(const struct svi_plan *plan, void *dst, const char *item, cudaStream_t stream);
sv_status svi_cuda_launch_shaped(struct svi_launch_shape *shape, void *dst, const void *src, cudaStream_t stream);
sv_status svi_cuda_launch_many(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                               cudaStream_t stream);

#endif
