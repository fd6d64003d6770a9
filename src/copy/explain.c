#include "copy/explain.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/text.h"
#include "copy/job_run.h"
#include "copy/copy_placement.h"
#include "plan/affine.h"
#include "plan/detour.h"
#include "plan/traffic.h"

static void add_numbers(struct svi_text *t, const char *name, int32_t ndim, const int64_t *numbers)
{
    svi_text_add(t, "%s (", name);
    for (int32_t k = 0; k < ndim; k++)
        svi_text_add(t, k == 0 ? "%" PRId64 : ", %" PRId64, numbers[k]);
    svi_text_add(t, ndim == 1 ? ",)" : ")");
}

/* One number, or as many as an axis has indices. */
static void add_factor(struct svi_text *t, const char *verb, const struct svi_factor *factor,
                       const struct svi_scaled *scaled)
{
    if (factor->values == NULL)
        return;
    if (svi_factor_step(factor) && scaled->axis >= 0)
        svi_text_add(t, ", %s %" PRId64 " numbers along axis %" PRId32 " of these", verb, factor->count, scaled->axis);
    else
        svi_text_add(t, ", %s %.9g", verb, factor->values[scaled->first * svi_factor_step(factor)]);
}

static void add_scale(struct svi_text *t, const struct svi_scaled *scaled)
{
    svi_text_add(t, "scales in float%d", scaled->affine->wide ? 64 : 32);
    add_factor(t, "times", &scaled->affine->scale, scaled);
    add_factor(t, "plus", &scaled->affine->bias, scaled);
    svi_text_add(t, "\n");
}

static void add_plan(struct svi_text *t, const struct svi_plan *plan)
{
    int64_t read = 0, written = 0;

    svi_text_add(t, "class %s: ", svi_class_name(plan->kind));
    if (plan->kind == SVI_CLASS_EMPTY) {
        svi_text_add(t, "there is no element\n");
        return;
    }
    if (plan->item == plan->src_item)
        svi_text_add(t, "%" PRId64 "-byte units, ", plan->item);
    else
        svi_text_add(t, "units of %" PRId64 " bytes to %" PRId64 ", ", plan->src_item, plan->item);
    add_numbers(t, "shape", plan->ndim, plan->shape);
    add_numbers(t, ", byte strides", plan->ndim, plan->dst);
    add_numbers(t, " from", plan->ndim, plan->src);
    svi_plan_traffic(plan, &read, &written);
    svi_text_add(t,
                 "\ntraffic: %" PRId64 " bytes of cache lines are read, %" PRId64 " written, for %" PRId64
                 " bytes of elements\n",
                 read, written, plan->nbytes);
    if (svi_scales(plan))
        add_scale(t, &plan->scaled);
}

static void add_copier(struct svi_text *t, const struct svi_placement *placement)
{
    if (placement->family == SVI_FAMILY_HOST)
        svi_text_add(t, "by the host, ");
    else
        svi_text_add(t, "by %s device %d%s, ", svi_device_title(svi_placement_copier(placement)),
                     (int)placement->where.id, placement->follows_stream ? " or that of the stream" : "");
}

static void add_method(struct svi_text *t, const struct svi_job *job, const struct svi_placement *placement)
{
    svi_text_add(t, "%s", svi_method_words(placement->method));
    if (svi_is_by_temporary(placement->method))
        svi_text_add(t, " of %" PRId64 " bytes%s", svi_detour_nbytes(&job->plan, SVI_SIDE_SRC),
                     job->flags & SV_COPY_NO_TEMP ? ", which SV_COPY_NO_TEMP refuses" : "");
    else if (placement->method == SV_METHOD_TASKS)
        svi_text_add(t, ", %" PRId64 " of them", job->tasks);
}

static void add_placement(struct svi_text *t, const struct svi_job *job, const void *dst, const void *src)
{
    struct svi_placement placement;

    svi_job_place(job, dst, src, &placement);
    svi_text_add(t, "placement %s: ", svi_relation_name(placement.relation));
    add_copier(t, &placement);
    add_method(t, job, &placement);
    svi_text_add(
        t, "; waits for %s%s; done on return: %s\n", svi_waits_words(placement.waits),
        (job->flags & SV_COPY_NO_WAIT) && placement.waits >= SV_WAITS_STREAM ? ", which SV_COPY_NO_WAIT refuses" : "",
        svi_done_words(placement.done));
}

static void add_choice(struct svi_text *t, const struct svi_job *job, void *dst, const void *src)
{
    const struct svi_backend *backend = job->backend;

    if (backend == NULL)
        return;
    if (backend->explain != NULL)
        backend->explain(&job->plan, dst, src, job->kept, t);
    else
        svi_text_add(t, "%s: %s; operations on the stream: %" PRId64 "\n", backend->name,
                     backend->kernel(&job->plan, job->dst_device, job->src_device),
                     backend->launches(&job->plan, job->dst_device, job->src_device, job->flags));
}

/* Where a loop was run as if the copy were of another size: its stores are of the other kind then. */
static const char *size_of(const struct svi_measured *measured, const struct svi_candidate *candidate)
{
    if (candidate->beyond_cache == measured->row[0].candidate.beyond_cache)
        return "";
    return candidate->beyond_cache ? ", as beyond the cache" : ", as in cache";
}

static void add_measured(struct svi_text *t, const struct svi_measured *measured)
{
    svi_text_add(t, "measured, the least time of a copy:\n");
    for (int32_t k = 0; k < measured->count; k++) {
        const struct svi_timed *row = &measured->row[k];

        svi_text_add(t, "   %-23s ", row->candidate.name);
        if (row->batches > 0)
            svi_text_add(t, "%.1f ns", row->least_ns);
        else
            svi_text_add(t, "not timed");
        svi_text_add(t, "%s%s%s\n", size_of(measured, &row->candidate), k == 0 ? ", chosen without measuring" : "",
                     k == measured->kept ? ", kept" : "");
    }
}

sv_status svi_explain(const struct svi_job *job, const struct svi_measured *measured, void *dst, const void *src,
                      size_t capacity, char *text, size_t *length)
{
    struct svi_text *t = svi_malloc(sizeof *t);
    sv_status status;

    if (t == NULL)
        return SV_ERROR_MEMORY;
    t->length = 0;
    add_plan(t, &job->plan);
    if (job->plan.kind != SVI_CLASS_EMPTY)
        add_placement(t, job, dst, src);
    add_choice(t, job, dst, src);
    if (measured->count > 0)
        add_measured(t, measured);
    status = svi_write_text(t->text, capacity, text, length);
    svi_free(t);
    return status;
}
