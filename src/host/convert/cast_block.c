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

/* --- the plans of a block -------------------------------------------------------- */

enum { IN_CACHE = 0 }; /* reach of a block: its buffer stays in the first cache, and the source is fetched */

void svi_cast_dense_strides(const struct svi_plan *plan, const int64_t *shape, int64_t item, int64_t *out)
{
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        out[k] = item;
        item *= shape[k];
    }
}

int32_t svi_cast_find_run(const struct svi_plan *plan, const int64_t *shape, int64_t *run)
{
    int32_t axis = plan->ndim;

    *run = 1;
    while (axis > 0 && plan->dst[axis - 1] == *run * plan->item) {
        *run *= shape[--axis];
        if (shape[axis] < plan->shape[axis])
            break;
    }
    return axis;
}

void svi_cast_plan_runs(const struct svi_plan *plan, const int64_t *shape, const int64_t *strides, int32_t count,
                      struct svi_plan *out)
{
    out->ndim = count;
    for (int32_t k = 0; k < count; k++) {
        out->shape[k] = shape[k];
        out->dst[k] = plan->dst[k];
        out->src[k] = strides[k];
    }
}

void svi_cast_plan_in(const struct svi_plan *plan, const int64_t *shape, int64_t *strides, struct svi_plan *out)
{
    svi_cast_dense_strides(plan, shape, plan->src_item, strides);
    svi_plan_make(plan->ndim, shape, strides, plan->src, plan->src_item, out);
    out->reach = IN_CACHE;
}

void svi_cast_plan_out(const struct svi_plan *plan, const int64_t *shape, int64_t *strides, struct svi_plan *out)
{
    svi_cast_dense_strides(plan, shape, plan->item, strides);
    svi_plan_make(plan->ndim, shape, plan->dst, strides, plan->item, out);
    out->reach = IN_CACHE;
}

void svi_cast_lay_grid(const struct svi_plan *plan, const struct svi_cast_block *b, struct svi_plan *grid,
                       int32_t *axes)
{
    grid->ndim = 0;
    for (int32_t i = 0; i < plan->ndim + 1; i++) {
        const int32_t k = i < plan->ndim ? i : plan->tile;

        if (k < 0 || (k == plan->tile && i < plan->ndim))
            continue;
        axes[grid->ndim] = k;
        grid->shape[grid->ndim] = (plan->shape[k] + b->shape[k] - 1) / b->shape[k];
        grid->dst[grid->ndim] = plan->dst[k] * b->shape[k];
        grid->src[grid->ndim] = plan->src[k] * b->shape[k];
        grid->ndim++;
    }
}
