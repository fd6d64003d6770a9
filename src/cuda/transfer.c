/* Copies between host and device or two devices, run by run: the runtime's copy engine moves rows, at any pitch. */
#include "cuda/api.h"

enum { LONGEST_PITCH = INT32_MAX }; /* that every device takes */

/* count rows of plan->item bytes. */
static cudaError_t copy_rows(const struct svi_plan *plan, int64_t count, char *dst, const char *src,
                             cudaStream_t stream)
{
    const size_t width = (size_t)plan->item;
    const int64_t dst_pitch = count > 1 ? plan->dst[plan->ndim - 1] : 0;
    const int64_t src_pitch = count > 1 ? plan->src[plan->ndim - 1] : 0;
    cudaError_t error = cudaSuccess;

    if (dst_pitch >= plan->item && src_pitch >= plan->item && dst_pitch <= LONGEST_PITCH && src_pitch <= LONGEST_PITCH)
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

/* A run in both becomes one item. */
static void join_runs(struct svi_plan *plan)
{
    while (plan->ndim > 0 && plan->dst[plan->ndim - 1] == plan->item && plan->src[plan->ndim - 1] == plan->item)
        plan->item *= plan->shape[--plan->ndim];
}

/* Both sides are devices, or one is the host. */
static bool is_between_devices(const struct svi_request *request)
{
    return request->dst_device.type == request->src_device.type;
}

/* Of a single run the runtime is told both devices, so that neither has to read the other's memory. */
static cudaError_t copy_joined(const struct svi_request *request, const struct svi_plan *joined, cudaStream_t stream)
{
    char *dst = (char *)request->dst + joined->dst_offset;
    const char *src = (const char *)request->src + joined->src_offset;

    if (is_between_devices(request) && joined->ndim == 0)
        return svi_cuda_api.copy_peer(dst, request->dst_device.id, src, request->src_device.id, (size_t)joined->item,
                                      stream);
    return copy_all(joined, dst, src, stream);
}

sv_status svi_cuda_transfer(const struct svi_request *request, cudaStream_t stream)
{
    struct svi_plan joined = *request->plan;
    cudaError_t error;

    join_runs(&joined);
    error = copy_joined(request, &joined, stream);
    if (error != cudaSuccess)
        return svi_cuda_fail(error, is_between_devices(request) ? "copying from one device to another"
                                                                : "copying between host and device");
    return SV_OK;
}
