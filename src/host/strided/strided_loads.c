/* Items that are anywhere in the source and follow each other in the destination. */
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    LEAST_RUN = 64, /* bytes of the destination; below, it is mostly ends */
    CROWD = 512,    /* bytes from line to line, or a multiple: fetching ahead pays, and costs without */
    LONG = 4,       /* times as long as what is fetched ahead: else rows are mostly without */
    NEAR_ITEM = 4,  /* bytes from which on items are faster one by one within the second cache of AMD's processors, */
    OWN_STEP = 256  /* and bytes from item to item from which on, on Intel's, outside of it, and through the cache */
};

bool svi_is_column(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_GATHER && (plan->item & (plan->item - 1)) == 0 &&
           plan->shape[plan->ndim - 1] * plan->item >= LEAST_RUN;
}

static void plain(svi_column *run, const struct svi_plan *plan, char *dst, const char *src, bool past_cache)
{
    const int32_t last = plan->ndim - 1;
    struct svi_odometer row;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    do
        run(row.dst, row.src, plan->src[last], plan->shape[last], 0, past_cache);
    while (svi_odometer_next(&row));
}

/* Fetches items further on in the row. */
static void crowded(svi_column *run, const struct svi_plan *plan, char *dst, const char *src, bool past_cache)
{
    const int32_t last = plan->ndim - 1;
    const int64_t step = plan->src[last], within = plan->shape[last] - SVI_CROWD_AHEAD;
    struct svi_odometer row;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    do {
        run(row.dst, row.src, step, within, SVI_CROWD_AHEAD * step, past_cache);
        run(row.dst + within * plan->item, row.src + within * step, step, SVI_CROWD_AHEAD, 0, past_cache);
    } while (svi_odometer_next(&row));
}

static bool goes_by_item(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (machine->tuning->elements_near && plan->item >= NEAR_ITEM && plan->reach <= (uint64_t)machine->second)
        return true;
    return svi_abs(plan->src[plan->ndim - 1]) >= OWN_STEP && svi_moves_singly(machine, plan);
}

static svi_column *run_of(const struct svi_host_copy *c)
{
    return c->machine->isa->column[__builtin_ctzll((uint64_t)c->plan->item)];
}

bool svi_is_column_loaded(const struct svi_host_copy *c)
{
    return run_of(c) != NULL && !goes_by_item(c->machine, c->plan);
}

bool svi_column_loaded(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;

    if (svi_is_crowded(c->machine, c->plan, c->plan->src[last], CROWD) && c->plan->shape[last] > LONG * SVI_CROWD_AHEAD)
        crowded(run_of(c), c->plan, c->dst, c->src, c->past_cache);
    else
        plain(run_of(c), c->plan, c->dst, c->src, c->past_cache);
    if (c->past_cache)
        c->machine->isa->fence();
    return true;
}
