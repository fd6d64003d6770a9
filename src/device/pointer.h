/* What is known of an address. */
#ifndef SVI_DEVICE_POINTER_H
#define SVI_DEVICE_POINTER_H

#include "backend/memory.h"

/* Asks the drivers, in the order of the list of backends, until one knows it as its own. NULL is SV_MEMORY_UNKNOWN. */
sv_status svi_pointer_query(const void *pointer, struct svi_pointer *out);

#endif
