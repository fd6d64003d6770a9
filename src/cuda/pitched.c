/* Rows moved by the runtime's copy engine: between host and device or two devices, at any pitch, without a kernel. */
#include "cuda/copies.h"

enum {
    LONGEST_PITCH = INT32_MAX, /* that every device takes */
    SHORTEST_ROW = 512,        /* bytes: shorter ones are faster by a kernel */
    MOST_CALLS = 64
};

/* A run in both becomes one item. */
static void join_runs(struct svi_plan *plan)
{
    while (plan->ndim > 0 && plan->dst[plan->ndim - 1] == plan->item && plan->src[plan->ndim - 1] == plan->item)
        plan->item *= plan->shape[--plan->ndim];
}

static bool has_pitch(const struct svi_plan *plan, int64_t stride)
{
    return stride >= plan->item && stride <= LONGEST_PITCH;
}

/* Whether the last axis of joined runs goes in one call. */
static bool is_one_call(const struct svi_plan *joined)
{
    const int32_t rows = joined->ndim - 1;

    return rows < 0 || (has_pitch(joined, joined->dst[rows]) && has_pitch(joined, joined->src[rows]));
}

bool svi_cuda_is_pitched(const struct svi_plan *plan)
{
    struct svi_plan joined = *plan;
    int64_t calls = 1;

    if (plan->kind == SVI_CLASS_CAST)
        return false;
    join_runs(&joined);
    if (joined.ndim == 0)
        return true;
    for (int32_t axis = is_one_call(&joined) ? joined.ndim - 2 : joined.ndim - 1; axis >= 0; axis--) {
        if (joined.shape[axis] > MOST_CALLS / calls)
            return false;
        calls *= joined.shape[axis];
    }
    return joined.item >= SHORTEST_ROW;
}

int64_t svi_cuda_pitched_calls(const struct svi_plan *plan)
{
    struct svi_plan joined = *plan;
    int64_t calls = 1;

    join_runs(&joined);
    for (int32_t axis = is_one_call(&joined) ? joined.ndim - 2 : joined.ndim - 1; axis >= 0; axis--)
        calls *= joined.shape[axis];
    return calls;
}

/* count rows of plan->item bytes. */
static cudaError_t copy_rows(const struct svi_plan *plan, int64_t count, char *dst, const char *src,
                             cudaStream_t stream)
{
    const size_t width = (size_t)plan->item;
    const int64_t dst_pitch = count > 1 ? plan->dst[plan->ndim - 1] : 0;
    const int64_t src_pitch = count > 1 ? plan->src[plan->ndim - 1] : 0;
    cudaError_t error = cudaSuccess;

    if (count > 1 && is_one_call(plan))
        return svi_cuda_api.copy_rows(dst, (size_t)dst_pitch, src, (size_t)src_pitch, width, (size_t)count,
                                      cudaMemcpyDefault, stream);
    for (int64_t i = 0; i < count && error == cudaSuccess; i++)
        error = svi_cuda_api.copy(dst + i * dst_pitch, src + i * src_pitch, width, cudaMemcpyDefault, stream);
    return error;
}

/* The last axis by rows, those before it one after another. */
static cudaError_t copy_all(const struct svi_plan *plan, char *dst, const char *src, cudaStream_t stream)
{
    const int32_t outer = plan->ndim > 0 ? plan->ndim - 1 : 0;
    const int64_t rows = plan->ndim > 0 ? plan->shape[outer] : 1;
    int64_t index[SVI_PLAN_NDIM] = {0};

    for (;;) {
        cudaError_t error = copy_rows(plan, rows, dst, src, stream);
        int32_t axis = outer - 1;

        if (error != cudaSuccess)
            return error;
        for (; axis >= 0; axis--) {
            dst += plan->dst[axis];
            src += plan->src[axis];
            if (++index[axis] < plan->shape[axis])
                break;
            dst -= plan->shape[axis] * plan->dst[axis];
            src -= plan->shape[axis] * plan->src[axis];
            index[axis] = 0;
        }
        if (axis < 0)
            return cudaSuccess;
    }
}

sv_status svi_cuda_copy_pitched(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream)
{
    struct svi_plan joined = *plan;
    cudaError_t error;

    join_runs(&joined);
    error = copy_all(&joined, (char *)dst + joined.dst_offset, (const char *)src + joined.src_offset, stream);
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "copying rows between host and device");
}

/* Of a single run the runtime is told both devices, so that neither has to read the other's memory. */
sv_status svi_cuda_copy_peer(const struct svi_request *request, cudaStream_t stream)
{
    const struct svi_plan *plan = request->plan;
    struct svi_plan joined = *plan;
    cudaError_t error;

    join_runs(&joined);
    if (joined.ndim > 0) {
        error = copy_all(&joined, (char *)request->dst + joined.dst_offset,
                         (const char *)request->src + joined.src_offset, stream);
    } else {
        error = svi_cuda_api.copy_peer((char *)request->dst + joined.dst_offset, request->dst_device.id,
                                       (const char *)request->src + joined.src_offset, request->src_device.id,
                                       (size_t)joined.item, stream);
    }
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "copying from one device to another");
}
