/*
 * Transposes that are copied block by block in two passes: to a buffer, whose axes have an order between those of both
 * sides, and from there to the destination. They are for runs that are too short for tiles on both sides, or for pixels
 * beyond the cache, and for sides without runs. Each pass is a fast copy: rows, pixels, channels, tiles or a periodic
 * permutation. The order is the one for which both passes take the fewest cycles, by an estimate for each class.
 */
#include <string.h>

#include "base/checked.h"
#include "plan/part.h"
#include "host/base/odometer.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"
#include "host/loop/loop.h"
#include "host/transpose/transpose.h"
#include "host/transpose/two_pass_plans.h"
#include "host/interleave/few_units.h"
#include "host/compound/two_pass.h"

/* Measured: doc/internals/copy_experiments.md#when-are-two-passes-faster-than-one. */
enum {
    SLAB_BYTES = 524288, /* bytes of a buffer from which whole lines are stored by non-temporal stores */
    SLAB_RUN_BYTES = 256, /* bytes of each run of the destination in such a buffer, at least */
    SLAB_RUN_ELEMENTS = 64, /* elements of each such run, at least */
    SLAB_COPY_BYTES = 131072, /* bytes of a copy for which such a buffer pays */
    LONG_SIDE_FACTOR = 4, /* the side without runs has so many times as many elements as the other */
    MAX_WHOLE_AXES = 2, /* fastest axes of each side that a block has whole, if they are short */
    MAX_MOVED_AXES = 4, /* fastest axes of each side that may change their place */
    ELEMENT_CYCLES = 4, /* cycles of an element that is copied alone */
    NESTED_CYCLES = 2, /* cycles of an element in a pass that is two passes itself */
    ROW_CYCLES = 4, /* cycles of a row, besides those of its bytes */
    STORED_ROW_CYCLES = 24, /* cycles of a row that is stored to the destination */
    PIXELS_CYCLES = 64, /* cycles of a plane of pixels in the buffer */
    PLANE_CYCLES = 256, /* cycles of another plane */
    CYCLE_BYTES = 6, /* bytes that a cycle moves */
    STORED_CYCLE_BYTES = 2, /* bytes that a cycle moves by tiles to the destination */
    STEP_ELEMENTS = 32 /* elements at a step that are copied as a row */
};

struct two_pass {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    bool runs_leaves;                /* this is itself a pass, so its passes are leaves */
    int64_t room;                    /* bytes of the buffer */
    int32_t by_src[SVI_PLAN_NDIM], by_dst[SVI_PLAN_NDIM]; /* axes, the fastest of a side first */
    int32_t order[SVI_PLAN_NDIM];    /* the same in the buffer */
    int64_t block[SVI_PLAN_NDIM];    /* elements of each axis of a block that is not at an end */
    int64_t count[SVI_PLAN_NDIM];    /* and of the one that the passes are for */
    struct svi_plan pack, unpack;    /* the passes: from the source, to the destination */
    struct svi_odometer at;
    _Alignas(SVI_LINE) char buffer[];
};

/* --- blocks ----------------------------------------------------------------- */

/* Sorts the axes by the strides of each side. Plans are in the order of the destination. Axes of stride 0 in the source
 * are the slowest there. */
static void sort_axes(struct two_pass *t)
{
    const struct svi_plan *plan = t->plan;

    for (int32_t k = 0; k < plan->ndim; k++) {
        const uint64_t step = svi_abs(plan->src[k]) - 1;
        int32_t place = k;

        for (; place > 0 && svi_abs(plan->src[t->by_src[place - 1]]) - 1 > step; place--)
            t->by_src[place] = t->by_src[place - 1];
        t->by_src[place] = k;
        t->by_dst[k] = plan->ndim - 1 - k;
    }
}

/* Extends the block along an axis, to at most `most` elements, while it fits the buffer. count: elements of the
 * block. */
static void take_axis(struct two_pass *t, int32_t axis, int64_t most, int64_t *count)
{
    const int64_t fits = svi_smaller(svi_larger(t->room / t->plan->item / *count, 1), most);

    if (t->block[axis] != 0)
        return;
    t->block[axis] = svi_smaller(t->plan->shape[axis], fits < SVI_SHORT_AXIS ? fits : fits - fits % SVI_SHORT_AXIS);
    *count *= t->block[axis];
}

/* Takes the axis of fewer elements as a whole, so that rows of the other axis, at a step, are long. */
static void take_short_side(struct two_pass *t, int64_t *count)
{
    const struct svi_plan *plan = t->plan;
    int64_t side = svi_is_sparse(plan) && svi_is_spread(plan) ? 2 * SVI_SHORT_AXIS : SVI_SHORT_AXIS;

    if (t->room > SVI_BUFFER_BYTES) {
        take_axis(t, plan->ndim - 1, svi_larger(SLAB_RUN_ELEMENTS, SLAB_RUN_BYTES / plan->item), count);
        return;
    }
    while (side * side * LONG_SIDE_FACTOR * LONG_SIDE_FACTOR * plan->item < SVI_BUFFER_BYTES)
        side *= 2;
    take_axis(t, svi_is_spread(plan) ? plan->src_axis : plan->ndim - 1, side, count);
}

static void take_whole(struct two_pass *t, const int32_t *axes, int64_t *count)
{
    for (int32_t k = 0; k < MAX_WHOLE_AXES && t->plan->shape[axes[k]] <= SVI_SHORT_AXIS; k++)
        take_axis(t, axes[k], INT64_MAX, count);
}

/* Chooses the block: the fastest axes of both sides, so that it has long runs of each. Short axes are taken first, as a
 * whole. */
static void choose_two_pass_block(struct two_pass *t)
{
    int64_t count = 1;

    memset(t->block, 0, (size_t)t->plan->ndim * sizeof *t->block);
    take_whole(t, t->by_src, &count);
    take_whole(t, t->by_dst, &count);
    if (svi_is_stepped(t->plan))
        take_short_side(t, &count);
    for (int32_t k = 0; k < t->plan->ndim; k++) {
        take_axis(t, t->by_src[k], INT64_MAX, &count);
        take_axis(t, t->by_dst[k], INT64_MAX, &count);
    }
    memcpy(t->count, t->block, (size_t)t->plan->ndim * sizeof *t->block);
}

/* --- passes ------------------------------------------------------------------ */

/* Makes the plans of both passes, for t->count elements of each axis, by t->order. */
static void make_passes(struct two_pass *t)
{
    const struct svi_plan *plan = t->plan;
    int64_t strides[SVI_PLAN_NDIM], nbytes = plan->item;

    for (int32_t k = 0; k < plan->ndim; k++) {
        strides[t->order[k]] = nbytes;
        nbytes *= t->count[t->order[k]];
    }
    svi_plan_make(plan->ndim, t->count, strides, plan->src, plan->item, &t->pack);
    svi_plan_make(plan->ndim, t->count, plan->dst, strides, plan->item, &t->unpack);
    /* Large reach means non-temporal stores. A block of tiles is too small for their start-up time. */
    if (t->room > SVI_BUFFER_BYTES || t->unpack.kind != SVI_CLASS_TRANSPOSE || svi_has_pixels(&t->unpack))
        svi_plan_set_reach(&t->unpack, plan->reach);
}

/* An estimate of the cycles of a pass. A pass to the destination waits longer for each row and plane. */
static int64_t cycles_of(const struct two_pass *t, const struct svi_plan *pass)
{
    const struct svi_isa *isa = t->machine->isa;
    const int64_t items = pass->nbytes / pass->item, last = pass->ndim > 0 ? pass->shape[pass->ndim - 1] : 1;
    const int64_t planes = pass->kind == SVI_CLASS_TRANSPOSE ? items / (last * pass->shape[pass->src_axis]) : 0;
    const bool stores = pass == &t->unpack && t->room == SVI_BUFFER_BYTES;
    const int64_t moved = pass->nbytes / CYCLE_BYTES;
    const int64_t rows = moved + items / last * (stores ? STORED_ROW_CYCLES : ROW_CYCLES);

    switch (pass->kind) {
    case SVI_CLASS_EMPTY:
    case SVI_CLASS_CONTIGUOUS: return moved;
    case SVI_CLASS_ROWS: return rows;
    case SVI_CLASS_TRANSPOSE:
        if (svi_has_pixels(pass))
            return moved + planes * (stores ? PLANE_CYCLES : PIXELS_CYCLES);
        if (svi_has_tiles(t->machine, pass))
            return pass->nbytes / (stores ? STORED_CYCLE_BYTES : CYCLE_BYTES) + items / 2 + planes * PLANE_CYCLES;
        return items * (!t->runs_leaves && svi_is_nested(pass) ? NESTED_CYCLES : ELEMENT_CYCLES);
    case SVI_CLASS_GATHER:
        if (isa->pixels != NULL && svi_is_pixels(pass))
            return rows + items / 2;
    /* fall through */
    case SVI_CLASS_SCATTER:
    case SVI_CLASS_STRIDED:
        if (last >= STEP_ELEMENTS)
            return rows + (isa->permute != NULL && t->machine->permutes_bytes ? items / 2 : items * 2);
    /* fall through */
    default: return items * ELEMENT_CYCLES;
    }
}

/*
 * Makes the order of a candidate. From the order of either side, one of the fastest axes becomes the fastest of all, or
 * it and all faster axes become the slowest.
 */
static void order_of(struct two_pass *t, int32_t candidate)
{
    const int32_t *axes = candidate % 2 == 0 ? t->by_src : t->by_dst, place = candidate / 4, ndim = t->plan->ndim;

    for (int32_t k = 0; k < ndim; k++)
        if (candidate / 2 % 2 != 0)
            t->order[k] = axes[(k + place + 1) % ndim];
        else
            t->order[k] = k == 0 ? axes[place] : axes[k <= place ? k - 1 : k];
}

/* Chooses the cheapest order and makes its passes. False: copying element by element is as fast. */
static bool choose_order(struct two_pass *t)
{
    const struct svi_plan *plan = t->plan;
    const int32_t candidates = 4 * (plan->ndim < MAX_MOVED_AXES ? plan->ndim : MAX_MOVED_AXES);
    int64_t least = INT64_MAX;
    int32_t best = 0;

    for (int32_t k = 0; k < candidates; k++) {
        int64_t cycles;

        order_of(t, k);
        make_passes(t);
        cycles = cycles_of(t, &t->pack) + cycles_of(t, &t->unpack);
        if (cycles < least) {
            least = cycles;
            best = k;
        }
    }
    order_of(t, best);
    make_passes(t);
    if (svi_is_stepped(plan) && svi_is_beyond_cache(t->machine, plan))
        return true;
    return svi_has_pixels(plan) || least < t->pack.nbytes / plan->item * ELEMENT_CYCLES;
}

/* --- all of it -------------------------------------------------------------- */

/* Begins at the first block. Blocks are in the order of the destination. */
static void begin_blocks(struct two_pass *t, char *dst, const char *src)
{
    svi_odometer_init(&t->at, t->plan, t->plan->ndim, -1, dst, src);
    for (int32_t k = 0; k < t->plan->ndim; k++) {
        struct svi_odometer_axis *axis = &t->at.axis[k];

        axis->extent = svi_divide_up(axis->extent, t->block[k]);
        axis->dst *= t->block[k];
        axis->src *= t->block[k];
    }
}

/* Makes the passes of a smaller block at the end of an axis. */
static void fit_block(struct two_pass *t)
{
    bool fits = true;

    for (int32_t k = 0; k < t->plan->ndim; k++) {
        const int64_t left = t->plan->shape[k] - t->at.axis[k].index * t->block[k];
        const int64_t count = svi_smaller(t->block[k], left);

        fits = fits && count == t->count[k];
        t->count[k] = count;
    }
    if (!fits)
        make_passes(t);
}

static void run_two_pass(struct two_pass *t, char *dst, const char *src)
{
    svi_host_kernel *const run_pass = t->runs_leaves ? svi_host_run_leaf : svi_host_run_block;

    begin_blocks(t, dst, src);
    do {
        fit_block(t);
        run_pass(t->machine, &t->pack, t->buffer, t->at.src);
        run_pass(t->machine, &t->unpack, t->at.dst, t->buffer);
    } while (svi_odometer_next(&t->at));
}

static bool has_slabs(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return svi_is_stepped(plan) && svi_is_sparse(plan) && svi_is_beyond_cache(machine, plan) &&
           plan->nbytes >= SLAB_COPY_BYTES;
}

/* --- passes of a block are single loops ---------------------------------------- */

static bool refuses_two_pass(const struct svi_host_copy *c)
{
    if (!svi_is_worth_two_passes(c->machine, c->plan))
        return svi_refuse(c, "it is small, or one pass is as fast");
    return !svi_lacks_tiles(c->machine, c->plan) && !svi_has_pixels(c->plan) && svi_refuse(c, "tiles fit");
}

/* Copies with slabs if they pay, else with blocks in cache. */
static bool two_passes(const struct svi_host_copy *c, bool runs_leaves)
{
    const int64_t room = !runs_leaves && has_slabs(c->machine, c->plan) ? SLAB_BYTES : SVI_BUFFER_BYTES;
    struct two_pass *t = svi_scratch_new(sizeof *t + (size_t)room);
    bool done;

    if (t == NULL)
        return false;
    t->machine = c->machine;
    t->plan = c->plan;
    t->runs_leaves = runs_leaves;
    t->room = room;
    sort_axes(t);
    choose_two_pass_block(t);
    done = choose_order(t) || !svi_refuse(c, "both passes take longer than one");
    if (done && !c->dry_run)
        run_two_pass(t, c->dst, c->src);
    svi_scratch_free(t);
    return done;
}

static bool two_passes_of_leaves(const struct svi_host_copy *c)
{
    return two_passes(c, true);
}

const struct svi_loop svi_loop_two_pass_of_leaves = {
    .name = "two_pass",
    .refuses = refuses_two_pass,
    .run = two_passes_of_leaves,
    .late = true,
    .what = "two copies by way of a buffer, which are loops",
};

void svi_host_run_block(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_run_plan(machine, plan, dst, src, &svi_loop_two_pass_of_leaves);
}

static bool two_passes_of_blocks(const struct svi_host_copy *c)
{
    return two_passes(c, false);
}

const struct svi_loop svi_loop_two_pass = {
    .name = "two_pass",
    .refuses = refuses_two_pass,
    .run = two_passes_of_blocks,
    .late = true,
    .what = "two copies by way of a buffer, where tiles do not fit or do not pay",
};
