/* Many small copies in one launch, since each launch takes longer than such a copy. */
#include "gpu/route.h"
#include "gpu/batched_copy.h"
#include "gpu/batched_ring.h"
#include "gpu/kernel_copy.h"
#include "gpu/mapped.h"
#include "gpu/pitched.h"

enum {
    MOST = 1 << 20,        /* bytes of a copy: launches of larger ones cost little */
    MOST_MAPPED = 1 << 16, /* of one with pinned memory: the copy engine is better at larger ones */
};

bool svi_gpu_batches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, uint32_t flags)
{
    const struct svi_request request = {.plan = plan, .dst_device = dst, .src_device = src, .flags = flags};

    if (plan->nbytes > MOST || (plan->kind == SVI_CLASS_CAST && svi_gpu_is_pageable(dst, src)))
        return false; /* batched_ring.c does not convert */
    switch (svi_gpu_find_route(&request, dst.id)) {
    case SVI_ROUTE_KERNEL: return true;
    case SVI_ROUTE_MAPPED: return plan->nbytes <= MOST_MAPPED;
    case SVI_ROUTE_PITCHED:
    case SVI_ROUTE_RINGED: return svi_gpu_is_pageable(dst, src) ? svi_gpu_fits_slot(plan) : plan->nbytes <= MOST_MAPPED;
    default: return false;
    }
}

/* --- pinned memory --------------------------------------------------------------------------------- */

/* The address by which devices know one of a side's addresses, offset bytes before a byte that is there. */
static sv_status map_side_address(const struct svi_gpu_queue *queue, const void *address, int64_t offset, char **out)
{
    SVI_TRY(queue->calls->find_mapped((const char *)address + offset, out));
    if (*out != NULL)
        *out -= offset;
    return SV_OK;
}

/* As devices know them; *known: whether they know all. */
static sv_status map_all(const struct svi_request *request, const struct svi_gpu_queue *queue, bool to_host,
                         int64_t count, const struct svi_transfer *transfers, struct svi_transfer *out, bool *known)
{
    const struct svi_plan *plan = request->plan;
    const int64_t offset = plan == NULL ? 0 : to_host ? plan->dst_offset : plan->src_offset;

    *known = true;
    for (int64_t i = 0; i < count && *known; i++) {
        char *address;

        out[i] = transfers[i];
        SVI_TRY(map_side_address(queue, to_host ? transfers[i].dst : transfers[i].src, offset, &address));
        *known = address != NULL;
        if (to_host)
            out[i].dst = address;
        else
            out[i].src = address;
    }
    return SV_OK;
}

static sv_status copy_pinned(const struct svi_request *request, bool to_host, int64_t count,
                             const struct svi_transfer *transfers, const struct svi_gpu_queue *queue)
{
    const struct svi_plan *plan = request->plan;
    struct svi_transfer mapped[SVI_TRANSFERS];
    bool known;

    SVI_TRY(map_all(request, queue, to_host, count, transfers, mapped, &known));
    if (known)
        return svi_gpu_launch_many(plan, count, mapped, queue);
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(plan == NULL ? svi_gpu_launch_many(NULL, 1, &transfers[i], queue)
                             : svi_gpu_copy_pitched(plan, transfers[i].dst, transfers[i].src, queue));
    return SV_OK;
}

sv_status svi_gpu_copy_batched(const struct svi_request *request, int64_t count, const struct svi_transfer *transfers,
                               const struct svi_gpu_queue *queue)
{
    const struct svi_device dst = request->dst_device, src = request->src_device;

    if (svi_gpu_is_within(dst, src))
        return svi_gpu_launch_many(request->plan, count, transfers, queue);
    if (svi_gpu_is_pageable(dst, src))
        return svi_gpu_copy_gathered(request, count, transfers, queue);
    return copy_pinned(request, svi_device_has(dst.type, SV_TRAIT_HOST), count, transfers, queue);
}
