/*
 * Between ordinary memory of the host and a device, in chunks: the host engine fills or empties slots of pinned memory
 * while the copy engine moves others. Where the device's side is no rows, a kernel rearranges in scratch memory, or
 * reads and writes the slot itself where there is none.
 */
#include "base/alloc.h"
#include "base/checked.h"
#include "gpu/ring.h"
#include "plan/split.h"
#include "gpu/device_scratch.h"
#include "gpu/kernel_copy.h"
#include "gpu/pitched.h"
#include "gpu/ringed.h"

enum { LEAST_CHUNK = 1 << 16 /* bytes */ };

/* One copy. Too large for the stack. */
struct ringed {
    const struct svi_request *request;
    struct svi_gpu_ring *ring;
    struct svi_gpu_scratch scratch;
    const struct svi_gpu_queue *queue;
    int32_t host_side, items; /* those that cross the link: the side that has them */
    int first; /* slot */
    struct svi_split split;
    struct svi_plan part, in, out; /* of one chunk */
};

static int slot_of(const struct ringed *c, int64_t chunk)
{
    return (int)((c->first + chunk) % SVI_GPU_SLOTS);
}

static void find_chunk(struct ringed *c, int64_t index)
{
    svi_split_part(c->request->plan, &c->split, index, &c->part);
    svi_detour_make(&c->part, c->host_side, c->items, &c->in, &c->out);
}

/* --- to the device --------------------------------------------------------------------------- */

static sv_status send_chunk(struct ringed *c, int slot)
{
    char *memory = svi_gpu_ring_slot(c->ring, slot);

    if (svi_gpu_is_pitched(&c->out)) {
        SVI_TRY(svi_gpu_copy_pitched(&c->out, c->request->dst, memory, c->queue));
        return svi_gpu_ring_record(c->ring, slot, c->queue);
    }
    if (c->scratch.memory == NULL) {
        SVI_TRY(svi_gpu_launch(&c->out, c->request->dst, memory, c->queue));
        return svi_gpu_ring_record(c->ring, slot, c->queue);
    }
    SVI_TRY(c->queue->calls->copy(c->queue, c->scratch.memory, memory, c->in.nbytes));
    SVI_TRY(svi_gpu_ring_record(c->ring, slot, c->queue));
    return svi_gpu_launch(&c->out, c->request->dst, c->scratch.memory, c->queue);
}

static sv_status send_chunks(struct ringed *c)
{
    for (int64_t i = 0; i < c->split.count; i++) {
        const int slot = slot_of(c, i);

        SVI_TRY(svi_gpu_ring_wait(c->ring, slot));
        find_chunk(c, i);
        SVI_TRY(c->queue->calls->copy_on_host(&c->in, svi_gpu_ring_slot(c->ring, slot), c->request->src,
                                              c->request->threads));
        SVI_TRY(send_chunk(c, slot));
    }
    return SV_OK;
}

/* --- from the device -------------------------------------------------------------------------- */

static sv_status fetch_chunk(struct ringed *c, int slot)
{
    char *memory = svi_gpu_ring_slot(c->ring, slot);

    if (svi_gpu_is_pitched(&c->in)) {
        SVI_TRY(svi_gpu_copy_pitched(&c->in, memory, c->request->src, c->queue));
    } else if (c->scratch.memory == NULL) {
        SVI_TRY(svi_gpu_launch(&c->in, memory, c->request->src, c->queue));
    } else {
        SVI_TRY(svi_gpu_launch(&c->in, c->scratch.memory, c->request->src, c->queue));
        SVI_TRY(c->queue->calls->copy(c->queue, memory, c->scratch.memory, c->in.nbytes));
    }
    return svi_gpu_ring_record(c->ring, slot, c->queue);
}

static sv_status empty_ring_slot(struct ringed *c, int64_t index)
{
    const int slot = slot_of(c, index);

    SVI_TRY(svi_gpu_ring_wait(c->ring, slot));
    find_chunk(c, index);
    return c->queue->calls->copy_on_host(&c->out, c->request->dst, svi_gpu_ring_slot(c->ring, slot),
                                         c->request->threads);
}

/* A chunk is put where it belongs when those after it are on their way. */
static sv_status fetch_chunks(struct ringed *c)
{
    const int64_t ahead = SVI_GPU_SLOTS - 1;

    for (int64_t i = 0; i < c->split.count + ahead; i++) {
        if (i < c->split.count) {
            SVI_TRY(svi_gpu_ring_wait(c->ring, slot_of(c, i)));
            find_chunk(c, i);
            SVI_TRY(fetch_chunk(c, slot_of(c, i)));
        }
        if (i >= ahead)
            SVI_TRY(empty_ring_slot(c, i - ahead));
    }
    return SV_OK;
}

/* --- one copy ----------------------------------------------------------------------------------- */

static bool to_device(const struct ringed *c)
{
    return c->host_side == SVI_SIDE_SRC;
}

/* A copy that may not wait for the stream has a slot for each chunk, all of them free. */
static sv_status check_slots(struct ringed *c)
{
    bool is_free = to_device(c) && c->split.count <= SVI_GPU_SLOTS;

    for (int64_t i = 0; i < c->split.count && is_free; i++)
        SVI_TRY(svi_gpu_ring_is_free(c->ring, slot_of(c, i), &is_free));
    if (is_free)
        return SV_OK;
    return svi_fail(SV_ERROR_BLOCKED, "the copy would have to wait for the stream");
}

/* Without scratch memory it is slower, but done. */
static sv_status take_scratch(struct ringed *c)
{
    const int64_t nbytes = svi_detour_nbytes(c->request->plan, c->items);
    const int64_t wanted = svi_smaller(nbytes, c->ring->chunk);
    sv_status status;

    svi_detour_make(c->request->plan, c->host_side, c->items, &c->in, &c->out);
    if (svi_gpu_is_pitched(to_device(c) ? &c->out : &c->in))
        return SV_OK;
    status = svi_gpu_scratch_take(c->request, c->queue, c->queue->device, wanted, LEAST_CHUNK, &c->scratch);
    if (c->request->scratch == NULL && (status == SV_ERROR_UNSUPPORTED || status == SV_ERROR_MEMORY))
        return SV_OK;
    return status;
}

static sv_status run_ringed(struct ringed *c)
{
    sv_status status, given = SV_OK;

    svi_split_chunks(c->request->plan, c->host_side, c->items, c->ring->chunk, &c->split);
    c->first = svi_gpu_ring_first(c->ring, 0);
    if (c->request->flags & SV_COPY_NO_WAIT)
        SVI_TRY(check_slots(c));
    SVI_TRY(take_scratch(c));
    if (c->scratch.memory != NULL)
        svi_split_chunks(c->request->plan, c->host_side, c->items, c->scratch.nbytes, &c->split);
    c->first = svi_gpu_ring_first(c->ring, c->split.count);
    status = to_device(c) ? send_chunks(c) : fetch_chunks(c);
    if (c->scratch.memory != NULL)
        given = svi_gpu_scratch_give(c->request, c->queue, &c->scratch);
    return status == SV_OK ? given : status;
}

sv_status svi_gpu_copy_ringed(const struct svi_request *request, const struct svi_gpu_queue *queue)
{
    const bool may_wait = (request->flags & SV_COPY_NO_WAIT) == 0;
    struct ringed *c = svi_malloc(sizeof *c);
    sv_status status;

    if (c == NULL)
        return SV_ERROR_MEMORY;
    c->request = request;
    c->queue = queue;
    c->scratch.memory = NULL;
    c->host_side = svi_device_has(request->dst_device.type, SV_TRAIT_HOST) ? SVI_SIDE_DST : SVI_SIDE_SRC;
    c->items = svi_detour_narrow(request->plan);
    status = svi_gpu_ring_take(queue, svi_detour_nbytes(request->plan, c->items), may_wait, &c->ring);
    if (status == SV_OK) {
        status = run_ringed(c);
        svi_gpu_ring_end(c->ring, queue, status);
    }
    svi_free(c);
    return status;
}
