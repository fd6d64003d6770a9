/* What sources of a driver share. */
#ifndef SVI_SOURCE_DRIVER_H
#define SVI_SOURCE_DRIVER_H

#include "memory/allocator.h"

/* What the CUDA backend does for memory of a device that can be used; else SV_ERROR_UNSUPPORTED with the probe's words,
 * SV_ERROR_DEVICE where others can be used, or SV_ERROR_FORKED. */
sv_status svi_driver_find(int32_t device_id, const struct svi_driver **out);

/* Whether the memory of an allocator is that of sv_allocator_pinned(), _device() or _managed(), as the driver gives
 * it. */
bool svi_driver_allocates(const sv_allocator *allocator);

#endif
