/* Which backends there are, and which serves what. */
#ifndef SVI_BACKENDS_H
#define SVI_BACKENDS_H

#include "backend/backend.h"
#include "backend/placement.h"

/* Who copies between the two, here and now. Loads drivers for managed memory alone. */
struct svi_placement svi_backend_place(struct svi_device dst, struct svi_device src);

/* NULL when there is none in this build, or it does not convert. chain: NULL or without a step where elements keep their
 * bytes. The second: from the beginning. */
const struct svi_backend *svi_backend_for(const struct svi_placement *placement, const struct svi_chain *chain);
const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src,
                                             const struct svi_chain *chain);

/* NULL when there is none, as for SVI_FAMILY_NONE. */
const struct svi_backend *svi_backend_of(enum svi_family family);

#endif
