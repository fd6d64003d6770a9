#include "gpu/launch_parts.h"
#include "base/checked.h"
#include "plan/part.h"

int64_t svi_launch_alignment(const struct svi_plan *plan, uintptr_t address, int64_t offset, const int64_t *strides,
                             int32_t but, int32_t and_but)
{
    uint64_t bits = address + (uint64_t)offset;

    for (int32_t axis = 0; axis < plan->ndim; axis++)
        if (axis != but && axis != and_but)
            bits |= (uint64_t)strides[axis];
    return svi_divides(bits, 0);
}

struct svi_launch_sides svi_launch_begin(const struct svi_plan *plan)
{
    struct svi_launch_sides sides = {
        .dst_offset = plan->dst_offset,
        .src_offset = plan->src_offset,
        .src_lower = plan->src_offset,
        .src_upper = plan->src_offset + plan->src_item,
    };

    for (int32_t axis = 0; axis < plan->ndim; axis++) {
        const int64_t reach = (plan->shape[axis] - 1) * plan->src[axis];

        if (reach < 0)
            sides.src_lower += reach;
        else
            sides.src_upper += reach;
    }
    return sides;
}

int64_t svi_launch_outer(const struct svi_plan *plan, int32_t but, int32_t and_but, struct svi_launch_sides *sides)
{
    int64_t product = 1;

    for (int32_t axis = plan->ndim - 1; axis >= 0; axis--) {
        if (axis == but || axis == and_but)
            continue;
        if (sides->naxes == SVI_LAUNCH_AXES || plan->shape[axis] > SVI_MOST_BLOCKS / product)
            return 0;
        product *= plan->shape[axis];
        sides->axes[sides->naxes++] = svi_axis_make(plan->shape[axis], plan->dst[axis], plan->src[axis]);
    }
    return product;
}

int64_t svi_launch_row_blocks(const struct svi_plan *plan, int64_t width, struct svi_launch_row *launch)
{
    const int64_t vectors = width / 16;
    const bool is_long = vectors > SVI_LAUNCH_THREADS;
    const int64_t per_row = is_long ? (width - 1) / SVI_LAUNCH_BYTES + 1 : 1;
    int64_t lanes = 1, rows;

    launch->at = svi_launch_begin(plan);
    rows = svi_launch_outer(plan, plan->ndim - 1, SVI_NO_AXIS, &launch->at);
    if (rows == 0 || per_row > SVI_MOST_BLOCKS / rows)
        return 0;
    while (lanes < vectors && lanes < SVI_LAUNCH_THREADS)
        lanes *= 2;
    launch->width = width;
    launch->count = rows;
    launch->blocks = svi_axis_make(per_row, 0, 0);
    launch->lanes = svi_axis_make(lanes, 0, 0);
    launch->per_block = is_long ? 1 : (uint32_t)(SVI_LAUNCH_THREADS / lanes * 4);
    return (rows - 1) / launch->per_block * per_row + per_row;
}

void svi_launch_half(const struct svi_plan *plan, int32_t which, struct svi_plan *out)
{
    int64_t first[SVI_PLAN_NDIM] = {0}, count[SVI_PLAN_NDIM], half;
    int32_t longest = 0;

    for (int32_t axis = 0; axis < plan->ndim; axis++) {
        count[axis] = plan->shape[axis];
        if (plan->shape[axis] > plan->shape[longest])
            longest = axis;
    }
    half = plan->shape[longest] / 2;
    first[longest] = which == 0 ? 0 : half;
    count[longest] = which == 0 ? half : plan->shape[longest] - half;
    svi_plan_box(plan, first, count, out);
}

bool svi_launch_end(int32_t kernel, int64_t blocks, int64_t times, int64_t shared, struct svi_launch_shape *out)
{
    if (times == 0 || blocks > SVI_MOST_BLOCKS / times)
        return false;
    out->kernel = kernel;
    out->grid = (uint32_t)(blocks * times);
    out->copies = 1;
    out->shared = (uint32_t)shared;
    return true;
}

bool svi_launch_add_outer(int64_t extent, int64_t tile, int64_t dst, int64_t src, struct svi_box_outer *outer,
                          uint32_t *nouter, int64_t *tiles)
{
    const int64_t count = svi_divide_up(extent, tile);
    const struct svi_axis division = svi_axis_make(count, 0, 0);

    if (count == 1)
        return true;
    if (*nouter == SVI_BOX_OUTER || count > SVI_MOST_BLOCKS / *tiles)
        return false;
    *tiles *= count;
    outer[(*nouter)++] = (struct svi_box_outer){
        division.extent, division.magic, division.shift, (uint32_t)tile, extent - tile, dst, src};
    return true;
}
