/* Copies and fills of views, one in a call: each makes a job and runs it at the addresses of the views. */
#include <inttypes.h>
#include <string.h>

#include "copy/job_run.h"
#include "copy/parallel.h"
#include "copy/scaled_job.h"
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

sv_status sv_copy_scaled_parallel(const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale,
                                  const double *bias, int64_t nbias, int32_t axis, int32_t threads,
                                  sv_parallel_callback run, void *ctx, uint32_t flags, uintptr_t stream)
{
    const struct svi_scale_arguments arguments = {scale, nscale, bias, nbias, axis};
    struct svi_affine affine;
    struct svi_job job;

    SVI_TRY(svi_job_make_scaled(dst, src, &arguments, flags, &affine, &job));
    SVI_TRY(svi_parallel_set(&job, threads, run, ctx));
    return svi_job_run(&job, svi_view_address(dst), svi_view_address(src), stream);
}

sv_status sv_copy_scaled(const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale,
                         const double *bias, int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream)
{
    return sv_copy_scaled_parallel(dst, src, scale, nscale, bias, nbias, axis, 1, NULL, NULL, flags, stream);
}

/* A copy from one item that is broadcast to all of dst. It is ours, so it shares no byte with dst. */
sv_status sv_fill(const sv_view *dst, const void *item, int64_t itemsize, uint32_t flags, uintptr_t stream)
{
    char own[SVI_PLAN_ITEM];
    struct svi_job job;

    SVI_TRY(svi_view_check(dst, "dst"));
    SVI_NEED(item);
    if (itemsize < 1 || itemsize > SVI_PLAN_ITEM)
        return svi_fail(SV_ERROR_RANGE, "an item of %" PRId64 " bytes; 1 to %d are possible", itemsize, SVI_PLAN_ITEM);
    if (itemsize != dst->layout->itemsize)
        return svi_fail(SV_ERROR_DTYPE, "an item of %" PRId64 " bytes for those of dst, of %" PRId64, itemsize,
                        dst->layout->itemsize);
    SVI_TRY(svi_job_make_fill(dst, flags, &job));
    if (job.plan.kind == SVI_CLASS_EMPTY)
        return SV_OK;
    memcpy(own, item, (size_t)itemsize);
    return svi_job_run_fill(&job, svi_view_address(dst), own, stream);
}
