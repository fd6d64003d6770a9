/* Plans that convert, by items in the order of the destination. */
#ifndef SVI_GPU_LAUNCH_CAST_H
#define SVI_GPU_LAUNCH_CAST_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_cast; /* all that convert, and no other */

#endif
