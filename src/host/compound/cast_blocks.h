/* Conversions by blocks, and the plans of such blocks, which other conversions use too. */
#ifndef SVI_HOST_COMPOUND_CAST_BLOCKS_H
#define SVI_HOST_COMPOUND_CAST_BLOCKS_H

#include "host/convert/cast_job.h"

/* The first of the last axes that are one run in the destination, in a block of a shape. run: its items. */
int32_t svi_cast_find_run(const struct svi_plan *plan, const int64_t *shape, int64_t *run);

/* Over the count axes in front of the runs: from a buffer, which is dense in the order of the plan, to their places. */
void svi_cast_walk_runs(const struct svi_plan *plan, const int64_t *shape, int32_t count, char *dst, const char *src,
                        struct svi_odometer *out);

/* The plan from the source to such a buffer (in), or from a buffer of converted items to the destination. */
void svi_plan_buffered(const struct svi_plan *plan, const int64_t *shape, bool in, struct svi_plan *out);

/* Puts the items of a block in the order of the destination. Returns them: in the buffer, or in the source if they have
 * that order there. */
const char *svi_cast_order(const struct svi_machine *in_cache, const struct svi_plan *in, char *buffer,
                           const char *src);

/* Converts any plan block by block. */
bool svi_cast_blocks(const struct svi_cast *c, char *dst, const char *src);

#endif
