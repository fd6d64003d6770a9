/* Runs in both. */
#ifndef SVI_GPU_LAUNCH_LINE_H
#define SVI_GPU_LAUNCH_LINE_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_line;
svi_launch_family svi_family_rows;

#endif
