/* Fills: rows by vectors, all other strides by words of the item. */
#include "gpu/launch_shape.h"
#include "gpu/launch_fill.h"

#include <string.h>

enum { SHORTEST_ROW = 64 }; /* bytes */

static const int32_t kernels[] = {SVI_KERNEL_fill_1, SVI_KERNEL_fill_2, SVI_KERNEL_fill_4, SVI_KERNEL_fill_8,
                                  SVI_KERNEL_fill_16};

static bool shape_row_fill(const struct svi_plan *plan, const char *item, struct svi_launch_shape *out)
{
    const int32_t row = plan->ndim - 1;
    struct svi_launch_fill *fill = &out->block.fill;
    int64_t width;

    if (row < 0 || plan->dst[row] != plan->item || 16 % plan->item != 0)
        return false;
    width = plan->item * plan->shape[row];
    if (width < SHORTEST_ROW)
        return false;
    fill->at = svi_launch_begin(plan);
    for (int64_t at = 0; at < 16; at += plan->item)
        memcpy(fill->item + at, item, (size_t)plan->item);
    return svi_launch_end(SVI_KERNEL_fill_row, 1, svi_launch_row_blocks(plan, width, &fill->at), 0, out);
}

/* The words of an item are the fastest axis, whose stride in the source leads through the item. */
static bool shape_word_fill(const struct svi_plan *plan, uintptr_t dst, const char *item, struct svi_launch_shape *out)
{
    const int64_t word =
        svi_divides((uint64_t)plan->item,
                    (uint64_t)svi_launch_alignment(plan, dst, plan->dst_offset, plan->dst, SVI_NO_AXIS, SVI_NO_AXIS));
    struct svi_launch_fill *fill = &out->block.fill;

    fill->at = svi_launch_begin(plan);
    fill->at.src_offset = 0;
    fill->at.count = plan->nbytes / word;
    if (plan->item > word || plan->ndim == 0)
        fill->at.axes[fill->at.naxes++] = svi_axis_make(plan->item / word, word, word);
    memset(fill->item, 0, sizeof fill->item);
    memcpy(fill->item, item, (size_t)plan->item);
    return svi_launch_outer(plan, SVI_NO_AXIS, SVI_NO_AXIS, &fill->at) != 0 &&
           svi_launch_end(kernels[__builtin_ctzll((uint64_t)word)], (fill->at.count - 1) / SVI_LAUNCH_UNITS + 1, 1, 0,
                          out);
}

bool svi_family_fill(const struct svi_plan *plan, uintptr_t dst, const char *item, struct svi_launch_shape *out)
{
    return shape_row_fill(plan, item, out) || shape_word_fill(plan, dst, item, out);
}
