/*
 * Copies in another order that the source repeats, by stride 0 along an axis: the elements are brought into the
 * destination's order once, and what is then in the destination is copied along that axis.
 */
#include "host/dispatch/dispatch.h"

enum {
    MIN_REPEATS = 4,
    MIN_COPY_BYTES = 4096 /* two plans are made */
};

/* Whether the order takes longer than the copy. */
static bool is_slow(const struct svi_plan *plan)
{
    if (plan->kind == SVI_CLASS_REVERSED)
        return svi_row_nbytes(plan) < SVI_LINE;
    return plan->kind == SVI_CLASS_TRANSPOSE || plan->kind == SVI_CLASS_GATHER;
}

/* Leaves out axes of stride 0, the slowest ones first, while the rest is worth it: shape becomes that rest's. */
static bool leave_out(const struct svi_plan *plan, int64_t *shape)
{
    const int32_t last = plan->ndim - 1;
    int64_t nbytes = plan->nbytes;

    if (!is_slow(plan) || plan->dst[last] != plan->item)
        return false;
    for (int32_t k = 0; k <= last; k++) {
        const bool leaves =
            k < last && plan->src[k] == 0 && plan->shape[k] >= MIN_REPEATS && nbytes >= MIN_COPY_BYTES;

        shape[k] = leaves ? 1 : plan->shape[k];
        nbytes /= leaves ? plan->shape[k] : 1;
    }
    return nbytes < plan->nbytes;
}

/* Copies what is in the destination at the first index of an axis to all others. */
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

    if (plan->nbytes < MIN_COPY_BYTES || !leave_out(plan, shape))
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
