/* Where managed memory is to lie. */
#ifndef SVI_CUDA_HINT_H
#define SVI_CUDA_HINT_H

#include "backend/memory.h"

sv_status svi_cuda_prefetch(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream);
sv_status svi_cuda_discard(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream);
sv_status svi_cuda_advise(struct svi_span span, int32_t advice, struct svi_device about);

#endif
