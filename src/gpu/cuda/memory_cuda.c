/* What the CUDA backend does for memory: its table, and allocations that no stream puts in order. */
#include <stdio.h>

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"
#include "backend/memory.h"
#include "gpu/ring.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/calls_cuda.h"
#include "gpu/cuda/scratch_pool.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/event.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/hint.h"
#include "gpu/cuda/ipc_cuda.h"
#include "gpu/cuda/memory_cuda.h"
#include "gpu/cuda/pages.h"
#include "gpu/cuda/pointer_cuda.h"
#include "gpu/cuda/pool.h"
#include "gpu/cuda/property.h"

enum { WORDS = 160 };

static cudaError_t call_allocate(sv_memory kind, size_t nbytes, void **out)
{
    switch (kind) {
    case SV_MEMORY_PINNED: /* for every device, and under one address */
        return svi_cuda_api.allocate_host(out, nbytes, cudaHostAllocPortable | cudaHostAllocMapped);
    case SV_MEMORY_MANAGED: return svi_cuda_api.allocate_managed(out, nbytes, cudaMemAttachGlobal);
    default: return svi_cuda_api.allocate(out, nbytes);
    }
}

static cudaError_t free_by_kind(sv_memory kind, void *pointer)
{
    return kind == SV_MEMORY_PINNED ? svi_cuda_api.release_host(pointer) : svi_cuda_api.release(pointer);
}

static sv_status fail_allocate(cudaError_t error, sv_memory kind, int32_t device_id, int64_t nbytes)
{
    char what[WORDS];
    int length = snprintf(what, sizeof what, "allocating %lld bytes of %s memory", (long long)nbytes,
                          svi_memory_kinds[kind].name);
    size_t free = 0, total = 0;

    svi_cuda_api.last_error();
    if (kind == SV_MEMORY_DEVICE && error == cudaErrorMemoryAllocation) {
        if (svi_cuda_api.memory_info(&free, &total) == cudaSuccess)
            snprintf(what + length, sizeof what - (size_t)length, ", of which device %d has %zu free", (int)device_id,
                     free);
    }
    return svi_cuda_fail(error, what);
}

static sv_status release_memory(sv_memory kind, int32_t device_id, void *pointer)
{
    struct svi_gpu_scope scope;
    sv_status status = svi_cuda_begin(device_id, &scope);

    if (status == SV_OK) {
        cudaError_t error = free_by_kind(kind, pointer);

        status = svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "freeing memory"));
    }
    return svi_cuda_freed(status);
}

static sv_status allocate_memory(sv_memory kind, int32_t device_id, int64_t nbytes, void **out)
{
    struct svi_gpu_scope scope;
    void *made = NULL;
    cudaError_t error;
    sv_status status;

    SVI_TRY(svi_cuda_begin(device_id, &scope));
    error = call_allocate(kind, (size_t)nbytes, &made);
    status = error == cudaSuccess ? SV_OK : fail_allocate(error, kind, device_id, nbytes);
    status = svi_cuda_end(&scope, status);
    if (status == SV_OK)
        *out = made;
    else if (error == cudaSuccess)
        (void)release_memory(kind, device_id, made);
    return status;
}

static sv_status set_memory(int32_t device_id, void *pointer, int32_t byte, int64_t nbytes, uintptr_t stream)
{
    struct svi_gpu_scope scope;
    cudaError_t error;
    int where;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_device_of(stream, (struct svi_device){SV_DEVICE_CUDA, device_id}, &where));
    SVI_TRY(svi_cuda_begin_on(where, svi_cuda_stream(stream), &scope));
    error = svi_cuda_api.set(pointer, byte, (size_t)nbytes, svi_cuda_stream(stream));
    return svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "setting memory"));
}

static void trim_caches(void)
{
    svi_gpu_ring_trim(&svi_cuda_calls);
    svi_cuda_scratch_trim();
}

const struct svi_driver svi_cuda_memory = {
    .alignments = {[SV_MEMORY_PINNED] = 4096, [SV_MEMORY_DEVICE] = 256, [SV_MEMORY_MANAGED] = 256},
    .pool_alignment = 256, /* the least that the driver promises, of every kind */
    .allocate = allocate_memory,
    .free = release_memory,
    .enroll = svi_cuda_enroll,
    .withdraw = svi_cuda_withdraw,
    .new_pool = svi_cuda_new_pool,
    .default_pool = svi_cuda_default_pool,
    .end_pool = svi_cuda_end_pool,
    .allocate_from_pool = svi_cuda_allocate_from_pool,
    .free_in_order = svi_cuda_free_in_order,
    .check_order = svi_cuda_check_order,
    .query = svi_cuda_query,
    .record = svi_cuda_record,
    .is_done = svi_cuda_event_is_done,
    .wait = svi_cuda_event_wait,
    .order = svi_cuda_event_order,
    .end_event = svi_cuda_event_end,
    .is_captured = svi_cuda_stream_is_captured,
    .set = set_memory,
    .prefetch = svi_cuda_prefetch,
    .discard = svi_cuda_discard,
    .advise = svi_cuda_advise,
    .identify = svi_cuda_identify,
    .ipc_export = svi_cuda_ipc_export,
    .ipc_open = svi_cuda_ipc_open,
    .ipc_close = svi_cuda_ipc_close,
    .trim = trim_caches,
    .property = svi_cuda_property,
};
