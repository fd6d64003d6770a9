/* How many operations a copy gives to a stream, route by route: each chunk is looked at as the route would. */
#include "base/alloc.h"
#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"
#include "gpu/ring.h"
#include "gpu/route.h"
#include "plan/split.h"
#include "gpu/kernel_copy.h"
#include "gpu/launch_count.h"
#include "gpu/packed.h"
#include "gpu/pitched.h"

/* What a chunk needs; too much for the stack. */
struct halves {
    bool is_direct; /* of a packed copy: the near half of the whole is rows for the copy engine */
    struct svi_split split;
    struct svi_plan part, in, out;
};

/* The copy engine's half is rows, whose side is the far one. */
static int64_t of_staged_chunk(const struct halves *h, int32_t far_side)
{
    const bool from_far = far_side == SVI_SIDE_SRC;

    return svi_gpu_pitched_calls(from_far ? &h->in : &h->out) + svi_gpu_kernel_launches(from_far ? &h->out : &h->in);
}

/* The device's half is rows for the copy engine, or a kernel's to or from scratch memory. */
static int64_t of_ringed_chunk(const struct halves *h, int32_t host_side)
{
    const struct svi_plan *half = host_side == SVI_SIDE_SRC ? &h->out : &h->in;

    return svi_gpu_is_pitched(half) ? svi_gpu_pitched_calls(half) : 1 + svi_gpu_kernel_launches(half);
}

/* A kernel of the far device, and rows of the near one or a kernel that fills or empties scratch memory. */
static int64_t of_packed_chunk(const struct halves *h, int32_t near_side)
{
    const bool from_far = near_side == SVI_SIDE_DST;
    const struct svi_plan *near = from_far ? &h->out : &h->in, *far = from_far ? &h->in : &h->out;

    return svi_gpu_kernel_launches(far) +
           (h->is_direct || svi_gpu_is_pitched(near) ? svi_gpu_pitched_calls(near) : 1 + svi_gpu_kernel_launches(near));
}

/* Without memory to find it out: at least one for each chunk and half. */
static int64_t of_chunks(const struct svi_plan *plan, int32_t side, int32_t items, int64_t chunk,
                         int64_t (*of_chunk)(const struct halves *h, int32_t side))
{
    struct halves *h = svi_malloc(sizeof *h);
    int64_t count = 0;

    if (h == NULL)
        return 2 * ((svi_detour_nbytes(plan, items) - 1) / chunk + 1);
    svi_detour_make(plan, side, items, &h->in, &h->out);
    h->is_direct = svi_gpu_is_pitched(side == SVI_SIDE_DST ? &h->out : &h->in);
    svi_split_chunks(plan, side, items, chunk, &h->split);
    for (int64_t i = 0; i < h->split.count; i++) {
        svi_split_part(plan, &h->split, i, &h->part);
        svi_detour_make(&h->part, side, items, &h->in, &h->out);
        count += of_chunk(h, side);
    }
    svi_free(h);
    return count;
}

int64_t svi_gpu_count_launches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src,
                               uint32_t flags)
{
    const bool to_host = svi_device_has(dst.type, SV_TRAIT_HOST);
    const int32_t far_side = svi_gpu_far_side(dst, src, dst.id), narrow = svi_detour_narrow(plan);
    const int64_t chunk = svi_gpu_chunk_nbytes;

    switch (svi_gpu_find_route(plan, dst, src, dst.id, flags)) {
    case SVI_ROUTE_KERNEL:
    case SVI_ROUTE_MAPPED: return svi_gpu_kernel_launches(plan);
    case SVI_ROUTE_STAGED: return of_chunks(plan, far_side, far_side, SVI_GPU_STAGED_CHUNKS * chunk, of_staged_chunk);
    case SVI_ROUTE_RINGED:
        return of_chunks(plan, to_host ? SVI_SIDE_DST : SVI_SIDE_SRC, narrow, chunk, of_ringed_chunk);
    case SVI_ROUTE_PACKED:
        return of_chunks(plan, far_side == SVI_SIDE_SRC ? SVI_SIDE_DST : SVI_SIDE_SRC, narrow,
                         svi_gpu_packed_slot(svi_detour_nbytes(plan, narrow), chunk), of_packed_chunk);
    default: return svi_gpu_pitched_calls(plan);
    }
}
