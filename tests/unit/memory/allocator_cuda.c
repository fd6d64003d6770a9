/* Pinned, device, managed memory and pools, over the fake runtime: each call that they make fails once. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory/allocator.h"
#include "fake/fake.h"

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
}

TestSuite(allocator_cuda, .init = start);

/* --- every way to make one --------------------------------------------------- */

static sv_status pinned(sv_allocator **out)
{
    return sv_allocator_pinned(out);
}

static sv_status device(sv_allocator **out)
{
    return sv_allocator_device(1, out);
}

static sv_status managed(sv_allocator **out)
{
    return sv_allocator_managed(1, out);
}

static sv_status pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_DEVICE, 1, 4096, INT64_MAX, 1 << 20, out);
}

static sv_status pinned_pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_PINNED, 0, 0, 0, 0, out);
}

static sv_status managed_pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_MANAGED, 0, 0, 1 << 20, 0, out);
}

static sv_status default_pool(sv_allocator **out)
{
    return sv_allocator_pool_view(SV_MEMORY_DEVICE, 1, 0, out);
}

static sv_status default_pinned_pool(sv_allocator **out)
{
    return sv_allocator_pool_view(SV_MEMORY_PINNED, 0, 0, out);
}

enum {
    HOST = SV_TRAIT_HOST,
    CUDA = SV_TRAIT_CUDA,
    BOTH = HOST | CUDA,
    MANAGED = BOTH | SV_TRAIT_MANAGED,
    ORDERED = SV_TRAIT_ORDERED,
    NBYTES = 1000
};

static const struct source {
    sv_status (*make)(sv_allocator **out);
    sv_memory kind;
    int32_t device_type, device_id;
    uint32_t traits;
    int64_t alignment;
    const char *name;
    bool owns_pool;
} sources[] = {
    {pinned, SV_MEMORY_PINNED, SV_DEVICE_CUDA_HOST, 0, BOTH, 4096, "pinned", false},
    {device, SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1, CUDA, 256, "device", false},
    {managed, SV_MEMORY_MANAGED, SV_DEVICE_CUDA_MANAGED, 1, MANAGED, 256, "managed", false},
    {pool, SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1, CUDA | ORDERED, 256, "pool", true},
    {default_pool, SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1, CUDA | ORDERED, 256, "pool", false},
#if CUDART_VERSION >= 13000
    {pinned_pool, SV_MEMORY_PINNED, SV_DEVICE_CUDA_HOST, 0, BOTH | ORDERED, 256, "pool", true},
    {managed_pool, SV_MEMORY_MANAGED, SV_DEVICE_CUDA_MANAGED, 0, MANAGED | ORDERED, 256, "pool", true},
    {default_pinned_pool, SV_MEMORY_PINNED, SV_DEVICE_CUDA_HOST, 0, BOTH | ORDERED, 256, "pool", false},
#endif
};

enum { SOURCES = sizeof sources / sizeof *sources };

Test(allocator_cuda, each_says_what_it_is)
{
    for (int i = 0; i < SOURCES; i++) {
        const struct source *s = &sources[i];
        sv_allocator *a = NULL;

        cr_assert_eq(s->make(&a), SV_OK, "row %d: %s", i, sv_last_message());
        cr_expect(sv_allocator_kind(a) == s->kind && sv_allocator_device_type(a) == s->device_type, "row %d", i);
        cr_expect_eq(sv_allocator_device_id(a), s->device_id, "row %d", i);
        cr_expect_eq(sv_allocator_traits(a), s->traits, "row %d: %x", i, sv_allocator_traits(a));
        cr_expect_eq(sv_allocator_alignment(a), s->alignment, "row %d", i);
        cr_expect_str_eq(sv_allocator_name(a), s->name);
        sv_allocator_release(a);
    }
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

/* --- their memory ------------------------------------------------------------- */

static int calls; /* before the last fake_reset() */

static void stop_failing(void)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;

    calls += fake_calls();
    fake_reset();
    svi_cuda_api.exchange_capture_mode(&mode); /* the call that restores it may have been the one */
    fake_set_current(0);
}

/* What libsv gave up because a call before the free failed. */
static void end_lost(const sv_allocator *a, void *pointer, cudaStream_t stream)
{
    stop_failing();
    if (!(sv_allocator_traits(a) & ORDERED)) {
        fake_free(pointer);
        return;
    }
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, sv_allocator_device_id(a), 0), SV_OK);
    cr_expect_eq(svi_cuda_api.release_async(pointer, stream), cudaSuccess);
}

static sv_status free_on(const sv_allocator *a, void *pointer, int64_t alignment, cudaStream_t stream)
{
    const int32_t id = sv_allocator_device_id(a);
    sv_status status = sv_stream_wait(SV_DEVICE_CUDA, id, (uintptr_t)stream, SV_DEVICE_CUDA, id, 0);

    if (status != SV_OK) {
        cr_expect_eq(sv_allocator_free(a, pointer, NBYTES, alignment, 0), SV_OK);
        return status;
    }
    return sv_allocator_free(a, pointer, NBYTES, alignment, (uintptr_t)stream);
}

/* A block of 1000 bytes and one of the largest alignment, freed on another stream than they came from. */
static sv_status use(const sv_allocator *a, cudaStream_t stream)
{
    const int64_t alignments[2] = {0, sv_allocator_alignment(a)};

    for (int i = 0; i < 2; i++) {
        const int released = fake_count(FAKE_CALL(release)) + fake_count(FAKE_CALL(release_host)) +
                             fake_count(FAKE_CALL(release_async));
        void *pointer = NULL;
        sv_status status = sv_allocator_allocate(a, NBYTES, alignments[i], 0, &pointer);

        cr_expect_eq(pointer != NULL, status == SV_OK);
        SVI_TRY(status);
        cr_expect_eq((uintptr_t)pointer % (uintptr_t)sv_allocator_alignment(a), 0);
        if ((sv_allocator_traits(a) & (HOST | ORDERED)) == HOST)
            memset(pointer, 1, NBYTES);
        status = free_on(a, pointer, alignments[i], stream);
        if (fake_count(FAKE_CALL(release)) + fake_count(FAKE_CALL(release_host)) +
                fake_count(FAKE_CALL(release_async)) == released)
            end_lost(a, pointer, stream);
        SVI_TRY(status);
    }
    return SV_OK;
}

Test(allocator_cuda, memory_of_each_kind)
{
    for (int i = 0; i < SOURCES; i++) {
        sv_allocator *a = NULL;
        cudaStream_t stream = fake_new_stream(sources[i].device_id, cudaStreamNonBlocking);

        cr_assert_eq(sources[i].make(&a), SV_OK);
        cr_expect_eq(use(a, stream), SV_OK, "row %d: %s", i, sv_last_message());
        sv_allocator_release(a);
        fake_end_stream(stream);
        cr_expect_eq(fake_current(), 0);
    }
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

static int lost_pools; /* whose end was not reached, since a call before it failed */

static void release(sv_allocator *a, bool owns_pool)
{
    const int ended = fake_count(FAKE_CALL(end_pool));

    sv_allocator_release(a);
    lost_pools += a != NULL && owns_pool && fake_count(FAKE_CALL(end_pool)) == ended;
}

/* Faults but for so many pools that are still there. */
static const char *faults_but_pools(int pools)
{
    const char *text = fake_end(), *line = text;

    for (; pools > 0 && strncmp(line, "a pool of device ", 17) == 0; pools--)
        line += strcspn(line, "\n") + 1;
    return pools == 0 && line >= text + strlen(text) ? "" : text;
}

/* One run of it with the nth call failing; false when there were not so many. */
static bool try_failing(const struct source *s, int nth)
{
    cudaStream_t stream = fake_new_stream(s->device_id, cudaStreamNonBlocking);
    sv_allocator *a = NULL;
    sv_status status;

    fake_reset();
    calls = 0;
    fake_fail(nth, cudaErrorUnknown);
    status = s->make(&a);
    cr_expect_eq(a != NULL, status == SV_OK, "%s, call %d", s->name, nth);
    if (status == SV_OK)
        status = use(a, stream);
    release(a, s->owns_pool);
    stop_failing();
    cr_expect(fake_pending() == cudaSuccess, "%s, call %d", s->name, nth);
    fake_end_stream(stream);
    if (calls >= nth)
        return true;
    cr_expect_eq(status, SV_OK, "%s: %s", s->name, sv_last_message());
    return false;
}

Test(allocator_cuda, each_call_fails_once)
{
    for (int i = 0; i < SOURCES; i++) {
        int nth = 1;

        while (nth < 500 && try_failing(&sources[i], nth))
            nth++;
        cr_expect(nth > 5 && nth < 500, "row %d: %d calls", i, nth);
    }
    cr_expect_str_eq(faults_but_pools(lost_pools), "", "but %d pools: %s", lost_pools, fake_end());
}

Test(allocator_cuda, want_of_memory_is_told_with_what_there_is)
{
    sv_allocator *a = NULL;
    void *pointer = NULL;

    cr_assert_eq(sv_allocator_device(0, &a), SV_OK);
    cr_expect_eq(sv_allocator_allocate(a, INT64_C(1) << 40, 0, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_not_null(strstr(sv_last_message(), "free"), "%s", sv_last_message());
    cr_expect_eq(sv_allocator_allocate(a, 16, 512, 0, &pointer), SV_ERROR_ALIGNMENT);
    cr_expect_eq(sv_allocator_allocate(a, 0, 512, 0, &pointer), SV_OK);
    cr_expect_null(pointer);
    sv_allocator_release(a);
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

/* --- pools ---------------------------------------------------------------------- */

Test(allocator_cuda, pools_are_checked)
{
    static const struct {
        sv_memory kind;
        int32_t device_id;
        int64_t initial, threshold, most;
        sv_status status;
    } cases[] = {
        {SV_MEMORY_DEVICE, 0, 0, 0, 0, SV_OK},
        {SV_MEMORY_DEVICE, 0, 1000, INT64_MAX, 4096, SV_OK},
        {SV_MEMORY_DEVICE, 0, 4096, 0, 4095, SV_ERROR_INVALID},
        {SV_MEMORY_DEVICE, 0, -1, 0, 0, SV_ERROR_INVALID},
        {SV_MEMORY_DEVICE, 0, 0, -1, 0, SV_ERROR_INVALID},
        {SV_MEMORY_DEVICE, 0, 0, 0, INT64_MIN, SV_ERROR_INVALID},
        {SV_MEMORY_HOST, 0, 0, 0, 0, SV_ERROR_INVALID},
        {SV_MEMORY_FOREIGN, 0, 0, 0, 0, SV_ERROR_INVALID},
        {SV_MEMORY_UNKNOWN, 0, 0, 0, 0, SV_ERROR_INVALID},
        {77, 0, 0, 0, 0, SV_ERROR_INVALID},
        {SV_MEMORY_DEVICE, 2, 0, 0, 0, SV_ERROR_DEVICE},
        {SV_MEMORY_DEVICE, -1, 0, 0, 0, SV_ERROR_DEVICE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_allocator *a = NULL;
        const sv_status status = sv_allocator_pool(cases[i].kind, cases[i].device_id, cases[i].initial,
                                                   cases[i].threshold, cases[i].most, &a);

        cr_expect_eq(status, cases[i].status, "row %zu: %s", i, sv_last_message());
        sv_allocator_release(a);
    }
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

Test(allocator_cuda, a_pool_of_somebody_else_is_not_ended)
{
    const struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                                .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    cudaMemPool_t theirs = NULL;
    sv_allocator *a = NULL;

    cr_assert_eq(svi_cuda_api.new_pool(&theirs, &properties), cudaSuccess);
    cr_assert_eq(sv_allocator_pool_view(SV_MEMORY_DEVICE, 0, (uintptr_t)theirs, &a), SV_OK);
    cr_expect_eq(use(a, NULL), SV_OK, "%s", sv_last_message());
    sv_allocator_release(a);
    cr_expect_eq(svi_cuda_api.end_pool(theirs), cudaSuccess);
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

/* The stream is used while the block is allocated and freed, and never after. */
Test(allocator_cuda, a_stream_may_end_before_the_memory_is_used_again)
{
    cudaStream_t stream = fake_new_stream(0, cudaStreamNonBlocking);
    sv_allocator *a = NULL;
    void *pointer = NULL;

    cr_assert_eq(sv_allocator_pool(SV_MEMORY_DEVICE, 0, 0, INT64_MAX, 0, &a), SV_OK);
    cr_assert_eq(sv_allocator_allocate(a, NBYTES, 0, (uintptr_t)stream, &pointer), SV_OK);
    cr_assert_eq(sv_allocator_free(a, pointer, NBYTES, 0, (uintptr_t)stream), SV_OK);
    fake_end_stream(stream);
    cr_assert_eq(sv_allocator_allocate(a, NBYTES, 0, 0, &pointer), SV_OK);
    cr_assert_eq(sv_allocator_free(a, pointer, NBYTES, 0, 0), SV_OK);
    sv_allocator_release(a);
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

/* --- where there is none ---------------------------------------------------------- */

Test(allocator_cuda, without_a_device_the_probe_says_why, .init = NULL)
{
    sv_allocator *a = NULL;

    fake_start_with(&(struct fake_settings){.driver = FAKE_NO_DRIVER, .counting = cudaErrorInsufficientDriver});
    for (int i = 0; i < SOURCES; i++) {
        cr_expect_eq(sources[i].make(&a), SV_ERROR_UNSUPPORTED, "row %d: %s", i, sv_last_message());
        cr_expect_not_null(strstr(sv_last_message(), "CUDA: no driver"), "%s", sv_last_message());
    }
    cr_expect_null(a);
    fake_end();
}

Test(allocator_cuda, devices_are_counted)
{
    static const int32_t none[] = {2, -1, INT32_MAX, INT32_MIN};
    sv_allocator *a = NULL;

    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        cr_expect_eq(sv_allocator_device(none[i], &a), SV_ERROR_DEVICE);
        cr_expect_eq(sv_allocator_managed(none[i], &a), SV_ERROR_DEVICE);
        cr_expect_eq(sv_allocator_pool_view(SV_MEMORY_DEVICE, none[i], 0, &a), SV_ERROR_DEVICE);
    }
    cr_expect_null(a);
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

/* What a child that was forked after CUDA was opened is told; the parent goes on. */
static int in_the_child(const sv_allocator *old)
{
    sv_allocator *a = NULL;
    void *pointer = NULL;

    if (sv_allocator_device(0, &a) != SV_ERROR_FORKED || sv_allocator_pinned(&a) != SV_ERROR_FORKED)
        return 1;
    return sv_allocator_allocate(old, NBYTES, 0, 0, &pointer) == SV_ERROR_FORKED ? 0 : 2;
}

Test(allocator_cuda, a_child_is_told_that_it_was_forked)
{
    sv_allocator *a = NULL;
    int status = 0;
    pid_t child;

    cr_assert_eq(sv_allocator_device(0, &a), SV_OK);
    child = fork();
    if (child == 0)
        _exit(in_the_child(a));
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", status);
    cr_expect_eq(use(a, NULL), SV_OK, "%s", sv_last_message());
    sv_allocator_release(a);
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

/* --- frees that are put off ---------------------------------------------------- */

static int told[SV_EVENT_FAILED + 1];

static void log_event(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)stream;
    told[event]++;
}

static int32_t never_again(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes, (void)attempt;
    return 0;
}

static sv_status logged(const sv_allocator *base, sv_allocator **out)
{
    return sv_allocator_logged(base, log_event, NULL, NULL, out);
}

static sv_status tracked(const sv_allocator *base, sv_allocator **out)
{
    return sv_allocator_tracked(base, NULL, 0, out);
}

static sv_status listed(const sv_allocator *base, sv_allocator **out)
{
    return sv_allocator_tracked(base, NULL, SV_ALLOCATOR_BLOCKS, out);
}

/* Of one block: a second one is refused until the first is freed. */
static sv_status limited(const sv_allocator *base, sv_allocator **out)
{
    return sv_allocator_limited(base, NBYTES, out);
}

static sv_status retrying(const sv_allocator *base, sv_allocator **out)
{
    return sv_allocator_retrying(base, 1, never_again, NULL, NULL, out);
}

static const struct wrapper {
    const char *name;
    sv_status (*make)(const sv_allocator *base, sv_allocator **out);
    bool is_logged, is_tracked;
} wrappers[] = {
    {"logged", logged, .is_logged = true},
    {"tracked", tracked, .is_tracked = true},
    {"tracked with a list", listed, .is_tracked = true},
    {"limited", limited, false, false},
    {"retrying", retrying, false, false},
};

enum { WRAPPERS = sizeof wrappers / sizeof *wrappers };

/* What an allocator whose block is not freed yet tells, or is. */
static void expect_live(const sv_allocator *a, const struct wrapper *outer, const struct wrapper *inner, bool live)
{
    int64_t count = -1, lost = -1;

    cr_expect_eq(told[SV_EVENT_FREED], live ? 0 : outer->is_logged + inner->is_logged, "%s of %s: told %d times",
                 outer->name, inner->name, told[SV_EVENT_FREED]);
    cr_expect_eq(told[SV_EVENT_FAILED], 0, "%s of %s", outer->name, inner->name);
    if (outer->is_tracked || inner->is_tracked) {
        cr_expect(sv_allocator_stats(a, SV_STAT_LIVE_COUNT, &count) == SV_OK && count == live, "%s of %s: %lld live",
                  outer->name, inner->name, (long long)count);
        cr_expect(sv_allocator_stats(a, SV_STAT_LOST_COUNT, &lost) == SV_OK && lost == 0);
    }
}

static void put_off(const struct wrapper *outer, const struct wrapper *inner)
{
    cudaStream_t stream = fake_new_stream(1, cudaStreamNonBlocking);
    struct fake_graph *graph = NULL;
    sv_allocator *base = NULL, *within = NULL, *a = NULL;
    sv_buffer *buffer = NULL;

    cr_assert(pool(&base) == SV_OK && inner->make(base, &within) == SV_OK && outer->make(within, &a) == SV_OK);
    cr_assert_eq(sv_buffer_new(a, NBYTES, 0, 0, (uintptr_t)stream, &buffer), SV_OK, "%s", sv_last_message());
    memset(told, 0, sizeof told);
    fake_reset();
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    sv_buffer_release(buffer);
    for (int tries = 0; tries < 3; tries++) {
        (void)sv_memory_collect(0, NULL);
        expect_live(a, outer, inner, true);
        cr_expect_eq(fake_count(FAKE_CALL(release_async)), 0);
    }
    cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess, "the capture is not valid any more");
    fake_end_graph(graph);
    cr_expect_eq(sv_memory_collect(0, NULL), SV_OK, "%s", sv_last_message());
    expect_live(a, outer, inner, false);
    cr_expect_eq(fake_count(FAKE_CALL(release_async)), 1, "%s of %s", outer->name, inner->name);
    cr_expect_eq(sv_buffer_new(a, NBYTES, 0, 0, 0, &buffer), SV_OK, "the limit: %s", sv_last_message());
    sv_buffer_release(buffer);
    sv_allocator_release(base);
    sv_allocator_release(within);
    sv_allocator_release(a);
    fake_end_stream(stream);
}

/* Memory that is dropped while its stream is captured is told, and counted, when it is freed. */
Test(allocator_cuda, a_free_that_is_put_off_is_told_once)
{
    for (int outer = 0; outer < WRAPPERS; outer++)
        for (int inner = 0; inner < WRAPPERS; inner++)
            put_off(&wrappers[outer], &wrappers[inner]);
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}
