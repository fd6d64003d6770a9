#include "axis_group.h"

#include <string.h>

#include "checked.h"
#include "host/isa/isa.h"

int32_t svi_side_axis(const struct svi_plan *plan, const int64_t *run, int64_t nbytes, const bool *taken)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k] && run[k] == nbytes)
            return k;
    return -1;
}

/* The items so far, count times. */
static void repeat(struct svi_side *side, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        for (int64_t k = 0; k < side->unit; k++)
            side->offset[i * side->unit + k] = side->offset[k] + i * side->other;
}

void svi_side_make(struct svi_side *side, const struct svi_plan *plan, const int64_t *run, const int64_t *other,
                   int64_t steps, int64_t other_step, int64_t least, bool *taken)
{
    side->unit = 1;
    side->lead = 0;
    side->steps = steps;
    side->run = plan->item;
    side->other = other_step;
    side->offset[0] = 0;
    while (side->unit * side->steps < least) {
        const int32_t k = svi_side_axis(plan, run, side->run * side->steps, taken);

        if (k < 0)
            break;
        repeat(side, side->steps);
        taken[k] = true;
        side->unit *= side->steps;
        side->run *= side->steps;
        side->steps = plan->shape[k];
        side->other = other[k];
    }
    side->items = side->unit * side->steps;
}

/* The least number of steps that are whole lines. */
static int64_t whole_steps(const struct svi_side *side, int64_t item)
{
    int64_t steps = SVI_LINE / item;

    for (int64_t unit = side->unit; unit % 2 == 0 && steps > 1; unit /= 2)
        steps /= 2;
    return steps;
}

bool svi_side_cut(struct svi_side *side, int64_t item, int64_t items)
{
    const int64_t multiple = whole_steps(side, item);
    const int64_t blocks = (svi_side_items(side) + items / 2 - 1) / items;
    int64_t steps = blocks > 1 ? (side->steps + blocks - 1) / blocks : side->steps;

    steps = (steps + multiple - 1) / multiple * multiple;
    side->block = side->unit * steps;
    if (svi_side_items(side) * item % SVI_LINE != 0 || side->block > 2 * items)
        return false;
    repeat(side, steps);
    return true;
}

void svi_side_cut_behind(struct svi_side *side, int64_t item, int64_t items, int64_t lead, int64_t next, bool ends)
{
    const int64_t line = SVI_LINE / item, all = svi_side_items(side), blocks = svi_larger((all + items / 2) / items, 1);

    repeat(side, side->steps);
    memmove(side->offset + all, side->offset, (size_t)lead * sizeof *side->offset);
    for (int64_t k = all; k < all + lead; k++)
        side->offset[k] += next;
    memmove(side->offset, side->offset + lead, (size_t)all * sizeof *side->offset);
    side->lead = lead;
    side->items = ends ? all - line : all;
    side->block = ((all + blocks - 1) / blocks + line - 1) / line * line;
}

void svi_side_cut_units(struct svi_side *side, int64_t items)
{
    const int64_t steps = svi_smaller(items / side->unit, side->steps);

    side->block = side->unit * steps;
    repeat(side, steps);
}

void svi_side_cut_anywhere(struct svi_side *side, int64_t items)
{
    side->block = svi_smaller(items, svi_side_items(side));
    repeat(side, (side->unit - 1 + side->block + side->unit - 1) / side->unit);
}
