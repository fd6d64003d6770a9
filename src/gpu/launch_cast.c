/* Plans that convert, by items in the order of the destination. */
#include "gpu/launch_families.h"
#include "gpu/launch_cast.h"

static int64_t find_cast_word(const struct svi_plan *plan, uintptr_t address, int64_t offset, const int64_t *strides,
                              int64_t item)
{
    return svi_launch_alignment(plan, address, offset, strides, SVI_NO_AXIS, SVI_NO_AXIS) >= item ? item : 0;
}

bool svi_family_cast(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    struct svi_launch_cast *launch = &out->block.cast;
    struct svi_axis *axes = launch->at.axes;

    if (plan->kind != SVI_CLASS_CAST)
        return false;
    launch->at.dst_offset = plan->dst_offset;
    launch->at.src_offset = plan->src_offset;
    launch->at.count = plan->nbytes / plan->item;
    launch->at.naxes = plan->ndim > 0 ? plan->ndim : 1;
    launch->chain = plan->chain;
    launch->dst_word = (uint32_t)find_cast_word(plan, dst, plan->dst_offset, plan->dst, plan->item);
    launch->src_word = (uint32_t)find_cast_word(plan, src, plan->src_offset, plan->src, plan->src_item);
    axes[0] = svi_axis_make(1, 0, 0);
    for (int32_t axis = plan->ndim - 1; axis >= 0; axis--) {
        if (plan->shape[axis] > SVI_MOST_BLOCKS)
            return false;
        *axes++ = svi_axis_make(plan->shape[axis], plan->dst[axis], plan->src[axis]);
    }
    return svi_launch_end(SVI_KERNEL_cast, (launch->at.count - 1) / SVI_LAUNCH_UNITS + 1, 1, 0, out);
}
