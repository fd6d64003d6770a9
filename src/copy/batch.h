/* What the functions that do many things in a call share: checking arrays, and telling which step failed. */
#ifndef SVI_BATCH_H
#define SVI_BATCH_H

#include "base/status.h"

/* An array of count things that a caller must give. */
sv_status svi_batch_check(int64_t count, const void *array, const char *name);

/* The status of step i, with its place in the message and, unless NULL, in *failed. */
sv_status svi_batch_fail(sv_status status, int64_t i, int64_t *failed);

static inline sv_status svi_batch_step(sv_status status, int64_t i, int64_t *failed)
{
    return status == SV_OK ? SV_OK : svi_batch_fail(status, i, failed);
}

#endif
