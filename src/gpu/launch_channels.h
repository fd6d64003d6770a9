/* Transposes with an axis of a few items that are neighbours on one side. */
#ifndef SVI_GPU_LAUNCH_CHANNELS_H
#define SVI_GPU_LAUNCH_CHANNELS_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_channels;
#endif
