/* Conversions by blocks that are as near to a square of both sides' orders as it gets. */
#ifndef SVI_HOST_COMPOUND_CAST_BLOCKS_H
#define SVI_HOST_COMPOUND_CAST_BLOCKS_H

#include "host/convert/cast_job.h"

/* The first of the axes that are one run in the destination, of run items, in a block of this shape. */
int32_t svi_cast_find_run(const struct svi_plan *plan, const int64_t *shape, int64_t *run);

/* Over the count axes in front of the runs: from a buffer, which is dense in the order of the plan, to their places. */
void svi_cast_walk_runs(const struct svi_plan *plan, const int64_t *shape, int32_t count, char *dst, const char *src,
                        struct svi_odometer *out);

/* From the source into such a buffer or, from one whose items are converted, to the destination. */
void svi_plan_buffered(const struct svi_plan *plan, const int64_t *shape, bool in, struct svi_plan *out);

/* A block's items in the order of the destination: in the buffer, or where they are. */
const char *svi_cast_order(const struct svi_machine *in_cache, const struct svi_plan *in, char *buffer,
                           const char *src);

/* Any: block by block. */
bool svi_cast_blocks(const struct svi_cast *c, char *dst, const char *src);

#endif
