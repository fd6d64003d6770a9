/*
 * Between two devices, where the memory of the far one, which is not the stream's, has gaps: its own kernels pack that
 * side, or unpack it, by way of dense scratch memory on it, so that runs of bytes cross the link, chunk by chunk. They
 * run on a stream that is made for the copy, so that no other work waits for them, or they for it. The stream that
 * fills a slot of the scratch memory and the one that empties it wait for each other by events.
 */
#include <string.h>

#include "base/checked.h"
#include "base/alloc.h"
#include "gpu/ring.h"
#include "gpu/route.h"
#include "plan/split.h"
#include "gpu/device_scratch.h"
#include "gpu/kernel_copy.h"
#include "gpu/packed.h"
#include "gpu/pitched.h"
#include "gpu/staged.h"

enum { LEAST_CHUNK = 1 << 16 /* bytes */, SLOTS = 2 };

/* One copy. Too large for the stack. */
struct packed {
    const struct svi_request *request;
    bool from_far;
    int32_t near_side, items; /* those that cross the link: the side that has them */
    const struct svi_gpu_queue *near;
    struct svi_gpu_queue far;                       /* has_far: its stream is made */
    const struct svi_gpu_queue *filling, *emptying; /* these two again */
    bool has_far;
    void *filled, *emptied[SLOTS];              /* events; NULL: not made yet */
    struct svi_gpu_scratch slots, near_scratch; /* of the two devices */
    int64_t slot_nbytes;
    struct svi_split split;
    struct svi_plan part, in, out; /* of one chunk */
};

/* Bytes of one of the slots that so much scratch memory has. */
static int64_t find_slot_nbytes(int64_t payload, int64_t scratch)
{
    return payload <= scratch ? scratch : scratch / SLOTS;
}

/* --- events and the stream -------------------------------------------------------------------- */

/* Events are of the device of the stream that they are recorded on. */
static sv_status make_filling(struct packed *c)
{
    return c->near->calls->new_event(&c->filled);
}

static sv_status make_emptying(struct packed *c)
{
    for (int slot = 0; slot < SLOTS; slot++)
        SVI_TRY(c->near->calls->new_event(&c->emptied[slot]));
    return SV_OK;
}

static sv_status make_far(struct packed *c)
{
    SVI_TRY(c->near->calls->new_stream(&c->far.stream));
    c->has_far = true;
    return c->from_far ? make_filling(c) : make_emptying(c);
}

static sv_status make_packed(struct packed *c)
{
    struct svi_gpu_scope scope;

    SVI_TRY(c->near->calls->begin(c->far.device, &scope));
    SVI_TRY(c->near->calls->end(&scope, make_far(c)));
    SVI_TRY(c->from_far ? make_emptying(c) : make_filling(c));
    c->filling = c->from_far ? &c->far : c->near;
    c->emptying = c->from_far ? c->near : &c->far;
    return SV_OK;
}

/* They end when what they were given is done. */
static sv_status end_packed(struct packed *c, sv_status status)
{
    void *const events[] = {c->filled, c->emptied[0], c->emptied[1]};
    sv_status ended;

    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        ended = events[i] == NULL ? SV_OK : c->near->calls->end_event(events[i]);
        status = status == SV_OK ? ended : status;
    }
    ended = c->has_far ? c->near->calls->end_stream(c->far.stream) : SV_OK;
    return status == SV_OK ? ended : status;
}

static sv_status record_event(void *event, const struct svi_gpu_queue *queue)
{
    return queue->calls->record(queue, event);
}

static sv_status wait_for_event(const struct svi_gpu_queue *queue, void *event)
{
    return queue->calls->wait(queue, event);
}

/* --- one chunk ---------------------------------------------------------------------------------- */

static sv_status launch_far(const struct packed *c, const struct svi_plan *half, void *dst, const void *src)
{
    int near;

    SVI_TRY(c->far.calls->enter(c->far.device, &near));
    return c->far.calls->leave(c->far.device, near, svi_gpu_launch(half, dst, src, &c->far));
}

/* Without scratch memory of the near device its half is rows for the copy engine. */
static bool is_direct(const struct packed *c)
{
    return c->near_scratch.memory == NULL || svi_gpu_is_pitched(c->from_far ? &c->out : &c->in);
}

static sv_status cross_devices(const struct packed *c, const struct svi_plan *half, void *dst, const void *src)
{
    return svi_gpu_copy_peer(
        &(struct svi_request){half, c->request->dst_device, dst, c->request->src_device, src, 0, 0, NULL, NULL},
        c->near);
}

/* nbytes of dense memory. */
static sv_status cross_dense(const struct packed *c, char *dst, const char *src, int64_t nbytes)
{
    return c->near->calls->copy_peer(c->near, dst, c->request->dst_device.id, src, c->request->src_device.id, nbytes);
}

static sv_status fill_slot(const struct packed *c, char *slot)
{
    const void *src = c->request->src;

    if (c->from_far)
        return launch_far(c, &c->in, slot, src);
    if (is_direct(c))
        return cross_devices(c, &c->in, slot, src);
    SVI_TRY(svi_gpu_launch(&c->in, c->near_scratch.memory, src, c->near));
    return cross_dense(c, slot, c->near_scratch.memory, c->in.nbytes);
}

static sv_status empty_packed_slot(const struct packed *c, char *slot)
{
    void *dst = c->request->dst;

    if (!c->from_far)
        return launch_far(c, &c->out, dst, slot);
    if (is_direct(c))
        return cross_devices(c, &c->out, dst, slot);
    SVI_TRY(cross_dense(c, c->near_scratch.memory, slot, c->in.nbytes));
    return svi_gpu_launch(&c->out, dst, c->near_scratch.memory, c->near);
}

/* Only what is waited for is recorded: slots that are filled again, and the end of the far device's work. */
static sv_status copy_packed_chunk(struct packed *c, int64_t index)
{
    const int slot = (int)(index % SLOTS);
    const bool is_last = index == c->split.count - 1;
    char *memory = c->slots.memory + slot * c->slot_nbytes;

    if (index >= SLOTS)
        SVI_TRY(wait_for_event(c->filling, c->emptied[slot]));
    svi_split_part(c->request->plan, &c->split, index, &c->part);
    svi_detour_make(&c->part, c->near_side, c->items, &c->in, &c->out);
    SVI_TRY(fill_slot(c, memory));
    SVI_TRY(record_event(c->filled, c->filling));
    SVI_TRY(wait_for_event(c->emptying, c->filled));
    SVI_TRY(empty_packed_slot(c, memory));
    if (index + SLOTS < c->split.count || (is_last && !c->from_far))
        SVI_TRY(record_event(c->emptied[slot], c->emptying));
    return is_last && !c->from_far ? wait_for_event(c->near, c->emptied[slot]) : SV_OK;
}

/* The far stream begins after what the near one holds, and the near one goes on after it. */
static sv_status copy_packed_chunks(struct packed *c)
{
    if (c->from_far) {
        SVI_TRY(record_event(c->emptied[0], c->near));
        SVI_TRY(wait_for_event(&c->far, c->emptied[0]));
    }
    for (int64_t i = 0; i < c->split.count; i++)
        SVI_TRY(copy_packed_chunk(c, i));
    return SV_OK;
}

/* --- scratch memory ------------------------------------------------------------------------------- */

/* In the order of the near stream. The far device's is of its default pool: a caller's is of the stream's device. */
static sv_status take_slots(struct packed *c, int64_t payload)
{
    struct svi_request request = *c->request;

    request.scratch = NULL;
    SVI_TRY(svi_gpu_scratch_take(&request, c->near, c->far.device, svi_smaller(payload, svi_gpu_chunk_nbytes),
                                 LEAST_CHUNK, &c->slots));
    c->slot_nbytes = find_slot_nbytes(payload, c->slots.nbytes);
    return SV_OK;
}

static sv_status take_near(struct packed *c, int64_t payload)
{
    svi_detour_make(c->request->plan, c->near_side, c->items, &c->in, &c->out);
    if (svi_gpu_is_pitched(c->from_far ? &c->out : &c->in))
        return SV_OK;
    SVI_TRY(svi_gpu_scratch_take(c->request, c->near, c->near->device, svi_smaller(payload, c->slot_nbytes),
                                 LEAST_CHUNK, &c->near_scratch));
    c->slot_nbytes = svi_smaller(c->slot_nbytes, c->near_scratch.nbytes);
    return SV_OK;
}

static sv_status give_packed_scratch(const struct packed *c, sv_status status)
{
    struct svi_request request = *c->request;
    sv_status given = SV_OK;

    if (c->near_scratch.memory != NULL)
        given = svi_gpu_scratch_give(&request, c->near, &c->near_scratch);
    status = status == SV_OK ? given : status;
    request.scratch = NULL;
    if (c->slots.memory != NULL)
        given = svi_gpu_scratch_give(&request, c->near, &c->slots);
    return status == SV_OK ? given : status;
}

/* What a failed copy has given to the far stream may use the memory still. Memory that cannot be waited for is given
 * up. */
static bool is_over(const struct packed *c, sv_status status)
{
    struct svi_message before;
    bool ended;

    if (status == SV_OK || !c->has_far)
        return true;
    svi_message_keep(&before);
    ended = c->far.calls->synchronize(&c->far) == SV_OK;
    svi_message_restore(&before);
    return ended;
}

/* --- one copy --------------------------------------------------------------------------------------- */

/* A call for each row: slower, but it needs no memory, and no stream that a capture would have to take in. */
static sv_status copy_peer_rows(const struct svi_request *request, const struct svi_gpu_queue *queue)
{
    if (request->plan->kind == SVI_CLASS_CAST)
        return svi_gpu_copy_staged(request, svi_gpu_far_side(request->dst_device, request->src_device, queue->device),
                                   queue);
    return svi_gpu_copy_peer(request, queue);
}

static sv_status run_packed(struct packed *c)
{
    sv_status status = make_packed(c);

    if (status == SV_OK) {
        svi_split_chunks(c->request->plan, c->near_side, c->items, c->slot_nbytes, &c->split);
        status = copy_packed_chunks(c);
    }
    if (is_over(c, status))
        status = give_packed_scratch(c, status);
    return end_packed(c, status);
}

/* Without memory of the default pools rows are copied; that the caller's has none is an error. */
static sv_status take_and_run(struct packed *c)
{
    const int64_t payload = svi_detour_nbytes(c->request->plan, c->items);
    sv_status status = take_slots(c, payload);
    bool may_do_without = true;

    if (status == SV_OK) {
        status = take_near(c, payload);
        may_do_without = c->request->scratch == NULL;
    }
    if (status == SV_OK)
        return run_packed(c);
    may_do_without = may_do_without && (status == SV_ERROR_UNSUPPORTED || status == SV_ERROR_MEMORY);
    status = give_packed_scratch(c, may_do_without ? SV_OK : status);
    return may_do_without && status == SV_OK ? copy_peer_rows(c->request, c->near) : status;
}

sv_status svi_gpu_copy_packed(const struct svi_request *request, const struct svi_gpu_queue *queue)
{
    bool is_captured = false;
    struct packed *c = NULL;
    sv_status status;

    SVI_TRY(queue->calls->is_captured(queue, &is_captured));
    if (!is_captured)
        c = svi_malloc(sizeof *c);
    if (c == NULL)
        return copy_peer_rows(request, queue);
    memset(c, 0, sizeof *c);
    c->request = request;
    c->near = queue;
    c->far = *queue;
    c->from_far = svi_gpu_far_side(request->dst_device, request->src_device, queue->device) == SVI_SIDE_SRC;
    c->far.device = c->from_far ? request->src_device.id : request->dst_device.id;
    c->near_side = c->from_far ? SVI_SIDE_DST : SVI_SIDE_SRC;
    c->items = svi_detour_narrow(request->plan);
    status = take_and_run(c);
    svi_free(c);
    return status;
}
