/* The CUDA backend: a copy goes by the way that route.c finds. */
#include <stdio.h>

#include "gpu/cuda/api.h"
#include "backend/memory.h"
#include "backend/placement.h"
#include "gpu/cuda/calls_cuda.h"
#include "gpu/cuda/event.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/memory_cuda.h"
#include "gpu/cuda/scope.h"
#include "gpu/batched_copy.h"
#include "gpu/enqueue.h"
#include "gpu/kernel_copy.h"
#include "gpu/launch_count.h"
#include "gpu/launch_shape.h"
#include "gpu/route.h"
#include "gpu/table_copy.h"
#include "gpu/cuda/cuda.h"

static sv_device_state probe_cuda(int32_t device_type, int32_t *count, char *detail)
{
    const struct svi_cuda_found *found = svi_cuda_find();

    (void)device_type;
    *count = found->count;
    snprintf(detail, SVI_DETAIL, "%s", found->text);
    return found->state;
}

/* The device that copies: that of the memory, or of the stream where the memory is of none or of two. */
static sv_status find_copy_device(const struct svi_placement *placement, uintptr_t stream, int *out)
{
    *out = placement->where.id;
    return placement->follows_stream ? svi_cuda_device_of(stream, placement->where, out) : SV_OK;
}

/* For who has not called it yet. */
static sv_status find_device_of_stream(uintptr_t stream, struct svi_device given, int *out)
{
    SVI_TRY(svi_cuda_check_ready());
    return svi_cuda_device_of(stream, given, out);
}

static void choose_cuda(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                        struct svi_choice *out)
{
    (void)plan, (void)dst, (void)src;
    *out = (struct svi_choice){NULL, NULL, NULL};
}

/* Whether the stream has to be waited for when all is enqueued. What a ring brought to the host has arrived. */
static bool has_to_synchronize(const struct svi_placement *placement)
{
    return placement->done == SV_DONE_ALL &&
           !(placement->method == SV_METHOD_RING && placement->relation == SVI_RELATION_FETCH);
}

/* A copy that waits, or may, cannot be recorded; the captures of other streams stay valid while it does. */
static sv_status begin_copy(const struct svi_gpu_queue *queue, const struct svi_placement *placement,
                            struct svi_gpu_scope *scope)
{
    const cudaStream_t stream = svi_cuda_stream(queue->stream);
    sv_status status;

    if (placement->waits == SV_WAITS_NOTHING)
        return svi_cuda_begin_on(queue->device, stream, scope);
    SVI_TRY(svi_cuda_begin(queue->device, scope));
    status = svi_cuda_check_live(stream, "a copy that waits");
    return status == SV_OK ? SV_OK : svi_cuda_end(scope, status);
}

static sv_status copy_by_cuda(const struct svi_request *request)
{
    struct svi_gpu_queue queue = {&svi_cuda_calls, 0, request->stream, NULL};
    struct svi_placement placement = svi_placement_make(request->dst_device, request->src_device, true);
    enum svi_gpu_route route;
    struct svi_gpu_scope scope;
    sv_status status;

    if (request->plan->nbytes == 0)
        return SV_OK;
    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(find_copy_device(&placement, request->stream, &queue.device));
    route = svi_gpu_route_of(placement.relation, request, queue.device);
    svi_placement_set(&placement, request->flags, route == SVI_ROUTE_RINGED ? SV_METHOD_RING : SV_METHOD_DIRECT);
    SVI_TRY(begin_copy(&queue, &placement, &scope));
    status = svi_gpu_enqueue(request, route, &queue);
    if (status == SV_OK && has_to_synchronize(&placement))
        status = queue.calls->synchronize(&queue);
    return svi_cuda_end(&scope, status);
}

static sv_status fill_by_cuda(const struct svi_request *request)
{
    const struct svi_gpu_queue queue = {&svi_cuda_calls, request->dst_device.id, request->stream, NULL};
    struct svi_gpu_scope scope;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_begin_on(queue.device, svi_cuda_stream(queue.stream), &scope));
    return svi_cuda_end(&scope, svi_gpu_launch_fill(request->plan, request->dst, request->src, &queue));
}

static sv_status copy_batched(const struct svi_request *request, int64_t count, const struct svi_transfer *transfers)
{
    struct svi_gpu_queue queue = {&svi_cuda_calls, 0, request->stream, NULL};
    const bool ringed = svi_gpu_is_pageable(request->dst_device, request->src_device);
    struct svi_placement placement = svi_placement_make(request->dst_device, request->src_device, true);
    struct svi_gpu_scope scope;
    sv_status status;

    SVI_TRY(svi_cuda_check_ready());
    svi_placement_set(&placement, request->flags, ringed ? SV_METHOD_RING : SV_METHOD_DIRECT);
    SVI_TRY(find_copy_device(&placement, request->stream, &queue.device));
    SVI_TRY(begin_copy(&queue, &placement, &scope));
    status = svi_gpu_copy_batched(request, count, transfers, &queue);
    if (status == SV_OK && has_to_synchronize(&placement))
        status = queue.calls->synchronize(&queue);
    return svi_cuda_end(&scope, status);
}

static sv_status copy_table(const struct svi_request *request, const struct svi_table *table)
{
    struct svi_gpu_queue queue = {&svi_cuda_calls, 0, request->stream, NULL};
    struct svi_placement placement = svi_placement_make(request->dst_device, request->src_device, true);
    struct svi_gpu_scope scope;
    sv_status status;

    SVI_TRY(svi_cuda_check_ready());
    svi_placement_set(&placement, request->flags, SV_METHOD_DIRECT);
    SVI_TRY(find_copy_device(&placement, request->stream, &queue.device));
    SVI_TRY(begin_copy(&queue, &placement, &scope));
    status = svi_gpu_copy_table(request, table, &queue);
    if (status == SV_OK && has_to_synchronize(&placement))
        status = queue.calls->synchronize(&queue);
    return svi_cuda_end(&scope, status);
}

const struct svi_backend svi_cuda = {
    .name = "cuda",
    .family = SVI_FAMILY_CUDA,
    .probe = probe_cuda,
    .relations = 1u << SVI_RELATION_WITHIN | 1u << SVI_RELATION_MANAGED | 1u << SVI_RELATION_PINNED |
                 1u << SVI_RELATION_SEND | 1u << SVI_RELATION_FETCH | 1u << SVI_RELATION_PEERS,
    .converts = true,
    .choose = choose_cuda,
    .kernel = svi_gpu_route_name,
    .launches = svi_gpu_count_launches,
    .find_stream_device = find_device_of_stream,
    .is_ringed = svi_gpu_is_ringed,
    .copy = copy_by_cuda,
    .fill = fill_by_cuda,
    .fill_axes = SVI_FILL_AXES,
    .batches = svi_gpu_batches,
    .copy_batched = copy_batched,
    .reads_table = svi_gpu_reads_table,
    .copy_table = copy_table,
    .wait = svi_cuda_wait,
    .synchronize = svi_cuda_synchronize,
    .query_stream = svi_cuda_query_stream,
    .await_managed = svi_cuda_await_managed,
    .driver = &svi_cuda_memory,
};
