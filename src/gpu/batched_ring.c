/*
 * Many small copies between ordinary memory of the host and a device: the host engine gathers them in a slot of pinned
 * memory, or scatters them from there, and one launch does the rest.
 */
#include <string.h>

#include "base/alloc.h"
#include "gpu/ring.h"
#include "plan/detour.h"
#include "gpu/batched_ring.h"
#include "gpu/kernel_copy.h"

enum { ALIGNMENT = 16, ROOM = 2 * ALIGNMENT /* bytes of a slot that a copy may need besides its own */ };

/* Too large for the stack. */
struct gathered {
    struct svi_plan in, out; /* to the slot, from the slot; of no use for runs */
    bool runs, to_device;
    int64_t count, nbytes; /* nbytes: of a copy by a plan in the slot */
    const struct svi_transfer *transfers;
    struct svi_transfer device[SVI_TRANSFERS]; /* what the launch does */
    const struct svi_gpu_queue *queue;
    struct svi_gpu_ring *ring;
    int slot;
};

bool svi_gpu_fits_slot(const struct svi_plan *plan)
{
    return svi_detour_nbytes(plan, SVI_SIDE_SRC) <= svi_gpu_chunk_nbytes / SVI_TRANSFERS - ROOM;
}

/* --- the host's part --------------------------------------------------------------------------------- */

static char *slot_side(const struct gathered *g, int64_t i)
{
    return g->to_device ? (char *)g->device[i].src : g->device[i].dst;
}

static sv_status copy_transfer_on_host(const struct gathered *g, int64_t i)
{
    const struct svi_transfer *t = &g->transfers[i];
    char *slot = slot_side(g, i), *dst = g->to_device ? slot : t->dst;
    const char *src = g->to_device ? t->src : slot;
    const struct svi_plan *half = g->to_device ? &g->in : &g->out;

    if (!g->runs)
        return g->queue->calls->copy_on_host(half, dst, src, NULL);
    memcpy(dst, src, (size_t)t->nbytes);
    return SV_OK;
}

static sv_status copy_all_on_host(const struct gathered *g)
{
    for (int64_t i = 0; i < g->count; i++)
        SVI_TRY(copy_transfer_on_host(g, i));
    return SV_OK;
}

/* --- the device's part --------------------------------------------------------------------------------- */

/* Each has a place of the slot, runs one that is as far from a multiple of 16 as the device's side. */
static void place_all(struct gathered *g)
{
    char *at = svi_gpu_ring_slot(g->ring, g->slot);

    for (int64_t i = 0; i < g->count; i++) {
        const struct svi_transfer *t = &g->transfers[i];
        const int64_t nbytes = g->runs ? t->nbytes : g->nbytes;
        const uintptr_t other = (uintptr_t)(g->to_device ? t->dst : t->src);
        char *const place = at + (g->runs ? other % ALIGNMENT : 0);

        g->device[i] = (struct svi_transfer){
            .dst = g->to_device ? t->dst : place,
            .src = g->to_device ? place : t->src,
            .nbytes = t->nbytes,
        };
        at += (nbytes + 2 * (ALIGNMENT - 1)) / ALIGNMENT * ALIGNMENT;
    }
}

static sv_status launch_gathered(struct gathered *g)
{
    const struct svi_plan *half = g->to_device ? &g->out : &g->in;

    SVI_TRY(svi_gpu_launch_many(g->runs ? NULL : half, g->count, g->device, g->queue));
    return svi_gpu_ring_record(g->ring, g->slot, g->queue);
}

/* --- one batch --------------------------------------------------------------------------------------------- */

static sv_status check_slot(struct gathered *g)
{
    bool is_free = false;

    if (g->to_device)
        SVI_TRY(svi_gpu_ring_is_free(g->ring, g->slot, &is_free));
    return is_free ? SV_OK : svi_fail(SV_ERROR_BLOCKED, "the copies would have to wait for the stream");
}

static sv_status run_gathered(struct gathered *g, bool may_wait)
{
    g->slot = svi_gpu_ring_first(g->ring, 0);
    if (!may_wait)
        SVI_TRY(check_slot(g));
    g->slot = svi_gpu_ring_first(g->ring, 1);
    SVI_TRY(svi_gpu_ring_wait(g->ring, g->slot));
    place_all(g);
    if (g->to_device) {
        SVI_TRY(copy_all_on_host(g));
        return launch_gathered(g);
    }
    SVI_TRY(launch_gathered(g));
    SVI_TRY(svi_gpu_ring_wait(g->ring, g->slot));
    return copy_all_on_host(g);
}

static void begin_gathered(struct gathered *g, const struct svi_request *request, int64_t count,
                           const struct svi_transfer *transfers)
{
    g->to_device = !svi_device_has(request->dst_device.type, SV_TRAIT_HOST);
    g->runs = request->plan == NULL;
    g->count = count;
    g->transfers = transfers;
    if (g->runs)
        return;
    svi_detour_make(request->plan, g->to_device ? SVI_SIDE_SRC : SVI_SIDE_DST, SVI_SIDE_SRC, &g->in, &g->out);
    g->nbytes = svi_detour_nbytes(request->plan, SVI_SIDE_SRC);
}

sv_status svi_gpu_copy_gathered(const struct svi_request *request, int64_t count, const struct svi_transfer *transfers,
                                const struct svi_gpu_queue *queue)
{
    const bool may_wait = (request->flags & SV_COPY_NO_WAIT) == 0;
    struct gathered *g = svi_malloc(sizeof *g);
    sv_status status;

    if (g == NULL)
        return SV_ERROR_MEMORY;
    begin_gathered(g, request, count, transfers);
    g->queue = queue;
    status = svi_gpu_ring_take(queue, svi_gpu_chunk_nbytes, may_wait, &g->ring);
    if (status == SV_OK) {
        status = run_gathered(g, may_wait);
        svi_gpu_ring_end(g->ring, queue, status);
    }
    svi_free(g);
    return status;
}
