#include "plan/detour.h"

#include "base/checked.h"
#include "plan/part.h"

/* The memory as the plan's axes see it. */
struct packed {
    int64_t first; /* bytes from its begin to the first item of the walk */
    int64_t shape[SVI_PLAN_NDIM], strides[SVI_PLAN_NDIM];
};

int32_t svi_detour_narrow(const struct svi_plan *plan)
{
    const struct svi_scaled *scaled = &plan->scaled;
    const bool grows = svi_scales(plan) && scaled->axis >= 0 && plan->src[scaled->axis] == 0;

    return plan->item < plan->src_item && !grows ? SVI_SIDE_DST : SVI_SIDE_SRC;
}

static int64_t item_of(const struct svi_plan *plan, int32_t side)
{
    return side == SVI_SIDE_DST ? plan->item : plan->src_item;
}

int64_t svi_detour_nbytes(const struct svi_plan *plan, int32_t items)
{
    int64_t nbytes = item_of(plan, items);

    for (int32_t k = 0; k < plan->ndim; k++)
        if (!svi_detour_repeats(plan, items, k))
            nbytes *= plan->shape[k];
    return nbytes;
}

/* The fastest axis of a side among those that are not placed. */
static int32_t find_fastest_axis(const struct svi_plan *plan, int32_t side, const bool *placed)
{
    int32_t axis = -1;

    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        if (placed[k])
            continue;
        if (axis < 0 || (side == SVI_SIDE_SRC && svi_abs(plan->src[k]) < svi_abs(plan->src[axis])))
            axis = k;
    }
    return axis;
}

/* In the source's order an axis keeps its direction too. */
static void pack_side(const struct svi_plan *plan, int32_t side, int32_t items, struct packed *out)
{
    bool placed[SVI_PLAN_NDIM] = {false};
    int64_t stride = item_of(plan, items);

    out->first = 0;
    out->shape[0] = out->strides[0] = 0; /* not used without an axis, which compilers cannot tell */
    for (int32_t i = 0; i < plan->ndim; i++) {
        const int32_t k = find_fastest_axis(plan, side, placed);
        const bool repeated = svi_detour_repeats(plan, items, k), backwards = side == SVI_SIDE_SRC && plan->src[k] < 0;

        placed[k] = true;
        out->shape[k] = repeated ? 1 : plan->shape[k];
        out->strides[k] = repeated ? 0 : backwards ? -stride : stride;
        if (backwards)
            out->first += (plan->shape[k] - 1) * stride;
        stride *= out->shape[k];
    }
}

void svi_detour_make(const struct svi_plan *plan, int32_t side, int32_t items, struct svi_plan *in,
                     struct svi_plan *out)
{
    const int64_t item = item_of(plan, items);
    const bool converts = plan->kind == SVI_CLASS_CAST;
    struct packed packed;

    pack_side(plan, side, items, &packed);
    if (converts && items == SVI_SIDE_DST)
        svi_plan_make_like(plan, packed.shape, packed.strides, plan->src, in);
    else
        svi_plan_make(plan->ndim, packed.shape, packed.strides, plan->src, item, in);
    if (converts && items == SVI_SIDE_SRC)
        svi_plan_make_like(plan, plan->shape, plan->dst, packed.strides, out);
    else
        svi_plan_make(plan->ndim, plan->shape, plan->dst, packed.strides, item, out);
    svi_plan_move(in, packed.first, plan->src_offset);
    svi_plan_move(out, plan->dst_offset, packed.first);
}
