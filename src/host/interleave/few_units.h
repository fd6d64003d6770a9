/* Pixels of a few units. */
#ifndef SVI_HOST_INTERLEAVE_FEW_UNITS_H
#define SVI_HOST_INTERLEAVE_FEW_UNITS_H

#include <stdbool.h>

#include "plan/plan.h"

/* Whether pixels of 2 to 4 units are taken apart, put together or rearranged. */
bool svi_is_pixels(const struct svi_plan *plan);

#endif
