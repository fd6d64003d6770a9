/* Transposes by tiles of 16 KiB. */
#ifndef SVI_CUDA_LAUNCH_TILE_H
#define SVI_CUDA_LAUNCH_TILE_H

#include "gpu/launch_families.h"

svi_launch_family svi_family_tile;
#endif
