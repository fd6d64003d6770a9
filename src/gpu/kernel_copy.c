/* Copies by the kernels of a device: both addresses are ones that it reads and writes itself. */
#include "gpu/kernel_copy.h"

#include <string.h>

#include "base/checked.h"
#include "gpu/launch_batched.h"
#include "gpu/launch_fill.h"
#include "gpu/launch_parts.h"
#include "gpu/launch_scaled.h"
#include "gpu/launch_shape.h"
#include "plan/part.h"

enum { WORD = 4, LEAST_SHIFTED = 1 << 16 /* bytes */ };

/* Kernels count to 2^31. */
static sv_status launch_halves(const struct svi_plan *plan, void *dst, const void *src,
                               const struct svi_gpu_queue *queue)
{
    struct svi_plan half;

    for (int32_t which = 0; which < 2; which++) {
        svi_launch_half(plan, which, &half);
        SVI_TRY(svi_gpu_launch(&half, dst, src, queue));
    }
    return SV_OK;
}

sv_status svi_gpu_launch_fill(const struct svi_plan *plan, void *dst, const char *item,
                              const struct svi_gpu_queue *queue)
{
    struct svi_launch_shape shape;
    struct svi_plan half;

    if (svi_family_fill(plan, (uintptr_t)dst, item, &shape))
        return queue->calls->launch(queue, &shape, dst, NULL);
    for (int32_t which = 0; which < 2; which++) {
        svi_launch_half(plan, which, &half);
        SVI_TRY(svi_gpu_launch_fill(&half, dst, item, queue));
    }
    return SV_OK;
}

/* The driver's copy is the fastest but for bytes whose words of four begin elsewhere on the two sides. */
static bool is_drivers(const struct svi_plan *plan, const char *dst, const char *src)
{
    const uintptr_t apart = (uintptr_t)(dst + plan->dst_offset) - (uintptr_t)(src + plan->src_offset);

    return plan->kind == SVI_CLASS_CONTIGUOUS && (plan->nbytes < LEAST_SHIFTED || apart % WORD == 0);
}

/* Parameters have room for so many indices of the axis that a scale changes along. */
static sv_status launch_along_scale(const struct svi_plan *plan, void *dst, const void *src, int64_t indices,
                                    const struct svi_gpu_queue *queue)
{
    const int32_t axis = plan->scaled.axis;
    int64_t first[SVI_PLAN_NDIM] = {0}, count[SVI_PLAN_NDIM];
    struct svi_plan part;

    memcpy(count, plan->shape, (size_t)plan->ndim * sizeof *count);
    for (; first[axis] < plan->shape[axis]; first[axis] += indices) {
        count[axis] = svi_smaller(indices, plan->shape[axis] - first[axis]);
        svi_plan_box(plan, first, count, &part);
        SVI_TRY(svi_gpu_launch(&part, dst, src, queue));
    }
    return SV_OK;
}

static bool is_along_scale(const struct svi_plan *plan, int64_t *indices)
{
    *indices = svi_scales(plan) ? svi_scaled_indices(plan) : INT64_MAX;
    return *indices < INT64_MAX && *indices < plan->shape[plan->scaled.axis];
}

sv_status svi_gpu_launch(const struct svi_plan *plan, void *dst, const void *src, const struct svi_gpu_queue *queue)
{
    struct svi_launch_shape shape;
    int64_t indices;

    if (is_along_scale(plan, &indices))
        return launch_along_scale(plan, dst, src, indices, queue);
    if (is_drivers(plan, dst, src))
        return queue->calls->copy(queue, (char *)dst + plan->dst_offset, (const char *)src + plan->src_offset,
                                  plan->nbytes);
    if (!svi_launch_shape(plan, (uintptr_t)dst, (uintptr_t)src, &shape))
        return launch_halves(plan, dst, src, queue);
    return queue->calls->launch(queue, &shape, dst, src);
}

sv_status svi_gpu_launch_many(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                              const struct svi_gpu_queue *queue)
{
    struct svi_launch_shape shape;

    if (plan == NULL && count == 1)
        return queue->calls->copy(queue, transfers->dst, transfers->src, transfers->nbytes);
    if (plan == NULL)
        svi_batch_runs(count, transfers, &shape);
    if (plan == NULL || (count > 1 && svi_launch_batched(plan, count, transfers, &shape)))
        return queue->calls->launch(queue, &shape, transfers->dst, transfers->src);
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(svi_gpu_launch(plan, transfers[i].dst, transfers[i].src, queue));
    return SV_OK;
}
