/*
 * Eight threads allocate, slice, export, copy, move, close, detach and release buffers at random, and collect deferred
 * frees, for 2 seconds; with SV_TEST_SCALE for 60. Handles and tensors go from thread to thread through tables of
 * places. What a buffer holds can be checked by whoever gets it: one item of 16 bytes again and again, and zeros where
 * it grew. At the end nothing is left, by every count there is. With SV_FAKE, memory of a fake CUDA runtime takes
 * part; its threads share the default stream, and have a stream each for buffers that no other thread knows.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dlpack/dlpack.h>

#include "sv.h"
#include "tap.h"
#ifdef SV_FAKE
#include "fake/fake.h"
enum { FAKE = 1 };
static cudaStream_t streams[8]; /* one for each thread; they live until all memory is freed on them */
#else
enum { FAKE = 0 };
#endif

enum { THREADS = 8, PLACES = 24, ITEM = 16, MOST_ITEMS = 4096, LIMIT = 64 << 20, CACHE = 1 << 20 };
enum { HOST_SOURCES = 7, CUDA_SOURCES = 5, SOURCES = HOST_SOURCES + FAKE * CUDA_SOURCES };

static _Atomic(sv_buffer *) buffers[PLACES];
static _Atomic(struct DLManagedTensorVersioned *) tensors[PLACES];
static sv_allocator *sources[SOURCES], *tracked, *tracked_pool;
static atomic_int stop, wrong;
static atomic_llong adopted, given_back, mine, callbacks_ended, events, done[16];

/* --- random numbers, and what is wrong ------------------------------------- */

struct thread {
    uint64_t state;
    uintptr_t stream; /* its own; 0 without CUDA */
};

static uint64_t next(struct thread *self)
{
    self->state ^= self->state << 13;
    self->state ^= self->state >> 7;
    self->state ^= self->state << 17;
    return self->state * 0x2545f4914f6cdd1d;
}

static int64_t below(struct thread *self, int64_t count)
{
    return (int64_t)((next(self) >> 16) % (uint64_t)count);
}

/* The first few are told. */
static void complain(const char *what, sv_status status)
{
    if (atomic_fetch_add(&wrong, 1) < 10)
        tap_note("%s: %s: %s", what, sv_status_name(status), sv_last_message());
}

/* Another thread may move, close or shorten the buffer at the same time. */
static bool is_fine(const char *what, sv_status status)
{
    if (status == SV_OK)
        return true;
    if (status != SV_ERROR_BLOCKED && status != SV_ERROR_STATE && status != SV_ERROR_RANGE && status != SV_ERROR_MEMORY)
        complain(what, status);
    return false;
}

/* --- what is in a buffer --------------------------------------------------- */

/* The item of a tag, again and again; zeros after it. */
static bool holds_items(const unsigned char *bytes, int64_t nbytes)
{
    static const unsigned char zeros[ITEM];
    const unsigned char *first = bytes;
    bool grown = false;

    for (int64_t i = 0; i + ITEM <= nbytes; i += ITEM) {
        const bool zero = memcmp(bytes + i, zeros, ITEM) == 0;

        grown = grown || zero;
        if (grown ? !zero : memcmp(bytes + i, first, ITEM) != 0)
            return false;
    }
    for (int k = 0; nbytes >= ITEM && k < ITEM / 2; k++)
        if (memcmp(first, zeros, ITEM) != 0 && (first[k] ^ first[k + ITEM / 2]) != 0xff)
            return false;
    return true;
}

static void check(const char *what, const void *bytes, int64_t nbytes)
{
    if (nbytes > 0 && (bytes == NULL || !holds_items(bytes, nbytes)))
        complain(what, SV_OK);
}

/* The host waits before it reads memory that devices read, too. Other memory is copied to it. */
static void check_view(const char *what, const sv_view *view)
{
    static _Thread_local unsigned char bytes[ITEM * MOST_ITEMS];
    const int32_t type = sv_view_device_type(view), id = sv_view_device_id(view);
    const int64_t nbytes = sv_layout_nbytes(sv_view_layout(view));
    const uint32_t traits = sv_device_traits(type);
    const void *from = sv_view_data(view);
    sv_view *copy = NULL;

    if (!(traits & SV_TRAIT_HOST)) {
        if (sv_view_from_pointer(sv_view_layout(view), SV_UINT64, bytes, sizeof bytes, 0, &copy) != SV_OK ||
            sv_copy(copy, view, SV_COPY_BLOCKING, 0) != SV_OK)
            complain(what, SV_OK);
        sv_view_release(copy);
        from = bytes;
    } else if ((traits & SV_TRAIT_CUDA) && sv_stream_synchronize(type, id, 0) != SV_OK) {
        complain("sv_stream_synchronize", SV_OK);
    }
    check(what, from, nbytes);
}

/* A view keeps the memory in place while it is looked at. */
static void check_buffer(const char *what, sv_buffer *buffer)
{
    sv_view *view = NULL;

    if (is_fine(what, sv_view_from_buffer(buffer, NULL, SV_UINT64, 0, 0, &view)))
        check_view(what, view);
    sv_view_release(view);
}

static void new_item(struct thread *self, unsigned char *item)
{
    const uint64_t tag = next(self) | 1, other = ~tag;

    memcpy(item, &tag, ITEM / 2);
    memcpy(item + ITEM / 2, &other, ITEM / 2);
}

/* --- where buffers come from ----------------------------------------------- */

static sv_status allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    const size_t unit = alignment < 64 ? 64 : (size_t)alignment;

    (void)ctx, (void)stream;
    *out = aligned_alloc(unit, ((size_t)nbytes + unit - 1) / unit * unit);
    if (*out != NULL)
        atomic_fetch_add(&mine, 1);
    return *out != NULL ? SV_OK : SV_ERROR_MEMORY;
}

static sv_status give_back(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)nbytes, (void)alignment, (void)stream;
    free(pointer);
    atomic_fetch_add(ctx == &adopted ? &given_back : &mine, ctx == &adopted ? 1 : -1);
    return SV_OK;
}

static void end_callbacks(void *ctx)
{
    (void)ctx;
    atomic_fetch_add(&callbacks_ended, 1);
}

static void count_event(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)pointer, (void)nbytes, (void)stream;
    atomic_fetch_add((atomic_llong *)ctx, event == SV_EVENT_ALLOCATED ? 1 : event == SV_EVENT_FREED ? -1 : 0);
}

static int32_t try_again(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes, (void)attempt;
    return sv_memory_collect(0, NULL) == SV_OK;
}

#ifdef SV_FAKE
static bool make_cuda_sources(sv_allocator **out)
{
    sv_allocator *pool = NULL; /* and what a cache keeps is the second of the two that have the order of streams */
    bool ok = sv_allocator_pinned(&out[0]) == SV_OK && sv_allocator_device(0, &out[1]) == SV_OK &&
              sv_allocator_managed(0, &out[2]) == SV_OK &&
              sv_allocator_pool(SV_MEMORY_DEVICE, 0, 0, INT64_MAX, 0, &pool) == SV_OK &&
              sv_allocator_tracked(pool, "pool", 0, &tracked_pool) == SV_OK &&
              sv_allocator_cached(out[1], CACHE, &out[4]) == SV_OK;

    sv_allocator_release(pool);
    out[3] = sv_allocator_retain(tracked_pool);
    return ok;
}
#else
static bool make_cuda_sources(sv_allocator **out)
{
    (void)out;
    return true;
}
#endif

/* Each but the first is made of the one before it, so that wrappers nest. */
static bool make_sources(void)
{
    sv_allocator *host = NULL, *limited = NULL;
    bool ok = sv_allocator_host(0, &host) == SV_OK &&
              sv_allocator_tracked(host, "soak", SV_ALLOCATOR_BLOCKS, &tracked) == SV_OK &&
              sv_allocator_limited(tracked, LIMIT, &limited) == SV_OK;

    sources[0] = host;
    sources[1] = sv_allocator_retain(tracked);
    sources[2] = limited;
    return ok && make_cuda_sources(sources + HOST_SOURCES) &&
           sv_allocator_logged(limited, count_event, NULL, &events, &sources[3]) == SV_OK &&
           sv_allocator_retrying(sources[3], 2, try_again, NULL, NULL, &sources[4]) == SV_OK &&
           sv_allocator_cached(sources[4], CACHE, &sources[6]) == SV_OK &&
           sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate, give_back, end_callbacks, NULL,
                                  &sources[5]) == SV_OK;
}

static int64_t random_nbytes(struct thread *self)
{
    static const int64_t items[] = {1, 2, 16, 64, 512, MOST_ITEMS};

    return below(self, 16) == 0 ? 0 : ITEM * (1 + below(self, items[below(self, 6)]));
}

static sv_buffer *new_buffer(struct thread *self)
{
    const int64_t nbytes = random_nbytes(self), alignment = below(self, 2) ? 0 : (int64_t)1 << below(self, 13);
    unsigned char item[ITEM];
    sv_buffer *buffer = NULL;

    new_item(self, item);
    if (is_fine("new", sv_buffer_new(sources[below(self, SOURCES)], nbytes, alignment, 0, 0, &buffer)) &&
        sv_buffer_fill(buffer, 0, nbytes, item, ITEM, SV_COPY_BLOCKING, 0) != SV_OK)
        complain("fill", SV_OK);
    return buffer;
}

static sv_buffer *adopt(struct thread *self)
{
    const int64_t nbytes = ITEM * (1 + below(self, 64));
    unsigned char *bytes = malloc((size_t)nbytes), item[ITEM];
    sv_buffer *buffer = NULL;

    new_item(self, item);
    for (int64_t i = 0; i < nbytes; i += ITEM)
        memcpy(bytes + i, item, ITEM);
    atomic_fetch_add(&adopted, 1);
    if (!is_fine("adopt", sv_buffer_adopt(bytes, nbytes, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, 0, give_back, &adopted,
                                          &buffer)))
        give_back(&adopted, bytes, nbytes, 1, 0);
    return buffer;
}

/* --- what is done with one ------------------------------------------------- */

static void read_some(struct thread *self, sv_buffer *buffer)
{
    static _Thread_local unsigned char bytes[ITEM * MOST_ITEMS];
    const int64_t items = sv_buffer_nbytes(buffer) / ITEM, offset = below(self, items + 1);
    const int64_t count = below(self, items - offset + 1);

    if (is_fine("read", sv_buffer_read(buffer, offset * ITEM, bytes, count * ITEM, 0, 0)))
        check("what was read", bytes, count * ITEM);
}

/* What points into the memory keeps address and size. */
static void export(sv_buffer *buffer)
{
    if (!is_fine("begin_export", sv_buffer_begin_export(buffer)))
        return;
    if (sv_buffer_exports(buffer) < 1)
        complain("exports", SV_OK);
    check_buffer("what is exported", buffer);
    sv_buffer_end_export(buffer);
}

static sv_buffer *slice(struct thread *self, sv_buffer *buffer)
{
    const int64_t items = sv_buffer_nbytes(buffer) / ITEM, offset = below(self, items + 1);
    const int64_t count = below(self, items - offset + 1);
    sv_buffer *part = NULL, *inner = NULL;

    if (!is_fine("slice", sv_buffer_slice(buffer, offset * ITEM, count * ITEM, SV_READ_ONLY, &part)))
        return NULL;
    check_buffer("a slice", part);
    if (is_fine("slice of a slice", sv_buffer_slice(part, 0, sv_buffer_nbytes(part), 0, &inner)) &&
        sv_buffer_parent(inner) != sv_buffer_parent(part))
        complain("parent of a slice", SV_OK);
    sv_buffer_release(inner);
    return part;
}

/* A tensor that another thread will end, for the one it left. */
static void pass_tensor(struct thread *self, sv_buffer *buffer)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_view *view = NULL;

    if (is_fine("view", sv_view_from_buffer(buffer, NULL, SV_UINT64, 0, 0, &view)) &&
        sv_view_to_dlpack(view, 0, &tensor) != SV_OK)
        complain("to_dlpack", SV_OK);
    sv_view_release(view);
    view = NULL;
    if (tensor == NULL)
        return;
    tensor = atomic_exchange(&tensors[below(self, PLACES)], tensor);
    if (tensor == NULL)
        return;
    if (below(self, 2)) {
        tensor->deleter(tensor);
    } else if (sv_view_from_dlpack(tensor, 0, &view) == SV_OK) {
        check_view("a tensor", view);
        sv_view_release(view);
    }
}

static void copy(struct thread *self, sv_buffer *buffer)
{
    const int64_t nbytes = sv_buffer_nbytes(buffer) / ITEM * ITEM;
    sv_buffer *other = NULL;

    if (!is_fine("new", sv_buffer_new(sources[below(self, SOURCES)], nbytes, 0, 0, 0, &other)))
        return;
    if (is_fine("copy", sv_buffer_copy(other, 0, buffer, 0, nbytes, SV_COPY_BLOCKING, 0)))
        check_buffer("a copy", other);
    sv_buffer_release(other);
}

/* This thread frees it then, as it was told to. */
static void detach(sv_buffer *buffer)
{
    void *pointer = NULL, *ctx = NULL;
    int64_t nbytes = 0, alignment = 0;
    uintptr_t stream = 0;
    sv_free_callback end = NULL;

    if (!is_fine("detach", sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &stream, &end, &ctx)))
        return;
    if (end(ctx, pointer, nbytes, alignment, stream) != SV_OK)
        complain("free", SV_OK);
}

/* Bytes stay what they are, and new ones are zeros. Adopted memory has no allocator that gives more. */
static void move(struct thread *self, sv_buffer *buffer)
{
    const int64_t nbytes = sv_buffer_nbytes(buffer);
    sv_status status;

    switch (below(self, 6)) {
    case 0:
        status = sv_buffer_resize(buffer, random_nbytes(self), SV_BUFFER_ZERO, 0);
        break;
    case 1:
        status = sv_buffer_reserve(buffer, nbytes + below(self, 1024), 0);
        break;
    case 2:
        status = sv_buffer_shrink(buffer, 0);
        break;
    case 3:
        status = sv_buffer_record_use(buffer, 0);
        break;
    default:
        status = sv_buffer_migrate(buffer, sources[below(self, SOURCES)], 0, 0);
    }
    if (status != SV_ERROR_UNSUPPORTED && is_fine("move", status))
        check_buffer("what was moved", buffer);
}

/*
 * Buffers that no other thread knows, made on the shared stream or on one that no other thread has. Work on the latter
 * still uses them when they are released.
 */
static void use_own_stream(struct thread *self)
{
#ifdef SV_FAKE
    const int64_t nbytes = random_nbytes(self);
    const sv_allocator *source = sources[HOST_SOURCES + below(self, CUDA_SOURCES)];
    const uintptr_t made_on = below(self, 2) ? 0 : self->stream;
    sv_buffer *from = NULL, *to = NULL;

    if (is_fine("new", sv_buffer_new(source, nbytes, 0, SV_BUFFER_ZERO, made_on, &from)) &&
        is_fine("new", sv_buffer_new(source, nbytes, 0, 0, made_on, &to)) &&
        (sv_stream_wait(SV_DEVICE_CUDA, 0, self->stream, SV_DEVICE_CUDA, 0, made_on) != SV_OK ||
         sv_buffer_copy(to, 0, from, 0, nbytes, 0, self->stream) != SV_OK ||
         sv_buffer_record_use(from, self->stream) != SV_OK || sv_buffer_record_use(to, self->stream) != SV_OK ||
         !is_fine("resize", sv_buffer_resize(from, 2 * nbytes, SV_BUFFER_ZERO, self->stream))))
        complain("work on a stream", SV_OK);
    sv_buffer_release(from);
    sv_buffer_release_later(to);
#else
    (void)self;
#endif
}

static void use(struct thread *self, sv_buffer *buffer)
{
    const int64_t what = below(self, 15);

    atomic_fetch_add_explicit(&done[what], 1, memory_order_relaxed);
    switch (what) {
    case 0:
    case 1:
        read_some(self, buffer);
        break;
    case 2:
    case 3:
        export(buffer);
        break;
    case 4:
        sv_buffer_release(slice(self, buffer));
        break;
    case 5:
    case 6:
        pass_tensor(self, buffer);
        break;
    case 7:
        copy(self, buffer);
        break;
    case 8:
        detach(buffer);
        break;
    case 9:
        use_own_stream(self);
        break;
    case 10:
    case 11:
        move(self, buffer);
        break;
    default:
        if (below(self, 8) == 0)
            is_fine("close", sv_buffer_close(buffer, 0));
        else
            is_fine("collect", sv_memory_collect(0, NULL));
    }
}

/* --- the threads ----------------------------------------------------------- */

static void put(struct thread *self, sv_buffer *buffer)
{
    buffer = atomic_exchange(&buffers[below(self, PLACES)], buffer);
    if (below(self, 4) == 0)
        sv_buffer_release_later(buffer);
    else
        sv_buffer_release(buffer);
}

/* A reference to a buffer that other threads have too. */
static sv_buffer *get(struct thread *self)
{
    const int64_t place = below(self, PLACES);
    sv_buffer *buffer = atomic_exchange(&buffers[place], NULL);
    sv_buffer *kept = sv_buffer_retain(buffer);

    sv_buffer_release(atomic_exchange(&buffers[place], buffer));
    return kept;
}

static void *soak(void *arg)
{
    struct thread self = {(uint64_t)(uintptr_t)arg * 0x9e3779b97f4a7c15 + 1, 0};

#ifdef SV_FAKE
    self.stream = (uintptr_t)streams[(uintptr_t)arg - 1];
#endif
    while (!atomic_load(&stop)) {
        sv_buffer *buffer = get(&self), *part;

        if (buffer != NULL && below(&self, 8) != 0) {
            for (int64_t i = below(&self, 4); i >= 0; i--)
                use(&self, buffer);
            if (below(&self, 8) == 0 && (part = slice(&self, buffer)) != NULL)
                put(&self, part);
            sv_buffer_release(buffer);
            continue;
        }
        sv_buffer_release(buffer);
        put(&self, below(&self, 4) ? new_buffer(&self) : adopt(&self));
    }
    return NULL;
}

static void run_for(int seconds)
{
    const struct timespec part = {0, 50 * 1000 * 1000};
    pthread_t threads[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, soak, (void *)(i + 1));
    for (int i = 0; i < 20 * seconds && atomic_load(&wrong) == 0; i++)
        nanosleep(&part, NULL);
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* --- the end --------------------------------------------------------------- */

static void empty_places(void)
{
    int64_t left = -1;

    for (int i = 0; i < PLACES; i++) {
        struct DLManagedTensorVersioned *tensor = atomic_exchange(&tensors[i], NULL);

        if (tensor != NULL)
            tensor->deleter(tensor);
        sv_buffer_release(atomic_exchange(&buffers[i], NULL));
    }
    tap_ok(sv_memory_collect(SV_COLLECT_WAIT, &left) == SV_OK && left == 0, "nothing waits to be freed");
}

static int64_t count(const sv_allocator *allocator, int32_t stat)
{
    int64_t value = -1;

    return sv_allocator_stats(allocator, stat, &value) == SV_OK ? value : -1;
}

static void test_tracked(const sv_allocator *allocator, const char *name)
{
    tap_ok(count(allocator, SV_STAT_LIVE_BYTES) == 0 && count(allocator, SV_STAT_LIVE_COUNT) == 0,
           "%s: nothing of the tracked allocator is left", name);
    tap_ok(count(allocator, SV_STAT_TOTAL_COUNT) > 100 && count(allocator, SV_STAT_PEAK_BYTES) > 0,
           "%s: it was used %" PRId64 " times", name, count(allocator, SV_STAT_TOTAL_COUNT));
}

static void test_nothing_is_left(void)
{
    static const struct {
        const char *name;
        int32_t stat;
    } none[] = {
        {"live bytes", SV_STAT_LIVE_BYTES},         {"live buffers", SV_STAT_LIVE_COUNT},
        {"deferred bytes", SV_STAT_DEFERRED_BYTES}, {"deferred buffers", SV_STAT_DEFERRED_COUNT},
        {"lost bytes", SV_STAT_LOST_BYTES},         {"lost buffers", SV_STAT_LOST_COUNT},
        {"cached bytes", SV_STAT_CACHED_BYTES},     {"cached blocks", SV_STAT_CACHED_COUNT},
    };

    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        int64_t value = -1;

        tap_ok(sv_memory_stats(SV_MEMORY_UNKNOWN, none[i].stat, &value) == SV_OK && value == 0, "no %s", none[i].name);
    }
    test_tracked(tracked, "host");
    if (tracked_pool != NULL)
        test_tracked(tracked_pool, "pool");
    tap_ok(atomic_load(&events) == 0, "what was logged is balanced");
    tap_ok(atomic_load(&mine) == 0, "the callbacks got back all that they gave");
    tap_ok(atomic_load(&adopted) == atomic_load(&given_back), "%lld adopted, %lld freed, once each",
           atomic_load(&adopted), atomic_load(&given_back));
    for (int i = 0; i < SOURCES; i++)
        sv_allocator_release(sources[i]);
    sv_allocator_release(tracked);
    sv_allocator_release(tracked_pool);
    tap_ok(atomic_load(&callbacks_ended) == 1, "the context of the callbacks is released once");
}

int main(void)
{
    long long calls = 0;

#ifdef SV_FAKE
    fake_start(FAKE_RANDOM, 1);
    for (int i = 0; i < THREADS; i++)
        streams[i] = fake_new_stream(0, cudaStreamNonBlocking);
#endif
    if (!tap_ok(make_sources(), "allocators"))
        return tap_done();
    run_for(getenv("SV_TEST_SCALE") != NULL ? 60 : 2);
    for (size_t i = 0; i < sizeof done / sizeof *done; i++)
        calls += atomic_load(&done[i]);
    tap_ok(atomic_load(&wrong) == 0 && calls > 1000, "%d threads, %lld operations, contents right", THREADS, calls);
    empty_places();
    test_nothing_is_left();
#ifdef SV_FAKE
    const char *faults;

    for (int i = 0; i < THREADS; i++)
        fake_end_stream(streams[i]);
    faults = fake_end();

    tap_ok(strcmp(faults, "") == 0, "nothing for the fake runtime to find");
    tap_note("%.2000s", faults);
#endif
    return tap_done();
}
