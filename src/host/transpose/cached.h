/* Transposes in cache by strips of tiles that are turned in registers. */
#ifndef SVI_HOST_TRANSPOSE_CACHED_H
#define SVI_HOST_TRANSPOSE_CACHED_H

#include "host/transpose/blocking.h"
#include "host/loop/loop.h"

/* Rows pitch bytes apart, most at most, a line of each of which L1 holds: cached.c. */
int64_t svi_rows_that_stay(int64_t pitch, int64_t most);

extern const struct svi_loop svi_loop_tiles;

#endif
