/* Tasks that share nothing but where to report. */
#include "copy/parallel.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "plan/split.h"
#include "plan/traffic.h"

enum {
    KIB = 1024,
    ITEM_BY_ITEM = 4, /* a byte that is moved by tiles or one by one, in cache, takes as long as so many in runs */
    LEAST_BYTES = 2 * KIB, /* of payload: fewer are less than LEAST_WORK if each has a line of its own on both sides */
    LEAST_WORK = 1024 * KIB, /* bytes of both sides' lines, in runs, from which threads that are awake pay */
    LEAST_TASK = 256 * KIB, /* of these */
    LONG_TASK = 1024 * KIB, /* so long that a thread has more than one: */
    TASKS = 4, /* a thread that is late has less left, but each task begins with an empty cache */
    MOST_TASKS = 1024, /* for so many threads as well: there is a bit for each */
    WORD = 32
};

struct work {
    const struct svi_job *job;
    char *dst;
    const char *src;
    uintptr_t stream;
    struct svi_split split;
    atomic_int_least64_t done;
    atomic_uint_least32_t begun[2 * MOST_TASKS / WORD]; /* a bit for each task */
    atomic_flag failing; /* the first that fails has the rest to itself */
    sv_status status;
    char message[256];
};

static bool is_by_runs(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_CONTIGUOUS || plan->kind == SVI_CLASS_ROWS || plan->kind == SVI_CLASS_REPEAT;
}

/* Bytes that take as long in runs. */
static int64_t work_of(const struct svi_plan *plan)
{
    const int64_t weight = is_by_runs(plan) ? 1 : ITEM_BY_ITEM, most = INT64_MAX / (2 * ITEM_BY_ITEM);
    int64_t read, written;

    svi_plan_traffic(plan, &read, &written);
    return weight * (svi_smaller(read, most) + svi_smaller(written, most));
}

int64_t svi_parallel_tasks(const struct svi_job *job, int32_t threads)
{
    int64_t work, one_each, more;

    if (threads == 1 || job->plan.nbytes < LEAST_BYTES || job->backend == NULL || !job->backend->splits)
        return 1;
    work = work_of(&job->plan);
    if (work < LEAST_WORK)
        return 1;
    one_each = svi_smaller(threads, work / LEAST_TASK);
    more = svi_smaller((int64_t)threads * TASKS, work / LONG_TASK);
    return one_each > more ? one_each : more;
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
    before = job->parallel.tasks;
    job->parallel = (struct svi_parallel){svi_parallel_tasks(job, threads), run, ctx};
    if (job->parallel.tasks > 1 || before > 1)
        svi_job_choose(job);
    return SV_OK;
}

static void keep_failure(struct work *work, sv_status status)
{
    if (atomic_flag_test_and_set(&work->failing))
        return;
    work->status = status;
    snprintf(work->message, sizeof work->message, "%s", sv_last_message());
}

/* A second call must not write what the first one is just writing. */
static sv_status begin_task(struct work *work, int64_t index)
{
    uint_least32_t bit;

    if (index < 0 || index >= work->split.count)
        return svi_fail(SV_ERROR_STATE, "task %" PRId64 " of %" PRId64 " was called", index, work->split.count);
    bit = (uint_least32_t)1 << index % WORD;
    if (atomic_fetch_or(&work->begun[index / WORD], bit) & bit)
        return svi_fail(SV_ERROR_STATE, "task %" PRId64 " of %" PRId64 " was called twice", index, work->split.count);
    return SV_OK;
}

static sv_status copy_part(struct work *work, int64_t index)
{
    const struct svi_job *job = work->job;
    struct svi_request request;
    struct svi_plan part;

    SVI_TRY(begin_task(work, index));
    svi_split_part(&job->plan, &work->split, index, &part);
    request = svi_job_request(job, &part, work->dst, work->src, work->stream, SV_COPY_BLOCKING);
    return svi_job_copy(job, &request);
}

static void run_task(void *ctx, int64_t index)
{
    struct work *work = ctx;
    sv_status status = copy_part(work, index);

    if (status != SV_OK)
        keep_failure(work, status);
    atomic_fetch_add(&work->done, 1);
}

static sv_status run_tasks(struct work *work, const struct svi_parallel *parallel)
{
    sv_status status;
    int64_t done;

    for (int64_t i = 0; i <= work->split.count / WORD; i++)
        atomic_init(&work->begun[i], 0);
    status = parallel->run(parallel->ctx, work->split.count, run_task, work);
    done = atomic_load(&work->done);
    if (work->status != SV_OK)
        return svi_fail(work->status, "%s", work->message);
    if (status != SV_OK)
        return svi_fail(status < 0 ? status : SV_ERROR_STATE, "the caller's threads answered %s (%d)",
                        sv_status_name(status), (int)status);
    if (done != work->split.count)
        return svi_fail(SV_ERROR_STATE, "the caller's threads did %" PRId64 " tasks of %" PRId64, done,
                        work->split.count);
    return SV_OK;
}

static sv_status run_alone(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    const struct svi_request whole = svi_job_request(job, &job->plan, dst, src, stream, SV_COPY_BLOCKING);

    return svi_job_copy(job, &whole);
}

/* Without memory for what the tasks share, which a small stack has no room for, the copy is done by this thread. */
sv_status svi_parallel_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    struct work *work = svi_malloc(sizeof *work);
    sv_status status;

    if (work == NULL)
        return run_alone(job, dst, src, stream);
    work->job = job;
    work->dst = dst;
    work->src = src;
    work->stream = stream;
    work->status = SV_OK;
    atomic_init(&work->done, 0);
    atomic_flag_clear(&work->failing);
    svi_split_make(&job->plan, dst, svi_smaller(job->parallel.tasks, MOST_TASKS), &work->split);
    status = run_tasks(work, &job->parallel);
    svi_free(work);
    return status;
}
