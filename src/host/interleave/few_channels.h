/* Which transposes are pixels of a few channels. */
#ifndef SVI_HOST_INTERLEAVE_FEW_CHANNELS_H
#define SVI_HOST_INTERLEAVE_FEW_CHANNELS_H

#include <stdbool.h>

#include "plan/plan.h"

/* Whether a transpose has a short axis, whose items are dense on one side, and an axis that is a run on the other. */
bool svi_is_channels(const struct svi_plan *plan);

#endif
