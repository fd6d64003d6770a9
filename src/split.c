/*
 * Parts are boxes. Their borders are between lines of the destination, as far as
 * its strides allow that, and not within a few lines of the source: who reads
 * its rows in tiles finds them as long as before. Axes are cut first that are slow
 * on both sides, so that each side of a part is long runs; of the two axes of a
 * transpose, that between rows of the source: who reads on behind the end of a
 * short one reads what another thread wants.
 */
#include "split.h"

#include <stdbool.h>

#include "checked.h"

enum {
    LINE = 64,
    SOURCE = 256, /* bytes of a row of the source that tiles are made of together */
    RUN = 1024,   /* bytes of the axis that is fastest in the destination at least, */
    ROWS = 128    /* in units of so many items, which are as many rows of the source: a block of tiles */
};

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

static int64_t line_unit(int64_t stride)
{
    return LINE / (int64_t)svi_gcd(svi_abs(stride), LINE);
}

static int64_t unit_of(const struct svi_plan *plan, int32_t axis)
{
    const uint64_t step = svi_abs(plan->src[axis]);
    int64_t unit = line_unit(plan->dst[axis]);

    if (axis == plan->ndim - 1)
        return ROWS;
    while (step > 0 && (uint64_t)unit * step < SOURCE)
        unit *= 2;
    return unit;
}

static int64_t steps_of(const struct svi_plan *plan, int32_t axis, int64_t unit)
{
    return divide_up(plan->shape[axis], unit);
}

static int64_t most_pieces(const struct svi_plan *plan, int32_t axis, int64_t unit)
{
    const int64_t steps = steps_of(plan, axis, unit), runs = plan->shape[axis] / (RUN / plan->item);

    if (axis < plan->ndim - 1)
        return steps;
    return runs < 1 ? 1 : svi_smaller(runs, steps);
}

/* How many more parts are wanted of each part there is: 16 are 8 by 2 where 10 could be had at most. */
static int64_t cut(const struct svi_plan *plan, int32_t axis, int64_t wanted, struct svi_split *out)
{
    const int64_t rest = divide_up(wanted, most_pieces(plan, axis, out->unit[axis]));

    out->pieces[axis] = divide_up(wanted, rest);
    out->count *= out->pieces[axis];
    return divide_up(wanted, out->pieces[axis]);
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
static void sort(const struct svi_plan *plan, int32_t *axes)
{
    for (int32_t k = 0; k < plan->ndim; k++) {
        int32_t place = k;

        for (; place > 0 && is_slower(plan, k, axes[place - 1]); place--)
            axes[place] = axes[place - 1];
        axes[place] = k;
    }
}

void svi_split_make(const struct svi_plan *plan, int64_t wanted, struct svi_split *out)
{
    int32_t axes[SVI_PLAN_NDIM];

    out->count = 1;
    for (int32_t k = 0; k < plan->ndim; k++)
        out->unit[k] = unit_of(plan, k);
    sort(plan, axes);
    for (int32_t k = 0; k < plan->ndim; k++)
        wanted = cut(plan, axes[k], wanted, out);
}

/* Units before piece number index of an axis: the first pieces have one more where they cannot be equal. */
static int64_t units_before(int64_t steps, int64_t pieces, int64_t index)
{
    const int64_t rest = steps % pieces;

    return steps / pieces * index + (index < rest ? index : rest);
}

void svi_split_part(const struct svi_plan *plan, const struct svi_split *split, int64_t index, struct svi_plan *out)
{
    int64_t first[SVI_PLAN_NDIM], count[SVI_PLAN_NDIM];

    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        const int64_t steps = steps_of(plan, k, split->unit[k]), piece = index % split->pieces[k];
        const int64_t end = units_before(steps, split->pieces[k], piece + 1);

        index /= split->pieces[k];
        first[k] = units_before(steps, split->pieces[k], piece) * split->unit[k];
        count[k] = (end == steps ? plan->shape[k] : end * split->unit[k]) - first[k];
    }
    svi_plan_box(plan, first, count, out);
}
