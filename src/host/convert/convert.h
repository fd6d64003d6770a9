/* Conversions of contiguous items through a chain of steps. */
#ifndef SVI_HOST_CONVERT_CONVERT_H
#define SVI_HOST_CONVERT_CONVERT_H

#include "dtype/chain.h"
#include "host/convert/cast_job.h"
#include "host/base/isa.h"

/* Converts count contiguous items through a chain of one step or more. Addresses have any alignment; the sides do not
 * overlap. */
void svi_host_convert(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src,
                      int64_t count);

/* Converts items to a buffer, or in cache. */
void svi_convert_items(const struct svi_cast *c, const struct svi_cast_items *items);

/* Converts items to the destination. ahead: rows that are prefetched meanwhile; NULL: none. */
void svi_cast_run(const struct svi_cast *c, const struct svi_cast_items *items, struct svi_ahead *ahead);

/* Items that svi_cast_run() stores at a time beyond the cache. */
int64_t svi_cast_piece(const struct svi_plan *plan);

#endif
