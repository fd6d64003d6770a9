#include <inttypes.h>
#include <string.h>

#include "copy/job_run.h"

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
