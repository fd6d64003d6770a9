/* Runs in both: long ones by 16 KiB of one, shorter ones some at a time. */
#include "gpu/launch_families.h"
#include "gpu/launch_line.h"

enum {
    LONG_ROW = 2048,                                       /* bytes of a row by line */
    LONG_UNALIGNED_ROW = SVI_LAUNCH_THREADS * 16 - 15 + 1, /* shorter ones have threads enough in a block of rows */
    SHORT_ROW = 64,                                        /* shorter ones go item by item */
    WIDE_WORD = 4                                          /* of which flat copies rows as fast as rows does */
};

/* Bytes of a row, whose axis is the last; all of a plan that has no other. */
static int64_t row_width(const struct svi_plan *plan)
{
    return plan->ndim == 0 ? plan->item : plan->item * plan->shape[plan->ndim - 1];
}

static bool has_rows(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_ROWS || plan->kind == SVI_CLASS_CONTIGUOUS;
}

static int64_t find_line_alignment(const struct svi_plan *plan, uintptr_t dst, uintptr_t src)
{
    const int32_t row = plan->ndim - 1;

    return svi_divides((uint64_t)svi_launch_alignment(plan, dst, plan->dst_offset, plan->dst, row, row),
                       (uint64_t)svi_launch_alignment(plan, src, plan->src_offset, plan->src, row, row));
}

bool svi_family_line(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    const int64_t width = row_width(plan);
    const bool aligned = svi_divides((uint64_t)find_line_alignment(plan, dst, src), (uint64_t)width) == 16;
    const int64_t blocks = (width - 1) / SVI_LAUNCH_BYTES + 1; /* unaligned ones too: the first has both ends */
    struct svi_launch *launch = &out->block.launch;

    if (!has_rows(plan) || width < (aligned ? LONG_ROW : LONG_UNALIGNED_ROW) || blocks > SVI_MOST_BLOCKS)
        return false;
    *launch = svi_launch_begin(plan);
    launch->width = width;
    launch->bands = svi_axis_make(blocks, 0, 0);
    return svi_launch_end(aligned ? SVI_KERNEL_line_16 : SVI_KERNEL_line_any, blocks,
                          svi_launch_outer(plan, plan->ndim - 1, SVI_NO_AXIS, launch), 0, out);
}

/* Threads for one row, a power of two: the row may begin anywhere in the first's 16 bytes. */
static uint32_t lanes_for(int64_t width)
{
    uint32_t lanes = 1;

    while (lanes * 16 < width + 15)
        lanes *= 2;
    return lanes;
}

/* Rows whose words would be narrow, by vectors. The axis before the row's is walked within a block. */
bool svi_family_rows(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    const int64_t width = row_width(plan);
    const int32_t rows = plan->ndim - 2;
    struct svi_launch *launch = &out->block.launch;
    int64_t per_block, blocks;

    if (plan->kind != SVI_CLASS_ROWS || rows < 0 || width < SHORT_ROW || width >= LONG_UNALIGNED_ROW ||
        svi_divides((uint64_t)find_line_alignment(plan, dst, src), (uint64_t)width) >= WIDE_WORD)
        return false;
    *launch = svi_launch_begin(plan);
    launch->width = width;
    launch->count = plan->shape[rows];
    launch->a_src = plan->src[rows];
    launch->b_dst = plan->dst[rows];
    launch->band = lanes_for(width);
    per_block = SVI_LAUNCH_THREADS / launch->band * 4;
    blocks = (launch->count + per_block - 1) / per_block;
    if (blocks > SVI_MOST_BLOCKS)
        return false;
    launch->tiles_a = svi_axis_make(blocks, 0, 0);
    return svi_launch_end(SVI_KERNEL_rows_any, blocks, svi_launch_outer(plan, plan->ndim - 1, rows, launch), 0, out);
}
