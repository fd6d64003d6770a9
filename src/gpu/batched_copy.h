/* Many small copies in one launch, since each launch takes longer than such a copy. */
#ifndef SVI_GPU_BATCHED_COPY_H
#define SVI_GPU_BATCHED_COPY_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* Many small copies in one launch, as for struct svi_backend. */
bool svi_gpu_batches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, uint32_t flags);
sv_status svi_gpu_copy_batched(const struct svi_request *request, int64_t count, const struct svi_transfer *transfers,
                               const struct svi_gpu_queue *queue);

#endif
