/* Plans that convert, by items in the order of the destination. */
#ifndef SVI_GPU_LAUNCH_CAST_H
#define SVI_GPU_LAUNCH_CAST_H

#include "backend/backend.h"
#include "gpu/launch_families.h"

svi_launch_family svi_family_convert; /* runs of both sides */
svi_launch_family svi_family_cast;    /* all that convert and do not scale, and no other */

/* The block of these kernels, with a chain of the plan's or one that scales. False: extents are too long. */
bool svi_cast_set(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                  struct svi_launch_cast *out);

/* The same for count copies between other addresses, the first of which the launch is for: their distances are in the
 * block. Gives where else there is room in it. False also where they find no room. */
bool svi_cast_set_batch(const struct svi_plan *plan, const struct svi_chain *chain, int64_t count,
                        const struct svi_transfer *transfers, struct svi_launch_scaled *out, const void **room);

/* Whether kernels for runs do the plan. */
bool svi_cast_is_runs(const struct svi_plan *plan, uintptr_t dst, uintptr_t src);

/* Both end a launch whose block is set: by the kernel for runs, or by the one for any strides. */
bool svi_cast_end_runs(int32_t kernel, struct svi_launch_cast *launch, struct svi_launch_shape *out);
bool svi_cast_end_any(int32_t kernel, const struct svi_launch_cast *launch, struct svi_launch_shape *out);

#endif
