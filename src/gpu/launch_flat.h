/* Any plan, by words in the order of the destination. */
#ifndef SVI_GPU_LAUNCH_FLAT_H
#define SVI_GPU_LAUNCH_FLAT_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_flat;
#endif
