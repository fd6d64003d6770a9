/* Plans whose loop is the fastest of those that can do the copy: measure.c times them. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "copy/job_run.h"
#include "copy/plan_handle.h"

enum { DEFAULT_LIMIT_NS = 1000000000 };

/* Backends without a list of loops, those of devices, and copies of no element have nothing to measure; nor have copies
 * that scale, which one loop does for each layout. */
static bool is_timed(const struct svi_job *job)
{
    return job->backend != NULL && !svi_scales(&job->plan) && job->backend->candidates != NULL;
}

/* On the heap, since calls take little of the stack. */
struct work {
    struct svi_job job;
    struct svi_measured measured;
    struct svi_candidate candidates[SVI_CANDIDATES];
    struct svi_timed rows[SVI_CANDIDATES];
};

/* By the backend's choice, and done on return: a captured stream is refused. */
static sv_status copy_once(struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    job->flags = (job->flags & ~(uint32_t)SV_COPY_NO_WAIT) | SV_COPY_BLOCKING;
    job->kept = NULL;
    svi_job_choose(job);
    return svi_job_run(job, dst, src, stream);
}

/* The first copy is not timed: the system gives new memory its pages during it. */
static sv_status measure_copy(struct work *work, char *dst, const char *src, int64_t limit_ns, uintptr_t stream)
{
    struct svi_measured *const measured = &work->measured;
    struct svi_job *const job = &work->job;

    SVI_TRY(copy_once(job, dst, src, stream));
    if (!is_timed(job))
        return SV_OK;
    measured->count = job->backend->candidates(&job->plan, dst, src, work->candidates);
    while (measured->count > 0 && work->candidates[measured->count - 1].refused)
        measured->count--; /* they come last, and some are a hundred times slower */
    for (int32_t k = 0; k < measured->count; k++)
        measured->row[k] = (struct svi_timed){work->candidates[k], 0, 0};
    return svi_measure(job, dst, src, stream, limit_ns, measured);
}

static sv_status make_measured_plan(const sv_plan *plan, char *dst, const char *src, int64_t limit_ns, uintptr_t stream,
                                    sv_plan **out)
{
    struct work *work = svi_malloc(sizeof *work);
    sv_status status;

    if (work == NULL)
        return SV_ERROR_MEMORY;
    memcpy(&work->job, &plan->job, sizeof work->job);
    work->measured = (struct svi_measured){0, 0, work->rows};
    status = measure_copy(work, dst, src, limit_ns, stream);
    if (status == SV_OK)
        status = svi_plan_handle_make(&plan->job, plan->dst_dtype, plan->src_dtype, &work->measured, out);
    svi_free(work);
    return status;
}

sv_status sv_plan_measure(const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t limit_ns,
                          uintptr_t stream, sv_plan **out)
{
    char *to;
    const char *from;

    SVI_TRY(svi_plan_check(plan));
    SVI_TRY(svi_plan_check_views(plan, dst, src));
    SVI_NEED(out);
    if (limit_ns < 0)
        return svi_fail(SV_ERROR_INVALID, "limit_ns is %" PRId64, limit_ns);
    to = svi_view_address(dst);
    from = svi_view_address(src);
    if (is_timed(&plan->job) && svi_job_may_overlap(&plan->job, to, from))
        return svi_fail(SV_ERROR_OVERLAP, "src and dst share bytes, or may: loops are timed between disjoint arrays");
    return make_measured_plan(plan, to, from, limit_ns == 0 ? DEFAULT_LIMIT_NS : limit_ns, stream, out);
}
