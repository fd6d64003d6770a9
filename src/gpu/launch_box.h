/* Transposes by tiles of several axes. */
#ifndef SVI_GPU_LAUNCH_BOX_H
#define SVI_GPU_LAUNCH_BOX_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_box;
svi_launch_family svi_family_box_cast; /* of those that convert */

/*
 * The block of kernels for boxes that convert, with a chain of the plan's or one that scales, and the bytes of shared
 * memory of its launch. scaled: receives the kernel's axes along which a scale changes; NULL: nothing scales. False: the
 * plan is none for these kernels.
 */
bool svi_box_cast_set(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                      struct svi_launch_box_cast *out, struct svi_launch_affine *scaled, int64_t *shared);
bool svi_box_cast_end(int32_t kernel, const struct svi_launch_box_cast *launch, int64_t shared,
                      struct svi_launch_shape *out);

#endif
