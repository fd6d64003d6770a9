/* The loop convert_small. */
#ifndef SVI_HOST_COMPOUND_CAST_SMALL_H
#define SVI_HOST_COMPOUND_CAST_SMALL_H

#include "host/loop/loop.h"

extern const struct svi_loop svi_loop_convert_small;

#endif
