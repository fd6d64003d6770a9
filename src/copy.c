#include "job.h"

sv_status sv_copy(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream)
{
    struct svi_job job;

    SVI_TRY(svi_job_make(dst, src, flags, &job));
    return svi_job_run(&job, svi_view_address(dst), svi_view_address(src), stream);
}
