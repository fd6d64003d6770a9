/* The loop convert_repeated: conversions of a source that is broadcast. */
#ifndef SVI_HOST_COMPOUND_CAST_REPEATED_H
#define SVI_HOST_COMPOUND_CAST_REPEATED_H

#include "host/loop/loop.h"

extern const struct svi_loop svi_loop_convert_repeated;

#endif
