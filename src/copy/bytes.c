#include "copy/bytes.h"

#include <string.h>

#include "copy/job_run.h"

sv_status svi_copy_bytes(struct svi_device dst_device, void *dst, struct svi_device src_device, const void *src,
                         int64_t nbytes, uint32_t flags, uintptr_t stream)
{
    struct svi_job job;

    if (nbytes == 0)
        return SV_OK;
    SVI_TRY(svi_job_make_bytes(dst_device, src_device, nbytes, flags, &job));
    return svi_job_run(&job, dst, src, stream);
}

sv_status svi_fill_bytes(struct svi_device device, void *dst, int64_t nbytes, const void *item, int32_t itemsize,
                         uintptr_t stream, bool blocking)
{
    char own[SVI_PLAN_ITEM];
    struct svi_job job;

    if (nbytes == 0)
        return SV_OK;
    SVI_TRY(svi_job_make_fill_bytes(device, nbytes / itemsize, itemsize, blocking ? SV_COPY_BLOCKING : 0, &job));
    memcpy(own, item, (size_t)itemsize);
    return svi_job_run_fill(&job, dst, own, stream);
}
