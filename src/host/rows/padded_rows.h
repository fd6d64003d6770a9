/* Which copies scatter elements to places with small gaps. */
#ifndef SVI_HOST_ROWS_PADDED_ROWS_H
#define SVI_HOST_ROWS_PADDED_ROWS_H

#include <stdbool.h>

#include "plan/plan.h"

/* Whether contiguous elements of 4, 8 or 16 bytes are stored to every second, third or fourth place. */
bool svi_is_scatter(const struct svi_plan *plan);

#endif
