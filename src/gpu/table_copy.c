/*
 * Many copies by one plan, whose addresses lie in two arrays. What a device reads goes to one launch as it is. Arrays of
 * ordinary memory go to the device first where there are many copies, else into the parameters of several launches.
 */
#include "gpu/table_copy.h"

#include <string.h>

#include "base/checked.h"
#include "gpu/batched_copy.h"
#include "gpu/device_scratch.h"
#include "gpu/launch_batched.h"
#include "gpu/launch_scaled.h"
#include "gpu/ringed.h"
#include "gpu/route.h"
#include "plan/part.h"

enum {
    ADDRESS = 8,              /* bytes */
    FEW = 4 * SVI_TRANSFERS, /* copies: as many launches take about as long as two copies by the ring and one launch */
};

/* The side whose device copies, of two that it reaches both. */
static struct svi_device find_device_side(struct svi_device dst, struct svi_device src)
{
    return svi_device_has(dst.type, SV_TRAIT_HOST) ? src : dst;
}

bool svi_gpu_reads_table(struct svi_device dst, struct svi_device src, struct svi_device table)
{
    const struct svi_device device = find_device_side(dst, src);

    if (!svi_gpu_is_within(dst, src) && svi_relation_of(dst, src) != SVI_RELATION_PINNED)
        return false;
    return table.type == SV_DEVICE_CPU || svi_gpu_is_within(device, table) ||
           svi_relation_of(device, table) == SVI_RELATION_PINNED;
}

/* --- arrays that the device reads ------------------------------------------------------------------------- */

static struct svi_table find_rest(const struct svi_table *table, int64_t first)
{
    struct svi_table rest = *table;

    rest.count -= first;
    rest.dst += first * table->dst_step;
    rest.src += first * table->src_step;
    return rest;
}

/* The axis that is the first to be cut where no kernel takes the plan: one that is too long, or else that along which
 * scales change, or the shortest one, which is the first to be none any more. */
static int32_t find_axis_to_cut(const struct svi_plan *plan)
{
    const int32_t scaled = svi_scales(plan) ? plan->scaled.axis : -1;
    int32_t found = 0;

    for (int32_t axis = 0; axis < plan->ndim; axis++)
        if (plan->shape[axis] > SVI_MOST_BLOCKS)
            return axis;
    if (scaled >= 0 && svi_scaled_indices(plan) < plan->shape[scaled])
        return scaled;
    for (int32_t axis = 1; axis < plan->ndim; axis++)
        if (plan->shape[axis] < plan->shape[found])
            found = axis;
    return found;
}

static sv_status launch_table(const struct svi_plan *plan, const struct svi_table *table,
                              const struct svi_gpu_queue *queue);

static sv_status launch_table_halves(const struct svi_plan *plan, const struct svi_table *table,
                                     const struct svi_gpu_queue *queue)
{
    const int32_t axis = find_axis_to_cut(plan);
    const int64_t half = plan->shape[axis] / 2;
    int64_t first[SVI_PLAN_NDIM] = {0}, count[SVI_PLAN_NDIM];
    struct svi_plan part;

    memcpy(count, plan->shape, (size_t)plan->ndim * sizeof *count);
    count[axis] = half;
    svi_plan_box(plan, first, count, &part);
    SVI_TRY(launch_table(&part, table, queue));
    first[axis] = half;
    count[axis] = plan->shape[axis] - half;
    svi_plan_box(plan, first, count, &part);
    return launch_table(&part, table, queue);
}

static sv_status launch_table(const struct svi_plan *plan, const struct svi_table *table,
                              const struct svi_gpu_queue *queue)
{
    struct svi_launch_shape shape;

    for (int64_t first = 0; first < table->count; first += SVI_TABLE_COPIES) {
        const struct svi_table rest = find_rest(table, first);

        if (!svi_launch_table(plan, svi_smaller(rest.count, SVI_TABLE_COPIES), &rest, &shape))
            return launch_table_halves(plan, table, queue);
        SVI_TRY(queue->calls->launch(queue, &shape, (char *)rest.dst, rest.src));
    }
    return SV_OK;
}

/* Memory of the host that the device reads by an address of its own. */
static sv_status launch_pinned_table(const struct svi_plan *plan, const struct svi_table *table,
                                     const struct svi_gpu_queue *queue)
{
    struct svi_table mapped = *table;
    char *dst, *src;

    SVI_TRY(queue->calls->find_mapped(table->dst, &dst));
    SVI_TRY(queue->calls->find_mapped(table->src, &src));
    if (dst == NULL || src == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED, "the device does not reach the arrays of addresses");
    mapped.dst = dst;
    mapped.src = src;
    return launch_table(plan, &mapped, queue);
}

/* --- arrays of ordinary memory ---------------------------------------------------------------------------- */

static char *take_address(const char *array)
{
    return (char *)(uintptr_t)*(const uint64_t *)array;
}

static sv_status copy_listed(const struct svi_request *request, const struct svi_table *table,
                             const struct svi_gpu_queue *queue)
{
    struct svi_transfer transfers[SVI_TRANSFERS];

    for (int64_t first = 0; first < table->count; first += SVI_TRANSFERS) {
        const struct svi_table rest = find_rest(table, first);
        const int64_t count = svi_smaller(rest.count, SVI_TRANSFERS);

        for (int64_t i = 0; i < count; i++)
            transfers[i] = (struct svi_transfer){
                .dst = take_address(rest.dst + i * rest.dst_step),
                .src = take_address(rest.src + i * rest.src_step),
            };
        SVI_TRY(svi_gpu_copy_batched(request, count, transfers, queue));
    }
    return SV_OK;
}

/* The device's own memory, which no side has to be. */
static struct svi_device find_own_memory(const struct svi_request *request, const struct svi_gpu_queue *queue)
{
    const enum svi_family family = svi_devices[find_device_side(request->dst_device, request->src_device).type].family;

    return (struct svi_device){svi_family_device_type(family, SV_MEMORY_DEVICE), queue->device};
}

/* One of the arrays, dense from there on. */
static sv_status send_array(const struct svi_request *request, const char *array, int64_t step, int64_t count, char *to,
                            const struct svi_gpu_queue *queue)
{
    struct svi_request sent = *request;
    struct svi_plan plan;

    svi_plan_make(1, &count, &(int64_t){ADDRESS}, &step, ADDRESS, &plan);
    sent.plan = &plan;
    sent.dst_device = find_own_memory(request, queue);
    sent.dst = to;
    sent.src_device = svi_cpu;
    sent.src = array;
    sent.threads = NULL;
    return svi_gpu_copy_ringed(&sent, queue);
}

/* With the table in memory of the device; the ring waits for others, which captures of other streams must survive. */
static sv_status send_table(const struct svi_request *request, const struct svi_table *table,
                            const struct svi_gpu_queue *queue, char *to)
{
    struct svi_gpu_scope scope;
    sv_status status;

    SVI_TRY(queue->calls->begin(queue->device, &scope));
    status = send_array(request, table->dst, table->dst_step, table->count, to, queue);
    if (status == SV_OK)
        status = send_array(request, table->src, table->src_step, table->count, to + table->count * ADDRESS, queue);
    return queue->calls->end(&scope, status);
}

static sv_status copy_sent(const struct svi_request *request, const struct svi_table *table,
                           const struct svi_gpu_queue *queue, const struct svi_gpu_scratch *scratch)
{
    struct svi_table sent = *table;

    SVI_TRY(send_table(request, table, queue, scratch->memory));
    sent.dst = scratch->memory;
    sent.src = scratch->memory + table->count * ADDRESS;
    sent.dst_step = sent.src_step = ADDRESS;
    return launch_table(request->plan, &sent, queue);
}

/* A graph would need the table for as long as it is there. */
static sv_status is_sent(const struct svi_request *request, const struct svi_table *table,
                         const struct svi_gpu_queue *queue, bool *out)
{
    bool is_captured = true;

    *out = table->count > FEW && !(request->flags & SV_COPY_NO_WAIT) &&
           svi_gpu_is_within(request->dst_device, request->src_device);
    if (*out)
        SVI_TRY(queue->calls->is_captured(queue, &is_captured));
    *out = !is_captured;
    return SV_OK;
}

static sv_status copy_from_host_table(const struct svi_request *request, const struct svi_table *table,
                                      const struct svi_gpu_queue *queue)
{
    struct svi_gpu_scratch scratch = {.memory = NULL};
    const int64_t nbytes = 2 * table->count * ADDRESS;
    sv_status status = SV_OK, given;
    bool sent;

    SVI_TRY(is_sent(request, table, queue, &sent));
    if (sent)
        status = svi_gpu_scratch_take(request, queue, queue->device, nbytes, nbytes, &scratch);
    if (status != SV_OK && (request->scratch != NULL || (status != SV_ERROR_UNSUPPORTED && status != SV_ERROR_MEMORY)))
        return status;
    if (scratch.memory == NULL)
        return copy_listed(request, table, queue);
    status = copy_sent(request, table, queue, &scratch);
    given = svi_gpu_scratch_give(request, queue, &scratch);
    return status == SV_OK ? given : status;
}

sv_status svi_gpu_copy_table(const struct svi_request *request, const struct svi_table *table,
                             const struct svi_gpu_queue *queue)
{
    if (table->device.type == SV_DEVICE_CPU)
        return copy_from_host_table(request, table, queue);
    if (svi_devices[table->device.type].kind == SV_MEMORY_DEVICE && table->device.id != queue->device)
        return svi_fail(SV_ERROR_DEVICE, "the addresses are in memory of device %d, the copies are on device %d",
                        (int)table->device.id, queue->device);
    if (svi_devices[table->device.type].kind == SV_MEMORY_PINNED)
        return launch_pinned_table(request->plan, table, queue);
    return launch_table(request->plan, table, queue);
}
