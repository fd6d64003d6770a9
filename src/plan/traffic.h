/* Predictions of a plan's traffic. */
#ifndef SVI_TRAFFIC_H
#define SVI_TRAFFIC_H

#include "plan/plan.h"

/* Bytes of the source's and of the destination's cache lines, each line once. */
void svi_plan_traffic(const struct svi_plan *plan, int64_t *read, int64_t *written);

#endif
