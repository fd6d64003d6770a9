/* Plans as users hold them; plan.c makes what is in them. */
#include <inttypes.h>
#include <string.h>

#include "alloc.h"
#include "batched.h"
#include "explain.h"
#include "parallel.h"
#include "scratch_source.h"
#include "traffic.h"

/* The addresses at which a side's element [0,...,0] may be: span + 1 of them. */
struct places {
    uintptr_t least, span;
};

/* The job's layouts and allocator are retained. */
struct sv_plan {
    struct svi_handle handle;
    sv_dtype dst_dtype, src_dtype;
    struct places dst, src;
    struct svi_job job;
};

static sv_status check(const sv_plan *plan)
{
    return svi_handle_check((const struct svi_handle *)plan, SVI_TAG_PLAN, "plan");
}

/* No byte is outside the address space; NULL is where nothing is. */
static struct places places_of(const sv_layout *layout)
{
    const struct svi_extent *e = &layout->extent;
    const uint64_t below = (uint64_t)layout->byte_offset - (uint64_t)e->lower;
    const uint64_t above = (uint64_t)e->upper - (uint64_t)layout->byte_offset;

    if (e->size == 0)
        return (struct places){0, UINTPTR_MAX};
    return (struct places){below + (below == 0), UINTPTR_MAX - above - below - (below == 0)};
}

static sv_status make(const struct svi_job *job, sv_dtype dst_dtype, sv_dtype src_dtype, sv_plan **out)
{
    sv_plan *plan = svi_malloc(sizeof *plan);

    if (plan == NULL)
        return SV_ERROR_MEMORY;
    svi_handle_init(&plan->handle, SVI_TAG_PLAN);
    plan->dst_dtype = dst_dtype;
    plan->src_dtype = src_dtype;
    plan->dst = places_of(job->dst);
    plan->src = places_of(job->src);
    plan->job = *job;
    sv_layout_retain(job->dst);
    sv_layout_retain(job->src);
    sv_allocator_retain(job->scratch);
    *out = plan;
    return SV_OK;
}

sv_status sv_plan_new(const sv_view *dst, const sv_view *src, uint32_t flags, sv_plan **out)
{
    struct svi_job job;

    SVI_TRY(svi_job_make(dst, src, flags, SVI_JOB_WHOLE, &job));
    SVI_NEED(out);
    return make(&job, dst->dtype, src->dtype, out);
}

sv_status sv_plan_with_threads(const sv_plan *plan, int32_t threads, sv_parallel_callback run, void *ctx,
                               sv_plan **out)
{
    struct svi_job job;

    SVI_TRY(check(plan));
    SVI_NEED(out);
    job = plan->job;
    SVI_TRY(svi_parallel_set(&job, threads, run, ctx));
    return make(&job, plan->dst_dtype, plan->src_dtype, out);
}

sv_status sv_plan_with_allocator(const sv_plan *plan, const sv_allocator *scratch, sv_plan **out)
{
    struct svi_job job;

    SVI_TRY(check(plan));
    SVI_NEED(out);
    SVI_TRY(svi_scratch_check(scratch));
    job = plan->job;
    job.scratch = scratch;
    return make(&job, plan->dst_dtype, plan->src_dtype, out);
}

sv_plan *sv_plan_retain(const sv_plan *plan)
{
    if (plan == NULL || check(plan) != SV_OK)
        return NULL;
    svi_handle_retain(&plan->handle);
    return (sv_plan *)plan;
}

void sv_plan_release(sv_plan *plan)
{
    if (plan == NULL || check(plan) != SV_OK || !svi_handle_drop(&plan->handle))
        return;
    sv_layout_release((sv_layout *)plan->job.dst);
    sv_layout_release((sv_layout *)plan->job.src);
    sv_allocator_release((sv_allocator *)plan->job.scratch);
    svi_free(plan);
}

/* --- execute ------------------------------------------------------------- */

static bool is_among(const struct places *places, const void *address)
{
    return (uintptr_t)address - places->least <= places->span;
}

static sv_status check_address(const sv_layout *layout, const struct places *places, const void *address,
                               const char *name)
{
    if (is_among(places, address))
        return SV_OK;
    if (address == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL, there are %" PRId64 " elements", name, layout->extent.size);
    return svi_fail(SV_ERROR_OVERFLOW, "elements of %s at 0x%" PRIxPTR " leave the address space", name,
                    (uintptr_t)address);
}

/* Whether check_all() has nothing to say: the short answer, without a call. */
static inline bool is_fine(const sv_plan *plan, const void *dst, const void *src)
{
    return svi_handle_is((const struct svi_handle *)plan, SVI_TAG_PLAN) && is_among(&plan->dst, dst) &&
           is_among(&plan->src, src);
}

__attribute__((noinline)) static sv_status check_all(const sv_plan *plan, const void *dst, const void *src)
{
    SVI_TRY(check(plan));
    SVI_TRY(check_address(plan->job.dst, &plan->dst, dst, "dst"));
    return check_address(plan->job.src, &plan->src, src, "src");
}

sv_status sv_plan_execute(const sv_plan *plan, void *dst, const void *src, uintptr_t stream)
{
    if (!is_fine(plan, dst, src))
        return check_all(plan, dst, src);
    return svi_job_run(&plan->job, dst, src, stream);
}

static sv_status check_view(const sv_view *view, sv_dtype dtype, const sv_layout *layout, struct svi_device device,
                            const char *name)
{
    SVI_TRY(svi_view_check(view, name));
    if (view->dtype != dtype)
        return svi_fail(SV_ERROR_DTYPE, "%s has another dtype than the plan", name);
    if (view->device.type != device.type || view->device.id != device.id)
        return svi_fail(SV_ERROR_DEVICE, "%s is on another device than the plan's", name);
    if (!svi_layout_is_like(view->layout, layout))
        return svi_fail(SV_ERROR_LAYOUT, "%s has another layout than the plan's", name);
    return SV_OK;
}

static sv_status check_views(const sv_plan *plan, const sv_view *dst, const sv_view *src)
{
    SVI_TRY(check_view(dst, plan->dst_dtype, plan->job.dst, plan->job.dst_device, "dst"));
    SVI_TRY(check_view(src, plan->src_dtype, plan->job.src, plan->job.src_device, "src"));
    if (dst->flags & SV_READ_ONLY)
        return svi_fail(SV_ERROR_READ_ONLY, "dst is read-only");
    return SV_OK;
}

static sv_status run_views(const sv_plan *plan, const sv_view *dst, const sv_view *src, uintptr_t stream)
{
    return svi_job_run(&plan->job, svi_view_address(dst), svi_view_address(src), stream);
}

sv_status sv_plan_execute_views(const sv_plan *plan, const sv_view *dst, const sv_view *src, uintptr_t stream)
{
    SVI_TRY(check(plan));
    SVI_TRY(check_views(plan, dst, src));
    return run_views(plan, dst, src, stream);
}

/* --- batch --------------------------------------------------------------- */

static sv_status check_one(const sv_plan *plan, const void *dst, const void *src)
{
    if (!is_fine(plan, dst, src))
        return check_all(plan, dst, src);
    return svi_job_check_addresses(&plan->job, dst, src);
}

sv_status sv_plan_execute_batch(int64_t count, sv_plan *const *plans, void *const *dst, const void *const *src,
                                uintptr_t stream, int64_t *failed)
{
    struct svi_batched batched = svi_batched_begin(stream, failed);
    sv_status status = SV_OK;

    SVI_TRY(svi_batch_check(count, plans, "plans"));
    SVI_TRY(svi_batch_check(count, dst, "dst"));
    SVI_TRY(svi_batch_check(count, src, "src"));
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(svi_batch_step(check_one(plans[i], dst[i], src[i]), i, failed));
    for (int64_t i = 0; status == SV_OK && i < count; i++)
        status = svi_batched_run(&batched, &plans[i]->job, dst[i], src[i], i);
    return svi_batched_end(&batched, status);
}

static sv_status check_one_view(const sv_plan *plan, const sv_view *dst, const sv_view *src)
{
    SVI_TRY(check_views(plan, dst, src));
    return svi_job_check_addresses(&plan->job, svi_view_address(dst), svi_view_address(src));
}

sv_status sv_plan_execute_views_batch(const sv_plan *plan, int64_t count, sv_view *const *dst, sv_view *const *src,
                                      uintptr_t stream, int64_t *failed)
{
    struct svi_batched batched = svi_batched_begin(stream, failed);
    sv_status status = SV_OK;

    SVI_TRY(check(plan));
    SVI_TRY(svi_batch_check(count, dst, "dst"));
    SVI_TRY(svi_batch_check(count, src, "src"));
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(svi_batch_step(check_one_view(plan, dst[i], src[i]), i, failed));
    for (int64_t i = 0; status == SV_OK && i < count; i++)
        status = svi_batched_run(&batched, &plan->job, svi_view_address(dst[i]), svi_view_address(src[i]), i);
    return svi_batched_end(&batched, status);
}

/* --- queries ------------------------------------------------------------- */

const char *sv_plan_class(const sv_plan *plan)
{
    return check(plan) == SV_OK ? svi_class_name(plan->job.plan.kind) : NULL;
}

static const char *kernel_of(const struct svi_job *job)
{
    if (job->choice.kernel != NULL)
        return job->choice.kernel;
    return job->backend->kernel(&job->plan, job->dst_device, job->src_device);
}

const char *sv_plan_kernel(const sv_plan *plan)
{
    return check(plan) == SV_OK ? kernel_of(&plan->job) : NULL;
}

static int64_t launches_of(const struct svi_job *job)
{
    if (job->backend == NULL || job->backend->launches == NULL)
        return 0;
    return job->backend->launches(&job->plan, job->dst_device, job->src_device, job->flags);
}

int64_t sv_plan_launches(const sv_plan *plan)
{
    return check(plan) == SV_OK ? launches_of(&plan->job) : 0;
}

sv_status sv_plan_explain(const sv_plan *plan, const void *dst, const void *src, size_t capacity, char *text,
                          size_t *length)
{
    SVI_TRY(check(plan));
    return svi_explain(&plan->job, (void *)(uintptr_t)dst, src, capacity, text, length);
}

int64_t sv_plan_nbytes(const sv_plan *plan)
{
    return check(plan) == SV_OK ? plan->job.plan.nbytes : 0;
}

sv_status sv_plan_traffic(const sv_plan *plan, int64_t *read, int64_t *written)
{
    SVI_TRY(check(plan));
    SVI_NEED(read);
    SVI_NEED(written);
    svi_plan_traffic(&plan->job.plan, read, written);
    return SV_OK;
}
