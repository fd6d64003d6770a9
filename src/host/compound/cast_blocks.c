/*
 * Conversions by blocks that have about as long runs in the order of the source as in that of the destination. The
 * items of a block are put in the order of the destination in a buffer in cache, and converted from there to the runs
 * of the destination or, if these are short, to a second buffer that is then copied. The next block is prefetched
 * meanwhile.
 */
#include "host/convert/cast_job.h"
#include "base/checked.h"
#include "plan/part.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"
#include "host/compound/cast_blocks.h"
#include "host/compound/two_pass.h"
#include "host/convert/convert.h"
#include "host/convert/scaled.h"

/* Measured: doc/internals/copy_experiments.md#rows-one-by-one-or-by-blocks. */
enum {
    LONG_ROW_ITEMS = 32 /* items of a row that is read as a whole, whatever the order of the axes */
};

/* The shape of a block. */
struct block {
    int64_t *shape;
    int64_t size; /* items of the block */
};

/* Extends a block along an axis, to at most `most` items. Returns whether it has all of the axis. */
static bool extend_block(struct block *b, const struct svi_plan *plan, int32_t axis, int64_t most)
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
    for (int32_t k = plan->ndim - 1; k >= 0 && extend_block(b, plan, k, most);)
        k--;
}

/* The next slower axis than `axis` (-1: the fastest one) in the order of the source, without axes of stride 0. -1:
 * none. */
static int32_t axis_after(const struct svi_plan *plan, int32_t axis)
{
    const int64_t least = axis < 0 ? 0 : (int64_t)svi_abs(plan->src[axis]);
    int32_t best = -1;
    int64_t best_stride = INT64_MAX;

    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        const int64_t stride = (int64_t)svi_abs(plan->src[k]);
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
    for (int32_t k = axis_after(plan, -1); k >= 0 && extend_block(b, plan, k, most);)
        k = axis_after(plan, k);
}

/* Rounds runs that are a part of their axis to whole lines of the destination, and to whole blocks of numbers. */
static void align_block(struct block *b, const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = b->shape[last];

    if (count < plan->shape[last] && count > SVI_BLOCK) {
        b->size = b->size / count * (count / SVI_BLOCK * SVI_BLOCK);
        b->shape[last] = count / SVI_BLOCK * SVI_BLOCK;
    }
}

/* Contiguous items in the destination: of the last axis, or joined with those of the axes before it. */
static int64_t items_of_run(const struct svi_plan *plan, bool joined)
{
    const int32_t first = joined ? 0 : plan->ndim - 1;
    int64_t count = 1;

    for (int32_t k = plan->ndim - 1; k >= first && plan->dst[k] == count * plan->item; k--)
        count *= plan->shape[k];
    return count;
}

/* Chooses the shape of a block. Returns whether it has runs that are stored one by one, without a second buffer. dst:
 * the address of the first row. */
static bool choose_cast_block(const struct svi_cast *c, const char *dst, int64_t *shape)
{
    const struct svi_plan *plan = c->plan;
    const int32_t joined_bytes = c->machine->tuning->cast_joined_bytes;
    const bool has_parts = ((uintptr_t)dst | (uintptr_t)svi_row_nbytes(plan)) % SVI_LINE != 0; /* of lines */
    const bool has_runs = items_of_run(plan, joined_bytes > 0) >= SVI_CAST_RUN;
    const int64_t item = plan->item > plan->src_item ? plan->item : plan->src_item;
    const int64_t most = has_runs ? 2 * SVI_CAST_BLOCK / plan->src_item : SVI_CAST_BLOCK / item;
    const int64_t row = plan->shape[plan->ndim - 1];
    int64_t run = !has_runs ? 32 : row >= SVI_CAST_RUN ? SVI_CAST_RUN : joined_bytes / plan->item;
    struct block b = {shape, 1};

    while (run * run * 2 < most)
        run *= 2;
    for (int32_t k = 0; k < plan->ndim; k++)
        b.shape[k] = 1;
    if (!svi_cast_has_rows(plan) || !has_runs || row < LONG_ROW_ITEMS ||
        !has_parts) { /* else whole runs are read in any order */
        take_in_order_of_destination(&b, plan, svi_smaller(run, most));
        take_in_order_of_source(&b, plan, most);
    }
    take_in_order_of_destination(&b, plan, most);
    align_block(&b, plan);
    return has_runs;
}

/* --- the plans of a block -------------------------------------------------------- */

/* The strides of a buffer that is dense in the order of the plan. */
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

void svi_cast_walk_runs(const struct svi_plan *plan, const int64_t *shape, int32_t count, char *dst, const char *src,
                        struct svi_odometer *out)
{
    int64_t strides[SVI_PLAN_NDIM];

    dense_strides(plan, shape, plan->src_item, strides);
    svi_odometer_begin(out, dst, src);
    for (int32_t k = 0; k < count; k++)
        svi_odometer_add(out, shape[k], plan->dst[k], strides[k]);
}

void svi_plan_buffered(const struct svi_plan *plan, const int64_t *shape, bool in, struct svi_plan *out)
{
    const int64_t item = in ? plan->src_item : plan->item;
    int64_t strides[SVI_PLAN_NDIM];

    dense_strides(plan, shape, item, strides);
    svi_plan_make(plan->ndim, shape, in ? strides : plan->dst, in ? plan->src : strides, item, out);
    svi_plan_set_reach(out, 0); /* the buffer stays in L1, and the source is prefetched */
}

/* --- the walk ----------------------------------------------------------------------- */

const char *svi_cast_order(const struct svi_machine *in_cache, const struct svi_plan *in, char *buffer, const char *src)
{
    if (in->kind == SVI_CLASS_CONTIGUOUS)
        return src + in->src_offset;
    svi_host_run_block(in_cache, in, buffer, src);
    return buffer;
}

struct walk {
    const struct svi_cast *c;
    int64_t most[SVI_PLAN_NDIM];  /* items of a block along each axis of the plan; fewer at its end */
    int32_t axes[SVI_PLAN_NDIM];  /* of the plan, which those of the grid of blocks are */
    struct svi_odometer at;       /* the next block */
    int64_t first[SVI_PLAN_NDIM]; /* of this block, along each axis, */
    int64_t shape[SVI_PLAN_NDIM]; /* and how many items; what follows is for blocks of this shape */
    int64_t size;                 /* items; 0 before the first block */
    int64_t run;                  /* those that are one run in the destination; */
    bool has_runs;                /* they are stored one by one */
    struct svi_odometer runs;     /* over them, from the buffer, if so */
    struct svi_plan in;           /* to the buffer */
    struct svi_plan out;          /* from the second buffer, if not */
    struct svi_ahead lies;        /* where a block is in the source, */
    int64_t lowest;               /* from so many bytes after its first item on */
    _Alignas(SVI_LINE) char buffer[2 * SVI_CAST_BLOCK];
};

/* Lays out the grid of blocks. The axis that is fastest in the source is the last, so that blocks are in its order. */
static void lay_grid(struct walk *w, char *dst, const char *src)
{
    const struct svi_plan *plan = w->c->plan;

    svi_odometer_begin(&w->at, dst, src);
    for (int32_t i = 0; i < plan->ndim + 1; i++) {
        const int32_t k = i < plan->ndim ? i : plan->src_axis;
        const int64_t most = k < 0 ? 1 : w->most[k];

        if (k >= 0 && (k != plan->src_axis || i == plan->ndim))
            w->axes[svi_odometer_add(&w->at, svi_divide_up(plan->shape[k], most), plan->dst[k] * most,
                                     plan->src[k] * most)] = k;
    }
}

/* Finds the rows of the source that a block reads, to prefetch them: axes with gaps of less than a line are one row,
 * and one more axis is a number of such rows. */
static void find_lines(struct walk *w)
{
    const struct svi_plan *plan = w->c->plan;
    int32_t k = axis_after(plan, -1);

    w->lies = (struct svi_ahead){.nbytes = plan->src_item, .rows = 1};
    w->lowest = 0;
    while (k >= 0 && (int64_t)svi_abs(plan->src[k]) <= w->lies.nbytes + SVI_LINE) {
        w->lies.nbytes += (int64_t)svi_abs(plan->src[k]) * (w->shape[k] - 1);
        w->lowest += plan->src[k] < 0 ? plan->src[k] * (w->shape[k] - 1) : 0;
        k = axis_after(plan, k);
    }
    if (k >= 0) {
        w->lies.rows = w->shape[k];
        w->lies.step = plan->src[k];
    }
    w->lies.lines = (w->lies.nbytes / SVI_LINE + 1) * w->lies.rows * svi_cast_piece(plan) / w->size + 1;
}

static void prepare_walk(struct walk *w, bool has_runs)
{
    const struct svi_plan *plan = w->c->plan;
    int32_t axis;

    w->size = 1;
    for (int32_t k = 0; k < plan->ndim; k++)
        w->size *= w->shape[k];
    svi_plan_buffered(plan, w->shape, true, &w->in);
    axis = svi_cast_find_run(plan, w->shape, &w->run);
    w->has_runs = has_runs || w->run >= SVI_CAST_RUN;
    if (w->has_runs)
        svi_cast_walk_runs(plan, w->shape, axis, NULL, NULL, &w->runs);
    else
        svi_plan_buffered(plan, w->shape, false, &w->out);
    find_lines(w);
}

/* Moves to the next block. Returns whether its shape differs from the one before. */
static bool locate_block(struct walk *w)
{
    bool changed = w->size == 0;

    for (int32_t i = 0; i < w->at.ndim; i++) {
        const int32_t k = w->axes[i];
        const int64_t first = w->at.axis[i].index * w->most[k];
        const int64_t count = svi_smaller(w->most[k], w->c->plan->shape[k] - first);

        changed = changed || count != w->shape[k];
        w->first[k] = first;
        w->shape[k] = count;
    }
    return changed;
}

/* Converts a block. ahead: the next one, which is prefetched. */
static void convert_walk_block(struct walk *w, char *dst, const char *src, struct svi_ahead *ahead)
{
    const struct svi_cast *c = w->c;
    char *const after = w->buffer + SVI_CAST_BLOCK;
    const char *items = svi_cast_order(&c->in_cache, &w->in, w->buffer, src);
    struct svi_cast_items run = {.count = w->run};

    if (!w->has_runs) {
        svi_convert_items(c, &(struct svi_cast_items){after, items, 0, w->size});
        svi_host_run_block(&c->in_cache, &w->out, dst, after);
        return;
    }
    w->runs.dst = dst; /* after the last run it is at the first index again */
    w->runs.src = items;
    do {
        run.dst = w->runs.dst;
        run.src = w->runs.src;
        svi_cast_run(c, &run, ahead);
        run.first += run.count;
    } while (svi_odometer_next(&w->runs));
}

bool svi_cast_blocks(const struct svi_cast *c, char *dst, const char *src)
{
    struct walk *w = svi_scratch_new(sizeof *w);
    bool has_runs, more;

    if (w == NULL)
        return false;
    w->c = c;
    w->size = 0;
    has_runs = choose_cast_block(c, dst, w->most);
    lay_grid(w, dst, src);
    do {
        struct svi_ahead ahead;

        if (locate_block(w))
            prepare_walk(w, has_runs);
        if (c->scaling != NULL)
            svi_scaling_enter(c->scaling, w->first, w->shape);
        dst = w->at.dst;
        src = w->at.src;
        more = svi_odometer_next(&w->at);
        ahead = w->lies;
        ahead.row = w->at.src + w->lowest;
        convert_walk_block(w, dst, src, &ahead);
    } while (more);
    svi_scratch_free(w);
    return true;
}
