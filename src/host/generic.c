/* Item by item in the destination's order: two axes of loops, and an odometer over the others. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_plane plane = svi_plane_of(plan, plan->ndim - 2, plan->ndim - 1);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 2, -1, dst, src);
    do
        svi_items(&plane, outer.dst, outer.src, item);
    while (svi_odometer_next(&outer));
}

void svi_host_generic(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    (void)machine;
    svi_by_item(plan, dst, src, walk);
}
