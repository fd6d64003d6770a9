#include "cast_job.h"

/* More of an axis, as far as it goes and the block has less than most items. Whether all of the axis is taken. */
static bool take(struct svi_cast_block *b, const struct svi_plan *plan, int32_t axis, int64_t most)
{
    const int64_t others = b->size / b->shape[axis];
    const int64_t count = svi_smaller(plan->shape[axis], most / others);

    if (count > b->shape[axis]) {
        b->shape[axis] = count;
        b->size = others * count;
    }
    return b->shape[axis] == plan->shape[axis];
}

static void take_in_order_of_destination(struct svi_cast_block *b, const struct svi_plan *plan, int64_t most)
{
    int32_t k = plan->ndim - 1;

    while (k >= 0 && take(b, plan, k, most))
        k--;
}

int32_t svi_cast_axis_after(const struct svi_plan *plan, int32_t axis)
{
    const int64_t least = axis < 0 ? 0 : svi_distance(plan->src[axis]);
    int32_t best = -1;
    int64_t best_stride = INT64_MAX;

    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        const int64_t stride = svi_distance(plan->src[k]);
        const bool after = stride > least || (stride == least && axis >= 0 && k < axis);

        if (after && stride < best_stride) {
            best = k;
            best_stride = stride;
        }
    }
    return best;
}

static void take_in_order_of_source(struct svi_cast_block *b, const struct svi_plan *plan, int64_t most)
{
    int32_t k = svi_cast_axis_after(plan, -1);

    while (k >= 0 && take(b, plan, k, most))
        k = svi_cast_axis_after(plan, k);
}

/* Runs that are not all of their axis are whole lines of the destination, and whole blocks of numbers. */
static void align(struct svi_cast_block *b, const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = b->shape[last];

    if (count < plan->shape[last] && count > SVI_BLOCK) {
        b->size = b->size / count * (count / SVI_BLOCK * SVI_BLOCK);
        b->shape[last] = count / SVI_BLOCK * SVI_BLOCK;
    }
}

struct svi_cast_block svi_cast_block_of(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    struct svi_cast_block b = {.size = 1,
                               .has_runs = plan->dst[last] == plan->item && plan->shape[last] >= SVI_CAST_RUN};
    const int64_t item = plan->item > plan->src_item ? plan->item : plan->src_item;
    const int64_t most = b.has_runs ? 2 * SVI_CAST_BLOCK / plan->src_item : SVI_CAST_BLOCK / item;
    int64_t run = b.has_runs ? SVI_CAST_RUN : 32;

    while (run * run * 2 < most)
        run *= 2;
    for (int32_t k = 0; k < plan->ndim; k++)
        b.shape[k] = 1;
    take_in_order_of_destination(&b, plan, run);
    take_in_order_of_source(&b, plan, most);
    take_in_order_of_destination(&b, plan, most);
    align(&b, plan);
    return b;
}
