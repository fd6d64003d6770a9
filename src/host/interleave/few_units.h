/* Pixels of a few units. */
#ifndef SVI_HOST_INTERLEAVE_FEW_UNITS_H
#define SVI_HOST_INTERLEAVE_FEW_UNITS_H

#include <stdbool.h>

#include "host/convert/cast_job.h"
#include "plan/plan.h"

/* Whether pixels of 2 to 4 units are taken apart, put together or rearranged. */
bool svi_is_pixels(const struct svi_plan *plan);

/* Pixels of 2 to 4 units, taken apart, put together or rearranged on the way: few_units.c. */
svi_host_question svi_can_cast_pixels, svi_refuses_cast_pixels;
bool svi_cast_pixels(const struct svi_cast *c, char *dst, const char *src);

#endif
