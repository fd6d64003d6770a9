/* Pixels of a few channels. */
#ifndef SVI_HOST_INTERLEAVE_FEW_CHANNELS_H
#define SVI_HOST_INTERLEAVE_FEW_CHANNELS_H

#include <stdbool.h>

#include "plan/plan.h"

/* Whether one axis of a transpose is short, its items being dense on one side, and the other is a run on the other. */
bool svi_is_channels(const struct svi_plan *plan);

#endif
