#include "copy/job_run.h"
#include "copy/parallel.h"
#include "copy/scratch_source.h"

sv_status sv_copy(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream)
{
    struct svi_job job;

    SVI_TRY(svi_job_make(dst, src, flags, SVI_JOB_WHOLE, &job));
    return svi_job_run(&job, svi_view_address(dst), svi_view_address(src), stream);
}

sv_status sv_copy_with(const sv_view *dst, const sv_view *src, const sv_allocator *scratch, uint32_t flags,
                       uintptr_t stream)
{
    struct svi_job job;

    SVI_TRY(svi_job_make(dst, src, flags, SVI_JOB_WHOLE, &job));
    SVI_TRY(svi_scratch_set(&job, scratch));
    return svi_job_run(&job, svi_view_address(dst), svi_view_address(src), stream);
}

sv_status sv_copy_parallel(const sv_view *dst, const sv_view *src, int32_t threads, sv_parallel_callback run, void *ctx,
                           uint32_t flags, uintptr_t stream)
{
    struct svi_job job;

    SVI_TRY(svi_job_make(dst, src, flags, SVI_JOB_WHOLE, &job));
    SVI_TRY(svi_parallel_set(&job, threads, run, ctx));
    return svi_job_run(&job, svi_view_address(dst), svi_view_address(src), stream);
}
