#include "plan/in_place.h"

#include <string.h>

#include "overlap/diophantine.h"

/* Whether the plan's order is that of the source's addresses, each item behind the one before. */
static bool is_ordered(const struct svi_plan *plan)
{
    svi_wide reach = plan->item;

    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        if (plan->src[k] < reach)
            return false;
        reach += (svi_wide)plan->src[k] * (plan->shape[k] - 1);
    }
    return true;
}

/*
 * With an ordered source, going forward is right where no item is written
 * behind the place it is read from, for what is read later lies behind that.
 */
static int32_t find_direction(const struct svi_plan *plan, int64_t shift)
{
    svi_wide least = shift, most = shift;

    for (int32_t k = 0; k < plan->ndim; k++) {
        svi_wide way = ((svi_wide)plan->dst[k] - plan->src[k]) * (plan->shape[k] - 1);

        least += way < 0 ? way : 0;
        most += way > 0 ? way : 0;
    }
    if (most <= 0)
        return SVI_WAY_FORWARD;
    return least >= 0 ? SVI_WAY_BACKWARD : SVI_WAY_NONE;
}

bool svi_swapped_axes(const struct svi_plan *plan, int32_t *slow, int32_t *fast)
{
    int32_t found = 0, axes[2] = {0, 0};

    for (int32_t k = 0; k < plan->ndim; k++)
        if (plan->dst[k] != plan->src[k]) {
            if (found == 2)
                return false;
            axes[found++] = k;
        }
    *slow = axes[0];
    *fast = axes[1];
    return found == 2 && plan->shape[*slow] == plan->shape[*fast] && plan->dst[*slow] == plan->src[*fast] &&
           plan->dst[*fast] == plan->src[*slow];
}

static bool has_own_places(const struct svi_plan *plan)
{
    return plan->item == plan->src_item && memcmp(plan->dst, plan->src, (size_t)plan->ndim * sizeof *plan->dst) == 0;
}

int32_t svi_way_in_place(const struct svi_plan *plan, int64_t shift)
{
    int32_t slow, fast;

    if (plan->kind == SVI_CLASS_CAST)
        return shift == 0 && svi_scales(plan) && has_own_places(plan) ? SVI_WAY_EACH : SVI_WAY_NONE;
    if (shift == 0 && svi_swapped_axes(plan, &slow, &fast))
        return SVI_WAY_SWAP;
    return is_ordered(plan) ? find_direction(plan, shift) : SVI_WAY_NONE;
}
