/*
 * Placement of a copy whose views are known: the kinds of memory decide most of it (backend/placement.c). Whether the
 * two sides share bytes adds the method, and a driver tells a stream's device, the ring and pools.
 */
#include "copy/copy_placement.h"

#include "copy/job_run.h"
#include "device/backends.h"

/* Where it cannot be found out the copy fails for the same reason. */
static bool has_pools(const struct svi_job *job)
{
    const struct svi_driver *driver = job->backend->driver;
    int64_t has = 1;

    return driver == NULL || driver->property(job->dst_device.id, SV_PROPERTY_POOLS, &has) != SV_OK || has != 0;
}

static bool is_ringed(const struct svi_job *job, const char *dst, const char *src, int device)
{
    const struct svi_request request = svi_job_request(job, &job->plan, (char *)(uintptr_t)dst, src, 0, 0);

    return job->backend->is_ringed != NULL && job->backend->is_ringed(&request, device);
}

/* What the addresses do not tell: the ring, and the temporary of a device without pools. */
static int32_t find_method(const struct svi_job *job, const char *dst, const char *src, int device)
{
    int32_t way;
    int32_t method = job->tasks > 1 ? SV_METHOD_TASKS : SV_METHOD_DIRECT;

    if (job->plan.kind == SVI_CLASS_EMPTY || (dst != NULL && src != NULL))
        method = svi_job_find_method(job, dst, src, &way);
    if (method == SV_METHOD_DIRECT && is_ringed(job, dst, src, device))
        return SV_METHOD_RING;
    if (method == SV_METHOD_TEMPORARY && job->scratch == NULL && !has_pools(job))
        return SV_METHOD_HOST_TEMPORARY;
    return method;
}

/* Without an element neither a driver nor a backend is needed, so the kinds of memory alone decide. */
static struct svi_placement place_nothing(struct svi_device dst, struct svi_device src)
{
    struct svi_placement out = svi_placement_make(dst, src, true);

    if (out.family == SVI_FAMILY_NONE)
        return svi_placement_make(svi_cpu, svi_cpu, false);
    out.follows_stream = false;
    return out;
}

static struct svi_placement place_sides(struct svi_device dst, struct svi_device src, bool has_elements)
{
    return has_elements ? svi_backend_place(dst, src) : place_nothing(dst, src);
}

void svi_job_place(const struct svi_job *job, const char *dst, const char *src, struct svi_placement *out)
{
    *out = place_sides(job->dst_device, job->src_device, job->plan.kind != SVI_CLASS_EMPTY);
    svi_placement_set(out, job->flags, find_method(job, dst, src, out->where.id));
}

/* --- the public function -------------------------------------------------------------------------------- */

static void put(int32_t value, int32_t *out)
{
    if (out != NULL)
        *out = value;
}

static sv_status find_stream_place(struct svi_placement *placement, uintptr_t stream)
{
    const struct svi_backend *backend = svi_backend_of(placement->family);
    int device;

    if (stream <= SVI_DEFAULT_STREAMS || !placement->follows_stream)
        return SV_OK;
    SVI_TRY(backend->find_stream_device(stream, placement->where, &device));
    placement->where.id = device;
    return SV_OK;
}

/* Refuses what the copy itself would, with fewer words. */
static sv_status check_placement(const struct svi_job *job, const struct svi_placement *placement)
{
    SVI_TRY(svi_job_check_method(job, placement->method));
    if ((job->flags & SV_COPY_NO_WAIT) && placement->waits >= SV_WAITS_STREAM)
        return svi_fail(SV_ERROR_BLOCKED, "the copy would wait for %s", svi_waits_words(placement->waits));
    return SV_OK;
}

/* By the kinds of memory alone. */
static sv_status place_kinds(const sv_view *dst, const sv_view *src, struct svi_placement *out)
{
    bool has_elements;

    SVI_TRY(svi_view_check(dst, "dst"));
    SVI_TRY(svi_view_check(src, "src"));
    has_elements = dst->layout->extent.size > 0;
    if (has_elements)
        SVI_TRY(svi_job_check_backend(dst->device, src->device));
    *out = place_sides(dst->device, src->device, has_elements);
    return SV_OK;
}

static sv_status place_views(const sv_view *dst, const sv_view *src, uint32_t flags, struct svi_placement *out)
{
    struct svi_job job;

    SVI_TRY(svi_job_make(dst, src, flags, SVI_JOB_WHOLE, &job));
    svi_job_place(&job, svi_view_address(dst), svi_view_address(src), out);
    return check_placement(&job, out);
}

sv_status sv_copy_placement(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream, int32_t *by,
                            int32_t *device_type, int32_t *device_id, int32_t *waits, int32_t *done, int32_t *method)
{
    struct svi_placement placement = {0};

    if (waits == NULL && done == NULL && method == NULL)
        SVI_TRY(place_kinds(dst, src, &placement));
    else
        SVI_TRY(place_views(dst, src, flags, &placement));
    SVI_TRY(find_stream_place(&placement, stream));
    put(svi_placement_copier(&placement), by);
    put(placement.where.type, device_type);
    put(placement.where.id, device_id);
    put(placement.waits, waits);
    put(placement.done, done);
    put(placement.method, method);
    return SV_OK;
}
