/* Which transposes use tiles, and which of these non-temporal stores. */
#ifndef SVI_HOST_TRANSPOSE_TRANSPOSE_H
#define SVI_HOST_TRANSPOSE_TRANSPOSE_H

#include "host/loop/loop.h"
#include "plan/plan.h"

/* The widest tile of an instruction set, or of a narrower one, that fits the two axes; NULL: none does. */
const struct svi_tile *svi_tile_that_fits(const struct svi_machine *machine, const struct svi_plan *plan);

static inline const struct svi_tile *svi_tile_of(const struct svi_host_copy *c)
{
    return svi_tile_that_fits(c->machine, c->plan);
}

/* Whether tiles can do a transpose. Else its items are copied one by one, unless they are records (permute.h). */
bool svi_has_tiles(const struct svi_machine *machine, const struct svi_plan *plan);

/* Whether a transpose can use non-temporal stores, and whether ordinary stores are faster. */
svi_host_question svi_can_stream_matrix, svi_refuses_to_stream_matrix;

/* Whether a transpose has no tiles, or tiles are slow: short rows beyond the cache, or tiny planes in cache. */
bool svi_lacks_tiles(const struct svi_machine *machine, const struct svi_plan *plan);

/* The first plane of a transpose whose axes are both runs. */
struct svi_matrix svi_matrix_of(const struct svi_host_copy *c);

/* A reason of several loops to refuse: rows begin anywhere in a line, so that cached.c is faster. */
svi_host_question svi_refuses_unaligned;

#endif
