/*
 * Transposes whose runs are too short for tiles on both sides, or for pixels
 * past the cache, or that have none on a side, a block at a time and in two
 * steps: to a buffer, whose axes are in an order between those of both sides, and
 * from there to the destination. Each step by itself is rows, pixels, channels,
 * tiles or combs.
 */
#include <string.h>

#include "checked.h"
#include "two_pass.h"
#include "host/base/scratch.h"

enum {
    SLAB = 524288,       /* bytes of a buffer from which whole lines go past the cache, a run of so many */
    SLAB_RUN = 256,      /* bytes of the destination, */
    SLAB_ROWS = 64,      /* or items; */
    SLAB_LEAST = 131072, /* bytes of a copy that is worth one */
    PART = 4,            /* times as many items of the side without runs as of the other */
    FASTEST = 2,         /* axes of each side that are whole if they are short */
    SHORT = 512,         /* bytes of a run of a plane, */
    SHORT_PIXELS = 288   /* or of pixels */
};

/* --- blocks ----------------------------------------------------------------- */

/* Axes from the fastest on: in the source, where those that stand still are the slowest, */
static void sort_by_src(const struct svi_plan *plan, int32_t *axes)
{
    for (int32_t k = 0; k < plan->ndim; k++) {
        const uint64_t step = svi_abs(plan->src[k]) - 1;
        int32_t place = k;

        for (; place > 0 && svi_abs(plan->src[axes[place - 1]]) - 1 > step; place--)
            axes[place] = axes[place - 1];
        axes[place] = k;
    }
}

/* and in the destination: plans are in that order. */
static void sort_by_dst(const struct svi_plan *plan, int32_t *axes)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        axes[k] = plan->ndim - 1 - k;
}

/* As much of an axis as finds room beside count items of others, but not more than most. */
static void take(const struct svi_relay *r, int32_t axis, int64_t most, int64_t *block, int64_t *count)
{
    const int64_t some = svi_smaller(svi_larger(r->room / r->plan->item / *count, 1), most);

    if (block[axis] != 0)
        return;
    block[axis] = svi_smaller(r->plan->shape[axis], some < SVI_RELAY_EVEN ? some : some - some % SVI_RELAY_EVEN);
    *count *= block[axis];
}

/* The axis of which there are fewer items: the other's rows of items at a step are long. */
static void take_steps(const struct svi_relay *r, int64_t *block, int64_t *count)
{
    const struct svi_plan *plan = r->plan;
    const bool both = svi_is_sparse(plan) && svi_is_spread(plan);
    int64_t side = both ? 2 * SVI_RELAY_EVEN : SVI_RELAY_EVEN;

    if (r->room > SVI_RELAY_ROOM) {
        take(r, plan->ndim - 1, svi_larger(SLAB_ROWS, SLAB_RUN / plan->item), block, count);
        return;
    }
    while (side * side * PART * PART * plan->item < SVI_RELAY_ROOM)
        side *= 2;
    take(r, svi_is_spread(plan) ? plan->tile : plan->ndim - 1, side, block, count);
}

/* The fastest axes of both sides, so that it has long runs of each; those first which are whole, for they are short.
 * block is of zeros. */
static void choose_block(const struct svi_relay *r, const int32_t *by_src, const int32_t *by_dst, int64_t *block)
{
    const struct svi_plan *plan = r->plan;
    int64_t count = 1;

    for (int32_t k = 0; k < FASTEST && plan->shape[by_src[k]] <= SVI_RELAY_EVEN; k++)
        take(r, by_src[k], INT64_MAX, block, &count);
    for (int32_t k = 0; k < FASTEST && plan->shape[by_dst[k]] <= SVI_RELAY_EVEN; k++)
        take(r, by_dst[k], INT64_MAX, block, &count);
    if (svi_is_stepped(plan))
        take_steps(r, block, &count);
    for (int32_t k = 0; k < plan->ndim; k++) {
        take(r, by_src[k], INT64_MAX, block, &count);
        take(r, by_dst[k], INT64_MAX, block, &count);
    }
}

/* --- all of it -------------------------------------------------------------- */

/* The next block, in the order of the destination. False after the last. */
static bool next_block(const struct svi_plan *plan, const int64_t *block, int64_t *at)
{
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        at[k] += block[k];
        if (at[k] < plan->shape[k])
            return true;
        at[k] = 0;
    }
    return false;
}

/* The steps are for blocks of this size. */
static void fit(struct svi_relay *r)
{
    bool fits = true;

    for (int32_t k = 0; k < r->plan->ndim; k++) {
        const int64_t count = svi_smaller(r->block[k], r->plan->shape[k] - r->at[k]);

        fits = fits && count == r->count[k];
        r->count[k] = count;
    }
    if (!fits)
        svi_relay_make(r);
}

static void run(struct svi_relay *r, char *dst, const char *src)
{
    memset(r->at, 0, (size_t)r->plan->ndim * sizeof *r->at);
    do {
        char *to = dst;
        const char *from = src;

        for (int32_t k = 0; k < r->plan->ndim; k++) {
            to += r->at[k] * r->plan->dst[k];
            from += r->at[k] * r->plan->src[k];
        }
        fit(r);
        r->run(r->machine, &r->first, r->buffer, from);
        r->run(r->machine, &r->second, to, r->buffer);
    } while (next_block(r->plan, r->block, r->at));
}

/* Pixels into planes. */
static bool splits(const struct svi_plan *plan)
{
    return plan->src[plan->ndim - 1] == plan->item * plan->shape[plan->tile];
}

/* Whether runs of each plane are short, and not whole lines, but follow each other: those of blocks are longer. */
static bool has_short_planes(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t run = plan->item * plan->shape[last];

    if (!splits(plan) || run >= SHORT || run % SVI_LINE == 0)
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
    const bool apart = splits(plan);
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
    return next != nearest && common_run(plan) < SHORT_PIXELS;
}

/* Whether runs of pixels or channels past the cache are too short by themselves. */
static bool are_short(const struct svi_plan *plan)
{
    return svi_is_pixels(plan) ? goes_elsewhere(plan) : has_short_planes(plan);
}

/* Whether items of both sides are a few times their size apart, as combs take them. */
static bool is_near(const struct svi_plan *plan)
{
    const int64_t most = SVI_CHANNELS * plan->item;

    return plan->dst[plan->ndim - 1] <= most && svi_abs(plan->src[plan->tile]) <= (uint64_t)most;
}

static bool are_steps_worth_it(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const bool past_cache = svi_is_past_cache(machine, plan);

    if (plan->item < SVI_RELAY_SMALL)
        return true;
    if (plan->item == SVI_RELAY_SMALL)
        return past_cache || is_near(plan);
    if (svi_is_spread(plan))
        return past_cache && !svi_is_sparse(plan) && is_near(plan) && plan->item < SVI_UNIT;
    return past_cache;
}

static bool is_worth_it(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if ((plan->nbytes <= SVI_RELAY_ROOM && !svi_is_nested(plan)) || machine->isa->split == NULL)
        return false;
    if (svi_is_stepped(plan))
        return are_steps_worth_it(machine, plan);
    return !svi_has_pixels(plan) || (svi_is_past_cache(machine, plan) && are_short(plan));
}

static bool has_slabs(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return svi_is_stepped(plan) && svi_is_sparse(plan) && svi_is_past_cache(machine, plan) &&
           plan->nbytes >= SLAB_LEAST;
}

static bool relayed(struct svi_relay *r, const struct svi_host_copy *c)
{
    memset(r->block, 0, (size_t)r->plan->ndim * sizeof *r->block);
    sort_by_src(r->plan, r->by_src);
    sort_by_dst(r->plan, r->by_dst);
    choose_block(r, r->by_src, r->by_dst, r->block);
    memcpy(r->count, r->block, (size_t)r->plan->ndim * sizeof *r->block);
    if (!svi_relay_order(r))
        return false;
    if (!c->asks)
        run(r, c->dst, c->src);
    return true;
}

/* NULL: out of memory. */
static struct svi_relay *relay_with(int64_t room)
{
    struct svi_relay *r = svi_scratch_new(sizeof *r + (size_t)room);

    if (r != NULL)
        r->room = room;
    return r;
}

/* With slabs, where they pay and there is memory for one; else with a block in cache. */
static bool relay(const struct svi_host_copy *c, bool runs_leaves)
{
    const struct svi_machine *const machine = c->machine;
    const struct svi_plan *const plan = c->plan;
    struct svi_relay *r = NULL;
    bool done;

    if (!is_worth_it(machine, plan))
        return false;
    if (!runs_leaves && has_slabs(machine, plan))
        r = relay_with(SLAB);
    if (r == NULL)
        r = relay_with(SVI_RELAY_ROOM);
    if (r == NULL)
        return false;
    r->machine = machine;
    r->plan = plan;
    r->runs_leaves = runs_leaves;
    r->run = runs_leaves ? svi_host_run_leaf : svi_host_run_block;
    done = relayed(r, c);
    svi_scratch_free(r);
    return done;
}

/* --- steps are blocks, and theirs are leaves ---------------------------------- */

static bool relay_block(const struct svi_host_copy *c)
{
    return relay(c, true);
}

void svi_host_run_block(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_run_plan(machine, plan, dst, src, relay_block);
}

bool svi_host_relay(const struct svi_host_copy *c)
{
    return relay(c, false);
}
