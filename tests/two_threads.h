/* Threads of a caller, for the tests of what runs in parallel. */
#ifndef TWO_THREADS_H
#define TWO_THREADS_H

#include <pthread.h>

#include "sv.h"

struct half {
    int64_t from, to;
    sv_task_callback task;
    void *task_ctx;
};

static inline void *run_half(void *arg)
{
    const struct half *h = arg;

    for (int64_t i = h->from; i < h->to; i++)
        h->task(h->task_ctx, i);
    return NULL;
}

/* An sv_parallel_callback: the second half of the tasks by a thread of their own. */
static inline sv_status two_threads(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    struct half other = {count / 2, count, task, task_ctx}, own = {0, count / 2, task, task_ctx};
    pthread_t thread;

    (void)ctx;
    if (pthread_create(&thread, NULL, run_half, &other) != 0)
        return SV_ERROR_MEMORY;
    run_half(&own);
    pthread_join(thread, NULL);
    return SV_OK;
}

#endif
