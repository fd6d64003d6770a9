/* Conversions of dense items. */
#ifndef SVI_HOST_CONVERT_CONVERT_H
#define SVI_HOST_CONVERT_CONVERT_H

#include "dtype/chain.h"
#include "host/convert/cast_job.h"
#include "host/base/isa.h"

/* count items through a chain of one step or more: dense, of any alignment, and apart from each other. */
void svi_host_convert(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src,
                      int64_t count);

/* To a buffer, or in cache. */
void svi_convert_items(const struct svi_cast *c, const struct svi_cast_items *items);

/* To the destination. ahead: NULL, or what is prefetched meanwhile. */
void svi_cast_run(const struct svi_cast *c, const struct svi_cast_items *items, struct svi_ahead *ahead);

/* Items that it stores at once, beyond the NT threshold. */
int64_t svi_cast_piece(const struct svi_plan *plan);

#endif
