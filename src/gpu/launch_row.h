/* Rows whose source stands still or goes backwards. */
#ifndef SVI_GPU_LAUNCH_ROW_H
#define SVI_GPU_LAUNCH_ROW_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_row;
#endif
