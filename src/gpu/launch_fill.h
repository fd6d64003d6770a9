/* Fills. */
#ifndef SVI_GPU_LAUNCH_FILL_H
#define SVI_GPU_LAUNCH_FILL_H

#include "gpu/launch_shape.h"

bool svi_family_fill(const struct svi_plan *plan, uintptr_t dst, const char *item, struct svi_launch_shape *out);

#endif
