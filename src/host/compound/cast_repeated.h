/* Conversions of which the source repeats items. */
#ifndef SVI_HOST_COMPOUND_CAST_REPEATED_H
#define SVI_HOST_COMPOUND_CAST_REPEATED_H

#include "host/loop/loop.h"

extern const struct svi_loop svi_loop_convert_repeated;

#endif
