/* Copies that scale: by the host alone, since no other backend has the operations. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "copy/job_run.h"
#include "overlap/overlap.h"
#include "copy/parallel.h"
#include "layout/reshape.h"
#include "host/front/host.h"

/* --- check ---------------------------------------------------------------------- */

/* Of an array of count values: 0 is none, 1 is one for all, else there is one for each index of the axis. */
static sv_status check_factor(const char *name, const double *values, int64_t count, const sv_layout *dst, int32_t axis)
{
    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "%s has %" PRId64 " values", name, count);
    if (count > 0 && values == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL, and has %" PRId64 " values", name, count);
    if (count > 1 && count != svi_layout_shape(dst)[axis])
        return svi_fail(SV_ERROR_LAYOUT, "%s has %" PRId64 " values, axis %" PRId32 " of dst has %" PRId64, name, count,
                        axis, svi_layout_shape(dst)[axis]);
    return SV_OK;
}

static struct svi_factor factor_of(const double *values, int64_t count)
{
    return (struct svi_factor){count > 0 ? values : NULL, count > 1};
}

/* axis receives -1 where none is needed. */
static sv_status take_factors(const sv_layout *dst, const double *scale, int64_t nscale, const double *bias,
                              int64_t nbias, int32_t *axis, struct svi_affine *out)
{
    const bool goes_on = nscale > 1 || nbias > 1;

    if (goes_on)
        SVI_TRY(svi_axis_resolve(*axis, dst->ndim, axis));
    else
        *axis = -1;
    SVI_TRY(check_factor("scale", scale, nscale, dst, *axis));
    SVI_TRY(check_factor("bias", bias, nbias, dst, *axis));
    out->scale = factor_of(scale, nscale);
    out->bias = factor_of(bias, nbias);
    return SV_OK;
}

static __attribute__((cold)) sv_status fail_to_scale(struct svi_device first, struct svi_device second)
{
    static const char text[] = "only the host scales, and it does not reach %s device %d%s: copy to host memory, and "
                               "scale there";
    char other[SVI_DETAIL] = "";

    if (first.type != second.type || first.id != second.id)
        snprintf(other, sizeof other, " and %s device %d", svi_device_title(second.type), (int)second.id);
    return svi_fail(SV_ERROR_UNSUPPORTED, text, svi_device_title(first.type), (int)first.id, other);
}

/* Names the devices whose memory the host does not read and write. */
static sv_status check_reach(const struct svi_job *job)
{
    const struct svi_device dst = job->dst_device, src = job->src_device;
    const bool has_dst = svi_device_has(dst.type, SV_TRAIT_HOST), has_src = svi_device_has(src.type, SV_TRAIT_HOST);

    if (has_dst && has_src)
        return SV_OK;
    if (has_dst)
        return fail_to_scale(src, src);
    return fail_to_scale(dst, has_src ? dst : src);
}

static sv_status make_affine_plan(const sv_layout *dst, const sv_layout *src, int32_t lanes, int32_t axis,
                                  struct svi_affine *out)
{
    struct svi_geometry room;

    svi_layout_load(src, &room);
    SVI_TRY(svi_geometry_broadcast_src(&room, dst->ndim, svi_layout_shape(dst)));
    svi_affine_make_plan(dst->ndim, svi_layout_shape(dst), svi_layout_byte_strides(dst), room.strides, lanes, axis,
                         out);
    return SV_OK;
}

/* --- run ------------------------------------------------------------------------ */

/* Whether every element becomes what it is scaled to in its own place. */
static bool is_in_place(const struct svi_plan *plan, const char *dst, const char *src)
{
    return plan->item == plan->src_item && dst + plan->dst_offset == src + plan->src_offset &&
           memcmp(plan->dst, plan->src, (size_t)plan->ndim * sizeof *plan->dst) == 0;
}

static bool may_overlap(const struct svi_job *job, const char *dst, const char *src)
{
    return !svi_job_is_apart(job, dst, src) &&
           svi_overlap_two((uintptr_t)dst - (uintptr_t)job->dst->byte_offset, job->dst,
                           (uintptr_t)src - (uintptr_t)job->src->byte_offset, job->src, SVI_OVERLAP_WORK) != SV_NO;
}

/* Both steps, and what lies between them. */
struct temporary {
    struct svi_plan in;
    struct svi_affine out;
    _Alignas(max_align_t) char memory[];
};

static sv_status run_steps(const struct svi_job *job, const struct svi_affine *affine, struct temporary *t, char *dst,
                           const char *src, uintptr_t stream)
{
    const struct svi_request in = svi_job_request(job, &t->in, t->memory, src, stream, 0);

    svi_affine_pack(affine, &t->in, &t->out);
    SVI_TRY(svi_host.copy(&in));
    return svi_host.scale(&t->out, true, dst, t->memory);
}

static sv_status run_by_temporary(const struct svi_job *job, const struct svi_affine *affine, char *dst,
                                  const char *src, uintptr_t stream)
{
    struct temporary *t;
    sv_status status;

    if (job->flags & SV_COPY_NO_TEMP)
        return svi_fail(SV_ERROR_OVERLAP, "src and dst share bytes, or may, and a temporary is not wanted");
    t = svi_malloc(sizeof *t + (size_t)svi_affine_packed_nbytes(affine));
    if (t == NULL)
        return SV_ERROR_MEMORY;
    status = run_steps(job, affine, t, dst, src, stream);
    svi_free(t);
    return status;
}

/* By the caller's threads where that pays. */
static sv_status scale_apart(struct svi_job *job, const struct svi_affine *affine, int32_t threads, char *dst,
                             const char *src, uintptr_t stream)
{
    if (threads == 1)
        return svi_host.scale(affine, true, dst, src);
    job->affine = affine;
    memcpy(&job->plan, &affine->plan, sizeof job->plan);
    job->backend = &svi_host;
    job->parallel.tasks = svi_parallel_tasks(job, threads);
    if (job->parallel.tasks > 1)
        return svi_parallel_run(job, dst, src, stream);
    return svi_host.scale(affine, true, dst, src);
}

static sv_status run_scaled(struct svi_job *job, const struct svi_affine *affine, int32_t threads, char *dst,
                            const char *src, uintptr_t stream)
{
    SVI_TRY(svi_job_await_managed(job, stream));
    if (is_in_place(&affine->plan, dst, src))
        return svi_host.scale(affine, false, dst, src);
    if (may_overlap(job, dst, src))
        return run_by_temporary(job, affine, dst, src, stream);
    return scale_apart(job, affine, threads, dst, src, stream);
}

sv_status sv_copy_scaled_parallel(const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale,
                                  const double *bias, int64_t nbias, int32_t axis, int32_t threads,
                                  sv_parallel_callback run_tasks, void *ctx, uint32_t flags, uintptr_t stream)
{
    struct svi_affine affine;
    struct svi_job job;

    SVI_TRY(svi_job_make(dst, src, flags | SV_COPY_CAST_UNSAFE, SVI_JOB_CHECK, &job));
    SVI_TRY(svi_affine_choose(dst->dtype, src->dtype, (flags & SV_COPY_SWAP) != 0, &affine));
    SVI_TRY(take_factors(dst->layout, scale, nscale, bias, nbias, &axis, &affine));
    SVI_TRY(make_affine_plan(dst->layout, src->layout, (int32_t)svi_dtype_lanes(dst->dtype), axis, &affine));
    SVI_TRY(svi_parallel_check(threads, run_tasks));
    if (affine.plan.kind == SVI_CLASS_EMPTY)
        return SV_OK;
    SVI_TRY(check_reach(&job));
    job.parallel.run = run_tasks;
    job.parallel.ctx = ctx;
    return run_scaled(&job, &affine, threads, svi_view_address(dst), svi_view_address(src), stream);
}

sv_status sv_copy_scaled(const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale,
                         const double *bias, int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream)
{
    return sv_copy_scaled_parallel(dst, src, scale, nscale, bias, nbias, axis, 1, NULL, NULL, flags, stream);
}
