/* A caller's parallel-for: OpenMP's, whose threads wait for more work as awake as those of FFTW, HPTT and PyTorch. */
#ifndef BENCH_PARALLEL_H
#define BENCH_PARALLEL_H

#include "sv.h"

/* How many threads there are at most: 1 where this was compiled without OpenMP. */
int32_t bench_parallel_most(void);

/* An sv_parallel_callback. ctx is no address but how many threads. */
sv_status bench_parallel(void *ctx, int64_t count, sv_task_callback task, void *task_ctx);

#endif
