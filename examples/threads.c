/*
 * A copy by several threads, which are the caller's: libsv only asks for a
 * parallel-for. Here is one for a pool of POSIX threads, one for OpenMP, and one
 * without threads that tells how far the copy is and may end it.
 *
 *     threads [SIDE]      transposes SIDE x SIDE float32, 2048 if not given
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sv.h>

enum { THREADS = 4 };

/* --- OpenMP ---------------------------------------------------------------- */

#ifdef _OPENMP
static sv_status by_openmp(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx;
#pragma omp parallel for schedule(dynamic) num_threads(THREADS)
    for (int64_t i = 0; i < count; i++)
        task(task_ctx, i);
    return SV_OK;
}
#endif

/* --- a pool of POSIX threads ------------------------------------------------ */

struct pool {
    pthread_t threads[THREADS - 1]; /* whoever calls is one more */
    int started;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    int ending;
    int busy; /* with a copy */
    /* the copy: tasks from next to count are not begun, those of unfinished have not returned */
    sv_task_callback task;
    void *task_ctx;
    int64_t next, count, unfinished;
};

/* Called with the lock, which tasks run without. */
static void work(struct pool *pool)
{
    while (pool->next < pool->count) {
        int64_t index = pool->next++;

        pthread_mutex_unlock(&pool->lock);
        pool->task(pool->task_ctx, index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->unfinished == 0)
            pthread_cond_signal(&pool->done);
    }
}

static void *serve(void *arg)
{
    struct pool *pool = arg;

    pthread_mutex_lock(&pool->lock);
    while (!pool->ending) {
        work(pool);
        pthread_cond_wait(&pool->wake, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Another thread's copy has the pool: this one is done without it. */
static void alone(int64_t count, sv_task_callback task, void *task_ctx)
{
    for (int64_t i = 0; i < count; i++)
        task(task_ctx, i);
}

static sv_status by_pool(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    struct pool *pool = ctx;

    pthread_mutex_lock(&pool->lock);
    if (pool->busy) {
        pthread_mutex_unlock(&pool->lock);
        alone(count, task, task_ctx);
        return SV_OK;
    }
    pool->busy = 1;
    pool->task = task;
    pool->task_ctx = task_ctx;
    pool->next = 0;
    pool->count = pool->unfinished = count;
    pthread_cond_broadcast(&pool->wake);
    work(pool);
    while (pool->unfinished > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->busy = 0;
    pthread_mutex_unlock(&pool->lock);
    return SV_OK;
}

static void start(struct pool *pool)
{
    memset(pool, 0, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->started < THREADS - 1 && pthread_create(&pool->threads[pool->started], NULL, serve, pool) == 0)
        pool->started++;
}

static void end(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->ending = 1;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
}

/* --- no thread: progress ---------------------------------------------------- */

struct watch {
    int (*tell)(struct watch *watch, int64_t done, int64_t count); /* 0: enough */
    int64_t calls;
};

static sv_status in_turn(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    struct watch *watch = ctx;

    for (int64_t i = 0; i < count; i++) {
        task(task_ctx, i);
        watch->calls++;
        if (!watch->tell(watch, i + 1, count))
            return SV_ERROR_STATE; /* what sv_copy_parallel() answers then */
    }
    return SV_OK;
}

static int go_on(struct watch *watch, int64_t done, int64_t count)
{
    return watch->calls == done && done <= count; /* a program would draw a bar */
}

static int end_at_half(struct watch *watch, int64_t done, int64_t count)
{
    (void)watch;
    return 2 * done < count;
}

/* --- a transpose -------------------------------------------------------------- */

static float *from, *to;
static sv_view *source, *target;
static int64_t side;

static int check(sv_status status)
{
    if (status == SV_OK)
        return 1;
    fprintf(stderr, "threads: %s: %s\n", sv_status_name(status), sv_last_message());
    return 0;
}

static int make_views(void)
{
    const int64_t shape[2] = {side, side};
    const int64_t nbytes = side * side * (int64_t)sizeof *from;
    sv_layout *rows = NULL, *columns = NULL;
    int ok = check(sv_layout_new(2, shape, NULL, sizeof *from, &rows)) &&
             check(sv_layout_permute(rows, 2, NULL, &columns)) &&
             check(sv_view_from_pointer(columns, SV_FLOAT32, from, nbytes, SV_READ_ONLY, &source)) &&
             check(sv_view_from_pointer(rows, SV_FLOAT32, to, nbytes, 0, &target));

    sv_layout_release(rows);
    sv_layout_release(columns);
    return ok;
}

static int transpose_by(const char *name, sv_parallel_callback run, void *ctx)
{
    memset(to, 0, (size_t)(side * side) * sizeof *to);
    if (!check(sv_copy_parallel(target, source, THREADS, run, ctx, 0, 0)))
        return 0;
    for (int64_t i = 0; i < side; i++)
        for (int64_t j = 0; j < side; j++)
            if (to[i * side + j] != from[j * side + i])
                return fprintf(stderr, "threads: %s: wrong at %d, %d\n", name, (int)i, (int)j), 0;
    printf("%s: transposed %d x %d\n", name, (int)side, (int)side);
    return 1;
}

/* Whether a copy of many pieces ends at half of them. */
static int stop_at_half(void)
{
    struct watch watch = {end_at_half, 0};
    const sv_status status = sv_copy_parallel(target, source, THREADS, in_turn, &watch, 0, 0);

    if (watch.calls < 2) /* too short to be made of pieces */
        return 1;
    if (status != SV_ERROR_STATE)
        return fprintf(stderr, "threads: not ended: %s\n", sv_status_name(status)), 0;
    printf("in turn: ended at half\n");
    return 1;
}

int main(int argc, char **argv)
{
    struct watch watch = {go_on, 0};
    struct pool pool;
    int ok;

    side = argc > 1 ? atoi(argv[1]) : 2048;
    if (side < 1 || side > 1 << 15 || argc > 2)
        return fprintf(stderr, "usage: threads [SIDE]\n"), 2;
    from = malloc((size_t)(side * side) * sizeof *from);
    to = malloc((size_t)(side * side) * sizeof *to);
    for (int64_t k = 0; from != NULL && k < side * side; k++)
        from[k] = (float)k;
    start(&pool);
    ok = from != NULL && to != NULL && make_views() && transpose_by("pool", by_pool, &pool);
#ifdef _OPENMP
    ok = ok && transpose_by("OpenMP", by_openmp, NULL);
#endif
    ok = ok && transpose_by("in turn", in_turn, &watch) && stop_at_half();
    end(&pool);
    sv_view_release(source);
    sv_view_release(target);
    free(from);
    free(to);
    return !ok;
}
