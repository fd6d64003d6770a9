/*
 * Transposes beyond the NT threshold to whole lines of the destination, of each row of which a block has a long run.
 */
#ifndef SVI_HOST_TRANSPOSE_BLOCKS_NT_H
#define SVI_HOST_TRANSPOSE_BLOCKS_NT_H

#include "host/transpose/blocking.h"
#include "host/loop/loop.h"

/* Whether an interior is not all of it. */
bool svi_has_edges(const struct svi_matrix *m, const struct svi_interior *interior);

/* All of a transpose but its interior, by tiles. */
void svi_host_edges(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                    const struct svi_interior *interior);

/* Whether the rows of a block stay in the caches until all of a line is read. */
bool svi_stays_in_cache(const struct svi_blocking *blocking);

extern const struct svi_loop svi_loop_blocks_direct_nt, svi_loop_blocks_packed_nt;

#endif
