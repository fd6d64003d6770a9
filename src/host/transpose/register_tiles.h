/* Small transposes of whole tiles. */
#ifndef SVI_HOST_TRANSPOSE_REGISTER_TILES_H
#define SVI_HOST_TRANSPOSE_REGISTER_TILES_H

#include "host/machine/machine.h"
#include "plan/plan.h"

/* The tile of which both axes of a small transpose are multiples; NULL: none. */
const struct svi_tile *svi_whole_tile(const struct svi_machine *machine, const struct svi_plan *plan);
void svi_host_whole_tiles(const struct svi_tile *tile, const struct svi_plan *plan, char *dst, const char *src);

#endif
