/* Tasks that threads of the caller do. */
#ifndef SVI_TASKS_H
#define SVI_TASKS_H

#include "base/status.h"

/* The caller's threads, as for sv_copy_parallel(). */
struct svi_threads {
    int32_t count; /* 1: nobody but who calls, and run is not used */
    sv_parallel_callback run;
    void *ctx;
};

enum { SVI_TASKS = 2048 /* at most: there is a bit for each */ };

typedef sv_status svi_task(void *ctx, int64_t index);

/* Does the tasks 0 to count - 1, each once, by the caller's threads; without memory for what they share, by this thread
 * alone. The first failure of a task is told, on this thread; SV_ERROR_STATE where run did not call each task once. */
sv_status svi_tasks_run(const struct svi_threads *threads, int64_t count, svi_task *task, void *ctx);

#endif
