/* The families of kernels: which plans they copy, and how. Pure. */
#ifndef SVI_CUDA_LAUNCH_FAMILIES_H
#define SVI_CUDA_LAUNCH_FAMILIES_H

#include "cuda/launch_parts.h"

/*
 * Each says whether the plan between the two addresses is one for its kernels, and then fills out. Plans of which
 * launch_shape.c asks them have items, one of which is not larger than SVI_PLAN_ITEM.
 */
typedef bool svi_launch_family(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out);

svi_launch_family svi_family_line; /* launch_line.c */
svi_launch_family svi_family_rows;
svi_launch_family svi_family_row; /* launch_row.c */
svi_launch_family svi_family_tile; /* launch_tile.c */
svi_launch_family svi_family_channels; /* launch_channels.c */
svi_launch_family svi_family_box; /* launch_box.c */
svi_launch_family svi_family_flat; /* launch_flat.c */
svi_launch_family svi_family_box_cast; /* launch_box.c: of those that convert */
svi_launch_family svi_family_cast; /* launch_cast.c: all that convert, and no other */

#endif
