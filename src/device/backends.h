/* Which backends there are, and which serves what. */
#ifndef SVI_BACKENDS_H
#define SVI_BACKENDS_H

#include "backend/backend.h"

/* Who copies between the two, here and now. Loads drivers for managed memory alone. */
struct svi_placement svi_backend_place(struct svi_device dst, struct svi_device src);

/* NULL when there is none in this build, or it does not convert. chain: NULL or without a step where elements keep their
 * bytes. The second: from the beginning. */
const struct svi_backend *svi_backend_for(const struct svi_placement *placement, const struct svi_chain *chain);
const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src,
                                             const struct svi_chain *chain);

/* NULL when there is none, as for SVI_FAMILY_NONE. */
const struct svi_backend *svi_backend_of(enum svi_family family);

/* The backend whose streams order the work on a device type; NULL: there is none. */
const struct svi_backend *svi_backend_of_streams(int32_t device_type);

/* The driver that gives out memory of a device type. NULL where there is none, as for ordinary memory, and where the
 * library was built without it. */
const struct svi_driver *svi_driver_of(int32_t device_type);

/* SV_ERROR_UNSUPPORTED, for memory of a family whose driver the library was built without. */
sv_status svi_driver_refuse(int32_t device_type);

/* The kind of memory that a device type is; SV_MEMORY_FOREIGN where no backend has its family. */
sv_memory svi_memory_kind_of(int32_t device_type);

#endif
