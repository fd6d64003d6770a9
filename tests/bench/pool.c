#define _POSIX_C_SOURCE 200809L /* threads */

#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 64, LOOKS = 50000 };

struct bench_pool {
    pthread_mutex_t lock;
    pthread_cond_t begun, ended;
    pthread_t workers[THREADS];
    int threads;
    atomic_int busy;
    long generation; /* of jobs; -1: the last one was */

    void (*task)(void *ctx, int64_t index);
    void *ctx;
    int64_t count;
    atomic_llong next;
};

static void work(struct bench_pool *pool)
{
    for (;;) {
        int64_t index = atomic_fetch_add(&pool->next, 1);

        if (index >= pool->count)
            return;
        pool->task(pool->ctx, index);
    }
}

static void *serve(void *ctx)
{
    struct bench_pool *pool = ctx;
    long done = 0;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->generation == done)
            pthread_cond_wait(&pool->begun, &pool->lock);
        done = pool->generation;
        if (done < 0)
            break;
        pthread_mutex_unlock(&pool->lock);
        work(pool);
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->busy, 1) == 1)
            pthread_cond_signal(&pool->ended);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct bench_pool *bench_pool_new(int threads)
{
    struct bench_pool *pool = calloc(1, sizeof *pool);

    if (pool == NULL || threads < 1 || threads > THREADS)
        abort();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->ended, NULL);
    pool->threads = threads;
    for (int i = 0; i < threads - 1; i++)
        if (pthread_create(&pool->workers[i], NULL, serve, pool) != 0)
            abort();
    return pool;
}

static void begin(struct bench_pool *pool, long generation)
{
    pthread_mutex_lock(&pool->lock);
    pool->generation = generation;
    atomic_store(&pool->busy, pool->threads - 1);
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
}

void bench_pool_release(struct bench_pool *pool)
{
    begin(pool, -1);
    for (int i = 0; i < pool->threads - 1; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->begun);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

int bench_pool_threads(const struct bench_pool *pool)
{
    return pool->threads;
}

/* For some ten microseconds, as OpenMP does for longer: to sleep and be woken takes more. */
static void wait_awake(struct bench_pool *pool)
{
    for (int k = 0; k < LOOKS && atomic_load_explicit(&pool->busy, memory_order_relaxed) > 0; k++)
        continue;
}

sv_status bench_pool_run(void *ctx, int64_t count, void (*task)(void *ctx, int64_t index), void *task_ctx)
{
    struct bench_pool *pool = ctx;

    pool->task = task;
    pool->ctx = task_ctx;
    pool->count = count;
    atomic_store(&pool->next, 0);
    begin(pool, pool->generation + 1);
    work(pool);
    wait_awake(pool);
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->busy) > 0)
        pthread_cond_wait(&pool->ended, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return SV_OK;
}
