/* The families of kernels: which plans they copy, and how. Pure. */
#ifndef SVI_GPU_LAUNCH_FAMILIES_H
#define SVI_GPU_LAUNCH_FAMILIES_H

#include "gpu/launch_parts.h"

/*
 * Each says whether the plan between the two addresses is one for its kernels, and then fills out. Plans of which
 * launch_shape.c asks them have items, one of which is not larger than SVI_PLAN_ITEM.
 */
typedef bool svi_launch_family(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out);

#endif
