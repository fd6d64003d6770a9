/* Threads that wait for work: what a caller of libsv brings. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "sv.h"

struct bench_pool;

/* threads - 1 are started. Aborts where that fails. */
struct bench_pool *bench_pool_new(int threads);
void bench_pool_release(struct bench_pool *pool);
int bench_pool_threads(const struct bench_pool *pool);

/* An sv_parallel_callback, with a pool as ctx: this thread works too. */
sv_status bench_pool_run(void *pool, int64_t count, void (*task)(void *ctx, int64_t index), void *ctx);

#endif
