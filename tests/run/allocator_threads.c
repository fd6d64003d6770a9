/* Eight threads on one nest of allocators: numbers balance, the limit holds, peaks are exact, every free is its own. */
#define _DEFAULT_SOURCE /* pthread_barrier_t */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sv.h"
#include "tap.h"

enum { THREADS = 8, ROUNDS = 3000, HELD = 8, LARGEST = 300, LIMIT = HELD * LARGEST / 2 /* half of what one thread may want */ };

static sv_allocator *outer, *limited, *tracked;
static pthread_barrier_t together; /* of all threads */
static atomic_int wrong, refused, asked, events;
static atomic_int_least64_t in_use;

static void count_event(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)stream;
    atomic_fetch_add(&events, event == SV_EVENT_ALLOCATED ? 1 : event == SV_EVENT_FREED ? -1 : 0);
}

static int32_t ask(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes;
    atomic_fetch_add(&asked, 1);
    return attempt < 2;
}

static int32_t look(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    int64_t *last = ctx;

    if (number <= *last || pointer == NULL || nbytes < 1 || nbytes > LARGEST || stream >= THREADS)
        atomic_fetch_add(&wrong, 1);
    *last = number;
    return 0;
}

struct held {
    unsigned char *pointer;
    int64_t nbytes;
};

static void drop(struct held *h, int who)
{
    if (h->pointer == NULL)
        return;
    for (int64_t i = 0; i < h->nbytes; i++)
        if (h->pointer[i] != who)
            atomic_fetch_add(&wrong, 1);
    atomic_fetch_sub(&in_use, h->nbytes);
    if (sv_allocator_free(outer, h->pointer, h->nbytes, 0, (uintptr_t)who) != SV_OK)
        atomic_fetch_add(&wrong, 1);
    h->pointer = NULL;
}

static void take(struct held *h, int who, int64_t nbytes)
{
    void *pointer = NULL;
    const sv_status status = sv_allocator_allocate(outer, nbytes, 0, (uintptr_t)who, &pointer);

    if (status != SV_OK) {
        atomic_fetch_add(status == SV_ERROR_MEMORY ? &refused : &wrong, 1);
        return;
    }
    if (atomic_fetch_add(&in_use, nbytes) + nbytes > LIMIT)
        atomic_fetch_add(&wrong, 1);
    h->pointer = memset(pointer, who, (size_t)nbytes);
    h->nbytes = nbytes;
}

static void *work(void *arg)
{
    const int who = (int)(intptr_t)arg;
    struct held held[HELD] = {{NULL, 0}};
    unsigned random = (unsigned)who + 1;
    sv_allocator *mine = sv_allocator_retain(outer);

    pthread_barrier_wait(&together);
    for (int i = 0; i < ROUNDS; i++) {
        struct held *h = &held[i % HELD];

        random = random * 1103515245 + 12345;
        drop(h, who);
        take(h, who, 1 + (int64_t)(random >> 8) % LARGEST);
        if (i % 500 == 0) {
            int64_t last = 0;

            if (sv_allocator_visit(outer, look, &last) != SV_OK)
                atomic_fetch_add(&wrong, 1);
        }
    }
    for (int i = 0; i < HELD; i++)
        drop(&held[i], who);
    sv_allocator_release(mine);
    return NULL;
}

static bool make(void)
{
    sv_allocator *host = NULL, *logged = NULL;
    const bool made = sv_allocator_host(0, &host) == SV_OK &&
                      sv_allocator_tracked(host, "eight", SV_ALLOCATOR_BLOCKS, &tracked) == SV_OK &&
                      sv_allocator_limited(tracked, LIMIT, &limited) == SV_OK &&
                      sv_allocator_logged(limited, count_event, NULL, NULL, &logged) == SV_OK &&
                      sv_allocator_retrying(logged, 2, ask, NULL, NULL, &outer) == SV_OK;

    sv_allocator_release(host);
    sv_allocator_release(logged);
    return made;
}

static int64_t stat(int32_t which)
{
    int64_t value = -1;

    return sv_allocator_stats(outer, which, &value) == SV_OK ? value : -1;
}

static void check_end(void)
{
    const int64_t total = stat(SV_STAT_TOTAL_COUNT);

    tap_ok(atomic_load(&wrong) == 0, "blocks are their threads' own, and the limit holds");
    tap_ok(stat(SV_STAT_LIVE_BYTES) == 0 && stat(SV_STAT_LIVE_COUNT) == 0, "nothing is left");
    tap_ok(total > 0 && total + atomic_load(&refused) == THREADS * ROUNDS, "each allocation was made or refused");
    tap_ok(atomic_load(&refused) > 0 && atomic_load(&asked) > atomic_load(&refused), "after having asked twice");
    tap_ok(atomic_load(&events) == 0, "each was logged as made and as freed");
    tap_ok(stat(SV_STAT_PEAK_BYTES) <= LIMIT && stat(SV_STAT_PEAK_COUNT) <= THREADS * HELD, "peaks are within the limit");
    tap_ok(stat(SV_STAT_FAILED_COUNT) == 0 && stat(SV_STAT_LOST_COUNT) == 0, "the base never failed");
    tap_note("%d refused, asked %d times, peak %lld bytes", atomic_load(&refused), atomic_load(&asked),
             (long long)stat(SV_STAT_PEAK_BYTES));
}

/* Each thread holds one block until all do: then the peak is the sum of all. */
static void *hold(void *arg)
{
    void *pointer = NULL;
    const int64_t nbytes = 100 + (int64_t)(intptr_t)arg;

    if (sv_allocator_allocate(tracked, nbytes, 0, 0, &pointer) != SV_OK)
        atomic_fetch_add(&wrong, 1);
    pthread_barrier_wait(&together);
    if (sv_allocator_free(tracked, pointer, nbytes, 0, 0) != SV_OK)
        atomic_fetch_add(&wrong, 1);
    return NULL;
}

static bool run(void *(*body)(void *))
{
    pthread_t threads[THREADS];

    for (intptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, body, (void *)i) != 0)
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return atomic_load(&wrong) == 0;
}

static void check_peaks(void)
{
    bool exact = true;

    for (int i = 0; i < 50 && exact; i++) {
        exact = sv_allocator_reset_peaks(tracked) == SV_OK && run(hold) &&
                stat(SV_STAT_PEAK_BYTES) == THREADS * 100 + THREADS * (THREADS - 1) / 2 &&
                stat(SV_STAT_PEAK_COUNT) == THREADS;
    }
    tap_ok(exact, "peaks are exact");
}

int main(void)
{
    pthread_barrier_init(&together, NULL, THREADS);
    if (tap_ok(make(), "allocators")) {
        run(work);
        check_end();
        check_peaks();
    }
    sv_allocator_release(outer);
    sv_allocator_release(limited);
    sv_allocator_release(tracked);
    pthread_barrier_destroy(&together);
    return tap_done();
}
