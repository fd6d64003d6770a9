/*
 * Conversions by blocks: their shape, the plans of their copies, and the walk over them. cast.c and affine.c convert
 * what the walk brings into order.
 */
#include "cast_job.h"
#include "host/dispatch/dispatch.h"

/* The shape of a block. */
struct block {
    int64_t *shape;
    int64_t size;  /* items */
    bool has_runs; /* these are stored one by one, and there is no second buffer */
};

/* More of an axis, as far as it goes and the block has less than most items. Whether all of the axis is taken. */
static bool take(struct block *b, const struct svi_plan *plan, int32_t axis, int64_t most)
{
    const int64_t others = b->size / b->shape[axis];
    const int64_t count = svi_smaller(plan->shape[axis], most / others);

    if (count > b->shape[axis]) {
        b->shape[axis] = count;
        b->size = others * count;
    }
    return b->shape[axis] == plan->shape[axis];
}

static void take_in_order_of_destination(struct block *b, const struct svi_plan *plan, int64_t most)
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

static void take_in_order_of_source(struct block *b, const struct svi_plan *plan, int64_t most)
{
    int32_t k = svi_cast_axis_after(plan, -1);

    while (k >= 0 && take(b, plan, k, most))
        k = svi_cast_axis_after(plan, k);
}

/* Runs that are not all of their axis are whole lines of the destination, and whole blocks of numbers. */
static void align_block(struct block *b, const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = b->shape[last];

    if (count < plan->shape[last] && count > SVI_BLOCK) {
        b->size = b->size / count * (count / SVI_BLOCK * SVI_BLOCK);
        b->shape[last] = count / SVI_BLOCK * SVI_BLOCK;
    }
}

/* As near to a square of both sides' orders as it gets. Whether it has runs. */
static bool choose_block(const struct svi_plan *plan, int64_t *shape)
{
    const int32_t last = plan->ndim - 1;
    struct block b = {shape, 1, plan->dst[last] == plan->item && plan->shape[last] >= SVI_CAST_RUN};
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
    align_block(&b, plan);
    return b.has_runs;
}

/* --- the plans of a block -------------------------------------------------------- */

enum { IN_CACHE = 0 }; /* reach of a block: its buffer stays in L1, and the source is fetched */

/* Of a buffer that is dense in the order of the plan. */
static void dense_strides(const struct svi_plan *plan, const int64_t *shape, int64_t item, int64_t *out)
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

void svi_cast_plan_runs(const struct svi_plan *plan, const int64_t *shape, int32_t count, struct svi_plan *out)
{
    int64_t strides[SVI_PLAN_NDIM];

    dense_strides(plan, shape, plan->src_item, strides);
    out->ndim = count;
    for (int32_t k = 0; k < count; k++) {
        out->shape[k] = shape[k];
        out->dst[k] = plan->dst[k];
        out->src[k] = strides[k];
    }
}

void svi_cast_plan_in(const struct svi_plan *plan, const int64_t *shape, struct svi_plan *out)
{
    int64_t strides[SVI_PLAN_NDIM];

    dense_strides(plan, shape, plan->src_item, strides);
    svi_plan_make(plan->ndim, shape, strides, plan->src, plan->src_item, out);
    out->reach = IN_CACHE;
}

void svi_cast_plan_out(const struct svi_plan *plan, const int64_t *shape, struct svi_plan *out)
{
    int64_t strides[SVI_PLAN_NDIM];

    dense_strides(plan, shape, plan->item, strides);
    svi_plan_make(plan->ndim, shape, plan->dst, strides, plan->item, out);
    out->reach = IN_CACHE;
}

/* --- the walk ----------------------------------------------------------------------- */

const char *svi_cast_order(const struct svi_machine *in_cache, const struct svi_plan *in, char *buffer, const char *src)
{
    if (in->kind == SVI_CLASS_CONTIGUOUS)
        return src + in->src_offset;
    svi_host_run_block(in_cache, in, buffer, src);
    return buffer;
}

/* Axes of blocks: the tile's is the last, so that they follow each other along the source. */
static void lay_grid(struct svi_cast_walk *w)
{
    const struct svi_plan *plan = w->plan;
    struct svi_plan *grid = &w->grid;

    grid->ndim = 0;
    for (int32_t i = 0; i < plan->ndim + 1; i++) {
        const int32_t k = i < plan->ndim ? i : plan->tile;

        if (k < 0 || (k == plan->tile && i < plan->ndim))
            continue;
        w->axes[grid->ndim] = k;
        grid->shape[grid->ndim] = (plan->shape[k] + w->most[k] - 1) / w->most[k];
        grid->dst[grid->ndim] = plan->dst[k] * w->most[k];
        grid->src[grid->ndim] = plan->src[k] * w->most[k];
        grid->ndim++;
    }
}

static void prepare(struct svi_cast_walk *w, bool has_runs)
{
    int32_t axis;

    w->size = 1;
    for (int32_t k = 0; k < w->plan->ndim; k++)
        w->size *= w->shape[k];
    svi_cast_plan_in(w->plan, w->shape, &w->in);
    axis = svi_cast_find_run(w->plan, w->shape, &w->run);
    w->has_runs = has_runs || w->run >= SVI_CAST_RUN;
    if (w->has_runs)
        svi_cast_plan_runs(w->plan, w->shape, axis, &w->out);
    else
        svi_cast_plan_out(w->plan, w->shape, &w->out);
}

/* Where the next block is; whether its shape is another. */
static bool locate(struct svi_cast_walk *w)
{
    bool changed = w->size == 0;

    for (int32_t i = 0; i < w->grid.ndim; i++) {
        const int32_t k = w->axes[i];
        const int64_t first = w->at.axis[i].index * w->most[k];
        const int64_t count = svi_smaller(w->most[k], w->plan->shape[k] - first);

        changed = changed || count != w->shape[k];
        w->first[k] = first;
        w->shape[k] = count;
    }
    return changed;
}

static void convert_block(struct svi_cast_walk *w, char *dst, const char *src, svi_cast_convert *convert, void *job)
{
    char *const after = w->buffer + SVI_CAST_BLOCK;
    const char *items = svi_cast_order(w->in_cache, &w->in, w->buffer, src);
    int64_t first = 0;
    struct svi_odometer o;

    if (!w->has_runs) {
        convert(job, after, items, 0, w->size, false);
        svi_host_run_block(w->in_cache, &w->out, dst, after);
        return;
    }
    svi_odometer_init(&o, &w->out, w->out.ndim, -1, dst, items);
    do {
        convert(job, o.dst, o.src, first, w->run, true);
        first += w->run;
    } while (svi_odometer_next(&o));
}

void svi_cast_walk_run(struct svi_cast_walk *w, const struct svi_plan *plan, const struct svi_machine *in_cache,
                       char *dst, const char *src, svi_cast_begin *begin, svi_cast_convert *convert, void *job)
{
    bool has_runs, more;

    w->plan = plan;
    w->in_cache = in_cache;
    w->size = 0;
    has_runs = choose_block(plan, w->most);
    lay_grid(w);
    svi_odometer_init(&w->at, &w->grid, w->grid.ndim, -1, dst, src);
    do {
        const bool changed = locate(w);

        if (changed)
            prepare(w, has_runs);
        dst = w->at.dst;
        src = w->at.src;
        more = svi_odometer_next(&w->at);
        begin(job, w, changed);
        convert_block(w, dst, src, convert, job);
    } while (more);
}
