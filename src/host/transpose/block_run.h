/* Stores the blocks of a transpose, from the source or from a packed buffer, and fetches the next block meanwhile. */
#ifndef SVI_HOST_TRANSPOSE_BLOCK_RUN_H
#define SVI_HOST_TRANSPOSE_BLOCK_RUN_H

#include "host/transpose/blocking.h"

/* Fetches as large a part of the next block as is stored of this one: `part` of `all`. */
void svi_bring_part(struct svi_walk *walk, int64_t part, int64_t all);

/* Runs all blocks. False: out of memory. */
bool svi_run_blocks(struct svi_blocking *blocking, const struct svi_isa *isa, const struct svi_block_run *run,
                    char *dst, const char *src);

#endif
