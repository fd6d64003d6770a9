/* Pools of libsv's own, from which copies have memory of a device. */
#ifndef SVI_CUDA_SCRATCH_POOL_H
#define SVI_CUDA_SCRATCH_POOL_H

#include "gpu/calls.h"

/* See struct svi_gpu_calls. */
sv_status svi_cuda_allocate_scratch(const struct svi_gpu_queue *queue, int device, int64_t nbytes,
                                    struct svi_gpu_scratch *out);
sv_status svi_cuda_free_scratch(const struct svi_gpu_queue *queue, const struct svi_gpu_scratch *scratch);

/* Ends the pools that nothing is allocated from. */
void svi_cuda_scratch_trim(void);

#endif
