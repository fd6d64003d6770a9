/* Fills of device memory, without a kernel of its own. */
#ifndef SVI_DEVICE_FILL_H
#define SVI_DEVICE_FILL_H

#include "copy/job.h"

/* The job is a fill, and its backend has memory operations. The item is read before the call returns. */
sv_status svi_device_fill(const struct svi_job *job, char *dst, const char *item, uintptr_t stream);

#endif
