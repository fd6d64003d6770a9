/* Copies whose sides share bytes in a way that needs a temporary. */
#ifndef SVI_TEMPORARY_H
#define SVI_TEMPORARY_H

#include "job.h"

/* One allocation: the memory, and the plans of the two steps, which are too much for a small stack. */
struct svi_temporary {
    struct svi_plan in, out;
    _Alignas(16) char memory[];
};

/* Through a temporary on the host, which holds each repeated element of src once. Waits for both steps. */
sv_status svi_temporary_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream);

#endif
