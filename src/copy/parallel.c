#include "copy/parallel.h"

#include "base/alloc.h"
#include "plan/split.h"

/* Too large for a small stack. */
struct parts {
    const struct svi_job *job;
    char *dst;
    const char *src;
    uintptr_t stream;
    struct svi_split split;
};

int64_t svi_parallel_tasks(const struct svi_job *job, int32_t threads)
{
    return job->backend == NULL || !job->backend->splits ? 1 : svi_split_tasks(&job->plan, threads);
}

sv_status svi_parallel_check(int32_t threads, sv_parallel_callback run)
{
    if (threads < 1)
        return svi_fail(SV_ERROR_INVALID, "%d threads", (int)threads);
    if (threads > 1 && run == NULL)
        return svi_fail(SV_ERROR_NULL, "run is NULL, there are %d threads", (int)threads);
    return SV_OK;
}

sv_status svi_parallel_set(struct svi_job *job, int32_t threads, sv_parallel_callback run, void *ctx)
{
    int64_t before;

    SVI_TRY(svi_parallel_check(threads, run));
    before = job->tasks;
    job->threads = (struct svi_threads){threads, run, ctx};
    job->tasks = svi_parallel_tasks(job, threads);
    if (job->tasks > 1 || before > 1)
        svi_job_choose(job);
    return SV_OK;
}

/* A part is done by one thread. */
static sv_status copy_part(void *ctx, int64_t index)
{
    const struct parts *parts = ctx;
    struct svi_request request;
    struct svi_plan part;

    svi_split_part(&parts->job->plan, &parts->split, index, &part);
    request = svi_job_request(parts->job, &part, parts->dst, parts->src, parts->stream, SV_COPY_BLOCKING);
    request.threads = NULL;
    return svi_job_copy(parts->job, &request);
}

static sv_status copy_alone(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    const struct svi_request whole = svi_job_request(job, &job->plan, dst, src, stream, SV_COPY_BLOCKING);

    return svi_job_copy(job, &whole);
}

/* Without memory for the parts, the copy is done by this thread. */
sv_status svi_parallel_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    struct parts *parts = svi_malloc(sizeof *parts);
    sv_status status;

    if (parts == NULL)
        return copy_alone(job, dst, src, stream);
    parts->job = job;
    parts->dst = dst;
    parts->src = src;
    parts->stream = stream;
    svi_split_make(&job->plan, dst, job->tasks, &parts->split);
    status = svi_tasks_run(&job->threads, parts->split.count, copy_part, parts);
    svi_free(parts);
    return status;
}
