/* What sources of a driver share. */
#ifndef SVI_SOURCE_DRIVER_H
#define SVI_SOURCE_DRIVER_H

#include "memory/allocator.h"

/* The driver of a family, if the device can be used; else SV_ERROR_UNSUPPORTED with the probe's words, SV_ERROR_DEVICE
 * where others can be used, or SV_ERROR_FORKED. */
sv_status svi_driver_find(enum svi_family family, int32_t device_id, const struct svi_driver **out);

/* SV_ERROR_UNSUPPORTED unless the family gives out memory of a kind, whose device type out receives. */
sv_status svi_driver_find_type(enum svi_family family, sv_memory kind, int32_t *out);

/* What sv_allocator_pinned(), _device() and _managed() make for CUDA, for any family: memory in no order of streams. */
sv_status svi_driver_allocator(enum svi_family family, sv_memory kind, int32_t device_id, sv_allocator **out);

#endif
