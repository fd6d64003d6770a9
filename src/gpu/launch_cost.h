/* What a launch is estimated to take, from which launch_shape.c chooses among families. Pure. */
#ifndef SVI_GPU_LAUNCH_COST_H
#define SVI_GPU_LAUNCH_COST_H

#include <stdint.h>

#define SVI_SECTOR INT64_C(32) /* bytes that memory is read and written by */

enum { SVI_MULTIPROCESSORS = 132 /* of a large device */ };

#endif
