/* A job by threads of the caller. */
#ifndef SVI_PARALLEL_H
#define SVI_PARALLEL_H

#include "copy/job.h"

/* Checks the number of threads and the callback that a caller gives. */
sv_status svi_parallel_check(int32_t threads, sv_parallel_callback run);

/* Checks what a caller gives, and splits the job into tasks for so many threads where that pays. */
sv_status svi_parallel_set(struct svi_job *job, int32_t threads, sv_parallel_callback run, void *ctx);

/* Into how many tasks the job's plan is best split for so many threads; 1: not at all. */
int64_t svi_parallel_tasks(const struct svi_job *job, int32_t threads);

/* Does the tasks of the job. The two sides share no byte. */
sv_status svi_parallel_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream);

#endif
