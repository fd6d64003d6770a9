/*
 * Stores the blocks of a transpose, straight from the source or from a packed buffer, while the next one is brought.
 */
#ifndef SVI_HOST_TRANSPOSE_BLOCK_RUN_H
#define SVI_HOST_TRANSPOSE_BLOCK_RUN_H

#include "host/transpose/blocking.h"

/* A part of so many of a block is stored: as large a part of the next one is brought. */
void svi_bring_part(struct svi_walk *walk, int64_t part, int64_t all);

/* False: out of memory. */
bool svi_run_blocks(struct svi_blocking *blocking, const struct svi_isa *isa, const struct svi_block_run *run,
                    char *dst, const char *src);

#endif
