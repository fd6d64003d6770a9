/* Items that are anywhere in the source and follow each other in the destination. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum { LEAST_RUN = 64 }; /* bytes of the destination; below, it is mostly ends */

bool svi_is_column(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_GATHER && (plan->item & (plan->item - 1)) == 0 &&
           plan->shape[plan->ndim - 1] * plan->item >= LEAST_RUN;
}

void svi_host_column(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_column *const run = machine->isa->column[__builtin_ctzll((uint64_t)plan->item)];
    const bool past_cache = svi_is_past_cache(machine, plan);
    const int32_t last = plan->ndim - 1;
    struct svi_odometer outer;

    if (run == NULL) {
        svi_host_generic(machine, plan, dst, src);
        return;
    }
    svi_odometer_init(&outer, plan, last, -1, dst, src);
    do
        run(outer.dst, outer.src, plan->src[last], plan->shape[last], past_cache);
    while (svi_odometer_next(&outer));
    if (past_cache)
        machine->isa->fence();
}
