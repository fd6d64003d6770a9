/*
 * How many operations a copy gives to a stream: its route is run with a table of calls that only count. No driver is
 * called, no memory is touched, and all memory that is asked for is there.
 */
#include "gpu/launch_count.h"

#include "gpu/calls.h"
#include "gpu/enqueue.h"
#include "gpu/ring.h"
#include "plan/detour.h"

/* Stands for every address: at the boundary of any page, and so high that no offset, of either sign, leads past the end
 * of addresses. */
static char *no_address(void)
{
    return (char *)((uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1));
}

static sv_status count_operation(const struct svi_gpu_queue *queue)
{
    ++*(int64_t *)queue->state;
    return SV_OK;
}

static sv_status count_copy(const struct svi_gpu_queue *queue, void *dst, const void *src, int64_t nbytes)
{
    (void)dst, (void)src, (void)nbytes;
    return count_operation(queue);
}

static sv_status count_rows(const struct svi_gpu_queue *queue, const struct svi_gpu_rows *rows)
{
    (void)rows;
    return count_operation(queue);
}

static sv_status count_peer(const struct svi_gpu_queue *queue, void *dst, int dst_device, const void *src,
                            int src_device, int64_t nbytes)
{
    (void)dst, (void)dst_device, (void)src, (void)src_device, (void)nbytes;
    return count_operation(queue);
}

static sv_status count_launch(const struct svi_gpu_queue *queue, struct svi_launch_shape *shape, void *dst,
                              const void *src)
{
    (void)shape, (void)dst, (void)src;
    return count_operation(queue);
}

/* --- what is no operation of a stream ------------------------------------------------------------------- */

static sv_status skip_host_part(const struct svi_plan *plan, void *dst, const void *src,
                                const struct svi_threads *threads)
{
    (void)plan, (void)dst, (void)src, (void)threads;
    return SV_OK;
}

static sv_status pretend_scratch(const struct svi_gpu_queue *queue, int device, int64_t nbytes,
                                 struct svi_gpu_scratch *out)
{
    (void)queue, (void)device, (void)nbytes;
    out->memory = no_address();
    return SV_OK;
}

static sv_status forget_scratch(const struct svi_gpu_queue *queue, const struct svi_gpu_scratch *scratch)
{
    (void)queue, (void)scratch;
    return SV_OK;
}

static sv_status pretend_pinned(int64_t nbytes, void **out)
{
    (void)nbytes;
    *out = no_address();
    return SV_OK;
}

static void forget_pinned(void *memory)
{
    (void)memory;
}

static sv_status pretend_mapped(const void *pinned, char **out)
{
    *out = (char *)(uintptr_t)pinned;
    return SV_OK;
}

static sv_status pretend_stream(uintptr_t *out)
{
    *out = (uintptr_t)no_address();
    return SV_OK;
}

static sv_status forget_stream(uintptr_t stream)
{
    (void)stream;
    return SV_OK;
}

static sv_status skip_synchronize(const struct svi_gpu_queue *queue)
{
    (void)queue;
    return SV_OK;
}

static sv_status is_never_captured(const struct svi_gpu_queue *queue, bool *out)
{
    (void)queue;
    *out = false;
    return SV_OK;
}

static sv_status pretend_event(void **out)
{
    *out = no_address();
    return SV_OK;
}

static sv_status skip_event(void *event)
{
    (void)event;
    return SV_OK;
}

static sv_status skip_order(const struct svi_gpu_queue *queue, void *event)
{
    (void)queue, (void)event;
    return SV_OK;
}

static sv_status is_always_done(void *event, bool *out)
{
    (void)event;
    *out = true;
    return SV_OK;
}

static sv_status skip_begin(int device, struct svi_gpu_scope *scope)
{
    (void)device, (void)scope;
    return SV_OK;
}

static sv_status skip_end(const struct svi_gpu_scope *scope, sv_status status)
{
    (void)scope;
    return status;
}

static sv_status skip_enter(int device, int *before)
{
    *before = device;
    return SV_OK;
}

static sv_status skip_leave(int device, int before, sv_status status)
{
    (void)device, (void)before;
    return status;
}

/* --- one copy --------------------------------------------------------------------------------------------- */

static const struct svi_gpu_calls counting = {
    .copy = count_copy,
    .copy_rows = count_rows,
    .copy_peer = count_peer,
    .launch = count_launch,
    .copy_on_host = skip_host_part,
    .allocate_scratch = pretend_scratch,
    .free_scratch = forget_scratch,
    .allocate_pinned = pretend_pinned,
    .free_pinned = forget_pinned,
    .find_mapped = pretend_mapped,
    .new_stream = pretend_stream,
    .end_stream = forget_stream,
    .synchronize = skip_synchronize,
    .is_captured = is_never_captured,
    .new_event = pretend_event,
    .end_event = skip_event,
    .record = skip_order,
    .wait = skip_order,
    .await_event = skip_event,
    .is_done = is_always_done,
    .begin = skip_begin,
    .end = skip_end,
    .enter = skip_enter,
    .leave = skip_leave,
    .ring_count = 1,
};

/* What a route asks for where it has no memory to be run: two operations for each chunk. */
static int64_t estimate_launches(const struct svi_plan *plan)
{
    return 2 * ((svi_detour_nbytes(plan, svi_detour_narrow(plan)) - 1) / svi_gpu_chunk_nbytes + 1);
}

/* The ring is the call's own. A copy that may not wait for a stream does what one that may does, or fails. */
int64_t svi_gpu_count_launches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                               uint32_t flags)
{
    struct svi_gpu_ring ring = SVI_GPU_RING;
    struct svi_gpu_calls calls = counting;
    int64_t count = 0;
    const struct svi_gpu_queue queue = {&calls, dst.id, 0, &count};
    struct svi_request request = {.plan = plan, .dst_device = dst, .src_device = src, .flags = flags};
    const enum svi_gpu_route route = svi_gpu_find_route(&request, dst.id);

    calls.rings = &ring;
    request.dst = no_address();
    request.src = no_address();
    request.flags &= ~(uint32_t)SV_COPY_NO_WAIT;
    return svi_gpu_enqueue(&request, route, &queue) == SV_OK ? count : estimate_launches(plan);
}
