/* Many copies in a call: all are checked before the first is done. */
#include "base/alloc.h"
#include "copy/batched.h"
#include "copy/scaled_job.h"

/* A job, and the views it was made for. */
struct kept {
    const sv_view *dst, *src; /* NULL at first */
    struct svi_affine affine; /* to which the job's plan refers where it scales */
    struct svi_job job;
};

/*
 * The jobs of the two latest layout pairs, since consecutive copies often repeat one pair or alternate between two. Two
 * jobs are too much for a small stack: one is allocated when it is wanted, and without memory for it there is one job.
 */
struct recent {
    struct kept first, *second; /* second: NULL where there is none */
    struct kept *last;
    struct svi_batched *batched; /* which may still need a job; NULL: none yet */
    const struct svi_scale_arguments *scaled; /* of all copies; NULL: none scales */
};

static void begin_recent(const struct svi_scale_arguments *scaled, struct recent *recent)
{
    recent->scaled = scaled;
    recent->first.dst = NULL;
    recent->second = NULL;
    recent->last = &recent->first;
    recent->batched = NULL;
}

static void forget_recent(struct recent *recent)
{
    recent->first.dst = NULL;
    if (recent->second != NULL)
        recent->second->dst = NULL;
}

static bool is_like_view(const sv_view *a, const sv_view *b)
{
    return a->dtype == b->dtype && a->flags == b->flags && a->device.type == b->device.type &&
           a->device.id == b->device.id && svi_layout_is_like(a->layout, b->layout);
}

static bool is_job_for(const struct kept *kept, const sv_view *dst, const sv_view *src)
{
    return kept->dst != NULL && is_like_view(dst, kept->dst) && is_like_view(src, kept->src);
}

/* The job that was not used last; a new one is for no views. */
static struct kept *take_other_job(struct recent *recent)
{
    if (recent->last != &recent->first)
        return &recent->first;
    if (recent->second == NULL) {
        recent->second = svi_malloc(sizeof *recent->second);
        if (recent->second == NULL)
            return &recent->first;
        recent->second->dst = NULL;
    }
    return recent->second;
}

static sv_status make_job(const sv_view *dst, const sv_view *src, uint32_t flags, uint32_t parts,
                          const struct svi_scale_arguments *scaled, struct kept *out)
{
    if (scaled == NULL)
        return svi_job_make(dst, src, flags, parts, &out->job);
    return svi_job_make_scaled(dst, src, scaled, flags, &out->affine, &out->job);
}

static sv_status find_or_make_job(const sv_view *dst, const sv_view *src, uint32_t flags, uint32_t parts,
                                  struct recent *recent, const struct svi_job **out)
{
    struct kept *kept = recent->last;

    if (kept->dst != NULL && !is_job_for(kept, dst, src))
        kept = take_other_job(recent);
    recent->last = kept;
    *out = &kept->job;
    if (is_job_for(kept, dst, src))
        return SV_OK;
    kept->dst = NULL;
    if (recent->batched != NULL)
        svi_batched_leave(recent->batched, &kept->job);
    SVI_TRY(make_job(dst, src, flags, parts, recent->scaled, kept));
    kept->dst = dst;
    kept->src = src;
    return SV_OK;
}

/* Where a temporary is not wanted, addresses decide too. */
static sv_status check_pair(const sv_view *dst, const sv_view *src, uint32_t flags, struct recent *recent)
{
    const struct svi_job *job;

    SVI_TRY(svi_view_check(dst, "dst"));
    SVI_TRY(svi_view_check(src, "src"));
    if (!(flags & SV_COPY_NO_TEMP))
        return find_or_make_job(dst, src, flags, SVI_JOB_CHECK, recent, &job);
    SVI_TRY(find_or_make_job(dst, src, flags, SVI_JOB_WHOLE, recent, &job));
    return svi_job_check_addresses(job, svi_view_address(dst), svi_view_address(src));
}

static sv_status run_pair(const sv_view *dst, const sv_view *src, uint32_t flags, struct recent *recent, int64_t i)
{
    struct svi_batched *batched = recent->batched;
    const struct svi_job *job;

    SVI_TRY(svi_batch_step(find_or_make_job(dst, src, flags, SVI_JOB_PLAN, recent, &job), i, batched->failed));
    return svi_batched_run(batched, job, svi_view_address(dst), svi_view_address(src), i);
}

static sv_status copy_all_pairs(int64_t count, sv_view *const *dst, sv_view *const *src,
                                const struct svi_scale_arguments *scaled, uint32_t flags, uintptr_t stream,
                                int64_t *failed)
{
    struct svi_batched batched = svi_batched_begin(stream, failed);
    struct recent recent;
    sv_status status = SV_OK;

    SVI_TRY(svi_batch_check(count, dst, "dst"));
    SVI_TRY(svi_batch_check(count, src, "src"));
    begin_recent(scaled, &recent);
    for (int64_t i = 0; status == SV_OK && i < count; i++)
        status = svi_batch_step(check_pair(dst[i], src[i], flags, &recent), i, failed);
    forget_recent(&recent);
    recent.batched = &batched;
    for (int64_t i = 0; status == SV_OK && i < count; i++)
        status = run_pair(dst[i], src[i], flags, &recent, i);
    status = svi_batched_end(&batched, status);
    svi_free(recent.second);
    return status;
}

sv_status sv_copy_batch(int64_t count, sv_view *const *dst, sv_view *const *src, uint32_t flags, uintptr_t stream,
                        int64_t *failed)
{
    return copy_all_pairs(count, dst, src, NULL, flags, stream, failed);
}

sv_status sv_copy_scaled_batch(int64_t count, sv_view *const *dst, sv_view *const *src, const double *scale,
                               int64_t nscale, const double *bias, int64_t nbias, int32_t axis, uint32_t flags,
                               uintptr_t stream, int64_t *failed)
{
    const struct svi_scale_arguments scaled = {scale, nscale, bias, nbias, axis};

    return copy_all_pairs(count, dst, src, &scaled, flags, stream, failed);
}
