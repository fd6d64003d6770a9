/* The functions of struct svi_memory_ops, whose comments say what they do. */
#ifndef SVI_CUDA_OPERATIONS_H
#define SVI_CUDA_OPERATIONS_H

#include "backend/memory.h"

/* memory_cuda.c */
extern const struct svi_memory_ops svi_cuda_memory;

/* pages.c */
sv_status svi_cuda_enroll(void *pages, int64_t nbytes, void **device_address);
sv_status svi_cuda_withdraw(void *pages);

/* pool.c */
sv_status svi_cuda_new_pool(const struct svi_pool_request *request, uintptr_t *pool);
sv_status svi_cuda_default_pool(sv_memory kind, int32_t device_id, uintptr_t *pool);
sv_status svi_cuda_end_pool(int32_t device_id, uintptr_t pool);
sv_status svi_cuda_allocate_from_pool(int32_t device_id, uintptr_t pool, int64_t nbytes, uintptr_t stream, void **out);
sv_status svi_cuda_free_in_order(int32_t device_id, void *pointer, uintptr_t stream);
sv_status svi_cuda_check_order(int32_t device_id, uintptr_t stream);

/* pointer_cuda.c */
sv_status svi_cuda_query(const void *pointer, struct svi_pointer *out);

/* event.c */
sv_status svi_cuda_record(int32_t device_id, uintptr_t stream, void **event);
sv_status svi_cuda_event_is_done(void *event, bool *done);
sv_status svi_cuda_event_wait(void *event);
sv_status svi_cuda_event_order(int32_t device_id, uintptr_t stream, void *event);
void svi_cuda_event_end(void *event);

/* hint.c */
sv_status svi_cuda_prefetch(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream);
sv_status svi_cuda_discard(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream);
sv_status svi_cuda_advise(struct svi_span span, int32_t advice, struct svi_device about);

/* ipc_cuda.c */
sv_status svi_cuda_identify(int32_t device_id, unsigned char uuid[SVI_UUID]);
sv_status svi_cuda_ipc_export(int32_t device_id, void *base, unsigned char handle[SVI_IPC_HANDLE]);
sv_status svi_cuda_ipc_open(int32_t device_id, const unsigned char handle[SVI_IPC_HANDLE], void **base,
                            int64_t *nbytes);
sv_status svi_cuda_ipc_close(int32_t device_id, void *base);

/* property.c */
sv_status svi_cuda_property(int32_t device_id, int32_t property, int64_t *value);

#endif
