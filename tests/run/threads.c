/* Handles shared between threads: counts of references, exports, and the last release on any thread. */
#define _DEFAULT_SOURCE /* fork, sigaction, setitimer */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <dlpack/dlpack.h>

#include "sv.h"
#include "tap.h"
#include "two_threads.h"

enum { THREADS = 8, ROUNDS = 2000, EXTENT = 64 };

static int32_t cells[EXTENT];
static atomic_int released, wrong;

static void count_release(void *ctx)
{
    (void)ctx;
    atomic_fetch_add(&released, 1);
}

static sv_view *new_view(void)
{
    const int64_t shape[2] = {8, 8};
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    sv_layout_new(2, shape, NULL, 4, &layout);
    sv_view_new(layout, SV_INT32, cells, 0, sizeof cells, SV_DEVICE_CPU, 0, 0, count_release, NULL, &view);
    sv_layout_release(layout);
    return view;
}

/* Everything that counts references, ending with what it began with. */
static bool churn(const sv_view *view)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_layout *turned = NULL;
    sv_view *transposed = NULL, *fixed = NULL, *imported = NULL;
    bool ok;

    sv_view_release(sv_view_retain(view));
    sv_layout_release(sv_layout_retain(sv_view_layout(view)));
    sv_layout_permute(sv_view_layout(view), 2, NULL, &turned);
    sv_view_with_layout(view, turned, &transposed);
    sv_layout_release(turned);
    sv_view_as_readonly(transposed, &fixed);
    sv_view_release(transposed);
    ok = sv_view_to_dlpack(fixed, 0, &tensor) == SV_OK && sv_view_from_dlpack(tensor, 0, &imported) == SV_OK &&
         sv_view_data(imported) == cells && sv_view_is_readonly(imported);
    sv_view_release(fixed);
    sv_view_release(imported);
    return ok;
}

static void *use_and_release(void *arg)
{
    sv_view *view = arg;

    for (int i = 0; i < ROUNDS; i++)
        if (!churn(view))
            atomic_fetch_add(&wrong, 1);
    sv_view_release(view);
    return NULL;
}

static void *delete_tensor(void *arg)
{
    struct DLManagedTensorVersioned *tensor = arg;

    tensor->deleter(tensor);
    return NULL;
}

static void *fail_often(void *arg)
{
    sv_layout *out = NULL;
    int64_t extent = -1 - *(const int *)arg;

    for (int i = 0; i < ROUNDS; i++)
        if (sv_layout_new(1, &extent, NULL, 1, &out) != SV_ERROR_INVALID || sv_last_message()[0] == '\0')
            atomic_fetch_add(&wrong, 1);
    return NULL;
}

static void *drop_layout(void *arg)
{
    sv_layout *layout = arg;

    if (sv_layout_ndim(layout) != 2 || sv_layout_shape(layout)[1] != 8)
        atomic_fetch_add(&wrong, 1);
    sv_layout_release(layout);
    return NULL;
}

/* The first copies of the process, which ask what the processor can do. */
static void *copy_cells(void *arg)
{
    int32_t *mine = arg;
    sv_view *from = new_view(), *to = NULL;
    sv_layout *turned = NULL;

    sv_layout_permute(sv_view_layout(from), 2, NULL, &turned);
    sv_view_from_pointer(turned, SV_INT32, mine, sizeof cells, 0, &to);
    for (int i = 0; i < 20; i++)
        if (sv_copy(to, from, 0, 0) != SV_OK || mine[1] != cells[8] || mine[EXTENT - 1] != cells[EXTENT - 1])
            atomic_fetch_add(&wrong, 1);
    sv_layout_release(turned);
    sv_view_release(to);
    sv_view_release(from);
    return NULL;
}

static void test_first_copies(void)
{
    static int32_t copies[THREADS][EXTENT];
    pthread_t threads[THREADS];

    for (int i = 0; i < EXTENT; i++)
        cells[i] = i;
    atomic_store(&wrong, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, copy_cells, copies[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    tap_ok(atomic_load(&wrong) == 0, "the first copies, all at once");
}

/* Tensors go round: each thread puts one of its own in a place and ends the one it finds there. */
static _Atomic(struct DLManagedTensorVersioned *) places[4];

static void *exchange(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct DLManagedTensorVersioned *tensor = NULL;
        sv_view *view = new_view(), *fixed = NULL;

        sv_view_as_readonly(view, &fixed);
        sv_view_to_dlpack(i % 2 ? view : fixed, 0, &tensor);
        sv_view_release(view);
        sv_view_release(fixed);
        tensor = atomic_exchange(&places[i % 4], tensor);
        if (tensor != NULL && i % 3 == 0) {
            if (sv_view_from_dlpack(tensor, 0, &view) != SV_OK || sv_view_data(view) != cells)
                atomic_fetch_add(&wrong, 1);
            sv_view_release(view);
        } else if (tensor != NULL) {
            tensor->deleter(tensor);
        }
    }
    return arg;
}

static void test_going_round(void)
{
    pthread_t threads[THREADS];

    atomic_store(&released, 0);
    atomic_store(&wrong, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, exchange, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) {
        struct DLManagedTensorVersioned *tensor = atomic_exchange(&places[i], NULL);

        if (tensor != NULL)
            tensor->deleter(tensor);
    }
    tap_ok(atomic_load(&wrong) == 0, "tensors that other threads made");
    tap_ok(atomic_load(&released) == THREADS * ROUNDS, "each is released once");
}

/* A view and its layout in one block, which the last of them to go frees. */
static void test_one_block(void)
{
    atomic_store(&wrong, 0);
    for (int i = 0; i < ROUNDS; i++) {
        struct DLManagedTensorVersioned *tensor = NULL;
        sv_view *view = new_view(), *imported = NULL;
        pthread_t thread;

        sv_view_to_dlpack(view, 0, &tensor);
        sv_view_release(view);
        sv_view_from_dlpack(tensor, 0, &imported);
        pthread_create(&thread, NULL, drop_layout, sv_layout_retain(sv_view_layout(imported)));
        sv_view_release(imported);
        pthread_join(thread, NULL);
    }
    tap_ok(atomic_load(&wrong) == 0, "a layout outlives its view");
}

/* One reference for each thread, none for this one. */
static void test_sharing(void)
{
    pthread_t threads[THREADS];
    sv_view *view = new_view();

    atomic_store(&released, 0);
    atomic_store(&wrong, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, use_and_release, sv_view_retain(view));
    sv_view_release(view);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    tap_ok(atomic_load(&wrong) == 0, "threads see the same view");
    tap_ok(atomic_load(&released) == 1, "the last of many threads releases the memory once");
}

static void test_deleter(void)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_view *view = new_view();
    pthread_t thread;

    atomic_store(&released, 0);
    sv_view_to_dlpack(view, 0, &tensor);
    pthread_create(&thread, NULL, delete_tensor, tensor);
    sv_view_release(view);
    pthread_join(thread, NULL);
    tap_ok(atomic_load(&released) == 1, "deleter on one thread, release on another");
}

static void test_messages(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];

    atomic_store(&wrong, 0);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, fail_often, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    tap_ok(atomic_load(&wrong) == 0, "each thread has its own status");
    tap_ok(sv_last_message()[0] == '\0', "and its own message: this thread's is still empty");
}

/* --- copies by threads of the caller --------------------------------------- */

enum { SIDE = 640 }; /* of float32: more than 1 MiB, so that there are tasks */

static float numbers[SIDE * SIDE];

/* The plan of a transpose, by two threads. */
static sv_plan *new_plan(sv_parallel_callback run)
{
    const int64_t shape[2] = {SIDE, SIDE};
    sv_layout *rows = NULL, *columns = NULL;
    sv_view *dst = NULL, *src = NULL;
    sv_plan *plan = NULL, *parallel = NULL;

    for (int k = 0; k < SIDE * SIDE; k++)
        numbers[k] = (float)k;
    sv_layout_new(2, shape, NULL, 4, &rows);
    sv_layout_permute(rows, 2, NULL, &columns);
    sv_view_from_pointer(rows, SV_FLOAT32, numbers, sizeof numbers, 0, &dst);
    sv_view_from_pointer(columns, SV_FLOAT32, numbers, sizeof numbers, 0, &src);
    sv_plan_new(dst, src, 0, &plan);
    sv_plan_with_threads(plan, 2, run, NULL, &parallel);
    sv_plan_release(plan);
    sv_view_release(dst);
    sv_view_release(src);
    sv_layout_release(rows);
    sv_layout_release(columns);
    return parallel;
}

static bool transposes(const sv_plan *plan)
{
    float *to = calloc(SIDE * SIDE, sizeof *to);
    bool ok = sv_plan_execute(plan, to, numbers, 0) == SV_OK;

    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            ok = ok && to[i * SIDE + j] == numbers[j * SIDE + i];
    free(to);
    return ok;
}

static void *execute_often(void *arg)
{
    sv_plan *plan = arg;

    for (int i = 0; i < 4; i++)
        if (!transposes(plan))
            atomic_fetch_add(&wrong, 1);
    sv_plan_release(plan);
    return NULL;
}

static void test_shared_plan(void)
{
    pthread_t threads[4];
    sv_plan *plan = new_plan(two_threads);

    atomic_store(&wrong, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, execute_often, sv_plan_retain(plan));
    sv_plan_release(plan);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    tap_ok(atomic_load(&wrong) == 0, "threads execute one plan, each by two threads");
}

/* --- fork and signals in the middle of a copy -------------------------------- */

static const sv_plan *forked_plan;
static int child_status;

/* Half of the tasks are done when a child comes that copies on its own. */
static sv_status with_a_fork(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    struct half first = {0, count / 2, task, task_ctx}, second = {count / 2, count, task, task_ctx};
    pid_t child;

    (void)ctx;
    run_half(&first);
    child = fork();
    if (child == 0)
        _exit(transposes(forked_plan) ? 0 : 1);
    run_half(&second);
    waitpid(child, &child_status, 0);
    return SV_OK;
}

static void test_fork(void)
{
    sv_plan *plan = new_plan(two_threads), *forking = new_plan(with_a_fork);

    forked_plan = plan;
    child_status = -1;
    tap_ok(transposes(forking), "a copy during which the process forks");
    tap_ok(WIFEXITED(child_status) && WEXITSTATUS(child_status) == 0, "and the child's own, by threads of its own");
    sv_plan_release(plan);
    sv_plan_release(forking);
}

static atomic_int rings, bad_rings; /* on any thread, on several at once */

/* Between host memories that share no byte nothing is done that a handler must not. */
static void copy_in_handler(int number)
{
    const float from[4] = {1, 2, 3, 4};
    float to[4] = {0};
    const int saved = errno;

    (void)number;
    errno = 77;
    if (sv_plan_execute(forked_plan, to, from, 0) != SV_OK || memcmp(to, from, sizeof to) != 0 || errno != 77)
        atomic_store(&bad_rings, 1);
    atomic_fetch_add(&rings, 1);
    errno = saved;
}

static void test_signals(void)
{
    const int64_t shape[1] = {4};
    const struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = copy_in_handler};
    sv_plan *plan = new_plan(two_threads), *small = NULL;
    sv_layout *layout = NULL;
    sv_view *view = NULL;
    bool ok = true;

    sv_layout_new(1, shape, NULL, 4, &layout);
    sv_view_from_pointer(layout, SV_FLOAT32, numbers, sizeof numbers, 0, &view);
    sv_plan_new(view, view, 0, &small);
    forked_plan = small;
    atomic_store(&rings, 0);
    atomic_store(&bad_rings, 0);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 200 && (i < 5 || atomic_load(&rings) < 3); i++)
        ok = ok && transposes(plan);
    setitimer(ITIMER_REAL, &never, NULL);
    tap_ok(ok && atomic_load(&rings) >= 3, "copies that signals interrupt");
    tap_ok(atomic_load(&bad_rings) == 0, "and copies by their handler");
    sv_plan_release(plan);
    sv_plan_release(small);
    sv_view_release(view);
    sv_layout_release(layout);
}

int main(void)
{
    test_first_copies();
    test_messages();
    test_sharing();
    test_going_round();
    test_one_block();
    test_deleter();
    test_shared_plan();
    test_fork();
    test_signals();
    return tap_done();
}
