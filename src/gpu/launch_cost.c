#include "gpu/launch_cost.h"

#include "base/checked.h"
#include "plan/plan.h"

/* The axis with the smallest stride that was not taken yet, and is no single item; -1: none. */
static int32_t find_next(int32_t naxes, const int64_t *extents, const int64_t *strides, const bool *taken)
{
    int32_t next = -1;

    for (int32_t k = 0; k < naxes; k++)
        if (!taken[k] && extents[k] > 1 && strides[k] != 0 &&
            (next < 0 || svi_abs(strides[k]) < svi_abs(strides[next])))
            next = k;
    return next;
}

double svi_cost_sectors(int32_t naxes, const int64_t *extents, const int64_t *strides, int64_t word, int64_t alignment)
{
    bool taken[SVI_PLAN_NDIM + 1] = {false};
    int64_t span = word;
    double runs = 1;

    for (int32_t k; (k = find_next(naxes, extents, strides, taken)) >= 0;) {
        const int64_t step = (int64_t)svi_abs(strides[k]);

        taken[k] = true;
        if (runs == 1 && step - span < SVI_SECTOR)
            span += (extents[k] - 1) * step;
        else
            runs *= (double)extents[k];
    }
    return runs * svi_cost_run(span, alignment);
}
