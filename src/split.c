/*
 * Parts are boxes. Their borders are between lines of the destination, as far as
 * its strides allow that, and not within a few lines of the source: who reads
 * its rows in tiles finds them as long as before. Slow axes are cut first.
 */
#include "split.h"

#include <stdbool.h>

#include "checked.h"

enum {
    LINE = 64,
    SOURCE = 256, /* bytes of a row of the source that tiles are made of together */
    RUN = 4096,   /* bytes of the axis that is fastest in the destination */
    ROWS = 128    /* and items of it, which are as many rows of the source: a block of tiles */
};

static int64_t line_unit(int64_t stride)
{
    return LINE / (int64_t)svi_gcd(svi_abs(stride), LINE);
}

static int64_t unit_of(const struct svi_plan *plan, int32_t axis)
{
    const uint64_t step = svi_abs(plan->src[axis]);
    int64_t unit = line_unit(plan->dst[axis]);

    if (axis == plan->ndim - 1)
        return (RUN / plan->item + ROWS - 1) / ROWS * ROWS;
    while (step > 0 && (uint64_t)unit * step < SOURCE)
        unit *= 2;
    return unit;
}

static int64_t steps_of(const struct svi_plan *plan, int32_t axis, int64_t unit)
{
    return (plan->shape[axis] - 1) / unit + 1;
}

/* How many more parts are wanted of each part there is. */
static int64_t cut(const struct svi_plan *plan, int32_t axis, int64_t wanted, struct svi_split *out)
{
    const int64_t steps = steps_of(plan, axis, out->unit[axis]);

    out->pieces[axis] = wanted < steps ? wanted : steps;
    out->count *= out->pieces[axis];
    return (wanted - 1) / out->pieces[axis] + 1;
}

void svi_split_make(const struct svi_plan *plan, int64_t wanted, struct svi_split *out)
{
    const int32_t last = plan->ndim - 1;
    const bool tiles = (plan->kind == SVI_CLASS_TRANSPOSE || plan->kind == SVI_CLASS_CAST) && plan->tile >= 0;
    const int32_t tile = tiles ? plan->tile : last;

    out->count = 1;
    for (int32_t k = 0; k <= last; k++) {
        out->unit[k] = unit_of(plan, k);
        out->pieces[k] = 1;
    }
    for (int32_t k = 0; k < last; k++)
        if (k != tile)
            wanted = cut(plan, k, wanted, out);
    if (tile < last)
        wanted = cut(plan, tile, wanted, out);
    if (last >= 0)
        cut(plan, last, wanted, out);
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
