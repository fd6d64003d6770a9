/* Part of tests/bench/copy, and a module of its own that copy_peers.py loads. */
#include "parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int32_t bench_parallel_most(void)
{
#ifdef _OPENMP
    return INT32_MAX;
#else
    return 1;
#endif
}

sv_status bench_parallel(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    const int threads = (int)(intptr_t)ctx;
    int64_t next = threads;

#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    {
        int64_t i = omp_get_thread_num();

        while (i < count) {
            task(task_ctx, i);
#pragma omp atomic capture
            i = next++;
        }
    }
#else
    (void)next;
    for (int64_t i = 0; i < count; i++)
        task(task_ctx, i);
#endif
    return SV_OK;
}
