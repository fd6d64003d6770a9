/* A job by threads of the caller: tasks that share nothing but where to report. */
#include <inttypes.h>
#include <stdio.h>

#include "job.h"
#include "split.h"

enum {
    LEAST_COPY = 1024 * 1024, /* bytes from which waking threads pays */
    LEAST_TASK = 128 * 1024,  /* bytes */
    TASKS = 4                 /* for each thread: one that is late has less left, and each begins with an empty cache */
};

struct work {
    const struct svi_job *job;
    char *dst;
    const char *src;
    uintptr_t stream;
    struct svi_split split;
    atomic_int_least64_t done;
    atomic_flag failing; /* the first that fails has the rest to itself */
    sv_status status;
    char message[256];
};

int64_t svi_parallel_tasks(const struct svi_job *job)
{
    const int64_t most = (int64_t)job->parallel.threads * TASKS, fit = job->plan.nbytes / LEAST_TASK;

    if (job->parallel.threads == 1 || job->plan.nbytes < LEAST_COPY || job->backend != &svi_host)
        return 1;
    return most < fit ? most : fit;
}

static void keep_failure(struct work *work, sv_status status)
{
    if (atomic_flag_test_and_set(&work->failing))
        return;
    work->status = status;
    snprintf(work->message, sizeof work->message, "%s", sv_last_message());
}

static sv_status copy_part(const struct work *work, int64_t index)
{
    const struct svi_job *job = work->job;
    struct svi_plan part;

    if (index < 0 || index >= work->split.count)
        return svi_fail(SV_ERROR_STATE, "task %" PRId64 " of %" PRId64 " was called", index, work->split.count);
    svi_split_part(&job->plan, &work->split, index, &part);
    return job->backend->copy(&part, job->dst_device, work->dst, job->src_device, work->src, work->stream, true);
}

static void task(void *ctx, int64_t index)
{
    struct work *work = ctx;
    sv_status status = copy_part(work, index);

    if (status != SV_OK)
        keep_failure(work, status);
    atomic_fetch_add(&work->done, 1);
}

sv_status svi_job_run_tasks(const struct svi_job *job, int64_t tasks, char *dst, const char *src, uintptr_t stream)
{
    struct work work;
    sv_status status;
    int64_t done;

    work.job = job;
    work.dst = dst;
    work.src = src;
    work.stream = stream;
    work.status = SV_OK;
    atomic_init(&work.done, 0);
    atomic_flag_clear(&work.failing);
    svi_split_make(&job->plan, tasks, &work.split);
    status = job->parallel.run(job->parallel.ctx, work.split.count, task, &work);
    done = atomic_load(&work.done);
    if (work.status != SV_OK)
        return svi_fail(work.status, "%s", work.message);
    if (status != SV_OK)
        return svi_fail(status < 0 ? status : SV_ERROR_STATE, "the caller's threads answered %s (%d)",
                        sv_status_name(status), (int)status);
    if (done != work.split.count)
        return svi_fail(SV_ERROR_STATE, "the caller's threads did %" PRId64 " tasks of %" PRId64, done,
                        work.split.count);
    return SV_OK;
}
