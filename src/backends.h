/* Which backends there are, and which serves what. */
#ifndef SVI_BACKENDS_H
#define SVI_BACKENDS_H

#include "backend.h"

/* NULL when none reaches both, or converts between them where the plan casts. */
const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src, bool casts);

/* The same; most copies are within ordinary memory. */
static inline const struct svi_backend *svi_backend_for(struct svi_device dst, struct svi_device src, bool casts)
{
    return svi_is_cpu(dst) && svi_is_cpu(src) ? &svi_host : svi_backend_search(dst, src, casts);
}

/* NULL when there is none, as of SVI_FAMILY_NONE. */
const struct svi_backend *svi_backend_of(enum svi_family family);

#endif
