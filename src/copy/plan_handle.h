/* What users hold as a plan: a job, and the addresses at which it can be run. */
#ifndef SVI_PLAN_HANDLE_H
#define SVI_PLAN_HANDLE_H

#include "base/handle.h"
#include "copy/measure.h"
#include "copy/scaled_job.h"

/* The addresses at which a side's element [0,...,0] may be: span + 1 of them. */
struct svi_places {
    uintptr_t least, span;
};

/* The job's layouts and allocator are retained. */
struct sv_plan {
    struct svi_handle handle;
    sv_dtype dst_dtype, src_dtype;
    struct svi_places dst, src;
    struct svi_affine *affine; /* what the job's plan refers to; NULL: it does not scale */
    struct svi_job job;
    struct svi_measured measured; /* its rows are those below */
    struct svi_timed rows[];
};

static inline sv_status svi_plan_check(const sv_plan *plan)
{
    return svi_handle_check((const struct svi_handle *)plan, SVI_TAG_PLAN, "plan");
}

/* That the plan copies between these two. */
sv_status svi_plan_check_views(const sv_plan *plan, const sv_view *dst, const sv_view *src);

/* That it is a plan, and that its elements find room at these addresses of the elements [0,...,0]. */
sv_status svi_plan_check_addresses(const sv_plan *plan, const void *dst, const void *src);

/* measured: is copied, and its kept row does the job; without a row the backend's choice does. */
sv_status svi_plan_handle_make(const struct svi_job *job, sv_dtype dst_dtype, sv_dtype src_dtype,
                               const struct svi_measured *measured, sv_plan **out);

#endif
