/* Copies by a kernel that reads or writes pinned memory of the host itself. */
#ifndef SVI_GPU_MAPPED_H
#define SVI_GPU_MAPPED_H

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"

/* By a kernel that reads or writes pinned memory; or by the copy engine, if devices have no address of it. The
 * second: that address, NULL where there is none. */
sv_status svi_gpu_copy_mapped(const struct svi_request *request, int device, cudaStream_t stream);
sv_status svi_gpu_find_mapped(const void *pinned, char **out);

#endif
