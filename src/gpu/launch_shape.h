/*
 * Which kernel copies a plan between two addresses of a device, with how many
 * blocks and what parameters: asks the families, launch_FAMILY.c, in turn. Pure,
 * without a header of CUDA. The struct is in launch_parts.h.
 */
#ifndef SVI_GPU_LAUNCH_SHAPE_H
#define SVI_GPU_LAUNCH_SHAPE_H

#include "gpu/launch_parts.h"

/* Of a plan that is not empty. false: an extent or the number of blocks is 2^31 or more, so the plan is to be cut. */
bool svi_launch_shape(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out);

/* The most axes of a fill's plan; launch_fill.h has its kernels. */
enum { SVI_FILL_AXES = SVI_LAUNCH_AXES - 1 };

#endif
