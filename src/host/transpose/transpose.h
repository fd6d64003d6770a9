/* Which transposes go by tiles, and which of these by non-temporal stores. */
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

/* Whether a transpose is made of tiles; else, but for records, its items move one by one. */
bool svi_has_tiles(const struct svi_machine *machine, const struct svi_plan *plan);

/* Whether it can go by non-temporal stores, and whether ordinary ones are faster. */
svi_host_question svi_can_stream_matrix, svi_refuses_to_stream_matrix;

/* Whether it has no tiles, or such that are slow: short rows beyond the cache, and tiny planes in it. */
bool svi_lacks_tiles(const struct svi_machine *machine, const struct svi_plan *plan);

/* The first plane of a transpose whose axes are both runs. */
struct svi_matrix svi_matrix_of(const struct svi_host_copy *c);

/* A reason that several loops have: rows that begin anywhere, with which cached.c is faster, from twice as much. */
svi_host_question svi_refuses_unaligned;

#endif
