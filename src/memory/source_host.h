/* Memory of the host. */
#ifndef SVI_MEMORY_SOURCE_HOST_H
#define SVI_MEMORY_SOURCE_HOST_H

#include "base/status.h"

/* The host allocator of buffers made without one. It never ends, so nobody need retain it. */
const sv_allocator *svi_allocator_default(void);

#endif
