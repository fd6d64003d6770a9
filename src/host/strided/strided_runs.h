/* Which copies gather a column of a matrix. */
#ifndef SVI_HOST_STRIDED_STRIDED_RUNS_H
#define SVI_HOST_STRIDED_STRIDED_RUNS_H

#include <stdbool.h>

#include "plan/plan.h"

/* Whether elements of a power of 2 of bytes, at any step in the source, are contiguous in the destination. */
bool svi_is_column(const struct svi_plan *plan);

#endif
