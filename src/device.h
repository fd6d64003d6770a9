/* What DLPack's device numbers mean. Whether a device can be used is the backends' to say. */
#ifndef SVI_DEVICE_H
#define SVI_DEVICE_H

#include <stdbool.h>

#include "status.h"

/* "CUDA", or NULL for a number that no device type has. Static text. */
const char *svi_device_name(int32_t device_type);

/* Whether its memory goes by handles, which must not be added to, rather than by addresses. */
bool svi_device_has_handles(int32_t device_type);

/* SV_ERROR_DEVICE, with the number in the message, unless it is a device type. */
sv_status svi_device_check(int32_t device_type);

#endif
