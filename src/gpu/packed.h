/* Between two devices, where the memory of the far one, which is not the stream's, has gaps. */
#ifndef SVI_GPU_PACKED_H
#define SVI_GPU_PACKED_H

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"

/* Between two devices, by dense scratch memory of the one that is not device. The first: bytes of one of its
 * slots, of so much scratch memory. */
int64_t svi_gpu_packed_slot(int64_t payload, int64_t scratch);
sv_status svi_gpu_copy_packed(const struct svi_request *request, int device, cudaStream_t stream);

#endif
