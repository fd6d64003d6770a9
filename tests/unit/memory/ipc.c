/* Device memory for other processes, over the fake runtime. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/memory/ipc.h"

TestSuite(ipc, .init = start);

/* --- from one process to another ---------------------------------------------------- */

Test(ipc, the_bytes_are_the_same)
{
    const uint32_t traits = SV_TRAIT_CUDA | SV_TRAIT_SHARED;
    sv_buffer *b = import(&piece, 0);
    char bytes[PART], back[PART] = "";

    memset(bytes, 'x', sizeof bytes);
    cr_expect_eq(sv_buffer_kind(b), SV_MEMORY_DEVICE);
    cr_expect_eq(sv_buffer_traits(b), traits, "%x", sv_buffer_traits(b));
    cr_expect_eq(sv_buffer_device_id(b), 1);
    cr_expect_eq(sv_buffer_nbytes(b), PART);
    cr_expect_null(sv_buffer_host_data(b));
    cr_expect_neq(sv_buffer_data(b), sv_buffer_data(part));
    cr_expect_eq(sv_buffer_write(b, 0, bytes, sizeof bytes, SV_COPY_BLOCKING, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_read(buffer, OFFSET, back, sizeof back, SV_COPY_BLOCKING, 0), SV_OK);
    cr_expect_arr_eq(bytes, back, sizeof bytes);
    sv_buffer_release(b);
    finish();
}

/* One mapping, counted, whatever the order of the ends. */
Test(ipc, what_is_opened_twice_is_mapped_once)
{
    for (int order = 0; order < 2; order++) {
        sv_buffer *a = import(&piece, 0), *b = import(&piece, 0), *c = import(&whole, 0);

        cr_expect_eq(fake_count(FAKE_CALL(ipc_open)), order + 1);
        cr_expect_eq(sv_buffer_data(a), sv_buffer_data(b));
        cr_expect_eq((char *)sv_buffer_data(c) + OFFSET, sv_buffer_data(a));
        cr_expect_eq(sv_buffer_parent(a), sv_buffer_parent(c));
        cr_expect_eq(sv_buffer_exports(sv_buffer_parent(a)), 3);
        sv_buffer_release(order == 0 ? a : c);
        sv_buffer_release(b);
        cr_expect_eq(settle(), SV_OK);
        cr_expect_eq(fake_count(FAKE_CALL(ipc_close)), order);
        sv_buffer_release(order == 0 ? c : a);
        cr_expect_eq(fake_count(FAKE_CALL(ipc_close)), order, "closing can wait, so a release must not");
        cr_expect_eq(settle(), SV_OK);
        cr_expect_eq(fake_count(FAKE_CALL(ipc_close)), order + 1);
    }
    finish();
}

Test(ipc, a_mapping_that_was_left_is_closed_before_the_next)
{
    sv_buffer_release(import(&whole, 0));
    cr_expect_eq(fake_count(FAKE_CALL(ipc_close)), 0);
    sv_buffer_release(import(&whole, 0));
    cr_expect_eq(fake_count(FAKE_CALL(ipc_close)), 1);
    finish();
}

Test(ipc, read_only_stays_so)
{
    struct svi_ipc_blob blob;
    sv_buffer *b, *read_only = NULL;

    cr_assert_eq(sv_buffer_slice(buffer, 0, 8, SV_READ_ONLY, &read_only), SV_OK);
    export(read_only, &blob);
    make_foreign(&blob);
    b = import(&blob, 0);
    cr_expect_eq(sv_buffer_fill(b, 0, 8, "x", 1, 0, 0), SV_ERROR_READ_ONLY);
    sv_buffer_release(b);
    b = import(&whole, SV_READ_ONLY);
    cr_expect_eq(sv_buffer_fill(b, 0, 8, "x", 1, 0, 0), SV_ERROR_READ_ONLY);
    sv_buffer_release(b);
    b = import(&whole, 0);
    cr_expect_eq(sv_buffer_fill(b, 0, 8, "x", 1, SV_COPY_BLOCKING, 0), SV_OK, "%s", sv_last_message());
    sv_buffer_release(b);
    sv_buffer_release(read_only);
    finish();
}

Test(ipc, no_bytes)
{
    struct svi_ipc_blob blob;
    sv_buffer *empty = make(device, 0, 0), *nothing = NULL, *b;

    cr_assert_eq(sv_buffer_slice(buffer, OFFSET, 0, 0, &nothing), SV_OK);
    for (int i = 0; i < 2; i++) {
        export(i == 0 ? empty : nothing, &blob);
        b = import(&blob, 0);
        cr_expect_eq(sv_buffer_nbytes(b), 0);
        cr_expect_null(sv_buffer_data(b));
        cr_expect_eq(sv_buffer_device_id(b), 1);
        sv_buffer_release(b);
    }
    cr_expect_eq(fake_count(FAKE_CALL(ipc_get)) + fake_count(FAKE_CALL(ipc_open)), 0);
    sv_buffer_release(nothing);
    sv_buffer_release(empty);
    finish();
}

/* --- back to the process that exported ------------------------------------------------ */

Test(ipc, in_the_same_process_it_is_the_buffer)
{
    struct svi_ipc_blob again;
    sv_buffer *b;

    export(part, &piece);
    export(part, &again);
    cr_expect_eq(memcmp(&again, &piece, sizeof again), 0);
    b = import(&piece, 0);
    cr_expect_eq(sv_buffer_parent(b), buffer);
    cr_expect_eq(sv_buffer_data(b), sv_buffer_data(part));
    cr_expect_eq(sv_buffer_nbytes(b), PART);
    cr_expect_eq(sv_buffer_traits(b) & SV_TRAIT_SHARED, 0);
    cr_expect_eq(sv_buffer_close(buffer, 0), SV_ERROR_BLOCKED);
    sv_buffer_release(b);
    cr_expect_eq(fake_count(FAKE_CALL(ipc_open)), 0);
    finish();
}

enum way { RELEASED, CLOSED, DETACHED, MOVED, WAYS };

/* The memory is gone, and its place is taken by other memory. */
Test(ipc, what_is_gone_is_not_found)
{
    for (int way = 0; way < WAYS; way++) {
        sv_buffer *b = make(device, NBYTES, 0), *found = NULL, *other;
        struct svi_ipc_blob blob;
        int64_t nbytes, alignment;
        uintptr_t stream;
        sv_free_callback free = NULL;
        void *pointer = NULL, *ctx = NULL;

        export(b, &blob);
        if (way == CLOSED)
            cr_assert_eq(sv_buffer_close(b, 0), SV_OK);
        else if (way == DETACHED)
            cr_assert_eq(sv_buffer_detach(b, &pointer, &nbytes, &alignment, &stream, &free, &ctx), SV_OK);
        else if (way == MOVED)
            cr_assert_eq(sv_buffer_resize(b, 2 * NBYTES, 0, 0), SV_OK, "%s", sv_last_message());
        else
            sv_buffer_release(b);
        other = make(device, NBYTES, 0);
        cr_expect_eq(sv_buffer_import_ipc(&blob, sizeof blob, 0, &found), SV_ERROR_STATE, "way %d: %s", way,
                     sv_last_message());
        cr_expect_null(found);
        sv_buffer_release(other);
        if (way == DETACHED)
            cr_expect_eq(free(ctx, pointer, nbytes, alignment, stream), SV_OK);
        if (way != RELEASED)
            sv_buffer_release(b);
    }
    cr_expect_eq(fake_count(FAKE_CALL(ipc_open)), 0);
    finish();
}

/* --- many threads ------------------------------------------------------------------------- */

enum { THREADS = 3, TURNS = 300 };

static struct {
    pthread_mutex_t lock;
    struct svi_ipc_blob blob; /* of memory that may be gone */
} published = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void publish(void)
{
    sv_buffer *b = NULL;

    if (sv_buffer_new(device, NBYTES, 0, 0, 0, &b) != SV_OK)
        return;
    pthread_mutex_lock(&published.lock);
    (void)sv_buffer_export_ipc(b, sizeof published.blob, &published.blob, NULL);
    pthread_mutex_unlock(&published.lock);
    sv_buffer_release(b);
}

/* 1 unless it is found whole or told to be gone. */
static int take_published(void)
{
    struct svi_ipc_blob blob;
    sv_buffer *b = NULL;
    sv_status status;

    pthread_mutex_lock(&published.lock);
    blob = published.blob;
    pthread_mutex_unlock(&published.lock);
    status = sv_buffer_import_ipc(&blob, sizeof blob, 0, &b);
    if (status != SV_OK)
        return status != SV_ERROR_STATE;
    status = sv_buffer_nbytes(b) == NBYTES && sv_buffer_data(b) != NULL ? SV_OK : SV_ERROR_INVALID;
    sv_buffer_release(b);
    return status != SV_OK;
}

static int take_foreign(void)
{
    sv_buffer *b = NULL;

    if (sv_buffer_import_ipc(&piece, sizeof piece, 0, &b) != SV_OK || sv_buffer_nbytes(b) != PART)
        return 1;
    sv_buffer_release(b);
    return 0;
}

static void *work(void *wrong)
{
    for (int i = 0; i < TURNS; i++) {
        publish();
        *(int *)wrong += take_published() + take_foreign();
    }
    return NULL;
}

Test(ipc, threads_find_it_whole_or_not_at_all)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};

    publish();
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, work, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_expect_eq(wrong[i], 0, "%d", wrong[i]);
    }
    finish();
}

/* --- what cannot be exported ------------------------------------------------------------ */

static sv_status free_nothing(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)alignment, (void)stream;
    return SV_OK;
}

static sv_status allocate_there(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    (void)ctx, (void)nbytes, (void)alignment, (void)stream;
    *out = sv_buffer_data(buffer);
    return SV_OK;
}

static sv_buffer *of_host(void)
{
    return make(NULL, NBYTES, 0);
}

static sv_buffer *of(sv_allocator *allocator)
{
    sv_buffer *b = make(allocator, NBYTES, 0);

    sv_allocator_release(allocator);
    return b;
}

static sv_buffer *of_pinned(void)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_pinned(&a), SV_OK);
    return of(a);
}

static sv_buffer *of_managed(void)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_managed(1, &a), SV_OK);
    return of(a);
}

static sv_buffer *of_pool(void)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_pool(SV_MEMORY_DEVICE, 1, 0, 0, 0, &a), SV_OK);
    return of(a);
}

static sv_buffer *of_callbacks(void)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_callbacks(SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1, allocate_there, free_nothing, NULL, NULL,
                                        &a),
                 SV_OK, "%s", sv_last_message());
    return of(a);
}

static sv_buffer *adopted(void)
{
    sv_buffer *b = NULL;

    cr_assert_eq(sv_buffer_adopt(sv_buffer_data(buffer), NBYTES, SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1,
                                 SV_BUFFER_BORROWED, 0, NULL, NULL, &b),
                 SV_OK, "%s", sv_last_message());
    return b;
}

static sv_buffer *imported(void)
{
    return import(&whole, 0);
}

Test(ipc, what_cannot_be_exported)
{
    static const struct {
        sv_buffer *(*make)(void);
        sv_status status;
        const char *reason;
    } cases[] = {
        {of_host, SV_ERROR_DEVICE, "host memory"},
        {of_pinned, SV_ERROR_DEVICE, "pinned memory"},
        {of_managed, SV_ERROR_DEVICE, "managed memory"},
        {of_pool, SV_ERROR_UNSUPPORTED, "of a pool"},
        {of_callbacks, SV_ERROR_UNSUPPORTED, "where the allocation begins"},
        {adopted, SV_ERROR_UNSUPPORTED, "where the allocation begins"},
        {imported, SV_ERROR_UNSUPPORTED, "of another process"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_buffer *b = cases[i].make();
        struct svi_ipc_blob blob = {.version = 77};
        size_t length = 5;

        for (int only_asks = 0; only_asks < 2; only_asks++) {
            cr_expect_eq(sv_buffer_export_ipc(b, only_asks ? 0 : sizeof blob, only_asks ? NULL : &blob, &length),
                         cases[i].status, "row %zu: %s", i, sv_last_message());
            cr_expect_not_null(strstr(sv_last_message(), cases[i].reason), "row %zu: %s", i, sv_last_message());
        }
        cr_expect(blob.version == 77 && length == 5);
        sv_buffer_release(b);
    }
    cr_expect_eq(fake_count(FAKE_CALL(ipc_get)), 0);
    finish();
}

Test(ipc, wrappers_do_not_hide_the_driver)
{
    sv_allocator *tracked = NULL;
    sv_buffer *b;

    cr_assert_eq(sv_allocator_tracked(device, NULL, 0, &tracked), SV_OK, "%s", sv_last_message());
    b = make(tracked, NBYTES, 0);
    export(b, &whole);
    cr_expect_eq(whole.nbytes, NBYTES);
    sv_buffer_release(b);
    sv_allocator_release(tracked);
    finish();
}

Test(ipc, room)
{
    char bytes[SV_IPC_NBYTES + 1];
    size_t length = 0;

    cr_expect_eq(sv_buffer_export_ipc(buffer, 0, NULL, &length), SV_OK);
    cr_expect_eq(length, SV_IPC_NBYTES);
    cr_expect_eq(sv_buffer_export_ipc(buffer, SV_IPC_NBYTES - 1, bytes, &length), SV_ERROR_BUFFER);
    cr_expect_eq(sv_buffer_export_ipc(buffer, SV_IPC_NBYTES, NULL, &length), SV_ERROR_NULL);
    cr_expect_eq(sv_buffer_export_ipc(buffer, 1, NULL, &length), SV_ERROR_NULL);
    cr_expect_eq(sv_buffer_export_ipc(NULL, SV_IPC_NBYTES, bytes, &length), SV_ERROR_NULL);
    bytes[SV_IPC_NBYTES] = 7;
    cr_expect_eq(sv_buffer_export_ipc(buffer, sizeof bytes, bytes, NULL), SV_OK, "%s", sv_last_message());
    cr_expect_eq(bytes[SV_IPC_NBYTES], 7);
    cr_assert_eq(sv_buffer_close(part, 0), SV_OK);
    cr_expect_eq(sv_buffer_export_ipc(part, sizeof bytes, bytes, NULL), SV_ERROR_STATE);
    finish();
}

/* --- failure ------------------------------------------------------------------------------ */

static int64_t lost;

static int64_t count_lost(void *with)
{
    (void)with;
    return lost;
}

static void prepare(void *with)
{
    (void)with;
    lost = 0;
    begin();
}

static sv_status export_again(void *with)
{
    struct svi_ipc_blob blob = {.version = 77};
    const sv_status status = sv_buffer_export_ipc(with != NULL ? part : buffer, sizeof blob, &blob, NULL);

    cr_expect_eq(blob.version == 77, status != SV_OK);
    return status;
}

static sv_status import_and_release(void *with)
{
    sv_buffer *b = NULL;
    sv_status status = sv_buffer_import_ipc(&piece, sizeof piece, 0, &b);

    (void)with;
    cr_expect_eq(b != NULL, status == SV_OK);
    if (status != SV_OK) {
        lost = fake_count(FAKE_CALL(ipc_open)); /* a mapping that could not be closed again */
        return status;
    }
    sv_buffer_release(b);
    status = settle();
    lost = status != SV_OK;
    return status;
}

static void clean(void *with, sv_status status)
{
    (void)with, (void)status;
    lost = lost == 0 ? 0 : lost + 1; /* with the memory itself, which is alive while it is counted */
    end();
}

Test(ipc_failures, each_call_fails_once)
{
    static sv_status (*const runs[])(void *with) = {export_again, import_and_release};
    const struct fake_settings settings = {.policy = FAKE_LAZY};

    for (int i = 0; i < 2; i++)
        for (int stays = 0; stays < 2; stays++) {
            struct fake_trial trial = {
                .prepare = prepare, .run = runs[i], .clean = clean, .lost = count_lost, .stays = stays};
            int rounds = 0;
            const char *wrong = fake_fail_each(&trial, &settings, &rounds);

            cr_expect_str_eq(wrong, "", "row %d, stays %d: %s", i, stays, wrong);
            cr_expect_gt(rounds, 5, "%d", rounds);
        }
}

/* What comes from the parent is of another process, whose CUDA a child cannot use. */
static int in_the_child(void)
{
    sv_buffer *b = NULL;
    struct svi_ipc_blob blob;

    if (sv_buffer_import_ipc(&piece, sizeof piece, 0, &b) != SV_ERROR_FORKED)
        return 1;
    return sv_buffer_export_ipc(part, sizeof blob, &blob, NULL) == SV_ERROR_FORKED ? 0 : 2;
}

Test(ipc, a_child_is_told_that_it_was_forked)
{
    int status = 0;
    pid_t child;

    export(part, &piece);
    child = fork();
    if (child == 0)
        _exit(in_the_child());
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", status);
    sv_buffer_release(import(&piece, 0));
    finish();
}
