/* Tasks share nothing but where to report. */
#include "backend/tasks.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/alloc.h"

enum { WORD = 32 };

struct work {
    svi_task *task;
    void *ctx;
    int64_t count;
    atomic_int_least64_t done;
    atomic_uint_least32_t begun[SVI_TASKS / WORD]; /* a bit for each task */
    atomic_flag failing; /* the first that fails has the rest to itself */
    sv_status status;
    char message[256];
};

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

    if (index < 0 || index >= work->count)
        return svi_fail(SV_ERROR_STATE, "task %" PRId64 " of %" PRId64 " was called", index, work->count);
    bit = (uint_least32_t)1 << index % WORD;
    if (atomic_fetch_or(&work->begun[index / WORD], bit) & bit)
        return svi_fail(SV_ERROR_STATE, "task %" PRId64 " of %" PRId64 " was called twice", index, work->count);
    return SV_OK;
}

static void run_task(void *ctx, int64_t index)
{
    struct work *work = ctx;
    sv_status status = begin_task(work, index);

    if (status == SV_OK)
        status = work->task(work->ctx, index);
    if (status != SV_OK)
        keep_failure(work, status);
    atomic_fetch_add(&work->done, 1);
}

static sv_status run_tasks(struct work *work, const struct svi_threads *threads)
{
    sv_status status;
    int64_t done;

    for (int64_t i = 0; i < SVI_TASKS / WORD; i++)
        atomic_init(&work->begun[i], 0);
    status = threads->run(threads->ctx, work->count, run_task, work);
    done = atomic_load(&work->done);
    if (work->status != SV_OK)
        return svi_fail(work->status, "%s", work->message);
    if (status != SV_OK)
        return svi_fail(status < 0 ? status : SV_ERROR_STATE, "the caller's threads answered %s (%d)",
                        sv_status_name(status), (int)status);
    if (done != work->count)
        return svi_fail(SV_ERROR_STATE, "the caller's threads did %" PRId64 " tasks of %" PRId64, done, work->count);
    return SV_OK;
}

static sv_status run_alone(int64_t count, svi_task *task, void *ctx)
{
    for (int64_t i = 0; i < count; i++)
        SVI_TRY(task(ctx, i));
    return SV_OK;
}

sv_status svi_tasks_run(const struct svi_threads *threads, int64_t count, svi_task *task, void *ctx)
{
    struct work *work = svi_malloc(sizeof *work);
    sv_status status;

    if (work == NULL)
        return run_alone(count, task, ctx);
    work->task = task;
    work->ctx = ctx;
    work->count = count;
    work->status = SV_OK;
    atomic_init(&work->done, 0);
    atomic_flag_clear(&work->failing);
    status = run_tasks(work, threads);
    svi_free(work);
    return status;
}
