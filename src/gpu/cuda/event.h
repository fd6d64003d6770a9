/* The order of streams, by events. */
#ifndef SVI_CUDA_EVENT_H
#define SVI_CUDA_EVENT_H

#include "backend/memory.h"

sv_status svi_cuda_record(int32_t device_id, uintptr_t stream, void **event);
sv_status svi_cuda_event_is_done(void *event, bool *done);
sv_status svi_cuda_event_wait(void *event);
sv_status svi_cuda_event_order(int32_t device_id, uintptr_t stream, void *event);
void svi_cuda_event_end(void *event);

sv_status svi_cuda_stream_is_captured(int32_t device_id, uintptr_t stream, bool *is_captured);

/* The device of a stream: default streams are of the one given, others of their own. */
sv_status svi_cuda_device_of(uintptr_t stream, struct svi_device given, int *out);

/* See struct svi_backend. */
sv_status svi_cuda_wait(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other);
sv_status svi_cuda_synchronize(struct svi_device device, uintptr_t stream);
sv_status svi_cuda_query_stream(struct svi_device device, uintptr_t stream, int32_t *device_id, bool *is_captured);
sv_status svi_cuda_await_managed(struct svi_device device, uintptr_t stream);

#endif
