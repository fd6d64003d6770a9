#include "gpu/route.h"

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"
#include "gpu/launch_shape.h"
#include "gpu/ring.h"
#include "plan/detour.h"
#include "gpu/cuda/find.h"
#include "gpu/pitched.h"
#include "gpu/staged.h"

enum {
    LEAST_PACKED = 1 << 16, /* bytes */
    LEAST_DRIVEN = 4 << 20, /* bytes: less of ordinary memory goes through the ring */
    FEW_CALLS = 16          /* of the copy engine: about as many as a packed copy makes of the runtime */
};

static const char *const names[SVI_ROUTE_COUNT] = {
    [SVI_ROUTE_KERNEL] = "kernel", [SVI_ROUTE_PITCHED] = "pitched", [SVI_ROUTE_MAPPED] = "mapped",
    [SVI_ROUTE_STAGED] = "staged", [SVI_ROUTE_RINGED] = "ringed",   [SVI_ROUTE_PEER] = "peer",
    [SVI_ROUTE_PACKED] = "packed",
};

/* --- what devices are --------------------------------------------------------------------------- */

static bool is_cuda_managed(struct svi_device device)
{
    return svi_devices[device.type].owner == SVI_FAMILY_CUDA && svi_device_has(device.type, SV_TRAIT_MANAGED);
}

/* Memory of one device alone. */
static bool on_device(struct svi_device device)
{
    return svi_devices[device.type].owner == SVI_FAMILY_CUDA && !svi_device_has(device.type, SV_TRAIT_MANAGED);
}

/* Memory that the host reads too, by the addresses that devices know. */
static bool on_host(struct svi_device device)
{
    return svi_device_has(device.type, SV_TRAIT_HOST) && svi_devices[device.type].unified;
}

bool svi_gpu_is_within(struct svi_device dst, struct svi_device src)
{
    return on_device(dst) ? is_cuda_managed(src) || (on_device(src) && dst.id == src.id)
                          : is_cuda_managed(dst) && (on_device(src) || is_cuda_managed(src));
}

bool svi_gpu_is_pageable(struct svi_device dst, struct svi_device src)
{
    return svi_devices[dst.type].pageable || svi_devices[src.type].pageable;
}

static bool is_between_devices(struct svi_device dst, struct svi_device src)
{
    return on_device(dst) && on_device(src) && dst.id != src.id;
}

/* Managed memory is the host's to copy where no device can have work on it. */
bool svi_gpu_reaches(struct svi_device dst, struct svi_device src)
{
    if (on_device(dst))
        return on_device(src) || is_cuda_managed(src) || on_host(src);
    if (on_device(src))
        return is_cuda_managed(dst) || on_host(dst);
    return svi_gpu_is_within(dst, src) && svi_cuda_find()->state == SV_STATE_READY;
}

bool svi_gpu_converts(struct svi_device dst, struct svi_device src, const struct svi_chain *chain)
{
    (void)chain;
    return svi_gpu_reaches(dst, src);
}

bool svi_gpu_needs_stream(struct svi_device dst, struct svi_device src)
{
    return is_between_devices(dst, src) || !(on_device(dst) || on_device(src));
}

/* --- the decision --------------------------------------------------------------------------------- */

int32_t svi_gpu_far_side(struct svi_device dst, struct svi_device src, int device)
{
    return on_device(src) && (!on_device(dst) || src.id == device) ? SVI_SIDE_DST : SVI_SIDE_SRC;
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

static bool is_dense_plan(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_CONTIGUOUS || (plan->kind != SVI_CLASS_CAST && plan->ndim == 0);
}

/* One run of the host's memory is what the driver copies faster than libsv's ring does. */
static enum svi_gpu_route with_pageable(const struct svi_plan *plan, int32_t far_side, uint32_t flags)
{
    if (flags & SV_COPY_NO_WAIT)
        return SVI_ROUTE_RINGED;
    if (is_dense_plan(plan))
        return SVI_ROUTE_PITCHED;
    if (plan->nbytes < LEAST_DRIVEN ||
        svi_detour_nbytes(plan, far_side) > svi_detour_nbytes(plan, svi_detour_narrow(plan)))
        return SVI_ROUTE_RINGED;
    return svi_gpu_is_staged_dense(plan, far_side) ? SVI_ROUTE_STAGED : SVI_ROUTE_RINGED;
}

/* In less than a chunk the way by scratch memory takes longer than a kernel on mapped memory. */
static enum svi_gpu_route with_pinned(const struct svi_plan *plan, int32_t far_side)
{
    if (svi_gpu_is_pitched(plan))
        return SVI_ROUTE_PITCHED;
    return plan->nbytes >= svi_gpu_chunk_nbytes && svi_gpu_is_staged(plan, far_side) ? SVI_ROUTE_STAGED
                                                                                     : SVI_ROUTE_MAPPED;
}

enum svi_gpu_route svi_gpu_find_route(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                                      int device, uint32_t flags)
{
    if (svi_gpu_is_within(dst, src))
        return SVI_ROUTE_KERNEL;
    if (is_between_devices(dst, src))
        return between_devices(plan, dst, src, device);
    if (svi_gpu_is_pageable(dst, src))
        return with_pageable(plan, svi_gpu_far_side(dst, src, device), flags);
    return with_pinned(plan, svi_gpu_far_side(dst, src, device));
}

const char *svi_gpu_route_name(const struct svi_plan *plan, struct svi_device dst, struct svi_device src)
{
    const enum svi_gpu_route route = svi_gpu_find_route(plan, dst, src, dst.id, 0);
    struct svi_launch_shape shape;

    if (route != SVI_ROUTE_KERNEL)
        return names[route];
    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return "contiguous";
    return svi_launch_shape(plan, 0, 0, &shape) ? svi_kernel_name(shape.kernel) + sizeof "svi_" - 1 : names[route];
}
