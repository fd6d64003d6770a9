/* Items that follow each other to every second, third or fourth place: vectors of which only these are stored. */
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    LEAST_RUN = 256, /* bytes of the source; below, it is mostly ends */
    LEAST = 1024     /* times the bytes of an item a copy has: below, items one by one are as fast */
};

static int step_of(const struct svi_plan *plan)
{
    const int64_t step = plan->dst[plan->ndim - 1];

    return step % plan->item == 0 && step / plan->item <= SVI_CHANNELS ? (int)(step / plan->item) : 0;
}

bool svi_is_scatter(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t item = plan->item;

    return plan->kind == SVI_CLASS_SCATTER && (item == 4 || item == 8 || item == 16) && plan->src[last] == item &&
           step_of(plan) > 1 && plan->shape[last] * item >= LEAST_RUN && plan->nbytes >= LEAST * item;
}

/* Word w of line k of the destination is part of an item, or between two. */
static struct svi_spread spread_of(const struct svi_machine *machine, const struct svi_plan *plan)
{
    struct svi_spread s = {.lines = step_of(plan), .past_cache = svi_is_past_cache(machine, plan)};
    const int words = (int)plan->item / 4;

    for (int k = 0; k < s.lines; k++)
        for (int w = 0; w < SVI_LINE / 4; w++) {
            const int at = k * SVI_LINE / 4 + w, item = at / (words * s.lines), part = at % (words * s.lines);

            s.word[k][w] = (uint32_t)(item * words + part) % (SVI_LINE / 4);
            s.there[k] |= (uint16_t)((part < words) << w);
        }
    return s;
}

bool svi_scatter_with_gaps(const struct svi_host_copy *c)
{
    struct svi_spread spread;

    if (c->machine->isa->scatter == NULL)
        return svi_host_gaps(c, c->plan->ndim - 1, c->plan->item, NULL);
    spread = spread_of(c->machine, c->plan);
    return svi_host_gaps(c, c->plan->ndim - 1, c->plan->item, &spread);
}

bool svi_is_scatter_masked(const struct svi_host_copy *c)
{
    return c->machine->isa->scatter != NULL;
}

bool svi_scatter_masked(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;
    struct svi_odometer outer;
    struct svi_spread spread;

    spread = spread_of(c->machine, c->plan);
    svi_odometer_init(&outer, c->plan, last, -1, c->dst, c->src);
    do
        svi_scatter_items(c->machine->isa, &spread, c->plan->shape[last], outer.dst, outer.src, c->plan->item);
    while (svi_odometer_next(&outer));
    return true;
}
