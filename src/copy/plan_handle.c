/* Plans are made, released and executed; plan_query.c tells what is in them. */
#include "copy/plan_handle.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "copy/batched.h"
#include "copy/parallel.h"
#include "copy/scratch_source.h"

/* No byte is outside the address space; NULL is where nothing is. */
static struct svi_places places_of_layout(const sv_layout *layout)
{
    const struct svi_extent *e = &layout->extent;
    const uint64_t below = (uint64_t)layout->byte_offset - (uint64_t)e->lower;
    const uint64_t above = (uint64_t)e->upper - (uint64_t)layout->byte_offset;

    if (e->size == 0)
        return (struct svi_places){0, UINTPTR_MAX};
    return (struct svi_places){below + (below == 0), UINTPTR_MAX - above - below - (below == 0)};
}

/* --- make ---------------------------------------------------------------- */

static void set_measured(const struct svi_measured *measured, sv_plan *plan)
{
    plan->measured = *measured;
    plan->measured.row = plan->rows;
    if (measured->count == 0)
        return;
    memcpy(plan->rows, measured->row, (size_t)measured->count * sizeof *plan->rows);
    svi_measured_keep(&plan->measured, &plan->job);
}

sv_status svi_plan_handle_make(const struct svi_job *job, sv_dtype dst_dtype, sv_dtype src_dtype,
                               const struct svi_measured *measured, sv_plan **out)
{
    sv_plan *plan = svi_malloc(sizeof *plan + (size_t)measured->count * sizeof *plan->rows);

    if (plan == NULL)
        return SV_ERROR_MEMORY;
    memcpy(&plan->job, job, sizeof *job);
    if (svi_affine_keep(&plan->job.plan, &plan->affine) != SV_OK) {
        svi_free(plan);
        return SV_ERROR_MEMORY;
    }
    svi_handle_init(&plan->handle, SVI_TAG_PLAN);
    plan->dst_dtype = dst_dtype;
    plan->src_dtype = src_dtype;
    plan->dst = places_of_layout(job->dst);
    plan->src = places_of_layout(job->src);
    set_measured(measured, plan);
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
    return svi_plan_handle_make(&job, dst->dtype, src->dtype, &(struct svi_measured){0}, out);
}

sv_status sv_plan_new_scaled(const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale,
                             const double *bias, int64_t nbias, int32_t axis, uint32_t flags, sv_plan **out)
{
    const struct svi_scale_arguments arguments = {scale, nscale, bias, nbias, axis};
    struct svi_affine affine;
    struct svi_job job;

    SVI_TRY(svi_job_make_scaled(dst, src, &arguments, flags, &affine, &job));
    SVI_NEED(out);
    return svi_plan_handle_make(&job, dst->dtype, src->dtype, &(struct svi_measured){0}, out);
}

sv_status sv_plan_with_threads(const sv_plan *plan, int32_t threads, sv_parallel_callback run, void *ctx, sv_plan **out)
{
    struct svi_job job;

    SVI_TRY(svi_plan_check(plan));
    SVI_NEED(out);
    memcpy(&job, &plan->job, sizeof job);
    SVI_TRY(svi_parallel_set(&job, threads, run, ctx));
    return svi_plan_handle_make(&job, plan->dst_dtype, plan->src_dtype, &plan->measured, out);
}

sv_status sv_plan_with_allocator(const sv_plan *plan, const sv_allocator *scratch, sv_plan **out)
{
    struct svi_job job;

    SVI_TRY(svi_plan_check(plan));
    SVI_NEED(out);
    memcpy(&job, &plan->job, sizeof job);
    SVI_TRY(svi_scratch_set(&job, scratch));
    return svi_plan_handle_make(&job, plan->dst_dtype, plan->src_dtype, &plan->measured, out);
}

sv_plan *sv_plan_retain(const sv_plan *plan)
{
    if (plan == NULL || svi_plan_check(plan) != SV_OK)
        return NULL;
    svi_handle_retain(&plan->handle);
    return (sv_plan *)plan;
}

void sv_plan_release(sv_plan *plan)
{
    if (plan == NULL || svi_plan_check(plan) != SV_OK || !svi_handle_drop(&plan->handle))
        return;
    sv_layout_release((sv_layout *)plan->job.dst);
    sv_layout_release((sv_layout *)plan->job.src);
    sv_allocator_release((sv_allocator *)plan->job.scratch);
    svi_free(plan->affine);
    svi_free(plan);
}

/* --- execute ------------------------------------------------------------- */

static bool is_among(const struct svi_places *places, const void *address)
{
    return (uintptr_t)address - places->least <= places->span;
}

static sv_status check_plan_address(const sv_layout *layout, const struct svi_places *places, const void *address,
                                    const char *name)
{
    if (is_among(places, address))
        return SV_OK;
    if (address == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL, there are %" PRId64 " elements", name, layout->extent.size);
    return svi_fail(SV_ERROR_OVERFLOW, "elements of %s at 0x%" PRIxPTR " leave the address space", name,
                    (uintptr_t)address);
}

/* Whether svi_plan_check_addresses() has nothing to say: the short answer, without a call. */
static inline bool is_fine(const sv_plan *plan, const void *dst, const void *src)
{
    return svi_handle_is((const struct svi_handle *)plan, SVI_TAG_PLAN) && is_among(&plan->dst, dst) &&
           is_among(&plan->src, src);
}

__attribute__((noinline)) sv_status svi_plan_check_addresses(const sv_plan *plan, const void *dst, const void *src)
{
    SVI_TRY(svi_plan_check(plan));
    SVI_TRY(check_plan_address(plan->job.dst, &plan->dst, dst, "dst"));
    return check_plan_address(plan->job.src, &plan->src, src, "src");
}

sv_status sv_plan_execute(const sv_plan *plan, void *dst, const void *src, uintptr_t stream)
{
    if (!is_fine(plan, dst, src))
        return svi_plan_check_addresses(plan, dst, src);
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

sv_status svi_plan_check_views(const sv_plan *plan, const sv_view *dst, const sv_view *src)
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
    SVI_TRY(svi_plan_check(plan));
    SVI_TRY(svi_plan_check_views(plan, dst, src));
    return run_views(plan, dst, src, stream);
}

/* --- batch --------------------------------------------------------------- */

static sv_status check_plan_step(const sv_plan *plan, const void *dst, const void *src)
{
    if (!is_fine(plan, dst, src))
        return svi_plan_check_addresses(plan, dst, src);
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
        SVI_TRY(svi_batch_step(check_plan_step(plans[i], dst[i], src[i]), i, failed));
    for (int64_t i = 0; status == SV_OK && i < count; i++)
        status = svi_batched_run(&batched, &plans[i]->job, dst[i], src[i], i);
    return svi_batched_end(&batched, status);
}

static sv_status check_one_view(const sv_plan *plan, const sv_view *dst, const sv_view *src)
{
    SVI_TRY(svi_plan_check_views(plan, dst, src));
    return svi_job_check_addresses(&plan->job, svi_view_address(dst), svi_view_address(src));
}

sv_status sv_plan_execute_views_batch(const sv_plan *plan, int64_t count, sv_view *const *dst, sv_view *const *src,
                                      uintptr_t stream, int64_t *failed)
{
    struct svi_batched batched = svi_batched_begin(stream, failed);
    sv_status status = SV_OK;

    SVI_TRY(svi_plan_check(plan));
    SVI_TRY(svi_batch_check(count, dst, "dst"));
    SVI_TRY(svi_batch_check(count, src, "src"));
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(svi_batch_step(check_one_view(plan, dst[i], src[i]), i, failed));
    for (int64_t i = 0; status == SV_OK && i < count; i++)
        status = svi_batched_run(&batched, &plan->job, svi_view_address(dst[i]), svi_view_address(src[i]), i);
    return svi_batched_end(&batched, status);
}
