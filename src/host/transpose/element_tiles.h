/* Elements of odd sizes that are a matrix. */
#ifndef SVI_HOST_TRANSPOSE_ELEMENT_TILES_H
#define SVI_HOST_TRANSPOSE_ELEMENT_TILES_H

#include <stdbool.h>

#include "plan/plan.h"

/* Whether items or short rows, not of a tile's size, have one order in the source and another in the destination. */
bool svi_is_odd(const struct svi_plan *plan);

#endif
