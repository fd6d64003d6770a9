/* Rows whose source stands still or goes backwards. */
#include "gpu/launch_families.h"
#include "gpu/launch_row.h"

enum { SHORTEST_ROW = 64 }; /* bytes */

static const int32_t kernels[2][5] = {
    {SVI_KERNEL_repeat_1, SVI_KERNEL_repeat_2, SVI_KERNEL_repeat_4, SVI_KERNEL_repeat_8, SVI_KERNEL_repeat_16},
    {SVI_KERNEL_reverse_1, SVI_KERNEL_reverse_2, SVI_KERNEL_reverse_4, SVI_KERNEL_reverse_8, SVI_KERNEL_reverse_16},
};

/* Whether items are words that both sides have at their addresses. */
static bool has_row_words(const struct svi_plan *plan, uintptr_t dst, uintptr_t src)
{
    const int64_t to = svi_launch_alignment(plan, dst, plan->dst_offset, plan->dst, SVI_NO_AXIS, SVI_NO_AXIS);
    const int64_t from = svi_launch_alignment(plan, src, plan->src_offset, plan->src, SVI_NO_AXIS, SVI_NO_AXIS);

    return (plan->item & (plan->item - 1)) == 0 && to >= plan->item && from >= plan->item;
}

bool svi_family_row(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    const bool reversed = plan->kind == SVI_CLASS_REVERSED;
    const int32_t row = plan->ndim - 1;
    int64_t width;

    if (!(reversed || plan->kind == SVI_CLASS_REPEAT) || plan->dst[row] != plan->item || !has_row_words(plan, dst, src))
        return false;
    width = plan->item * plan->shape[row];
    if (width < SHORTEST_ROW)
        return false;
    out->block.launch = svi_launch_begin(plan);
    return svi_launch_end(kernels[reversed][__builtin_ctzll((uint64_t)plan->item)], 1,
                          svi_launch_row_blocks(plan, width, &out->block.launch), 0, out);
}
