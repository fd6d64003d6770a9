/* Copies whose sides share bytes in a way that needs a temporary. */
#ifndef SVI_TEMPORARY_H
#define SVI_TEMPORARY_H

#include "copy/job.h"

/* The plans of the two steps, which are too much for a small stack, and the memory if it is the host's. */
struct svi_temporary {
    struct svi_plan in, out;
    _Alignas(16) char memory[];
};

/* SV_METHOD_TEMPORARY or SV_METHOD_HOST_TEMPORARY, where the device has pools. */
int32_t svi_temporary_method(const struct svi_job *job);

/*
 * Through a temporary that holds each repeated element of src once: in memory of
 * the device, in the order of the stream, where both sides are on one; else on
 * the host, waiting for both steps.
 */
sv_status svi_temporary_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream);

#endif
