/* Tasks of a parallel copy, one after the other on this thread. */
#ifndef SVI_TEST_TASKS_H
#define SVI_TEST_TASKS_H

#include "sv.h"

static inline sv_status run_tasks(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        task(task_ctx, i);
    return SV_OK;
}

#endif
