/* One copy, enqueued by its route. */
#ifndef SVI_GPU_ENQUEUE_H
#define SVI_GPU_ENQUEUE_H

#include "gpu/calls.h"
#include "gpu/route.h"

/* The queue's device is the current one. Returns when the host's part, if there is one, is done. */
sv_status svi_gpu_enqueue(const struct svi_request *request, enum svi_gpu_route route,
                          const struct svi_gpu_queue *queue);

#endif
