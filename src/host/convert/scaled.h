/* Scaled conversions: the scale and bias of each item of a block. */
#ifndef SVI_HOST_CONVERT_SCALED_H
#define SVI_HOST_CONVERT_SCALED_H

#include "host/convert/cast_job.h"

/* Makes the scaling of a plan that scales, as one block. Freed by svi_scratch_free(). NULL: out of memory. */
struct svi_scaling *svi_scaling_new(const struct svi_plan *plan);

/* The steps of the conversion, one of which scales. */
const struct svi_chain *svi_scaling_chain(const struct svi_scaling *s);

/* The factors of *count items of the block from item first on. *count becomes the number of items that they are for. */
struct svi_factors svi_scaling_find(struct svi_scaling *s, int64_t first, int64_t *count);

/* Begins a block: count items along each axis of the plan, from index first on. */
void svi_scaling_enter(struct svi_scaling *s, const int64_t *first, const int64_t *count);

#endif
