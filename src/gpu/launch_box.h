/* Transposes by tiles of several axes. */
#ifndef SVI_GPU_LAUNCH_BOX_H
#define SVI_GPU_LAUNCH_BOX_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_box;
svi_launch_family svi_family_box_cast; /* of those that convert */

#endif
