/* What a plan is, and why. */
#include "copy/explain.h"
#include "copy/plan_handle.h"
#include "plan/traffic.h"

const char *sv_plan_class(const sv_plan *plan)
{
    return svi_plan_check(plan) == SV_OK ? svi_class_name(plan->job.plan.kind) : NULL;
}

static const char *name_job_kernel(const struct svi_job *job)
{
    if (job->choice.kernel != NULL)
        return job->choice.kernel;
    return job->backend->kernel(&job->plan, job->dst_device, job->src_device);
}

const char *sv_plan_kernel(const sv_plan *plan)
{
    return svi_plan_check(plan) == SV_OK ? name_job_kernel(&plan->job) : NULL;
}

static int64_t launches_of(const struct svi_job *job)
{
    if (job->backend == NULL || job->backend->launches == NULL)
        return 0;
    return job->backend->launches(&job->plan, job->dst_device, job->src_device, job->flags);
}

int64_t sv_plan_launches(const sv_plan *plan)
{
    return svi_plan_check(plan) == SV_OK ? launches_of(&plan->job) : 0;
}

sv_status sv_plan_explain(const sv_plan *plan, const void *dst, const void *src, size_t capacity, char *text,
                          size_t *length)
{
    SVI_TRY(svi_plan_check(plan));
    return svi_explain(&plan->job, &plan->measured, (void *)(uintptr_t)dst, src, capacity, text, length);
}

int64_t sv_plan_nbytes(const sv_plan *plan)
{
    return svi_plan_check(plan) == SV_OK ? plan->job.plan.nbytes : 0;
}

sv_status sv_plan_traffic(const sv_plan *plan, int64_t *read, int64_t *written)
{
    SVI_TRY(svi_plan_check(plan));
    SVI_NEED(read);
    SVI_NEED(written);
    svi_plan_traffic(&plan->job.plan, read, written);
    return SV_OK;
}
