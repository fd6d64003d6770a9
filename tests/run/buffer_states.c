/*
 * The states of a buffer by two threads: each pair of calls at the same time, on each sort of buffer. What came out must
 * be what one of the two orders gives, or what one call gives alone when the other was answered SV_ERROR_BLOCKED. Then
 * each pair of ends, of which the later one frees the memory. With SV_TEST_SCALE more often.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sv.h"
#include "tap.h"

enum { HALF = 64, NBYTES = 2 * HALF, LARGE = 1000, ROUNDS = 60 };

static atomic_int allocated, freed;
static sv_allocator *counting, *host;

/* --- sources ------------------------------------------------------------------- */

static sv_status allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    const size_t unit = (size_t)alignment < sizeof(void *) ? sizeof(void *) : (size_t)alignment;

    (void)ctx, (void)stream;
    atomic_fetch_add(&allocated, 1);
    *out = aligned_alloc(unit, ((size_t)nbytes + unit - 1) / unit * unit);
    return *out == NULL ? SV_ERROR_MEMORY : SV_OK;
}

static sv_status count_free(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)nbytes, (void)alignment, (void)stream;
    atomic_fetch_add(&freed, 1);
    free(pointer);
    return SV_OK;
}

static sv_buffer *from_host(void)
{
    sv_buffer *buffer = NULL;

    sv_buffer_new(NULL, NBYTES, 0, SV_BUFFER_ZERO, 0, &buffer);
    return buffer;
}

static sv_buffer *from_callbacks(void)
{
    sv_buffer *buffer = NULL;

    sv_buffer_new(counting, NBYTES, 0, SV_BUFFER_ZERO, 0, &buffer);
    return buffer;
}

static sv_buffer *from_adoption(void)
{
    sv_buffer *buffer = NULL;
    void *memory = calloc(1, NBYTES);

    atomic_fetch_add(&allocated, 1);
    sv_buffer_adopt(memory, NBYTES, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, 0, count_free, NULL, &buffer);
    return buffer;
}

/* Nobody else has the root: the end of the slice is that of the memory. */
static sv_buffer *from_slice(void)
{
    sv_buffer *root = from_callbacks(), *buffer = NULL;

    sv_buffer_slice(root, 0, NBYTES, 0, &buffer);
    sv_buffer_release(root);
    return buffer;
}

static const struct {
    const char *name;
    sv_buffer *(*make)(void);
} sources[] = {{"host", from_host}, {"callbacks", from_callbacks}, {"adopted", from_adoption}, {"slice", from_slice}};

enum { SOURCES = sizeof sources / sizeof *sources };

/* --- calls ----------------------------------------------------------------------- */

/* who: 0 or 1. Each thread has a half of the bytes for itself, since libsv does not order accesses to bytes. */
typedef sv_status call(sv_buffer *buffer, int who);

static sv_status export(sv_buffer *buffer, int who)
{
    const sv_status status = sv_buffer_begin_export(buffer);

    (void)who;
    if (status == SV_OK)
        sv_buffer_end_export(buffer);
    return status;
}

static sv_status slice(sv_buffer *buffer, int who)
{
    sv_buffer *part = NULL;
    const sv_status status = sv_buffer_slice(buffer, who, HALF, 0, &part);

    sv_buffer_release(part);
    return status;
}

static sv_status view(sv_buffer *buffer, int who)
{
    sv_view *out = NULL;
    const sv_status status = sv_view_from_buffer(buffer, NULL, SV_INT8, who, 0, &out);

    sv_view_release(out);
    return status;
}

static sv_status read(sv_buffer *buffer, int who)
{
    char bytes[HALF];

    return sv_buffer_read(buffer, who * HALF, bytes, HALF, 0, 0);
}

static sv_status write(sv_buffer *buffer, int who)
{
    char bytes[HALF];

    memset(bytes, 'w', HALF);
    return sv_buffer_write(buffer, who * HALF, bytes, HALF, 0, 0);
}

static sv_status fill(sv_buffer *buffer, int who)
{
    return sv_buffer_fill(buffer, who * HALF, HALF, "f", 1, 0, 0);
}

static sv_status copy(sv_buffer *buffer, int who)
{
    return sv_buffer_copy(buffer, who * HALF, buffer, who * HALF + HALF / 2, HALF / 2, 0, 0);
}

static sv_status close(sv_buffer *buffer, int who)
{
    (void)who;
    return sv_buffer_close(buffer, 0);
}

static sv_status detach(sv_buffer *buffer, int who)
{
    void *pointer, *ctx;
    int64_t nbytes, alignment;
    uintptr_t stream;
    sv_free_callback end;
    const sv_status status = sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &stream, &end, &ctx);

    (void)who;
    return status == SV_OK ? end(ctx, pointer, nbytes, alignment, stream) : status;
}

static sv_status grow(sv_buffer *buffer, int who)
{
    return sv_buffer_resize(buffer, LARGE + who, SV_BUFFER_ZERO, 0);
}

static sv_status lessen(sv_buffer *buffer, int who)
{
    return sv_buffer_resize(buffer, HALF + who, 0, 0);
}

static sv_status reserve(sv_buffer *buffer, int who)
{
    return sv_buffer_reserve(buffer, LARGE + who, 0);
}

static sv_status shrink(sv_buffer *buffer, int who)
{
    (void)who;
    return sv_buffer_shrink(buffer, 0);
}

static sv_status migrate(sv_buffer *buffer, int who)
{
    return sv_buffer_migrate(buffer, who ? counting : host, 0, 0);
}

static sv_status set_stream(sv_buffer *buffer, int who)
{
    return sv_buffer_set_stream(buffer, (uintptr_t)(5 + who));
}

static sv_status record_use(sv_buffer *buffer, int who)
{
    (void)who;
    return sv_buffer_record_use(buffer, 0);
}

/* What they answer depends on the moment; each is an answer that the buffer has at some time. */
static sv_status ask(sv_buffer *buffer, int who)
{
    const int64_t nbytes = sv_buffer_nbytes(buffer), capacity = sv_buffer_capacity(buffer);
    const uintptr_t stream = sv_buffer_stream(buffer);

    (void)who;
    (void)sv_buffer_data(buffer), (void)sv_buffer_host_data(buffer), (void)sv_buffer_allocator(buffer);
    (void)sv_buffer_parent(buffer), (void)sv_buffer_context(buffer, count_free), (void)sv_buffer_alignment(buffer);
    if (nbytes < 0 || nbytes > LARGE + 1 || capacity < 0 || capacity > LARGE + 1 || (stream != 0 && stream > 6) ||
        sv_buffer_kind(buffer) != SV_MEMORY_HOST || sv_buffer_device_type(buffer) != SV_DEVICE_CPU ||
        sv_buffer_references(buffer) < 1 || sv_buffer_exports(buffer) > 2)
        return SV_ERROR_INVALID;
    return SV_OK;
}

static sv_status retain(sv_buffer *buffer, int who)
{
    (void)who;
    sv_buffer_release(sv_buffer_retain(buffer));
    return SV_OK;
}

static sv_status release(sv_buffer *buffer, int who) /* of a reference that was taken for it */
{
    (void)who;
    sv_buffer_release(buffer);
    return SV_OK;
}

static const struct {
    const char *name;
    call *run;
} calls[] = {
    {"export", export},   {"slice", slice},     {"view", view},     {"read", read},       {"write", write},
    {"fill", fill},       {"copy", copy},       {"close", close},   {"detach", detach},   {"grow", grow},
    {"lessen", lessen},   {"reserve", reserve}, {"shrink", shrink}, {"migrate", migrate}, {"set_stream", set_stream},
    {"record", record_use}, {"ask", ask},       {"retain", retain}, {"release", release},
};

enum { CALLS = sizeof calls / sizeof *calls };

/* --- two threads -------------------------------------------------------------------- */

/* The other thread spins, since two threads that are woken up are rarely awake at the same time. */
static struct {
    void (*run)(int who);
    int delay;
    bool stop;
} task;
static atomic_int begun, done;

static void spin(int count)
{
    for (volatile int i = 0; i < count; i++)
        continue;
}

static void *serve(void *arg)
{
    (void)arg;
    for (int round = 1;; round++) {
        for (int spins = 0; atomic_load_explicit(&begun, memory_order_acquire) < round; spins++)
            if (spins > 500)
                sched_yield();
        if (task.stop)
            return NULL;
        spin(task.delay > 0 ? task.delay : 0);
        task.run(1);
        atomic_store_explicit(&done, round, memory_order_release);
    }
}

static void together(void (*run)(int who), int delay)
{
    const int round = atomic_load(&begun) + 1;

    task.run = run;
    task.delay = delay;
    atomic_store_explicit(&begun, round, memory_order_release);
    spin(delay < 0 ? -delay : 0);
    run(0);
    for (int spins = 0; atomic_load_explicit(&done, memory_order_acquire) < round; spins++)
        if (spins > 500)
            sched_yield();
}

/* --- pairs of calls -------------------------------------------------------------------- */

struct outcome {
    sv_status status[2];
    int64_t nbytes, capacity, references, exports;
    uintptr_t stream;
    int closed, bytes[2], allocated, freed;
};

static struct {
    sv_buffer *buffer;
    call *run[2];
    sv_status status[2];
} pair;

static void run_one(int who)
{
    pair.status[who] = pair.run[who](pair.buffer, who);
}

static void begin(int source, int a, int b)
{
    atomic_store(&allocated, 0);
    atomic_store(&freed, 0);
    pair.buffer = sources[source].make();
    pair.run[0] = calls[a].run;
    pair.run[1] = calls[b].run;
    for (int who = 0; who < 2; who++) {
        pair.status[who] = SV_ERROR_BLOCKED; /* as of one that is not run */
        if (pair.run[who] == release)
            sv_buffer_retain(pair.buffer);
    }
}

static int byte_at(int64_t offset)
{
    unsigned char byte;

    return sv_buffer_read(pair.buffer, offset, &byte, 1, 0, 0) == SV_OK ? byte : -1;
}

static struct outcome finish(void)
{
    struct outcome out;

    memset(&out, 0, sizeof out);
    memcpy(out.status, pair.status, sizeof out.status);
    out.nbytes = sv_buffer_nbytes(pair.buffer);
    out.capacity = sv_buffer_capacity(pair.buffer);
    out.references = sv_buffer_references(pair.buffer);
    out.exports = sv_buffer_exports(pair.buffer);
    out.stream = sv_buffer_stream(pair.buffer);
    out.closed = sv_buffer_is_closed(pair.buffer);
    out.bytes[0] = byte_at(0);
    out.bytes[1] = byte_at(HALF);
    for (int64_t i = out.references; i > 0; i--)
        sv_buffer_release(pair.buffer);
    out.allocated = atomic_load(&allocated);
    out.freed = atomic_load(&freed);
    return out;
}

/* order: which run, in turn; -1 ends it. */
static struct outcome one_by_one(int source, int a, int b, int first, int second)
{
    begin(source, a, b);
    run_one(first);
    if (second >= 0)
        run_one(second);
    return finish();
}

static bool is_one_of(const struct outcome *found, const struct outcome *expected)
{
    for (int i = 0; i < 4; i++)
        if (memcmp(found, &expected[i], sizeof *found) == 0)
            return true;
    return false;
}

static void tell(const char *name, const struct outcome *o)
{
    tap_note("%s: %s, %s; %d of %d bytes, stream %d, closed %d, bytes %d %d, %d references, %d exports, %d - %d",
             name, sv_status_name(o->status[0]), sv_status_name(o->status[1]), (int)o->nbytes, (int)o->capacity,
             (int)o->stream, o->closed, o->bytes[0], o->bytes[1], (int)o->references, (int)o->exports, o->allocated,
             o->freed);
}

static bool check_pair(int source, int a, int b, int rounds)
{
    const struct outcome expected[4] = {one_by_one(source, a, b, 0, 1), one_by_one(source, a, b, 1, 0),
                                        one_by_one(source, a, b, 0, -1), one_by_one(source, a, b, 1, -1)};

    for (int i = 0; i < rounds; i++) {
        struct outcome found;

        begin(source, a, b);
        together(run_one, (i % 15 - 7) * 40);
        found = finish();
        if (found.allocated == found.freed && is_one_of(&found, expected))
            continue;
        tap_note("%s, %s and %s:", sources[source].name, calls[a].name, calls[b].name);
        tell("found", &found);
        for (int k = 0; k < 4; k++)
            tell("expected", &expected[k]);
        return false;
    }
    return true;
}

static void check_pairs(int source, int rounds)
{
    bool ok = true;

    for (int a = 0; a < CALLS; a++)
        for (int b = 0; b < CALLS; b++)
            ok = check_pair(source, a, b, rounds) && ok;
    tap_ok(ok, "%s: each pair of %d calls is one after the other, or one is refused", sources[source].name, CALLS);
}

/* --- pairs of ends ----------------------------------------------------------------------- */

struct held {
    sv_buffer *buffer, *slice;
    sv_view *view;
};
static struct held held[2];

static void end_reference(struct held *h)
{
    sv_buffer_release(h->buffer);
}

static void end_later(struct held *h)
{
    sv_buffer_release_later(h->buffer);
}

static void end_export(struct held *h)
{
    sv_buffer_end_export(h->buffer);
}

static void end_slice(struct held *h)
{
    sv_buffer_release(h->slice);
}

static void close_slice(struct held *h)
{
    sv_buffer_close(h->slice, 0);
    sv_buffer_release(h->slice);
}

static void end_view(struct held *h)
{
    sv_view_release(h->view);
}

static void (*const ends[])(struct held *h) = {end_reference, end_later, end_export, end_slice, close_slice, end_view};

enum { ENDS = sizeof ends / sizeof *ends };

static int chosen[2];

static void end_one(int who)
{
    ends[chosen[who]](&held[who]);
}

static bool hold(sv_buffer *buffer, int who)
{
    void (*const end)(struct held *h) = ends[chosen[who]];

    held[who] = (struct held){.buffer = buffer};
    if (end == end_reference || end == end_later)
        return sv_buffer_retain(buffer) == buffer;
    if (end == end_export)
        return sv_buffer_begin_export(buffer) == SV_OK;
    if (end == end_view)
        return sv_view_from_buffer(buffer, NULL, SV_INT8, 0, 0, &held[who].view) == SV_OK;
    return sv_buffer_slice(buffer, 0, HALF, 0, &held[who].slice) == SV_OK;
}

static bool check_ends(int source, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        sv_buffer *buffer;
        bool ok;

        atomic_store(&allocated, 0);
        atomic_store(&freed, 0);
        buffer = sources[source].make();
        ok = hold(buffer, 0) && hold(buffer, 1);
        sv_buffer_release(buffer);
        together(end_one, (i % 15 - 7) * 40);
        sv_buffer_release(from_host()); /* an allocation frees what was released later */
        if (!ok || atomic_load(&allocated) != atomic_load(&freed))
            return false;
    }
    return true;
}

static void check_all_ends(int source, int rounds)
{
    bool ok = true;

    for (chosen[0] = 0; chosen[0] < ENDS; chosen[0]++)
        for (chosen[1] = 0; chosen[1] < ENDS; chosen[1]++)
            ok = check_ends(source, rounds) && ok;
    tap_ok(ok, "%s: of each pair of ends the later one frees the memory", sources[source].name);
}

static void stop(pthread_t thread)
{
    task.stop = true;
    atomic_fetch_add(&begun, 1);
    pthread_join(thread, NULL);
}

int main(void)
{
    const int rounds = getenv("SV_TEST_SCALE") != NULL ? ROUNDS * 30 : ROUNDS;
    pthread_t thread;

    if (sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate, count_free, NULL, NULL, &counting) != SV_OK ||
        sv_allocator_host(0, &host) != SV_OK || pthread_create(&thread, NULL, serve, NULL) != 0)
        abort();
    for (int source = 0; source < SOURCES; source++) {
        check_pairs(source, rounds);
        check_all_ends(source, rounds);
    }
    stop(thread);
    sv_allocator_release(counting);
    sv_allocator_release(host);
    return tap_done();
}
