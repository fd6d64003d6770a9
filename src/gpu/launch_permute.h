/* Any strides, by tiles that are read and written by vectors. */
#ifndef SVI_GPU_LAUNCH_PERMUTE_H
#define SVI_GPU_LAUNCH_PERMUTE_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_permute;

#endif
