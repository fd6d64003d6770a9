/* Transposes in cache by strips of register tiles. */
#ifndef SVI_HOST_TRANSPOSE_CACHED_H
#define SVI_HOST_TRANSPOSE_CACHED_H

#include "host/transpose/blocking.h"
#include "host/loop/loop.h"

/* The number of rows at a pitch, at most `most`, of which L1 holds a line each. */
int64_t svi_rows_that_stay(int64_t pitch, int64_t most);

extern const struct svi_loop svi_loop_tiles;

#endif
