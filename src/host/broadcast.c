/*
 * Copies that put items in order and have the same ones again along an axis: they
 * are put in order once, and what is in the destination then is copied along it.
 */
#include "kernels.h"

enum {
    LEAST = 4,         /* times, from which on that is faster, */
    LEAST_BYTES = 4096 /* and bytes of a copy: two plans are made */
};

/* Whether to put items in order takes longer than to copy them. */
static bool is_slow(const struct svi_plan *plan)
{
    if (plan->kind == SVI_CLASS_REVERSED)
        return plan->shape[plan->ndim - 1] * plan->item < SVI_LINE;
    return plan->kind == SVI_CLASS_TRANSPOSE || plan->kind == SVI_CLASS_GATHER;
}

/* The slowest axis along which the source stands still; -1: there is none that is worth it. */
static int32_t find_axis(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    if (!is_slow(plan) || plan->nbytes < LEAST_BYTES || plan->dst[last] != plan->item)
        return -1;
    for (int32_t k = 0; k < last; k++)
        if (plan->src[k] == 0 && plan->shape[k] >= LEAST)
            return k;
    return -1;
}

bool svi_host_broadcast(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t axis = find_axis(plan);
    int64_t shape[SVI_PLAN_NDIM], again[SVI_PLAN_NDIM];
    struct svi_plan part;

    if (axis < 0)
        return false;
    for (int32_t k = 0; k < plan->ndim; k++) {
        shape[k] = k == axis ? 1 : plan->shape[k];
        again[k] = k == axis ? 0 : plan->dst[k];
    }
    svi_plan_make(plan->ndim, shape, plan->dst, plan->src, plan->item, &part);
    svi_host_run(machine, &part, dst, src);
    shape[axis] = plan->shape[axis] - 1;
    svi_plan_make(plan->ndim, shape, plan->dst, again, plan->item, &part);
    part.reach = plan->reach;
    svi_host_run(machine, &part, dst + plan->dst[axis], dst);
    return true;
}
