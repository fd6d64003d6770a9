/* Transposes beyond the cache to whole lines of the destination, block by block. */
#ifndef SVI_HOST_TRANSPOSE_BLOCKS_NT_H
#define SVI_HOST_TRANSPOSE_BLOCKS_NT_H

#include "host/transpose/blocking.h"
#include "host/loop/loop.h"

/* Whether a matrix has elements outside its interior. */
bool svi_has_edges(const struct svi_matrix *m, const struct svi_interior *interior);

/* Transposes all but the interior, by tiles. */
void svi_host_edges(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                    const struct svi_interior *interior);

/* Whether the rows of a block stay in the caches until each of their lines is read to its end. */
bool svi_stays_in_cache(const struct svi_blocking *blocking);

extern const struct svi_loop svi_loop_blocks_direct_nt, svi_loop_blocks_packed_nt;

#endif
