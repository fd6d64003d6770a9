#include "gpu/host_part.h"

#include "base/alloc.h"
#include "host/front/host.h"
#include "plan/split.h"

/* Too large for a small stack. */
struct parts {
    const struct svi_plan *plan;
    void *dst;
    const void *src;
    struct svi_split split;
};

static sv_status copy_plan_on_host(const struct svi_plan *plan, void *dst, const void *src)
{
    return svi_host.copy(&(struct svi_request){
        .plan = plan,
        .dst_device = svi_cpu,
        .dst = dst,
        .src_device = svi_cpu,
        .src = src,
        .flags = SV_COPY_BLOCKING,
    });
}

static sv_status copy_part_on_host(void *ctx, int64_t index)
{
    const struct parts *parts = ctx;
    struct svi_plan part;

    svi_split_part(parts->plan, &parts->split, index, &part);
    return copy_plan_on_host(&part, parts->dst, parts->src);
}

sv_status svi_gpu_copy_on_host(const struct svi_plan *plan, void *dst, const void *src,
                               const struct svi_threads *threads)
{
    const int64_t tasks = threads == NULL ? 1 : svi_split_tasks(plan, threads->count);
    struct parts *parts = tasks == 1 ? NULL : svi_malloc(sizeof *parts);
    sv_status status;

    if (parts == NULL)
        return copy_plan_on_host(plan, dst, src);
    parts->plan = plan;
    parts->dst = dst;
    parts->src = src;
    svi_split_make(plan, dst, tasks, &parts->split);
    status = svi_tasks_run(threads, parts->split.count, copy_part_on_host, parts);
    svi_free(parts);
    return status;
}
