/* Copies by the kernels of a device: both addresses are ones that it reads and writes itself. */
#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"
#include "gpu/launch_batched.h"
#include "gpu/launch_shape.h"
#include "gpu/cuda/error.h"
#include "gpu/kernel_copy.h"
#include "gpu/launch_fill.h"
#include "gpu/cuda/library.h"

enum { WORD = 4, LEAST_SHIFTED = 1 << 16 /* bytes */ };

static sv_status check_launch(cudaError_t error)
{
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "launching the copy");
}

sv_status svi_gpu_launch_shaped(struct svi_launch_shape *shape, void *dst, const void *src, cudaStream_t stream)
{
    void *arguments[] = {&shape->block, &dst, &src};
    const cudaLaunchConfig_t config = {.gridDim = {shape->grid, shape->copies, 1},
                                       .blockDim = {SVI_LAUNCH_THREADS, 1, 1},
                                       .dynamicSmemBytes = shape->shared,
                                       .stream = stream};
    cudaKernel_t function = NULL;

    SVI_TRY(svi_cuda_kernel(shape->kernel, &function));
    return check_launch(svi_cuda_api.launch(&config, (const void *)function, arguments));
}

/* Kernels count to 2^31. */
static sv_status launch_halves(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream)
{
    struct svi_plan half;

    for (int32_t which = 0; which < 2; which++) {
        svi_launch_half(plan, which, &half);
        SVI_TRY(svi_gpu_launch(&half, dst, src, stream));
    }
    return SV_OK;
}

sv_status svi_gpu_launch_fill(const struct svi_plan *plan, void *dst, const char *item, cudaStream_t stream)
{
    struct svi_launch_shape shape;
    struct svi_plan half;

    if (svi_family_fill(plan, (uintptr_t)dst, item, &shape))
        return svi_gpu_launch_shaped(&shape, dst, NULL, stream);
    for (int32_t which = 0; which < 2; which++) {
        svi_launch_half(plan, which, &half);
        SVI_TRY(svi_gpu_launch_fill(&half, dst, item, stream));
    }
    return SV_OK;
}

int64_t svi_gpu_kernel_launches(const struct svi_plan *plan)
{
    struct svi_launch_shape shape;
    struct svi_plan half;
    int64_t count = 0;

    if (plan->kind == SVI_CLASS_CONTIGUOUS || svi_launch_shape(plan, 0, 0, &shape))
        return 1;
    for (int32_t which = 0; which < 2; which++) {
        svi_launch_half(plan, which, &half);
        count += svi_gpu_kernel_launches(&half);
    }
    return count;
}

/* The driver's copy is the fastest but for bytes whose words of four begin elsewhere on the two sides. */
static bool is_drivers(const struct svi_plan *plan, const char *dst, const char *src)
{
    const uintptr_t apart = (uintptr_t)(dst + plan->dst_offset) - (uintptr_t)(src + plan->src_offset);

    return plan->kind == SVI_CLASS_CONTIGUOUS && (plan->nbytes < LEAST_SHIFTED || apart % WORD == 0);
}

sv_status svi_gpu_launch(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream)
{
    struct svi_launch_shape shape;

    if (is_drivers(plan, dst, src))
        return check_launch(svi_cuda_api.copy((char *)dst + plan->dst_offset, (const char *)src + plan->src_offset,
                                              (size_t)plan->nbytes, cudaMemcpyDefault, stream));
    if (!svi_launch_shape(plan, (uintptr_t)dst, (uintptr_t)src, &shape))
        return launch_halves(plan, dst, src, stream);
    return svi_gpu_launch_shaped(&shape, dst, src, stream);
}

static sv_status copy_run(const struct svi_transfer *t, cudaStream_t stream)
{
    return check_launch(svi_cuda_api.copy(t->dst, t->src, (size_t)t->nbytes, cudaMemcpyDefault, stream));
}

sv_status svi_gpu_launch_many(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                              cudaStream_t stream)
{
    struct svi_launch_shape shape;

    if (plan == NULL && count == 1)
        return copy_run(transfers, stream);
    if (plan == NULL)
        svi_batch_runs(count, transfers, &shape);
    if (plan == NULL || (count > 1 && svi_launch_batched(plan, count, transfers, &shape)))
        return svi_gpu_launch_shaped(&shape, transfers->dst, transfers->src, stream);
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(svi_gpu_launch(plan, transfers[i].dst, transfers[i].src, stream));
    return SV_OK;
}
