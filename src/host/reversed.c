/* Runs that the source has backwards: vectors turned round. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum { LEAST_QUARTERS = 16384 }; /* bytes of a run; of 8 and 12 KiB it is level, of 4 KiB slower */

/* end: behind the last item of the run in the source, the first of the destination's. */
SVI_INLINE void row(const struct svi_isa *isa, int64_t count, char *dst, const char *end, bool past_cache,
                    bool quarters, size_t item)
{
    const int64_t size = (int64_t)item, line = SVI_LINE / size;
    int64_t head = past_cache ? (int64_t)(-(uintptr_t)dst % SVI_LINE) / size : 0, body;

    if (head > count)
        head = count;
    body = (count - head) / line * line;
    svi_line(count - head - body, dst + (head + body) * size, size, end - (head + body + 1) * size, -size, item);
    isa->reverse(dst + head * size, end - head * size, body * size, (int)item, past_cache, quarters && past_cache);
    svi_line(head, dst, size, end - size, -size, item);
}

SVI_INLINE void walk(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                     size_t item)
{
    const int32_t last = plan->ndim - 1;
    const bool past_cache = svi_is_past_cache(machine, plan);
    const bool quarters = machine->intel && plan->shape[last] * (int64_t)item >= LEAST_QUARTERS;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, last, -1, dst, src);
    if (past_cache)
        svi_odometer_by_source(&outer);
    do
        row(machine->isa, plan->shape[last], outer.dst, outer.src + item,
            past_cache && (uintptr_t)outer.dst % item == 0, quarters, item);
    while (svi_odometer_next(&outer));
    if (past_cache)
        machine->isa->fence();
}

void svi_host_reversed(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    if (machine->isa->reverse == NULL || (plan->item & (plan->item - 1)) != 0)
        svi_host_generic(machine, plan, dst, src);
    else
        walk(machine, plan, dst, src, (size_t)plan->item);
}
