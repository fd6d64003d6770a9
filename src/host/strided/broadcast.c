/*
 * Copies that put items in order and have the same ones again along an axis: they
 * are put in order once, and what is in the destination then is copied along it.
 */
#include "host/dispatch/dispatch.h"

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

/* An axis along which the source has stride 0, often enough. */
static bool repeats(const struct svi_plan *plan, int32_t axis)
{
    return plan->src[axis] == 0 && plan->shape[axis] >= LEAST;
}

/* The axes that are left out at first, the slowest ones while the rest is worth it: shape becomes that rest's. */
static bool leave_out(const struct svi_plan *plan, int64_t *shape)
{
    const int32_t last = plan->ndim - 1;
    int64_t nbytes = plan->nbytes;

    if (!is_slow(plan) || plan->dst[last] != plan->item)
        return false;
    for (int32_t k = 0; k <= last; k++) {
        const bool leaves = k < last && repeats(plan, k) && nbytes >= LEAST_BYTES;

        shape[k] = leaves ? 1 : plan->shape[k];
        nbytes /= leaves ? plan->shape[k] : 1;
    }
    return nbytes < plan->nbytes;
}

/* What is in the destination at the first index of an axis goes to all others. */
static void repeat(const struct svi_machine *machine, const struct svi_plan *plan, int32_t axis, int64_t *shape,
                   char *dst)
{
    int64_t src[SVI_PLAN_NDIM];
    struct svi_plan part;

    for (int32_t k = 0; k < plan->ndim; k++)
        src[k] = k == axis ? 0 : plan->dst[k];
    shape[axis] = plan->shape[axis] - 1;
    svi_plan_make(plan->ndim, shape, plan->dst, src, plan->item, &part);
    part.reach = plan->reach;
    svi_host_run_leaf(machine, &part, dst + plan->dst[axis], dst);
    shape[axis] = plan->shape[axis];
}

bool svi_host_broadcast(const struct svi_host_copy *c)
{
    const struct svi_plan *const plan = c->plan;
    int64_t shape[SVI_PLAN_NDIM];
    struct svi_plan part;

    if (plan->nbytes < LEAST_BYTES || !leave_out(plan, shape))
        return false;
    if (c->asks)
        return true;
    svi_plan_make(plan->ndim, shape, plan->dst, plan->src, plan->item, &part);
    svi_run_plan(c->machine, &part, c->dst, c->src, svi_two_passes);
    for (int32_t k = plan->ndim - 1; k >= 0; k--)
        if (shape[k] != plan->shape[k])
            repeat(c->machine, plan, k, shape, c->dst);
    return true;
}
