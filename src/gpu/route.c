#include "gpu/route.h"

#include "gpu/launch_shape.h"
#include "gpu/ring.h"
#include "backend/placement.h"
#include "base/own_pages.h"
#include "plan/detour.h"
#include "gpu/pitched.h"
#include "gpu/staged.h"

int64_t svi_gpu_driven_nbytes = 4 << 20;

enum {
    LEAST_PACKED = 1 << 16, /* bytes */
    FEW_CALLS = 16          /* of the copy engine: about as many as a packed copy makes of the runtime */
};

static const char *const names[SVI_ROUTE_COUNT] = {
    [SVI_ROUTE_KERNEL] = "kernel", [SVI_ROUTE_PITCHED] = "pitched", [SVI_ROUTE_MAPPED] = "mapped",
    [SVI_ROUTE_STAGED] = "staged", [SVI_ROUTE_RINGED] = "ringed",   [SVI_ROUTE_PEER] = "peer",
    [SVI_ROUTE_PACKED] = "packed",
};

/* --- what the two sides are --------------------------------------------------------------------- */

bool svi_gpu_is_within(struct svi_device dst, struct svi_device src)
{
    const enum svi_relation relation = svi_relation_of(dst, src);

    return relation == SVI_RELATION_WITHIN || relation == SVI_RELATION_MANAGED;
}

bool svi_gpu_is_pageable(struct svi_device dst, struct svi_device src)
{
    const enum svi_relation relation = svi_relation_of(dst, src);

    return relation == SVI_RELATION_SEND || relation == SVI_RELATION_FETCH;
}

/* --- the decision --------------------------------------------------------------------------------- */

int32_t svi_gpu_far_side(struct svi_device dst, struct svi_device src, int device)
{
    if (svi_relation_of(dst, src) == SVI_RELATION_PEERS)
        return src.id == device ? SVI_SIDE_DST : SVI_SIDE_SRC;
    return svi_device_has(dst.type, SV_TRAIT_HOST) ? SVI_SIDE_DST : SVI_SIDE_SRC;
}

static enum svi_gpu_route between_devices(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                                          int device)
{
    const int32_t far_side = svi_gpu_far_side(dst, src, device);
    const bool has_near = dst.id == device || src.id == device, converts = plan->kind == SVI_CLASS_CAST;
    int64_t calls;

    if (!has_near || svi_gpu_is_pitched(plan))
        return SVI_ROUTE_PEER;
    if (svi_gpu_is_staged(plan, far_side))
        return SVI_ROUTE_STAGED;
    calls = converts ? svi_gpu_staged_calls(plan, far_side) : svi_gpu_pitched_calls(plan);
    if (calls > FEW_CALLS || svi_detour_nbytes(plan, svi_detour_narrow(plan)) >= LEAST_PACKED)
        return SVI_ROUTE_PACKED;
    return converts ? SVI_ROUTE_STAGED : SVI_ROUTE_PEER;
}

/* One long run of the host's memory is what one thread of the driver copies faster than this one does. But the pages of
 * a file cost the driver a fault each, up to a thousand times as long, and some systems hang; and several threads are
 * faster than the driver. */
static bool is_for_driver(const struct svi_request *request, int32_t far_side)
{
    const struct svi_plan *plan = request->plan;
    const char *host = far_side == SVI_SIDE_DST ? request->dst : request->src;
    int64_t offset, nbytes;

    if ((request->flags & SV_COPY_NO_WAIT) || request->threads != NULL || plan->nbytes < svi_gpu_driven_nbytes ||
        svi_detour_nbytes(plan, far_side) > svi_detour_nbytes(plan, svi_detour_narrow(plan)) ||
        !svi_gpu_find_far_run(plan, far_side, &offset, &nbytes))
        return false;
    return host == NULL || svi_find_pages(host + offset, nbytes) == SVI_PAGES_OWN;
}

static enum svi_gpu_route with_pageable(const struct svi_request *request, int32_t far_side)
{
    if (!is_for_driver(request, far_side))
        return SVI_ROUTE_RINGED;
    return request->plan->kind == SVI_CLASS_CONTIGUOUS ? SVI_ROUTE_PITCHED : SVI_ROUTE_STAGED;
}

/* In less than a chunk the way by scratch memory takes longer than a kernel on mapped memory. */
static enum svi_gpu_route with_pinned(const struct svi_plan *plan, int32_t far_side)
{
    if (svi_gpu_is_pitched(plan))
        return SVI_ROUTE_PITCHED;
    return plan->nbytes >= svi_gpu_chunk_nbytes && svi_gpu_is_staged(plan, far_side) ? SVI_ROUTE_STAGED
                                                                                     : SVI_ROUTE_MAPPED;
}

enum svi_gpu_route svi_gpu_route_of(enum svi_relation relation, const struct svi_request *request, int device)
{
    const struct svi_device dst = request->dst_device, src = request->src_device;

    switch (relation) {
    case SVI_RELATION_PEERS: return between_devices(request->plan, dst, src, device);
    case SVI_RELATION_SEND:
    case SVI_RELATION_FETCH: return with_pageable(request, svi_gpu_far_side(dst, src, device));
    case SVI_RELATION_PINNED: return with_pinned(request->plan, svi_gpu_far_side(dst, src, device));
    default: return SVI_ROUTE_KERNEL;
    }
}

enum svi_gpu_route svi_gpu_find_route(const struct svi_request *request, int device)
{
    return svi_gpu_route_of(svi_relation_of(request->dst_device, request->src_device), request, device);
}

bool svi_gpu_is_ringed(const struct svi_request *request, int device)
{
    return svi_gpu_find_route(request, device) == SVI_ROUTE_RINGED;
}

const char *svi_gpu_route_name(const struct svi_plan *plan, struct svi_device dst, struct svi_device src)
{
    const struct svi_request request = {.plan = plan, .dst_device = dst, .src_device = src};
    const enum svi_gpu_route route = svi_gpu_find_route(&request, dst.id);
    struct svi_launch_shape shape;

    if (route != SVI_ROUTE_KERNEL)
        return names[route];
    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return "contiguous";
    return svi_launch_shape(plan, 0, 0, &shape) ? svi_kernel_name(shape.kernel) + sizeof "svi_" - 1 : names[route];
}
