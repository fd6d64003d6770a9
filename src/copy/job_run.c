#include "copy/job_run.h"

#include <string.h>

#include "copy/device_fill.h"
#include "plan/in_place.h"
#include "overlap/overlap.h"
#include "copy/parallel.h"
#include "copy/scratch_source.h"
#include "copy/temporary.h"

/* Whether every element is its own source and stays as it is. */
static bool is_same_memory(const struct svi_plan *plan, const char *dst, const char *src)
{
    return plan->kind != SVI_CLASS_CAST && dst + plan->dst_offset == src + plan->src_offset &&
           memcmp(plan->dst, plan->src, (size_t)plan->ndim * sizeof *plan->dst) == 0;
}

static bool is_nothing(const struct svi_job *job, const char *dst, const char *src)
{
    return job->plan.kind == SVI_CLASS_EMPTY || is_same_memory(&job->plan, dst, src);
}

/* Two runs of bytes share some unless they are apart. */
bool svi_job_may_overlap(const struct svi_job *job, const char *dst, const char *src)
{
    if (svi_job_is_apart(job, dst, src))
        return false;
    return job->dst == NULL ||
           svi_overlap_two((uintptr_t)dst - (uintptr_t)job->dst->byte_offset, job->dst,
                           (uintptr_t)src - (uintptr_t)job->src->byte_offset, job->src, SVI_OVERLAP_WORK) != SV_NO;
}

/* In place, or by a temporary where that cannot be. */
static int32_t find_overlapping_method(const struct svi_job *job, const char *dst, const char *src, int32_t *way)
{
    const struct svi_plan *plan = &job->plan;
    const int32_t found = svi_way_in_place(plan, (dst + plan->dst_offset) - (src + plan->src_offset));

    if (found == SVI_WAY_EACH || job->backend->copy_in_place != NULL)
        *way = found;
    return *way == SVI_WAY_NONE ? svi_temporary_method(job) : SV_METHOD_IN_PLACE;
}

int32_t svi_job_find_method(const struct svi_job *job, const char *dst, const char *src, int32_t *way)
{
    *way = SVI_WAY_NONE;
    if (is_nothing(job, dst, src))
        return SV_METHOD_NOTHING;
    if (svi_job_may_overlap(job, dst, src))
        return find_overlapping_method(job, dst, src, way);
    return job->tasks > 1 ? SV_METHOD_TASKS : SV_METHOD_DIRECT;
}

sv_status svi_job_check_method(const struct svi_job *job, int32_t method)
{
    if ((job->flags & SV_COPY_NO_TEMP) && svi_is_by_temporary(method))
        return svi_fail(SV_ERROR_OVERLAP, "src and dst share bytes, or may, and a temporary is not wanted");
    return SV_OK;
}

sv_status svi_job_check_addresses(const struct svi_job *job, const char *dst, const char *src)
{
    int32_t way;

    if (!(job->flags & SV_COPY_NO_TEMP))
        return SV_OK;
    return svi_job_check_method(job, svi_job_find_method(job, dst, src, &way));
}

/* Where no item is written before another one is read. A backend whose streams these are keeps the order itself. */
static sv_status run_as_planned(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    struct svi_request request;
    struct svi_scratch scratch;

    if (job->backend != job->managed_by)
        SVI_TRY(svi_job_await_managed(job, stream));
    if (job->tasks > 1)
        return svi_parallel_run(job, dst, src, stream);
    request = svi_job_request(job, &job->plan, dst, src, stream, 0);
    request.scratch = svi_scratch_begin(&scratch, job->scratch);
    return svi_job_copy(job, &request);
}

sv_status svi_job_run_slow(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    int32_t way;
    const int32_t method = svi_job_find_method(job, dst, src, &way);

    if (method == SV_METHOD_NOTHING)
        return SV_OK;
    if (method == SV_METHOD_DIRECT || method == SV_METHOD_TASKS || way == SVI_WAY_EACH)
        return run_as_planned(job, dst, src, stream);
    SVI_TRY(svi_job_check_method(job, method));
    SVI_TRY(svi_job_await_managed(job, stream));
    if (method != SV_METHOD_IN_PLACE)
        return svi_temporary_run(job, dst, src, stream);
    job->backend->copy_in_place(&job->plan, way, dst, src);
    return SV_OK;
}

sv_status svi_job_run_fill(const struct svi_job *job, char *dst, const void *item, uintptr_t stream)
{
    const struct svi_request request = svi_job_request(job, &job->plan, dst, item, stream, 0);

    SVI_TRY(svi_job_await_managed(job, stream));
    if (job->backend->driver != NULL)
        return svi_device_fill(job, dst, item, stream);
    return job->backend->copy(&request);
}
