#include "copy/job.h"

#include <inttypes.h>

#include "device/backends.h"
#include "overlap/overlap.h"
#include "layout/reshape.h"
#include "host/front/host.h"

static const uint32_t casting = SV_COPY_CAST | SV_COPY_CAST_UNSAFE | SV_COPY_SWAP;
static const uint32_t known_flags =
    SV_COPY_NO_TEMP | SV_COPY_TRUST | SV_COPY_BLOCKING | SV_COPY_NO_WAIT | SV_COPY_NON_TEMPORAL | casting;

/* --- check --------------------------------------------------------------- */

/* Which flag would let a copy convert between types that differ; "" where none would. */
static const char *advise_cast(sv_dtype dst, sv_dtype src)
{
    if (dst == src || !sv_can_cast(src, dst, SV_CASTING_UNSAFE))
        return "";
    return sv_can_cast(src, dst, SV_CASTING_SAME_KIND) ? ": pass SV_COPY_CAST to convert"
                                                       : ": pass SV_COPY_CAST_UNSAFE to convert";
}

/* chain: without a step where elements keep their bytes. */
static sv_status check_dtypes(const sv_view *dst, const sv_view *src, uint32_t flags, struct svi_chain *chain)
{
    const bool same = dst->dtype == src->dtype && dst->layout->itemsize == src->layout->itemsize;
    const bool swaps = (flags & SV_COPY_SWAP) != 0, casts = (flags & (SV_COPY_CAST | SV_COPY_CAST_UNSAFE)) != 0;
    char dst_name[SVI_DTYPE_TEXT], src_name[SVI_DTYPE_TEXT];

    chain->count = 0;
    if (same && !swaps)
        return SV_OK;
    if (same || casts)
        return svi_chain_find(dst->dtype, src->dtype, (flags & SV_COPY_CAST_UNSAFE) != 0, swaps, chain);
    return svi_fail(SV_ERROR_DTYPE, "dst has %s of %" PRId64 " bytes, src %s of %" PRId64 "%s",
                    svi_dtype_text(dst->dtype, dst_name), dst->layout->itemsize, svi_dtype_text(src->dtype, src_name),
                    src->layout->itemsize, advise_cast(dst->dtype, src->dtype));
}

static sv_status check_target(const sv_view *dst, uint32_t flags, uint32_t known)
{
    if (flags & ~known)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", known are 0x%" PRIx32, flags, known);
    if ((flags & SV_COPY_BLOCKING) && (flags & SV_COPY_NO_WAIT))
        return svi_fail(SV_ERROR_INVALID, "SV_COPY_BLOCKING waits, which SV_COPY_NO_WAIT forbids");
    if (dst->flags & SV_READ_ONLY)
        return svi_fail(SV_ERROR_READ_ONLY, "dst is read-only");
    return SV_OK;
}

static sv_status check_own_overlap(const sv_layout *dst, uint32_t flags)
{
    sv_answer answer = svi_overlap_self(dst, SVI_OVERLAP_WORK);

    if (answer == SVI_ANSWER_NO_MEMORY)
        return SV_ERROR_MEMORY;
    if (answer == SV_YES)
        return svi_fail(SV_ERROR_OVERLAP, "elements of dst share bytes");
    if (answer == SV_MAYBE && !(flags & SV_COPY_TRUST))
        return svi_fail(SV_ERROR_OVERLAP, "elements of dst may share bytes: not decided after %d steps",
                        SVI_OVERLAP_WORK);
    return SV_OK;
}

static __attribute__((cold)) sv_status fail_no_backend(struct svi_device dst, struct svi_device src, const char *verb)
{
    return svi_fail(SV_ERROR_UNSUPPORTED, "no backend %s from %s device %d to %s device %d", verb,
                    svi_device_title(src.type), (int)src.id, svi_device_title(dst.type), (int)dst.id);
}

sv_status svi_job_check_backend(struct svi_device dst, struct svi_device src)
{
    return svi_backend_search(dst, src, NULL) != NULL ? SV_OK : fail_no_backend(dst, src, "copies");
}

static __attribute__((noinline)) sv_status search_backend(struct svi_job *job, const struct svi_chain *chain)
{
    const struct svi_device dst = job->dst_device, src = job->src_device;
    const struct svi_placement placement = svi_backend_place(dst, src);

    job->backend = svi_backend_for(&placement, chain);
    if (job->backend == NULL)
        return fail_no_backend(dst, src, chain != NULL && chain->count > 0 ? "converts" : "copies");
    job->managed_by = placement.has_managed ? svi_backend_of_streams(placement.where.type) : NULL;
    return SV_OK;
}

/* Most copies are within ordinary memory. */
static inline sv_status find_job_backend(struct svi_job *job, const struct svi_chain *chain)
{
    if (!svi_is_cpu(job->dst_device) || !svi_is_cpu(job->src_device))
        return search_backend(job, chain);
    job->backend = &svi_host;
    return SV_OK;
}

/* --- plan ---------------------------------------------------------------- */

static bool same_shape(const sv_layout *a, const sv_layout *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int32_t k = 0; k < a->ndim; k++)
        if (svi_layout_shape(a)[k] != svi_layout_shape(b)[k])
            return false;
    return true;
}

/* Strides of layout broadcast to the shape of target; room is where they are put when they change. */
static sv_status strides_for(const sv_layout *layout, const sv_layout *target, struct svi_geometry *room,
                             const int64_t **out)
{
    if (same_shape(layout, target)) {
        *out = svi_layout_byte_strides(layout);
        return SV_OK;
    }
    svi_layout_load(layout, room);
    SVI_TRY(svi_geometry_broadcast_src(room, target->ndim, svi_layout_shape(target)));
    *out = room->strides;
    return SV_OK;
}

/* To dst from where the strides say, through a chain or (without a step) as the elements are. */
static void make_job_plan(const sv_view *dst, const struct svi_chain *chain, const int64_t *src_strides,
                          struct svi_plan *out)
{
    const sv_layout *layout = dst->layout;
    const int64_t *shape = svi_layout_shape(layout), *dst_strides = svi_layout_byte_strides(layout);

    if (chain->count == 0)
        svi_plan_make(layout->ndim, shape, dst_strides, src_strides, layout->itemsize, out);
    else
        svi_plan_make_cast(layout->ndim, shape, dst_strides, src_strides, chain, (int32_t)svi_dtype_lanes(dst->dtype),
                           out);
}

/* --- choose -------------------------------------------------------------- */

static sv_status copy_nothing(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with, (void)plan, (void)dst, (void)src;
    return SV_OK;
}

void svi_job_choose(struct svi_job *job)
{
    if (job->backend == NULL)
        job->choice = (struct svi_choice){"nothing", copy_nothing, NULL};
    else
        job->backend->choose(&job->plan, job->dst_device, job->src_device, &job->choice);
    if ((job->flags & SV_COPY_NON_TEMPORAL) && job->backend != NULL && job->kept == NULL)
        job->kept = job->backend->non_temporal;
    if (job->kept != NULL)
        job->choice = (struct svi_choice){job->kept->name, job->backend->run_candidate, job->kept};
    if (job->tasks > 1 || job->managed_by != NULL)
        job->choice.run = NULL;
    job->apart.run = job->choice.run != NULL ? job->apart.gap : 0;
}

/* --- make ---------------------------------------------------------------- */

/* Where the first byte of src is behind that of dst by the bytes of dst or more, all round the address space. */
static void find_apart(const sv_layout *dst, const sv_layout *src, struct svi_apart *out)
{
    const struct svi_extent *d = &dst->extent, *s = &src->extent;
    const uint64_t dst_end = (uint64_t)d->upper - (uint64_t)dst->byte_offset;
    const uint64_t src_begin = (uint64_t)s->lower - (uint64_t)src->byte_offset;
    const uint64_t nbytes = (uint64_t)d->upper - (uint64_t)d->lower + (uint64_t)s->upper - (uint64_t)s->lower;

    out->shift = src_begin - dst_end;
    out->gap = nbytes == 0 ? UINT64_MAX : 1 - nbytes;
}

static inline void begin_job(struct svi_device dst_device, struct svi_device src_device, uint32_t flags,
                             struct svi_job *out)
{
    out->dst = out->src = NULL;
    out->dst_device = dst_device;
    out->src_device = src_device;
    out->backend = out->managed_by = NULL;
    out->threads.count = 1;
    out->tasks = 1;
    out->kept = NULL;
    out->scratch = NULL;
    out->flags = flags;
}

/* What is known without the source's layout: the backend is decided where there are elements. */
static inline sv_status start_job(const sv_view *dst, struct svi_device src_device, uint32_t flags,
                                  const struct svi_chain *chain, struct svi_job *out)
{
    begin_job(dst->device, src_device, flags, out);
    out->dst = dst->layout;
    return dst->layout->extent.size == 0 ? SV_OK : find_job_backend(out, chain);
}

sv_status svi_job_make(const sv_view *dst, const sv_view *src, uint32_t flags, uint32_t parts, struct svi_job *out)
{
    struct svi_geometry room;
    const int64_t *src_strides;
    struct svi_chain chain;

    SVI_TRY(svi_view_check(dst, "dst"));
    SVI_TRY(svi_view_check(src, "src"));
    SVI_TRY(check_target(dst, flags, known_flags));
    SVI_TRY(check_dtypes(dst, src, flags, &chain));
    SVI_TRY(strides_for(src->layout, dst->layout, &room, &src_strides));
    SVI_TRY(start_job(dst, src->device, flags, &chain, out));
    out->src = src->layout;
    find_apart(dst->layout, src->layout, &out->apart);
    if (parts & SVI_JOB_CHECK)
        SVI_TRY(check_own_overlap(dst->layout, flags));
    if (parts & SVI_JOB_PLAN) {
        make_job_plan(dst, &chain, src_strides, &out->plan);
        svi_job_choose(out);
    }
    return SV_OK;
}

sv_status svi_job_make_fill(const sv_view *dst, uint32_t flags, struct svi_job *out)
{
    static const int64_t still[SV_MAX_NDIM];
    static const struct svi_chain as_it_is;

    SVI_TRY(check_target(dst, flags, SV_COPY_TRUST | SV_COPY_BLOCKING));
    SVI_TRY(start_job(dst, svi_cpu, flags, &as_it_is, out));
    SVI_TRY(check_own_overlap(dst->layout, flags));
    make_job_plan(dst, &as_it_is, still, &out->plan);
    return SV_OK;
}

/* --- runs of bytes -------------------------------------------------------- */

sv_status svi_job_make_bytes(struct svi_device dst, struct svi_device src, int64_t nbytes, uint32_t flags,
                             struct svi_job *out)
{
    static const int64_t one = 1;

    begin_job(dst, src, flags, out);
    SVI_TRY(find_job_backend(out, NULL));
    svi_plan_make(1, &nbytes, &one, &one, 1, &out->plan);
    out->apart.shift = 0 - (uint64_t)nbytes;
    out->apart.gap = 1 - 2 * (uint64_t)nbytes;
    svi_job_choose(out);
    return SV_OK;
}

sv_status svi_job_make_fill_bytes(struct svi_device dst, int64_t count, int64_t itemsize, uint32_t flags,
                                  struct svi_job *out)
{
    static const int64_t still = 0;

    begin_job(dst, svi_cpu, flags, out);
    SVI_TRY(find_job_backend(out, NULL));
    svi_plan_make(1, &count, &itemsize, &still, itemsize, &out->plan);
    return SV_OK;
}

/* --- managed memory ------------------------------------------------------- */

sv_status svi_job_await_managed(const struct svi_job *job, uintptr_t stream)
{
    if (job->managed_by == NULL)
        return SV_OK;
    if (job->flags & SV_COPY_NO_WAIT)
        return svi_fail(SV_ERROR_BLOCKED, "the host copies managed memory, for which it would wait for the stream");
    return job->managed_by->await_managed(svi_placement_make(job->dst_device, job->src_device, true).where, stream);
}
