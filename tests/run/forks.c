/*
 * A process that forks while its threads allocate, free, log, list, copy and collect under every wrapper, nested by
 * two: the child meets no lock that one of the threads held, and does the same.
 */
#define _DEFAULT_SOURCE /* fork, alarm, usleep */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sv.h"
#include "tap.h"

enum {
    WRAPPERS = 5,
    NESTS = WRAPPERS * WRAPPERS,
    THREADS = 4,
    FORKS = 60,
    KEPT = 500, /* blocks that make a list long */
    SECONDS = 30, /* that a child may take */
    TORCH_DEVICE = 3
};

static sv_allocator *nests[NESTS];
static void *kept[NESTS][KEPT];
static atomic_int events, wrong;
static atomic_bool stops;

static void count_event(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)event, (void)pointer, (void)nbytes, (void)stream;
    atomic_fetch_add(&events, 1);
}

static int32_t give_up(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes, (void)attempt;
    return 0;
}

static int32_t count_block(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)number, (void)pointer, (void)nbytes, (void)stream;
    ++*(int64_t *)ctx;
    return 0;
}

static sv_status wrap(int kind, const sv_allocator *base, sv_allocator **out)
{
    switch (kind) {
    case 0:
        return sv_allocator_tracked(base, "forks", SV_ALLOCATOR_BLOCKS, out);
    case 1:
        return sv_allocator_logged(base, count_event, NULL, NULL, out);
    case 2:
        return sv_allocator_limited(base, INT64_MAX, out);
    case 3:
        return sv_allocator_cached(base, INT64_MAX, out);
    default:
        return sv_allocator_retrying(base, 1, give_up, NULL, NULL, out);
    }
}

static bool make_nest(const sv_allocator *host, int nest)
{
    sv_allocator *inner = NULL;
    bool ok = wrap(nest / WRAPPERS, host, &inner) == SV_OK && wrap(nest % WRAPPERS, inner, &nests[nest]) == SV_OK;

    sv_allocator_release(inner);
    for (int i = 0; ok && i < KEPT; i++)
        ok = sv_allocator_allocate(nests[nest], 8, 0, 0, &kept[nest][i]) == SV_OK;
    return ok;
}

static void end_nest(int nest)
{
    for (int i = 0; i < KEPT; i++)
        sv_allocator_free(nests[nest], kept[nest][i], 8, 0, 0);
    sv_allocator_release(nests[nest]);
}

/* Copies a new array to another one, transposed. */
static bool copies(const sv_allocator *allocator)
{
    const int64_t shape[2] = {8, 8};
    sv_view *from = NULL, *to = NULL;
    sv_layout *turned = NULL;
    sv_view *back = NULL;
    bool ok;

    ok = sv_empty(allocator, SV_INT32, 2, shape, 0, 0, &from) == SV_OK &&
         sv_empty(allocator, SV_INT32, 2, shape, 0, 0, &to) == SV_OK;
    if (ok) {
        memset(sv_view_data(from), 1, sizeof(int32_t) * 64);
        ok = sv_layout_permute(sv_view_layout(to), 2, NULL, &turned) == SV_OK &&
             sv_view_with_layout(to, turned, &back) == SV_OK && sv_copy(back, from, 0, 0) == SV_OK &&
             memcmp(sv_view_data(to), sv_view_data(from), sizeof(int32_t) * 64) == 0;
    }
    sv_view_release(back);
    sv_layout_release(turned);
    sv_view_release(to);
    sv_view_release(from);
    return ok;
}

static bool does_all(int nest)
{
    const sv_allocator *allocator = nests[nest];
    const bool lists = nest % WRAPPERS == 0;
    int64_t blocks = 0, left;
    void *pointer = NULL;
    bool ok;

    ok = copies(NULL) && copies(allocator) && sv_allocator_allocate(allocator, 100, 0, 0, &pointer) == SV_OK;
    if (lists)
        ok = sv_allocator_visit(allocator, count_block, &blocks) == SV_OK && blocks > KEPT && ok;
    ok = sv_allocator_free(allocator, pointer, 100, 0, 0) == SV_OK && ok;
    (void)sv_torch_use(TORCH_DEVICE, NULL);
    (void)sv_torch_allocate(8, TORCH_DEVICE, NULL); /* there is no allocator: it looks, and fails */
    return sv_memory_collect(0, &left) == SV_OK && ok;
}

static void *work(void *arg)
{
    for (int nest = *(const int *)arg; !atomic_load(&stops); nest = (nest + 1) % NESTS)
        if (!does_all(nest))
            atomic_fetch_add(&wrong, 1);
    return NULL;
}

/* How a child ends that does all once: 0, or its signal or exit status. */
static int fork_once(void)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        alarm(SECONDS);
        for (int nest = 0; nest < NESTS; nest++)
            if (!does_all(nest))
                _exit(1);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    return status;
}

static void fork_at_random(void)
{
    pthread_t threads[THREADS];
    int first[THREADS], made = 0, status = 0, forks = 0;

    for (; made < THREADS; made++) {
        first[made] = made * NESTS / THREADS;
        if (pthread_create(&threads[made], NULL, work, &first[made]) != 0)
            break;
    }
    for (; forks < FORKS && status == 0; forks++) {
        usleep((useconds_t)(rand() % 3000));
        status = fork_once();
    }
    atomic_store(&stops, true);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    tap_ok(status == 0, "a child meets no lock of its parent's threads (fork %d: status %d)", forks, status);
    tap_ok(made == THREADS && atomic_load(&wrong) == 0, "and the threads go on");
}

/* Who has locks of his own in the process, which fork() does not take; NULL: nobody. */
static const char *other_locks(void)
{
    const char *emulator = getenv("SV_EMULATOR");

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return "the sanitizer's allocator has locks of its own";
#endif
    return emulator == NULL || *emulator == '\0' || strcmp(emulator, "env") == 0 ? NULL
                                                                                 : "the emulator has locks of its own";
}

int main(void)
{
    sv_allocator *host = NULL;
    bool ok;

    if (other_locks() != NULL) {
        tap_skip("a child meets no lock of its parent's threads", other_locks());
        return tap_done();
    }
    ok = sv_allocator_host(0, &host) == SV_OK;
    for (int nest = 0; nest < NESTS; nest++)
        ok = make_nest(host, nest) && ok;
    tap_ok(ok, "every wrapper around every other");
    if (ok)
        fork_at_random();
    for (int nest = 0; nest < NESTS; nest++)
        end_nest(nest);
    sv_allocator_release(host);
    return tap_done();
}
