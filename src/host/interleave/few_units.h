/* Which copies rearrange pixels of a few units. */
#ifndef SVI_HOST_INTERLEAVE_FEW_UNITS_H
#define SVI_HOST_INTERLEAVE_FEW_UNITS_H

#include <stdbool.h>

#include "host/convert/cast_job.h"
#include "plan/plan.h"

/* Whether a plan deinterleaves, interleaves or swizzles pixels of 2 to 4 units. */
bool svi_is_pixels(const struct svi_plan *plan);

/* The questions of the loop convert_units: few_units for a copy that converts. */
svi_host_question svi_can_cast_pixels, svi_refuses_cast_pixels;
bool svi_cast_pixels(const struct svi_cast *c, char *dst, const char *src);

#endif
