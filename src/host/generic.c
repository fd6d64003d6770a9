/* Item by item in the destination's order: two axes of loops, and an odometer over the others. */
#include "checked.h"
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum { FAR_AHEAD = 16 }; /* items whose lines are fetched before they are written */

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_plane plane = svi_plane_of(plan, plan->ndim - 2, plan->ndim - 1);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 2, -1, dst, src);
    do
        svi_items(&plane, outer.dst, outer.src, item);
    while (svi_odometer_next(&outer));
}

/* Each item to a line of its own. */
SVI_INLINE void walk_lines(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t last = plan->ndim - 1;
    const int64_t dst_step = plan->dst[last], src_step = plan->src[last];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, last, -1, dst, src);
    do {
        char *to = outer.dst;
        const char *from = outer.src;

        for (int64_t k = 0; k < plan->shape[last]; k++) {
            __builtin_prefetch(to + FAR_AHEAD * dst_step);
            memcpy(to, from, item);
            to += dst_step;
            from += src_step;
        }
    } while (svi_odometer_next(&outer));
}

void svi_host_generic(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;

    if (svi_is_past_cache(machine, plan) && svi_abs(plan->dst[last]) >= SVI_LINE && plan->shape[last] > FAR_AHEAD)
        svi_by_item(plan, dst, src, walk_lines);
    else
        svi_by_item(plan, dst, src, walk);
}
