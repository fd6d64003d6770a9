/* Plans that scale, by the kernels of those that convert. */
#ifndef SVI_GPU_LAUNCH_SCALED_H
#define SVI_GPU_LAUNCH_SCALED_H

#include "backend/backend.h"
#include "gpu/launch_families.h"

/* All plans that scale, and no other: those whose values find room in a block (svi_scaled_indices()). */
svi_launch_family svi_family_scaled;

/* By the kernel for batches. */
bool svi_scaled_for_batch(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                          struct svi_launch_shape *out);

/* By the kernel for tables, between addresses of as many zeros as 0. */
bool svi_scaled_for_table(const struct svi_plan *plan, struct svi_launch_shape *out);

/* Indices of the plan's axis of which one launch has the values at most; INT64_MAX: the plan has no such axis. */
int64_t svi_scaled_indices(const struct svi_plan *plan);

#endif
