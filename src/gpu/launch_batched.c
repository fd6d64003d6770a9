#include "gpu/launch_batched.h"

#include "gpu/launch_cast.h"
#include "gpu/launch_families.h"
#include "gpu/launch_flat.h"
#include "gpu/launch_line.h"
#include "gpu/launch_scaled.h"
#include "gpu/launch_tile.h"
#include "plan/part.h"

_Static_assert((int)SVI_TRANSFERS == (int)SVI_LAUNCH_BATCH, "a call is a launch");

/* What is like a kernel for one copy. Tiles with one side aligned go by those that need neither. */
static const struct {
    int32_t one, batched;
} kernels[] = {
    {SVI_KERNEL_line_16, SVI_KERNEL_batched_line_16},     {SVI_KERNEL_line_any, SVI_KERNEL_batched_line_any},
    {SVI_KERNEL_rows_any, SVI_KERNEL_batched_rows_any},   {SVI_KERNEL_tile_1_11, SVI_KERNEL_batched_tile_1_11},
    {SVI_KERNEL_tile_1_01, SVI_KERNEL_batched_tile_1_00}, {SVI_KERNEL_tile_1_10, SVI_KERNEL_batched_tile_1_00},
    {SVI_KERNEL_tile_1_00, SVI_KERNEL_batched_tile_1_00}, {SVI_KERNEL_tile_2_11, SVI_KERNEL_batched_tile_2_11},
    {SVI_KERNEL_tile_2_01, SVI_KERNEL_batched_tile_2_00}, {SVI_KERNEL_tile_2_10, SVI_KERNEL_batched_tile_2_00},
    {SVI_KERNEL_tile_2_00, SVI_KERNEL_batched_tile_2_00}, {SVI_KERNEL_tile_4_11, SVI_KERNEL_batched_tile_4_11},
    {SVI_KERNEL_tile_4_01, SVI_KERNEL_batched_tile_4_00}, {SVI_KERNEL_tile_4_10, SVI_KERNEL_batched_tile_4_00},
    {SVI_KERNEL_tile_4_00, SVI_KERNEL_batched_tile_4_00}, {SVI_KERNEL_tile_8_11, SVI_KERNEL_batched_tile_8_11},
    {SVI_KERNEL_tile_8_01, SVI_KERNEL_batched_tile_8_00}, {SVI_KERNEL_tile_8_10, SVI_KERNEL_batched_tile_8_00},
    {SVI_KERNEL_tile_8_00, SVI_KERNEL_batched_tile_8_00}, {SVI_KERNEL_tile_16_11, SVI_KERNEL_batched_tile_16_11},
    {SVI_KERNEL_flat_1, SVI_KERNEL_batched_flat_1},       {SVI_KERNEL_flat_2, SVI_KERNEL_batched_flat_2},
    {SVI_KERNEL_flat_4, SVI_KERNEL_batched_flat_4},       {SVI_KERNEL_flat_8, SVI_KERNEL_batched_flat_8},
    {SVI_KERNEL_flat_16, SVI_KERNEL_batched_flat_16},
};

static bool find_batched(int32_t *kernel)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].one == *kernel) {
            *kernel = kernels[i].batched;
            return true;
        }
    return false;
}

static uintptr_t subtract_addresses(const char *to, const char *from)
{
    return (uintptr_t)to - (uintptr_t)from;
}

/* The bits by which addresses differ from the first's that matter to an alignment. */
static void find_skews(int64_t count, const struct svi_transfer *transfers, int64_t *dst, int64_t *src)
{
    uintptr_t dst_bits = 0, src_bits = 0;

    for (int64_t i = 1; i < count; i++) {
        dst_bits |= subtract_addresses(transfers[i].dst, transfers[0].dst);
        src_bits |= subtract_addresses(transfers[i].src, transfers[0].src);
    }
    *dst = (int64_t)(dst_bits & 15);
    *src = (int64_t)(src_bits & 15);
}

/* The time of a copy among others that are as many as it takes to keep the device busy. */
static double find_time(const struct svi_launch_shape *shape)
{
    return svi_cost_make(shape->cost.sectors, shape->cost.threads, SVI_MOST_BLOCKS).time;
}

/* Of the families that have kernels for batches: of runs the first that takes the plan, else tiles or any strides. */
static bool choose_batched_shape(const struct svi_plan *plan, uintptr_t dst, uintptr_t src,
                                 struct svi_launch_shape *out)
{
    struct svi_launch_shape tiles;

    if (svi_family_line(plan, dst, src, out) || svi_family_rows(plan, dst, src, out))
        return find_batched(&out->kernel);
    if (!svi_family_flat(plan, dst, src, out))
        return false;
    if (svi_family_tile(plan, dst, src, &tiles) && find_time(&tiles) <= find_time(out))
        *out = tiles;
    return find_batched(&out->kernel);
}

static void set_distances(int64_t count, const struct svi_transfer *transfers, struct svi_launch_batch *out)
{
    out->has_table = 0;
    for (int64_t i = 0; i < SVI_LAUNCH_BATCH; i++) {
        const struct svi_transfer *transfer = &transfers[i < count ? i : 0];

        out->dst[i] = (int64_t)subtract_addresses(transfer->dst, transfers->dst);
        out->src[i] = (int64_t)subtract_addresses(transfer->src, transfers->src);
    }
}

static bool choose_for_batch(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                             struct svi_launch_shape *out)
{
    const void *room;

    if (svi_scales(plan))
        return svi_scaled_for_batch(plan, count, transfers, out);
    if (plan->kind == SVI_CLASS_CAST)
        return svi_cast_set_batch(plan, &plan->chain, count, transfers, &out->block.scaled, &room) &&
               svi_cast_end_any(SVI_KERNEL_batched_cast, &out->block.scaled.cast, out);
    if (!choose_batched_shape(plan, (uintptr_t)transfers->dst, (uintptr_t)transfers->src, out))
        return false;
    set_distances(count, transfers, &out->block.batch);
    return true;
}

bool svi_launch_batched(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                        struct svi_launch_shape *out)
{
    struct svi_plan skewed;
    int64_t dst, src;

    if (plan->ndim == SVI_PLAN_NDIM)
        return false;
    find_skews(count, transfers, &dst, &src);
    if (dst != 0 || src != 0) { /* by the strides of one more axis, what chooses sees where the addresses may be */
        svi_part_with_axis(plan, dst, src, &skewed);
        plan = &skewed;
    }
    if (!choose_for_batch(plan, count, transfers, out))
        return false;
    out->copies = (uint32_t)count;
    return true;
}

/* --- tables --------------------------------------------------------------------------------------------- */

static bool choose_for_table(const struct svi_plan *plan, struct svi_launch_table table, struct svi_launch_shape *out)
{
    struct svi_launch_cast *cast = &out->block.scaled.cast;

    if (plan->kind == SVI_CLASS_CAST) {
        const bool found = svi_scales(plan) ? svi_scaled_for_table(plan, out)
                                            : svi_cast_set(plan, 0, 0, &plan->chain, cast) &&
                                                  svi_cast_end_any(SVI_KERNEL_batched_cast, cast, out);

        cast->distances = 0;
        cast->table = table;
        return found;
    }
    if (!choose_batched_shape(plan, 0, 0, out))
        return false;
    out->block.batch.has_table = 1;
    out->block.batch.table = table;
    return true;
}

bool svi_launch_table(const struct svi_plan *plan, int64_t count, const struct svi_table *table,
                      struct svi_launch_shape *out)
{
    const struct svi_launch_table steps = {table->dst_step, table->src_step};
    struct svi_plan skewed;

    if (plan->ndim == SVI_PLAN_NDIM)
        return false;
    if (table->alignment < 16) { /* as for batches: the addresses are anywhere on the way along one more axis */
        svi_part_with_axis(plan, table->alignment, table->alignment, &skewed);
        plan = &skewed;
    }
    if (!choose_for_table(plan, steps, out))
        return false;
    out->copies = (uint32_t)count;
    return true;
}

/* --- runs ----------------------------------------------------------------------------------------------- */

/* The first block may begin before the run, but has both ends of it: no more blocks than for a run that is aligned. */
void svi_batch_runs(int64_t count, const struct svi_transfer *transfers, struct svi_launch_shape *out)
{
    struct svi_launch_runs *runs = &out->block.runs;
    uint32_t blocks = 0;

    *runs = (struct svi_launch_runs){.count = (uint32_t)count};
    for (int64_t i = 0; i < count; i++) {
        runs->runs[i] = (struct svi_launch_run){
            .dst = (int64_t)subtract_addresses(transfers[i].dst, transfers->dst),
            .src = (int64_t)subtract_addresses(transfers[i].src, transfers->src),
            .nbytes = (uint32_t)transfers[i].nbytes,
            .first = blocks,
        };
        blocks += (uint32_t)((transfers[i].nbytes - 1) / SVI_LAUNCH_BYTES + 1);
    }
    svi_launch_end(SVI_KERNEL_runs_any, blocks, 1, 0, out);
}
