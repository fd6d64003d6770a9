/* Handles shared between threads: counts of references, exports, and the last release on any thread. */
#include <pthread.h>
#include <stdatomic.h>

#include <dlpack/dlpack.h>

#include "sv.h"
#include "tap.h"

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
    sv_view_new(layout, cells, 0, sizeof cells, SV_INT32, SV_DEVICE_CPU, 0, 0, count_release, NULL, &view);
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
    sv_view_from_pointer(turned, mine, sizeof cells, SV_INT32, 0, &to);
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

int main(void)
{
    test_first_copies();
    test_messages();
    test_sharing();
    test_going_round();
    test_one_block();
    test_deleter();
    return tap_done();
}
