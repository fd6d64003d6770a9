/* Transposes that convert, beyond the cache. */
#ifndef SVI_HOST_COMPOUND_CAST_TRANSPOSE_H
#define SVI_HOST_COMPOUND_CAST_TRANSPOSE_H

#include "host/convert/cast_job.h"

/* Whether a plan is such a transpose: the two sides have runs of different axes. */
bool svi_is_cast_transpose(const struct svi_plan *plan);
bool svi_cast_transpose(const struct svi_cast *c, char *dst, const char *src);

#endif
