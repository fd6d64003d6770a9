/* Copies by the kernels of a device: both addresses are ones that it reads and writes itself. */
#include "cuda/copies.h"
#include "cuda/launch_shape.h"

static sv_status check(cudaError_t error)
{
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "launching the copy");
}

static sv_status launch(struct svi_launch_shape *shape, void *dst, const void *src, cudaStream_t stream)
{
    void *arguments[] = {&shape->block, &dst, &src};
    const cudaLaunchConfig_t config = {.gridDim = {shape->grid, 1, 1},
                                       .blockDim = {SVI_LAUNCH_THREADS, 1, 1},
                                       .dynamicSmemBytes = shape->shared,
                                       .stream = stream};
    cudaKernel_t function = NULL;

    SVI_TRY(svi_cuda_kernel(shape->kernel, &function));
    return check(svi_cuda_api.launch(&config, (const void *)function, arguments));
}

static int32_t longest_axis(const struct svi_plan *plan)
{
    int32_t longest = 0;

    for (int32_t axis = 1; axis < plan->ndim; axis++)
        if (plan->shape[axis] > plan->shape[longest])
            longest = axis;
    return longest;
}

/* The longest axis in two: kernels count to 2^31. */
static sv_status launch_halves(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream)
{
    const int32_t axis = longest_axis(plan);
    const int64_t half = plan->shape[axis] / 2;
    int64_t first[SVI_PLAN_NDIM] = {0}, count[SVI_PLAN_NDIM];
    struct svi_plan part;

    for (int32_t k = 0; k < plan->ndim; k++)
        count[k] = plan->shape[k];
    count[axis] = half;
    svi_plan_box(plan, first, count, &part);
    SVI_TRY(svi_cuda_launch(&part, dst, src, stream));
    first[axis] = half;
    count[axis] = plan->shape[axis] - half;
    svi_plan_box(plan, first, count, &part);
    return svi_cuda_launch(&part, dst, src, stream);
}

sv_status svi_cuda_launch(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream)
{
    struct svi_launch_shape shape;

    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return check(svi_cuda_api.copy((char *)dst + plan->dst_offset, (const char *)src + plan->src_offset,
                                       (size_t)plan->nbytes, cudaMemcpyDefault, stream));
    if (!svi_launch_shape(plan, (uintptr_t)dst, (uintptr_t)src, &shape))
        return launch_halves(plan, dst, src, stream);
    return launch(&shape, dst, src, stream);
}
