/* Items that follow each other to every second, third or fourth place: vectors of which only these are stored. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

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

/* Items until the destination is at the beginning of a line; 0 when it never is among count. */
static int64_t head_of(const char *dst, int64_t step, int64_t count)
{
    for (int64_t k = 0; k < SVI_LINE && k < count; k++)
        if ((uintptr_t)(dst + k * step) % SVI_LINE == 0)
            return k;
    return 0;
}

SVI_INLINE void row(const struct svi_isa *isa, const struct svi_spread *s, int64_t count, char *dst, const char *src,
                    size_t item)
{
    const int64_t size = (int64_t)item, step = s->lines * size, line = SVI_LINE / size;
    const int64_t head = head_of(dst, step, count), body = (count - head) / line * line, done = head + body;

    svi_line(head, dst, step, src, size, item);
    isa->scatter(s, dst + head * step, src + head * size, body * size);
    svi_line(count - done, dst + done * step, step, src + done * size, size, item);
}

void svi_scatter_items(const struct svi_isa *isa, const struct svi_spread *spread, int64_t count, char *dst,
                       const char *src, int64_t item)
{
    if (item == 4)
        row(isa, spread, count, dst, src, 4);
    else if (item == 8)
        row(isa, spread, count, dst, src, 8);
    else
        row(isa, spread, count, dst, src, 16);
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
