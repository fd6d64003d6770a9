/* Walks over the blocks of a transpose. */
#ifndef SVI_HOST_TRANSPOSE_BLOCKS_H
#define SVI_HOST_TRANSPOSE_BLOCKS_H

#include "host/transpose/blocking.h"

/* Begins at the first block. The blocking is open. */
void svi_blocks_begin(struct svi_blocks *b, const struct svi_blocking *blocking, char *dst, const char *src);

/* Moves to the next block. False after the last: the walk is at the first again. */
bool svi_blocks_next(struct svi_blocks *b);

/* The number of blocks along the axes of a walk from `axis` on; 0: all. */
int64_t svi_blocks_count(const struct svi_blocks *b, int32_t axis);

/* Whether rows are short, no whole lines, and contiguous in the source and in a packed block. */
bool svi_blocking_is_dense(const struct svi_blocking *blocking);

#endif
