/*
 * Transposes whose runs are too short for tiles on both sides, or for pixels beyond the NT threshold, or that have no
 * run on a side. Block by block, in two passes: to a buffer, whose axes are in an order between those of both sides,
 * and from there to the destination. Each pass by itself is rows, pixels, channels, tiles or a periodic permutation.
 */
#include <string.h>

#include "host/base/scratch.h"
#include "host/dispatch/dispatch.h"
#include "two_pass_cost.h"

enum {
    SLAB_BYTES = 524288,       /* of a buffer from which whole lines are stored by non-temporal stores: */
    SLAB_RUN_BYTES = 256,      /* so many of each run of the destination, */
    SLAB_RUN_ELEMENTS = 64,    /* or elements */
    SLAB_COPY_BYTES = 131072,  /* of a copy that is worth it, at least */
    LONG_SIDE = 4,             /* times as many elements of the side without runs as of the other */
    WHOLE_AXES = 2,            /* of the fastest of each side, taken whole if they are short */
    SHORT_PLANE_BYTES = 512,   /* of a run of a plane, */
    SHORT_PIXELS_BYTES = 288   /* or of pixels */
};

/* --- blocks ----------------------------------------------------------------- */

/* Axes of stride 0 in the source are the slowest there; plans are in the order of the destination. */
static void sort_axes(struct svi_two_pass *t)
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

/* As much of an axis as fits the buffer beside count elements of others, but at most so many. */
static void take(struct svi_two_pass *t, int32_t axis, int64_t most, int64_t *count)
{
    const int64_t fits = svi_smaller(svi_larger(t->room / t->plan->item / *count, 1), most);

    if (t->block[axis] != 0)
        return;
    t->block[axis] = svi_smaller(t->plan->shape[axis], fits < SVI_SHORT_AXIS ? fits : fits - fits % SVI_SHORT_AXIS);
    *count *= t->block[axis];
}

/* The axis of which there are fewer elements: rows of the other's elements, at a step, are long. */
static void take_short_side(struct svi_two_pass *t, int64_t *count)
{
    const struct svi_plan *plan = t->plan;
    int64_t side = svi_is_sparse(plan) && svi_is_spread(plan) ? 2 * SVI_SHORT_AXIS : SVI_SHORT_AXIS;

    if (t->room > SVI_BUFFER_BYTES) {
        take(t, plan->ndim - 1, svi_larger(SLAB_RUN_ELEMENTS, SLAB_RUN_BYTES / plan->item), count);
        return;
    }
    while (side * side * LONG_SIDE * LONG_SIDE * plan->item < SVI_BUFFER_BYTES)
        side *= 2;
    take(t, svi_is_spread(plan) ? plan->tile : plan->ndim - 1, side, count);
}

static void take_whole(struct svi_two_pass *t, const int32_t *axes, int64_t *count)
{
    for (int32_t k = 0; k < WHOLE_AXES && t->plan->shape[axes[k]] <= SVI_SHORT_AXIS; k++)
        take(t, axes[k], INT64_MAX, count);
}

/* The fastest axes of both sides, so that it has long runs of each; those first that are whole, for they are short. */
static void choose_block(struct svi_two_pass *t)
{
    int64_t count = 1;

    memset(t->block, 0, (size_t)t->plan->ndim * sizeof *t->block);
    take_whole(t, t->by_src, &count);
    take_whole(t, t->by_dst, &count);
    if (svi_is_stepped(t->plan))
        take_short_side(t, &count);
    for (int32_t k = 0; k < t->plan->ndim; k++) {
        take(t, t->by_src[k], INT64_MAX, &count);
        take(t, t->by_dst[k], INT64_MAX, &count);
    }
    memcpy(t->count, t->block, (size_t)t->plan->ndim * sizeof *t->block);
}

/* --- all of it -------------------------------------------------------------- */

/* Along all axes, block by block, in the order of the destination. */
static void begin(struct svi_two_pass *t, char *dst, const char *src)
{
    svi_odometer_init(&t->at, t->plan, t->plan->ndim, -1, dst, src);
    for (int32_t k = 0; k < t->plan->ndim; k++) {
        struct svi_odometer_axis *axis = &t->at.axis[k];

        axis->extent = (axis->extent + t->block[k] - 1) / t->block[k];
        axis->dst *= t->block[k];
        axis->src *= t->block[k];
    }
}

/* Blocks at an end of an axis are smaller. */
static void fit(struct svi_two_pass *t)
{
    bool fits = true;

    for (int32_t k = 0; k < t->plan->ndim; k++) {
        const int64_t left = t->plan->shape[k] - t->at.axis[k].index * t->block[k];
        const int64_t count = svi_smaller(t->block[k], left);

        fits = fits && count == t->count[k];
        t->count[k] = count;
    }
    if (!fits)
        svi_two_pass_make(t);
}

static void run(struct svi_two_pass *t, char *dst, const char *src)
{
    svi_host_kernel *const run_pass = t->runs_leaves ? svi_host_run_leaf : svi_host_run_block;

    begin(t, dst, src);
    do {
        fit(t);
        run_pass(t->machine, &t->pack, t->buffer, t->at.src);
        run_pass(t->machine, &t->unpack, t->at.dst, t->buffer);
    } while (svi_odometer_next(&t->at));
}

/* --- whether it is worth it ------------------------------------------------------ */

/* Pixels into planes. */
static bool deinterleaves(const struct svi_plan *plan)
{
    return plan->src[plan->ndim - 1] == plan->item * plan->shape[plan->tile];
}

/* Whether runs of each plane are short, and not whole lines, but follow each other: those of blocks are longer. */
static bool has_short_planes(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t run = plan->item * plan->shape[last];

    if (!deinterleaves(plan) || run >= SHORT_PLANE_BYTES || run % SVI_LINE == 0)
        return false;
    for (int32_t k = 0; k < last; k++)
        if (k != plan->tile && plan->dst[k] == run)
            return true;
    return false;
}

/* Bytes of pixels that follow each other on both sides: of one plane, or of all where these do. */
static int64_t common_run(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const bool apart = deinterleaves(plan);
    const int64_t run = plan->item * plan->shape[apart ? last : tile];

    if ((apart ? plan->dst[tile] : plan->src[last]) != run)
        return run;
    return run * plan->shape[apart ? tile : last];
}

/* Whether what follows a short run of pixels in the destination is elsewhere in the source. */
static bool goes_elsewhere(const struct svi_plan *plan)
{
    int32_t next = -1, nearest = -1;

    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (k != plan->tile) {
            next = k;
            if (nearest < 0 || svi_abs(plan->src[k]) < svi_abs(plan->src[nearest]))
                nearest = k;
        }
    return next != nearest && common_run(plan) < SHORT_PIXELS_BYTES;
}

/* Whether elements of both sides are a few times their size apart, as periodic permutations take them. */
static bool is_near(const struct svi_plan *plan)
{
    const int64_t most = SVI_CHANNELS * plan->item;

    return plan->dst[plan->ndim - 1] <= most && svi_abs(plan->src[plan->tile]) <= (uint64_t)most;
}

static bool are_steps_worth_it(const struct svi_plan *plan, bool beyond_cache)
{
    if (plan->item < SVI_TWO_PASS_ITEM_BYTES)
        return true;
    if (plan->item == SVI_TWO_PASS_ITEM_BYTES)
        return beyond_cache || is_near(plan);
    if (svi_is_spread(plan))
        return beyond_cache && !svi_is_sparse(plan) && is_near(plan) && plan->item < SVI_UNIT;
    return beyond_cache;
}

static bool is_worth_it(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const bool beyond_cache = svi_is_beyond_cache(machine, plan);

    if ((plan->nbytes <= SVI_BUFFER_BYTES && !svi_is_nested(plan)) || machine->isa->units[SVI_DEINTERLEAVE][0] == NULL)
        return false;
    if (svi_is_stepped(plan))
        return are_steps_worth_it(plan, beyond_cache);
    if (!svi_has_pixels(plan))
        return true;
    return beyond_cache && (svi_is_pixels(plan) ? goes_elsewhere(plan) : has_short_planes(plan));
}

static bool has_slabs(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return svi_is_stepped(plan) && svi_is_sparse(plan) && svi_is_beyond_cache(machine, plan) &&
           plan->nbytes >= SLAB_COPY_BYTES;
}

/* --- passes are blocks, and theirs are leaves ---------------------------------- */

/* With slabs, where they pay and there is memory for one; else with a block in cache. */
static bool two_passes(const struct svi_host_copy *c, bool runs_leaves)
{
    int64_t room = !runs_leaves && has_slabs(c->machine, c->plan) ? SLAB_BYTES : SVI_BUFFER_BYTES;
    struct svi_two_pass *t;
    bool done;

    if (!is_worth_it(c->machine, c->plan))
        return false;
    t = svi_scratch_new(sizeof *t + (size_t)room);
    if (t == NULL && room > SVI_BUFFER_BYTES) {
        room = SVI_BUFFER_BYTES;
        t = svi_scratch_new(sizeof *t + (size_t)room);
    }
    if (t == NULL)
        return false;
    t->machine = c->machine;
    t->plan = c->plan;
    t->runs_leaves = runs_leaves;
    t->room = room;
    sort_axes(t);
    choose_block(t);
    done = svi_two_pass_order(t);
    if (done && !c->asks)
        run(t, c->dst, c->src);
    svi_scratch_free(t);
    return done;
}

static bool two_passes_of_leaves(const struct svi_host_copy *c)
{
    return two_passes(c, true);
}

void svi_host_run_block(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_run_plan(machine, plan, dst, src, two_passes_of_leaves);
}

bool svi_two_passes(const struct svi_host_copy *c)
{
    return two_passes(c, false);
}
