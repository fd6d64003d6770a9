/* Between ordinary memory of the host and a device, in chunks. */
#ifndef SVI_GPU_RINGED_H
#define SVI_GPU_RINGED_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Between ordinary memory of the host and a device, by way of a ring of pinned memory. Returns when the
 * host's side has been read or written. */
sv_status svi_gpu_copy_ringed(const struct svi_request *request, const struct svi_gpu_queue *queue);

#endif
