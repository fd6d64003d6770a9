#include "gpu/launch_shape.h"

#include "gpu/launch_box.h"
#include "gpu/launch_cast.h"
#include "gpu/launch_channels.h"
#include "gpu/launch_families.h"
#include "gpu/launch_flat.h"
#include "gpu/launch_line.h"
#include "gpu/launch_permute.h"
#include "gpu/launch_row.h"
#include "gpu/launch_scaled.h"
#include "gpu/launch_tile.h"

/* Of plans that do not convert, the first that takes a plan: each copies runs of its kind as fast as a dense copy. */
static svi_launch_family *const of_runs[] = {svi_family_line, svi_family_rows, svi_family_row};

/* Of those that are left, the one with the least estimate. flat takes all whose extents are below 2^31. */
static svi_launch_family *const competing[] = {svi_family_channels, svi_family_permute, svi_family_box,
                                               svi_family_flat};

/* A transpose by tiles that are nearly all whole, and busy enough, is as good as it gets. */
static bool is_good(const struct svi_plan *plan, const struct svi_launch_shape *shape)
{
    return shape->cost.time <= 1.25 * (double)plan->nbytes;
}

static bool choose_least(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    bool found = svi_family_tile(plan, dst, src, out);

    for (size_t i = 0; i < sizeof competing / sizeof *competing && !(found && is_good(plan, out)); i++) {
        struct svi_launch_shape other;

        if (!competing[i](plan, dst, src, &other) || (found && other.cost.time >= out->cost.time))
            continue;
        *out = other;
        found = true;
    }
    return found;
}

bool svi_launch_shape(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    if (svi_scales(plan))
        return svi_family_scaled(plan, dst, src, out);
    if (plan->kind == SVI_CLASS_CAST)
        return svi_family_box_cast(plan, dst, src, out) || svi_family_convert(plan, dst, src, out) ||
               svi_family_cast(plan, dst, src, out);
    for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs; i++)
        if (of_runs[i](plan, dst, src, out))
            return true;
    return choose_least(plan, dst, src, out);
}
