/* Transposes by tiles of 16 KiB. */
#ifndef SVI_GPU_LAUNCH_TILE_H
#define SVI_GPU_LAUNCH_TILE_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_tile;
#endif
