/* Many small copies in one launch, whose time would else be theirs. */
#include "cuda/copies.h"
#include "cuda/launch_batched.h"
#include "cuda/route.h"

enum {
    MOST = 1 << 20,        /* bytes of a copy: launches of larger ones cost little */
    MOST_MAPPED = 1 << 16, /* of one with pinned memory: the copy engine is better at larger ones */
};

bool svi_cuda_batches(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, uint32_t flags)
{
    if (plan->kind == SVI_CLASS_CAST || plan->nbytes > MOST)
        return false;
    switch (svi_cuda_find_route(plan, dst, src, dst.id, flags)) {
    case SVI_ROUTE_KERNEL:
        return true;
    case SVI_ROUTE_MAPPED:
        return plan->nbytes <= MOST_MAPPED;
    case SVI_ROUTE_PITCHED:
        return plan->nbytes <= MOST_MAPPED && !svi_devices[dst.type].pageable && !svi_devices[src.type].pageable;
    default:
        return false;
    }
}

static sv_status copy_run(const struct svi_transfer *t, cudaStream_t stream)
{
    cudaError_t error = svi_cuda_api.copy(t->dst, t->src, (size_t)t->nbytes, cudaMemcpyDefault, stream);

    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "copying runs of a batch");
}

/* Both addresses are within the device's reach. */
static sv_status launch(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                        cudaStream_t stream)
{
    struct svi_launch_shape shape;

    if (plan == NULL && count == 1)
        return copy_run(transfers, stream);
    if (plan == NULL)
        svi_launch_runs(count, transfers, &shape);
    if (plan == NULL || (count > 1 && svi_launch_batched(plan, count, transfers, &shape)))
        return svi_cuda_launch_shaped(&shape, transfers->dst, transfers->src, stream);
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(svi_cuda_launch(plan, transfers[i].dst, transfers[i].src, stream));
    return SV_OK;
}

/* --- pinned memory --------------------------------------------------------------------------------- */

/* The address by which devices know one of a side's addresses, offset bytes before a byte that is there. */
static sv_status map(const void *address, int64_t offset, char **out)
{
    SVI_TRY(svi_cuda_find_mapped((const char *)address + offset, out));
    if (*out != NULL)
        *out -= offset;
    return SV_OK;
}

/* As devices know them; *known: whether they know all. */
static sv_status map_all(const struct svi_request *request, bool to_host, int64_t count,
                         const struct svi_transfer *transfers, struct svi_transfer *out, bool *known)
{
    const struct svi_plan *plan = request->plan;
    const int64_t offset = plan == NULL ? 0 : to_host ? plan->dst_offset : plan->src_offset;

    *known = true;
    for (int64_t i = 0; i < count && *known; i++) {
        char *address;

        out[i] = transfers[i];
        SVI_TRY(map(to_host ? transfers[i].dst : transfers[i].src, offset, &address));
        *known = address != NULL;
        if (to_host)
            out[i].dst = address;
        else
            out[i].src = address;
    }
    return SV_OK;
}

static sv_status copy_pinned(const struct svi_request *request, bool to_host, int64_t count,
                             const struct svi_transfer *transfers, cudaStream_t stream)
{
    const struct svi_plan *plan = request->plan;
    struct svi_transfer mapped[SVI_TRANSFERS];
    bool known;

    SVI_TRY(map_all(request, to_host, count, transfers, mapped, &known));
    if (known)
        return launch(plan, count, mapped, stream);
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(plan == NULL ? copy_run(&transfers[i], stream)
                             : svi_cuda_copy_pitched(plan, transfers[i].dst, transfers[i].src, stream));
    return SV_OK;
}

sv_status svi_cuda_copy_batched(const struct svi_request *request, int64_t count, const struct svi_transfer *transfers,
                                cudaStream_t stream)
{
    const bool to_host = svi_device_has(request->dst_device.type, SV_TRAIT_HOST);
    const bool is_within = svi_cuda_is_within(request->dst_device, request->src_device);

    return is_within ? launch(request->plan, count, transfers, stream)
                     : copy_pinned(request, to_host, count, transfers, stream);
}
