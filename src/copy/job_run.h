/* Jobs run at addresses: in the common case straight by what was chosen for the plan. */
#ifndef SVI_JOB_RUN_H
#define SVI_JOB_RUN_H

#include "copy/job.h"

/* Whether svi_job_run() at these addresses will be refused where the two sides are not disjoint. */
sv_status svi_job_check_addresses(const struct svi_job *job, const char *dst, const char *src);

/* How the job is done at these addresses, as an SV_METHOD number; never SV_METHOD_RING, which is a backend's own way of
 * SV_METHOD_DIRECT. *way: that of enum svi_way where it is SV_METHOD_IN_PLACE. */
int32_t svi_job_find_method(const struct svi_job *job, const char *dst, const char *src, int32_t *way);

/* SV_ERROR_OVERLAP where that needs a temporary and the job's flags do not allow one. */
sv_status svi_job_check_method(const struct svi_job *job, int32_t method);

static inline bool svi_is_by_temporary(int32_t method)
{
    return method == SV_METHOD_TEMPORARY || method == SV_METHOD_HOST_TEMPORARY;
}

/* Whether the two sides share bytes, or that is not decided in a bounded time. */
bool svi_job_may_overlap(const struct svi_job *job, const char *dst, const char *src);

/* Slow path: overlap, temporary, tasks, a device or managed memory. */
sv_status svi_job_run_slow(const struct svi_job *job, char *dst, const char *src, uintptr_t stream);

/* A fill; the item shares no byte with dst. */
sv_status svi_job_run_fill(const struct svi_job *job, char *dst, const void *item, uintptr_t stream);

static inline uint64_t svi_job_way(const struct svi_job *job, const char *dst, const char *src)
{
    return (uintptr_t)src - (uintptr_t)dst + job->apart.shift;
}

/* Whether nothing of one side lies between the ends of the other. */
static inline bool svi_job_is_apart(const struct svi_job *job, const char *dst, const char *src)
{
    return svi_job_way(job, dst, src) < job->apart.gap;
}

/* dst, src: addresses of the elements [0,...,0]. Whether they share bytes is decided here. */
static inline sv_status svi_job_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    if (svi_job_way(job, dst, src) < job->apart.run)
        return job->choice.run(&job->plan, dst, src, job->choice.with);
    return svi_job_run_slow(job, dst, src, stream);
}

#endif
