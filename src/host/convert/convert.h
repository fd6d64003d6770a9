/* Conversions of dense items. */
#ifndef SVI_HOST_CONVERT_CONVERT_H
#define SVI_HOST_CONVERT_CONVERT_H

#include "dtype/chain.h"
#include "host/base/isa.h"

/* count items through a chain of one step or more: dense, of any alignment, and apart from each other. */
void svi_host_convert(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src,
                      int64_t count);

#endif
