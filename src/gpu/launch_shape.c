#include "gpu/launch_shape.h"

#include "gpu/launch_families.h"
#include "gpu/launch_box.h"
#include "gpu/launch_cast.h"
#include "gpu/launch_channels.h"
#include "gpu/launch_flat.h"
#include "gpu/launch_line.h"
#include "gpu/launch_permute.h"
#include "gpu/launch_row.h"
#include "gpu/launch_tile.h"

/* Of plans that do not convert, the first that takes a plan. flat takes all whose extents are below 2^31. */
static svi_launch_family *const families[] = {
    svi_family_line, svi_family_rows, svi_family_row,  svi_family_permute, svi_family_channels,
    svi_family_tile, svi_family_box,  svi_family_flat,
};

bool svi_launch_shape(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    if (plan->kind == SVI_CLASS_CAST)
        return svi_family_box_cast(plan, dst, src, out) || svi_family_cast(plan, dst, src, out);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (families[i](plan, dst, src, out))
            return true;
    return false;
}
