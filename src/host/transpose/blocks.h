/* Walks over the blocks of a transpose. */
#ifndef SVI_HOST_TRANSPOSE_BLOCKS_H
#define SVI_HOST_TRANSPOSE_BLOCKS_H

#include "host/transpose/blocking.h"

/* The blocking is open. */
void svi_blocks_begin(struct svi_blocks *b, const struct svi_blocking *blocking, char *dst, const char *src);

/* False after the last: at the first again. */
bool svi_blocks_next(struct svi_blocks *b);

/* How many there are along the axes from one on, of those that a walk has: 0: all. */
int64_t svi_blocks_count(const struct svi_blocks *b, int32_t axis);

/* Whether rows are few columns that are no whole lines, and follow each other: in the source and in a packed block. */
bool svi_blocking_is_dense(const struct svi_blocking *blocking);

#endif
