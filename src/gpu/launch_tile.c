/* Transposes by tiles of 16 KiB. */
#include "base/checked.h"
#include "gpu/launch_cost.h"
#include "gpu/launch_families.h"
#include "gpu/launch_tile.h"

enum {
    SHORTEST_RUN = 64, /* bytes */
    LEAST = SVI_LAUNCH_BYTES,
    BAND = 8 /* tiles of b that follow each other, at most */
};

/* For items of 1, 2, 4, 8, 16 bytes, as tile.cu has them. */
static const struct {
    int64_t a, b; /* items of a tile */
    int32_t kernels[4]; /* + 1: the destination is aligned to 16 bytes, + 2: the source is */
} tiles[] = {
    {128, 128, {SVI_KERNEL_tile_1_00, SVI_KERNEL_tile_1_01, SVI_KERNEL_tile_1_10, SVI_KERNEL_tile_1_11}},
    {128, 64, {SVI_KERNEL_tile_2_00, SVI_KERNEL_tile_2_01, SVI_KERNEL_tile_2_10, SVI_KERNEL_tile_2_11}},
    {64, 64, {SVI_KERNEL_tile_4_00, SVI_KERNEL_tile_4_01, SVI_KERNEL_tile_4_10, SVI_KERNEL_tile_4_11}},
    {32, 64, {SVI_KERNEL_tile_8_00, SVI_KERNEL_tile_8_01, SVI_KERNEL_tile_8_10, SVI_KERNEL_tile_8_11}},
    {32, 32, {-1, -1, -1, SVI_KERNEL_tile_16_11}},
};

static bool is_tiled(const struct svi_plan *plan)
{
    const int32_t a = plan->ndim - 1, b = plan->src_axis;

    return plan->kind == SVI_CLASS_TRANSPOSE && (plan->item & (plan->item - 1)) == 0 && plan->nbytes >= LEAST &&
           plan->dst[a] == plan->item && (plan->src[b] == plan->item || plan->src[b] == -plan->item) &&
           plan->shape[a] * plan->item >= SHORTEST_RUN && plan->shape[b] * plan->item >= SHORTEST_RUN;
}

/* A tile takes as long as a whole one wherever it ends. */
static struct svi_cost cost_of_tile(double count, int64_t item, bool is_aligned)
{
    const double nbytes = count * SVI_LAUNCH_BYTES;

    return svi_cost_make(nbytes * (is_aligned ? 1 : 1.05), nbytes * ((item == 1 ? .6 : .35) + (is_aligned ? 0 : .15)),
                         count);
}

/* Where the source is a run backwards along b, b is walked from its other end: the destination's stride turns round. */
static void set_b(const struct svi_plan *plan, struct svi_launch_tile *launch)
{
    const int32_t b = plan->src_axis;

    launch->b_dst = plan->dst[b];
    if (plan->src[b] > 0)
        return;
    launch->b_dst = -plan->dst[b];
    launch->at.dst_offset += (plan->shape[b] - 1) * plan->dst[b];
    launch->at.src_offset += (plan->shape[b] - 1) * plan->src[b];
}

bool svi_family_tile(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    const int32_t a = plan->ndim - 1, b = plan->src_axis, which = __builtin_ctzll((uint64_t)plan->item);
    struct svi_launch_tile *launch = &out->block.tile;
    int64_t to, from, along_a, along_b, bands, band, outer;

    if (!is_tiled(plan))
        return false;
    launch->at = svi_launch_begin(plan);
    set_b(plan, launch);
    to = svi_launch_alignment(plan, dst, launch->at.dst_offset, plan->dst, a, SVI_NO_AXIS);
    from = svi_launch_alignment(plan, src, launch->at.src_offset, plan->src, b, SVI_NO_AXIS);
    along_a = svi_divide_up(plan->shape[a], tiles[which].a);
    along_b = svi_divide_up(plan->shape[b], tiles[which].b);
    if (to < plan->item || from < plan->item || along_a > SVI_MOST_BLOCKS || along_b > SVI_MOST_BLOCKS / BAND ||
        along_b > SVI_MOST_BLOCKS / along_a / 2)
        return false;
    bands = svi_divide_up(along_b, BAND);
    band = svi_divide_up(along_b, bands);
    launch->a_extent = plan->shape[a];
    launch->b_extent = plan->shape[b];
    launch->a_src = plan->src[a];
    launch->band = svi_axis_make(band, 0, 0);
    launch->tiles_a = svi_axis_make(along_a, 0, 0);
    launch->bands = svi_axis_make(bands, 0, 0);
    outer = svi_launch_outer(plan, a, b, &launch->at);
    out->cost = cost_of_tile((double)(along_a * along_b) * (double)outer, plan->item, to == 16 && from == 16);
    return svi_launch_end(tiles[which].kernels[(to == 16) + 2 * (from == 16)], along_a * band * bands, outer,
                          SVI_LAUNCH_BYTES, out);
}
