/*
 * Parts are boxes. Their borders are between lines of the destination, as far as
 * its strides allow that, and not within a few lines of the source: who reads
 * its rows in tiles finds them as long as before. Axes are cut first that are slow
 * on both sides, so that each side of a part is long runs; of the two axes of a
 * transpose, that between rows of the source: who reads on behind the end of a
 * short one reads what another thread wants.
 */
#include "plan/split.h"

#include <stdbool.h>

#include "base/checked.h"
#include "plan/part.h"
#include "plan/traffic.h"

enum { KIB = 1024 };

enum {
    ITEM_BY_ITEM = 4, /* a byte that is moved by tiles or one by one, in cache, takes as long as so many in runs */
    LEAST_BYTES = 2 * KIB, /* of payload: fewer are less than LEAST_WORK if each has a line of its own on both sides */
    LEAST_WORK = 1024 * KIB, /* bytes of both sides' lines, in runs, from which threads that are awake pay */
    LEAST_TASK = 256 * KIB, /* of these */
    LONG_TASK = 1024 * KIB, /* so long that a thread has more than one: */
    TASKS = 4, /* a thread that is late has less left, but each task begins with an empty cache */
    MOST_TASKS = 1024 /* for so many threads as well: cutting makes less than twice as many */
};

enum {
    LINE = 64,
    SOURCE = 256, /* bytes of a row of the source that tiles are made of together */
    RUN = 1024, /* bytes of the axis that is fastest in the destination at least, */
    ROWS = 128 /* in units of so many items, which are as many rows of the source: a block of tiles */
};

static int64_t line_unit(int64_t stride)
{
    return LINE / (int64_t)svi_gcd(svi_abs(stride), LINE);
}

static int64_t find_axis_unit(const struct svi_plan *plan, int32_t axis)
{
    const uint64_t step = svi_abs(plan->src[axis]);
    int64_t unit = line_unit(plan->dst[axis]);

    if (axis == plan->ndim - 1)
        return ROWS;
    while (step > 0 && step < SOURCE && (uint64_t)unit * step < SOURCE) /* longer steps would wrap */
        unit *= 2;
    return unit;
}

/* Items of the last axis in front of the first line of the destination, where its lines begin alike along all
 * others. */
static int64_t lead_of(const struct svi_plan *plan, uintptr_t dst)
{
    const int32_t last = plan->ndim - 1;
    const uintptr_t past = dst + (uintptr_t)plan->dst_offset;
    const int64_t head = (int64_t)(-past % LINE);

    if (last < 0 || plan->dst[last] != plan->item || head % plan->item != 0 || head / plan->item >= plan->shape[last])
        return 0;
    for (int32_t k = 0; k < last; k++)
        if (plan->dst[k] % LINE != 0)
            return 0;
    return head / plan->item;
}

static int64_t lead_at(const struct svi_plan *plan, const struct svi_split *split, int32_t axis)
{
    return axis == plan->ndim - 1 ? split->lead : 0;
}

static int64_t count_axis_steps(const struct svi_plan *plan, const struct svi_split *split, int32_t axis)
{
    return svi_divide_up(plan->shape[axis] - lead_at(plan, split, axis), split->unit[axis]);
}

static int64_t most_pieces(const struct svi_plan *plan, const struct svi_split *split, int32_t axis)
{
    const int64_t steps = count_axis_steps(plan, split, axis), runs = plan->shape[axis] / (RUN / plan->item);

    if (axis < plan->ndim - 1)
        return steps;
    return runs < 1 ? 1 : svi_smaller(runs, steps);
}

/* How many more parts are wanted of each part there is: 16 are 8 by 2 where 10 could be had at most. */
static int64_t cut_plan_axis(const struct svi_plan *plan, int32_t axis, int64_t wanted, struct svi_split *out)
{
    const int64_t rest = svi_divide_up(wanted, most_pieces(plan, out, axis));

    out->pieces[axis] = svi_divide_up(wanted, rest);
    out->count *= out->pieces[axis];
    return svi_divide_up(wanted, out->pieces[axis]);
}

/* The smaller of the strides; what is read again and again is no side. */
static uint64_t step_of(const struct svi_plan *plan, int32_t axis)
{
    const uint64_t dst = svi_abs(plan->dst[axis]), src = svi_abs(plan->src[axis]);

    return src == 0 || dst < src ? dst : src;
}

static bool is_slower(const struct svi_plan *plan, int32_t axis, int32_t other)
{
    const uint64_t a = step_of(plan, axis), b = step_of(plan, other);

    return a > b || (a == b && svi_abs(plan->src[axis]) > svi_abs(plan->src[other]));
}

/* Axes, the slowest first. */
static void order_axes(const struct svi_plan *plan, int32_t *axes)
{
    for (int32_t k = 0; k < plan->ndim; k++) {
        int32_t place = k;

        for (; place > 0 && is_slower(plan, k, axes[place - 1]); place--)
            axes[place] = axes[place - 1];
        axes[place] = k;
    }
}

void svi_split_make(const struct svi_plan *plan, const void *dst, int64_t wanted, struct svi_split *out)
{
    int32_t axes[SVI_PLAN_NDIM];

    out->count = 1;
    out->lead = lead_of(plan, (uintptr_t)dst);
    for (int32_t k = 0; k < plan->ndim; k++)
        out->unit[k] = find_axis_unit(plan, k);
    order_axes(plan, axes);
    for (int32_t k = 0; k < plan->ndim; k++)
        wanted = cut_plan_axis(plan, axes[k], wanted, out);
}

/* --- tasks --------------------------------------------------------------------------------- */

static bool is_by_runs(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_CONTIGUOUS || plan->kind == SVI_CLASS_ROWS || plan->kind == SVI_CLASS_REPEAT;
}

/* Bytes that take as long in runs. */
static int64_t work_of(const struct svi_plan *plan)
{
    const int64_t weight = is_by_runs(plan) ? 1 : ITEM_BY_ITEM, most = INT64_MAX / (2 * ITEM_BY_ITEM);
    int64_t read, written;

    svi_plan_traffic(plan, &read, &written);
    return weight * (svi_smaller(read, most) + svi_smaller(written, most));
}

int64_t svi_split_tasks(const struct svi_plan *plan, int32_t threads)
{
    int64_t work, one_each, more;

    if (threads == 1 || plan->nbytes < LEAST_BYTES)
        return 1;
    work = work_of(plan);
    if (work < LEAST_WORK)
        return 1;
    one_each = svi_smaller(threads, work / LEAST_TASK);
    more = svi_smaller((int64_t)threads * TASKS, work / LONG_TASK);
    return svi_smaller(svi_larger(one_each, more), MOST_TASKS);
}

/* --- chunks ------------------------------------------------------------------------------ */

/* The fastest axis of a side that has not been taken. What is read again and again comes first: it is there once. */
static int32_t take_fastest(const struct svi_plan *plan, int32_t side, int32_t items, bool *taken)
{
    const int64_t *strides = side == SVI_SIDE_DST ? plan->dst : plan->src;
    int32_t fastest = -1;

    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        const bool repeats = svi_detour_repeats(plan, items, k);
        const bool is_last = fastest >= 0 && svi_detour_repeats(plan, items, fastest);

        if (taken[k])
            continue;
        if (fastest < 0 || (repeats && !is_last) || (!is_last && svi_abs(strides[k]) < svi_abs(strides[fastest])))
            fastest = k;
    }
    taken[fastest] = true;
    return fastest;
}

void svi_split_chunks(const struct svi_plan *plan, int32_t side, int32_t items, int64_t most, struct svi_split *out)
{
    bool taken[SVI_PLAN_NDIM] = {false};
    const int64_t item = items == SVI_SIDE_DST ? plan->item : plan->src_item;
    int64_t room = svi_larger(most / item, 1); /* items of what is left for slower axes */

    out->count = 1;
    out->lead = 0;
    for (int32_t i = 0; i < plan->ndim; i++) {
        const int32_t k = take_fastest(plan, side, items, taken);
        const bool repeats = svi_detour_repeats(plan, items, k);
        const int64_t length = repeats ? plan->shape[k] : svi_smaller(plan->shape[k], room);

        out->unit[k] = 1;
        out->pieces[k] = svi_divide_up(plan->shape[k], length);
        out->count *= out->pieces[k];
        if (!repeats)
            room = out->pieces[k] > 1 ? 1 : room / length;
    }
}

/* --- parts --------------------------------------------------------------------------------- */

/* Units before piece number index of an axis: the first pieces have one more where they cannot be equal. */
static int64_t units_before(int64_t steps, int64_t pieces, int64_t index)
{
    const int64_t rest = steps % pieces;

    return steps / pieces * index + (index < rest ? index : rest);
}

void svi_split_box(const struct svi_plan *plan, const struct svi_split *split, int64_t index, int64_t *first,
                   int64_t *count)
{
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        const int64_t steps = count_axis_steps(plan, split, k), piece = index % split->pieces[k];
        const int64_t end = units_before(steps, split->pieces[k], piece + 1), lead = lead_at(plan, split, k);

        index /= split->pieces[k];
        first[k] = piece > 0 ? units_before(steps, split->pieces[k], piece) * split->unit[k] + lead : 0;
        count[k] = (end == steps ? plan->shape[k] : end * split->unit[k] + lead) - first[k];
    }
}

void svi_split_part(const struct svi_plan *plan, const struct svi_split *split, int64_t index, struct svi_plan *out)
{
    int64_t first[SVI_PLAN_NDIM], count[SVI_PLAN_NDIM];

    svi_split_box(plan, split, index, first, count);
    svi_plan_box(plan, first, count, out);
}
