/* Plans executed between addresses that lie in two arrays, which the host or a device reads. */
#include <inttypes.h>

#include "copy/batched.h"
#include "copy/plan_handle.h"
#include "copy/scratch_source.h"

enum { ADDRESS = 8 /* bytes */, MOST_ALIGNMENT = 16 /* that a loop or a kernel can use */ };

/* --- the two arrays --------------------------------------------------------------------------------------- */

static sv_status check_array(const sv_view *view, const char *name)
{
    SVI_TRY(svi_view_check(view, name));
    if (view->dtype != SV_INT64 && view->dtype != SV_UINT64)
        return svi_fail(SV_ERROR_DTYPE, "%s has no 64-bit integers: addresses are those", name);
    if (view->layout->ndim != 1)
        return svi_fail(SV_ERROR_LAYOUT, "%s has %" PRId32 " axes, an array of addresses has one", name,
                        view->layout->ndim);
    if (((uintptr_t)svi_view_address(view) | (uintptr_t)svi_layout_byte_strides(view->layout)[0]) % ADDRESS != 0)
        return svi_fail(SV_ERROR_ALIGNMENT, "%s has addresses that do not lie at multiples of 8", name);
    return SV_OK;
}

static sv_status check_arrays(const sv_view *dst, const sv_view *src)
{
    SVI_TRY(check_array(dst, "dst"));
    SVI_TRY(check_array(src, "src"));
    if (dst->layout->extent.size != src->layout->extent.size)
        return svi_fail(SV_ERROR_LAYOUT, "dst has %" PRId64 " addresses, src has %" PRId64, dst->layout->extent.size,
                        src->layout->extent.size);
    if (dst->device.type != src->device.type || dst->device.id != src->device.id)
        return svi_fail(SV_ERROR_DEVICE, "the addresses of dst and those of src are in memory of different devices");
    return SV_OK;
}

static sv_status find_alignment(const sv_plan *plan, int64_t given, int64_t *out)
{
    const int64_t bits = MOST_ALIGNMENT | (given == 0 ? plan->job.dst->itemsize | plan->job.src->itemsize : given);

    if (given < 0 || (given & (given - 1)) != 0)
        return svi_fail(SV_ERROR_INVALID, "an alignment of %" PRId64 " is no power of two", given);
    *out = bits & -bits;
    return SV_OK;
}

/* The plan's kinds of memory tell who copies, and so who reads the arrays: a device, or else the host. */
static sv_status make_table(const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t alignment,
                            struct svi_table *out)
{
    SVI_TRY(check_arrays(dst, src));
    *out = (struct svi_table){
        .count = dst->layout->extent.size,
        .device = dst->device,
        .dst = svi_view_address(dst),
        .src = svi_view_address(src),
        .dst_step = svi_layout_byte_strides(dst->layout)[0],
        .src_step = svi_layout_byte_strides(src->layout)[0],
    };
    return find_alignment(plan, alignment, &out->alignment);
}

static char *read_table_address(const char *array, int64_t step, int64_t i)
{
    return (char *)(uintptr_t)*(const uint64_t *)(array + i * step);
}

/* --- the host reads them ---------------------------------------------------------------------------------- */

static sv_status check_table_pair(const sv_plan *plan, const struct svi_table *table, int64_t i)
{
    const char *dst = read_table_address(table->dst, table->dst_step, i),
               *src = read_table_address(table->src, table->src_step, i);

    SVI_TRY(svi_plan_check_addresses(plan, dst, src));
    if (((uintptr_t)dst | (uintptr_t)src) % (uintptr_t)table->alignment != 0)
        return svi_fail(SV_ERROR_ALIGNMENT, "an address is no multiple of %" PRId64, table->alignment);
    return SV_OK;
}

static sv_status check_table_pairs(const sv_plan *plan, const struct svi_table *table, int64_t *failed)
{
    for (int64_t i = 0; i < table->count; i++)
        SVI_TRY(svi_batch_step(check_table_pair(plan, table, i), i, failed));
    return SV_OK;
}

static sv_status run_table_pairs(const struct svi_job *job, const struct svi_table *table, uintptr_t stream,
                                 int64_t *failed)
{
    struct svi_batched batched = svi_batched_begin(stream, failed);
    sv_status status = SV_OK;

    for (int64_t i = 0; status == SV_OK && i < table->count; i++)
        status = svi_batched_run(&batched, job, read_table_address(table->dst, table->dst_step, i),
                                 read_table_address(table->src, table->src_step, i), i);
    return svi_batched_end(&batched, status);
}

/* --- both ------------------------------------------------------------------------------------------------- */

/* Devices may be at work on managed memory. */
static bool is_for_host(struct svi_device device)
{
    return svi_device_has(device.type, SV_TRAIT_HOST) && !svi_device_has(device.type, SV_TRAIT_MANAGED);
}

static bool is_for_backend(const struct svi_job *job, const struct svi_table *table)
{
    const struct svi_backend *backend = job->backend;

    return backend != NULL && backend->reads_table != NULL &&
           backend->reads_table(job->dst_device, job->src_device, table->device);
}

static sv_status run_on_device(const struct svi_job *job, const struct svi_table *table, uintptr_t stream)
{
    struct svi_request request;
    struct svi_scratch scratch;

    if (job->backend != job->managed_by)
        SVI_TRY(svi_job_await_managed(job, stream));
    request = svi_job_request(job, &job->plan, NULL, NULL, stream, 0);
    request.scratch = svi_scratch_begin(&scratch, job->scratch);
    return job->backend->copy_table(&request, table);
}

sv_status sv_plan_execute_table(const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t alignment,
                                uintptr_t stream, int64_t *failed)
{
    struct svi_table table;
    bool by_backend;

    SVI_TRY(svi_plan_check(plan));
    SVI_TRY(make_table(plan, dst, src, alignment, &table));
    by_backend = is_for_backend(&plan->job, &table);
    if (!by_backend && !is_for_host(table.device))
        return svi_fail(SV_ERROR_UNSUPPORTED, "addresses in %s memory are not read by who does this copy",
                        svi_device_title(table.device.type));
    if (!by_backend || table.device.type == SV_DEVICE_CPU)
        SVI_TRY(check_table_pairs(plan, &table, failed));
    if (table.count == 0 || plan->job.plan.kind == SVI_CLASS_EMPTY)
        return SV_OK;
    return by_backend ? run_on_device(&plan->job, &table, stream) : run_table_pairs(&plan->job, &table, stream, failed);
}
