/* Every second, third or fourth item of rows, in cache: straight from vectors of the source, nothing is made for it. */
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum { AHEAD = 2048 }; /* bytes of the source that are fetched from behind the second cache before they are needed */

/* Whether vectors of so small a unit are taken without masks. */
static bool is_alone(const struct svi_machine *machine, int64_t item, int64_t step)
{
    return (machine->isa->maskless_units & item) != 0 && ((item | step) & (item - 1)) == 0 &&
           step <= SVI_CHANNELS * item;
}

/* Where most of the last cache is for others vectors are fetched ahead by themselves. */
static bool is_behind_second(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return plan->reach > (uint64_t)machine->second && plan->reach <= (uint64_t)machine->cache / 4;
}

/* The last one, behind which nothing is read. */
static void move_last(char *dst, const char *src, int64_t item)
{
    if (item == 4)
        memcpy(dst, src, 4);
    else
        memcpy(dst, src, (size_t)item);
}

/* whole, there: bytes of the destination, in steps, and as far as steps read; the last step may write some again. */
static void take_row(const struct svi_isa *isa, const struct svi_pixels *p, char *dst, const char *src, int64_t whole,
                     int64_t there)
{
    svi_pixels_run *const deinterleave = isa->units[SVI_DEINTERLEAVE][0];

    deinterleave(p, dst, src, whole);
    if (whole < there)
        deinterleave(p, dst + there - isa->vector, src + (there - isa->vector) * p->from, isa->vector);
}

/* Bytes of a row that vectors of the source may be read for: behind its last item there may be nothing. */
static int64_t bytes_there(const struct svi_host_copy *c)
{
    const int64_t nbytes = c->plan->shape[c->plan->ndim - 1] * c->plan->item;

    return c->machine->isa->maskless_exact ? nbytes : nbytes - c->plan->item;
}

bool svi_is_gather(const struct svi_host_copy *c)
{
    return !c->past_cache && is_alone(c->machine, c->plan->item, c->plan->src[c->plan->ndim - 1]) &&
           bytes_there(c) >= c->machine->isa->vector;
}

bool svi_gather(const struct svi_host_copy *c)
{
    const struct svi_plan *const plan = c->plan;
    const struct svi_isa *const isa = c->machine->isa;
    const int32_t last = plan->ndim - 1;
    const int64_t item = plan->item, step = plan->src[last], nbytes = plan->shape[last] * item;
    const int64_t there = bytes_there(c), whole = there & -(int64_t)isa->vector;
    struct svi_pixels p;
    struct svi_odometer row;

    p.from = (int)(step >> __builtin_ctzll((uint64_t)item));
    p.to = 1;
    p.unit = (int)item;
    p.ahead = is_behind_second(c->machine, plan) ? AHEAD : 0;
    svi_odometer_init(&row, plan, last, -1, c->dst, c->src);
    do {
        take_row(isa, &p, row.dst, row.src, whole, there);
        if (there < nbytes)
            move_last(row.dst + there, row.src + there * p.from, item);
    } while (svi_odometer_next(&row));
    return true;
}
