/* Between two devices, where the memory of the far one, which is not the stream's, has gaps. */
#ifndef SVI_GPU_PACKED_H
#define SVI_GPU_PACKED_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Between two devices, by dense scratch memory of the one that is not the queue's. */
sv_status svi_gpu_copy_packed(const struct svi_request *request, const struct svi_gpu_queue *queue);

#endif
