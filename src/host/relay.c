/*
 * Transposes whose runs are too short for tiles on both sides, or for pixels
 * past the cache, a block at a time and in two steps: to a buffer, whose axes
 * are in an order between those of both sides, and from there to the
 * destination. Each step by itself is rows, pixels, channels or tiles.
 */
#include <string.h>

#include "checked.h"
#include "kernels.h"

enum {
    ROOM = 32768, /* bytes of the buffer */
    FASTEST = 2,  /* axes of each side that are whole if they are short, */
    EVEN = 64,    /* so many items at most; parts of longer ones are a multiple of it */
    MOVES = 4,    /* axes that may change their place, the fastest of each side */
    SHORT = 1024  /* bytes of a run of pixels in the destination */
};

/* Cycles of a step, about: of an item by itself, a row, two axes that are pixels or tiles; and bytes of one cycle. */
struct cost {
    int item, row, pixels, tiles, bytes, tile_bytes;
};

static const struct cost reading = {4, 4, 64, 256, 6, 6}, writing = {4, 24, 256, 256, 6, 2};

struct relay {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    int64_t count[SVI_PLAN_NDIM];  /* of each axis, of the block that the steps are for */
    int32_t order[SVI_PLAN_NDIM];  /* axes in the buffer, the fastest first */
    struct svi_plan first, second; /* steps */
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

/* As much of an axis as finds room beside count items of others. */
static void take(const struct svi_plan *plan, int32_t axis, int64_t *block, int64_t *count)
{
    const int64_t most = svi_larger(ROOM / plan->item / *count, 1);

    if (block[axis] != 0)
        return;
    block[axis] = svi_smaller(plan->shape[axis], most >= EVEN ? most / EVEN * EVEN : most);
    *count *= block[axis];
}

/* The fastest axes of both sides, so that it has long runs of each; those first which are whole, for they are short.
 * block is of zeros. */
static void choose_block(const struct svi_plan *plan, const int32_t *by_src, const int32_t *by_dst, int64_t *block)
{
    int64_t count = 1;

    for (int32_t k = 0; k < FASTEST && plan->shape[by_src[k]] <= EVEN; k++)
        take(plan, by_src[k], block, &count);
    for (int32_t k = 0; k < FASTEST && plan->shape[by_dst[k]] <= EVEN; k++)
        take(plan, by_dst[k], block, &count);
    for (int32_t k = 0; k < plan->ndim; k++) {
        take(plan, by_src[k], block, &count);
        take(plan, by_dst[k], block, &count);
    }
}

/* --- steps ------------------------------------------------------------------ */

static bool has_pixels(const struct svi_plan *step)
{
    return step->kind == SVI_CLASS_TRANSPOSE && (svi_is_channels(step) || svi_is_pixels(step));
}

static void make_steps(struct relay *r)
{
    const struct svi_plan *plan = r->plan;
    int64_t strides[SVI_PLAN_NDIM], nbytes = plan->item;

    for (int32_t k = 0; k < plan->ndim; k++) {
        strides[r->order[k]] = nbytes;
        nbytes *= r->count[r->order[k]];
    }
    svi_plan_make(plan->ndim, r->count, strides, plan->src, plan->item, &r->first);
    svi_plan_make(plan->ndim, r->count, plan->dst, strides, plan->item, &r->second);
    if (r->second.kind != SVI_CLASS_TRANSPOSE || has_pixels(&r->second))
        r->second.reach = plan->reach; /* stores past the cache; of tiles a block takes too long to begin with that */
}

static int64_t planes_of(const struct svi_plan *step)
{
    return step->nbytes / (step->item * step->shape[step->ndim - 1] * step->shape[step->tile]);
}

static int64_t cycles_of(const struct cost *c, const struct svi_isa *isa, const struct svi_plan *step)
{
    const int64_t items = step->nbytes / step->item, together = step->nbytes / c->bytes;

    switch (step->kind) {
    case SVI_CLASS_EMPTY:
    case SVI_CLASS_CONTIGUOUS:
        return together;
    case SVI_CLASS_ROWS:
        return together + step->nbytes / (step->item * step->shape[step->ndim - 1]) * c->row;
    case SVI_CLASS_TRANSPOSE:
        if (has_pixels(step))
            return together + planes_of(step) * c->pixels;
        if (svi_has_tiles(isa, step))
            return step->nbytes / c->tile_bytes + items / 2 + planes_of(step) * c->tiles;
        return items * c->item;
    default:
        return items * c->item;
    }
}

/* One axis of an order becomes the fastest, and the others stay as they were. */
static void advance(int32_t ndim, const int32_t *axes, int32_t place, int32_t *out)
{
    int32_t count = 1;

    for (int32_t k = 0; k < ndim; k++)
        if (k != place)
            out[count++] = axes[k];
    out[0] = axes[place];
}

/* The axes up to one become the slowest. */
static void turn(int32_t ndim, const int32_t *axes, int32_t place, int32_t *out)
{
    for (int32_t k = 0; k < ndim; k++)
        out[k] = axes[(k + place + 1) % ndim];
}

/* The order with which both steps are quick. False where it is no quicker than items one by one. */
static bool find_order(struct relay *r, const int32_t *by_src, const int32_t *by_dst)
{
    const struct svi_isa *isa = r->machine->isa;
    const struct svi_plan *plan = r->plan;
    const int32_t places = plan->ndim < MOVES ? plan->ndim : MOVES;
    const size_t size = (size_t)plan->ndim * sizeof *by_src;
    int64_t least = INT64_MAX;
    int32_t best[SVI_PLAN_NDIM] = {0};

    for (int32_t k = 0; k < 4 * places; k++) {
        int64_t cycles;

        (k / 2 % 2 == 0 ? advance : turn)(plan->ndim, k % 2 == 0 ? by_src : by_dst, k / 4, r->order);
        make_steps(r);
        cycles = cycles_of(&reading, isa, &r->first) + cycles_of(&writing, isa, &r->second);
        if (cycles < least) {
            least = cycles;
            memcpy(best, r->order, size);
        }
    }
    memcpy(r->order, best, size);
    make_steps(r);
    return has_pixels(plan) || least < r->first.nbytes / plan->item * reading.item;
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
static void fit(struct relay *r, const int64_t *block, const int64_t *at)
{
    bool fits = true;

    for (int32_t k = 0; k < r->plan->ndim; k++) {
        const int64_t count = svi_smaller(block[k], r->plan->shape[k] - at[k]);

        fits = fits && count == r->count[k];
        r->count[k] = count;
    }
    if (!fits)
        make_steps(r);
}

static void run(struct relay *r, const int64_t *block, char *dst, const char *src)
{
    _Alignas(SVI_LINE) char buffer[ROOM];
    int64_t at[SVI_PLAN_NDIM] = {0};

    do {
        char *to = dst;
        const char *from = src;

        for (int32_t k = 0; k < r->plan->ndim; k++) {
            to += at[k] * r->plan->dst[k];
            from += at[k] * r->plan->src[k];
        }
        fit(r, block, at);
        svi_host_run(r->machine, &r->first, buffer, from);
        svi_host_run(r->machine, &r->second, to, buffer);
    } while (next_block(r->plan, block, at));
}

/* Bytes of the destination that two axes of pixels write one after the other. */
static int64_t run_of(const struct svi_plan *plan)
{
    const int64_t row = plan->item * plan->shape[plan->ndim - 1];

    return plan->dst[plan->tile] == row ? row * plan->shape[plan->tile] : row;
}

/* Pixels past the cache are, where each run by itself would be mostly its ends. */
static bool is_worth_it(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (plan->nbytes <= ROOM || machine->isa->split == NULL)
        return false;
    return !has_pixels(plan) || (svi_is_past_cache(machine, plan) && run_of(plan) <= SHORT);
}

bool svi_host_relay(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    struct relay r = {.machine = machine, .plan = plan};
    int32_t by_src[SVI_PLAN_NDIM], by_dst[SVI_PLAN_NDIM];
    int64_t block[SVI_PLAN_NDIM] = {0};

    if (!is_worth_it(machine, plan))
        return false;
    sort_by_src(plan, by_src);
    sort_by_dst(plan, by_dst);
    choose_block(plan, by_src, by_dst, block);
    memcpy(r.count, block, (size_t)plan->ndim * sizeof *block);
    if (!find_order(&r, by_src, by_dst))
        return false;
    run(&r, block, dst, src);
    return true;
}
