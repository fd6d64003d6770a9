/* Which backends there are, and which serves what. */
#ifndef SVI_BACKENDS_H
#define SVI_BACKENDS_H

#include "backend/backend.h"

/* NULL when none reaches both, or none converts by a chain between them. chain: NULL or without a step where elements
 * keep their bytes. */
const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src,
                                             const struct svi_chain *chain);

/* NULL when there is none, as for SVI_FAMILY_NONE. */
const struct svi_backend *svi_backend_of(enum svi_family family);

#endif
