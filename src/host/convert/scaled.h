/* Scaled conversions. */
#ifndef SVI_HOST_CONVERT_SCALED_H
#define SVI_HOST_CONVERT_SCALED_H

#include "host/convert/cast_job.h"

/* For one block, the whole plan. To be given to svi_scratch_free(). NULL: out of memory. */
struct svi_scaling *svi_scaling_new(const struct svi_affine *affine);

/* Its steps, one of which scales. */
const struct svi_chain *svi_scaling_chain(const struct svi_scaling *s);

/* The factors of the block's items from this one on, of which *count are wanted, and *count get them. */
struct svi_factors svi_scaling_find(struct svi_scaling *s, int64_t first, int64_t *count);

/* What items of which indices follow in the block that comes: count along each axis of the plan, from first on. */
void svi_scaling_enter(struct svi_scaling *s, const int64_t *first, const int64_t *count);

#endif
