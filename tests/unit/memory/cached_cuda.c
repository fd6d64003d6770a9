/* Freed blocks that are kept: of devices in the order of streams, and pinned. Over the fake runtime, which finds races. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/cuda/find.h"
#include "memory/allocator.h"
#include "memory/deferred.h"
#include "memory/failure.h"
#include "fake/fake.h"

enum { NBYTES = 1000, CLASS = 1024, ROUNDS = 10 };

static cudaStream_t a, b;

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
    a = fake_new_stream(0, cudaStreamNonBlocking);
    b = fake_new_stream(0, cudaStreamNonBlocking);
}

TestSuite(cached_cuda, .init = start);

static void end(void)
{
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
    fake_end_stream(a);
    fake_end_stream(b);
    cr_expect_str_eq(fake_end(), "", "%s", fake_end());
}

static sv_allocator *cached(sv_status status, sv_allocator *base, int64_t threshold)
{
    sv_allocator *made = NULL;

    cr_assert_eq(status, SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_cached(base, threshold, &made), SV_OK, "%s", sv_last_message());
    sv_allocator_release(base);
    return made;
}

static sv_allocator *device_cache(int64_t threshold)
{
    sv_allocator *base = NULL;
    const sv_status status = sv_allocator_device(0, &base);

    return cached(status, base, threshold);
}

static sv_allocator *pinned_cache(void)
{
    sv_allocator *base = NULL;
    const sv_status status = sv_allocator_pinned(&base);

    return cached(status, base, INT64_MAX);
}

static sv_buffer *buffer_on(const sv_allocator *allocator, cudaStream_t stream)
{
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_buffer_new(allocator, NBYTES, 0, 0, (uintptr_t)stream, &buffer), SV_OK, "%s", sv_last_message());
    return buffer;
}

/* Work that libsv knows nothing of. */
static void write_on(const sv_buffer *buffer, cudaStream_t stream)
{
    cr_assert_eq(svi_cuda_api.set(sv_buffer_data(buffer), 1, NBYTES, stream), cudaSuccess);
}

static int64_t count_of(sv_memory kind, int32_t stat)
{
    int64_t value = -1;

    cr_assert_eq(sv_memory_stats(kind, stat, &value), SV_OK);
    return value;
}

/* Frees a block on a stream that has work on it, and has another. True: it is the same memory. */
static bool comes_back(const sv_allocator *allocator, cudaStream_t freed_on, cudaStream_t wanted_on)
{
    sv_buffer *buffer = buffer_on(allocator, freed_on);
    const void *before = sv_buffer_data(buffer);
    bool is_same;

    write_on(buffer, freed_on);
    sv_buffer_release(buffer);
    fake_reset();
    buffer = buffer_on(allocator, wanted_on);
    is_same = sv_buffer_data(buffer) == before;
    write_on(buffer, wanted_on);
    sv_buffer_release(buffer);
    return is_same;
}

/* --- what it is ----------------------------------------------------------------- */

Test(cached_cuda, what_it_takes_and_what_it_is)
{
    sv_allocator *base = NULL, *made = NULL, *pool = NULL, *again = NULL;

    cr_assert_eq(sv_allocator_device(0, &base), SV_OK);
    cr_expect_eq(sv_allocator_cached(NULL, 0, &made), SV_ERROR_NULL);
    cr_expect_eq(sv_allocator_cached(base, 0, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_allocator_cached(base, -1, &made), SV_ERROR_INVALID);
    cr_assert_eq(sv_allocator_pool_view(SV_MEMORY_DEVICE, 0, 0, &pool), SV_OK);
    cr_expect_eq(sv_allocator_cached(pool, 0, &made), SV_ERROR_UNSUPPORTED);
    cr_expect_null(made);
    cr_assert_eq(sv_allocator_cached(base, 0, &made), SV_OK);
    cr_expect_eq(sv_allocator_cached(made, 0, &again), SV_ERROR_UNSUPPORTED);
    cr_expect_str_eq(sv_allocator_name(made), "device");
    cr_expect_eq(sv_allocator_traits(made), sv_allocator_traits(base) | SV_TRAIT_ORDERED);
    cr_expect_eq(sv_allocator_alignment(made), 256);
    sv_allocator_release(base);
    sv_allocator_release(pool);
    sv_allocator_release(made);
    made = pinned_cache();
    cr_expect_eq(sv_allocator_traits(made) & SV_TRAIT_ORDERED, 0u);
    sv_allocator_release(made);
    end();
}

Test(cached_cuda, sizes_are_those_of_classes)
{
    static const struct {
        int64_t nbytes, size;
    } cases[] = {{1, 512},       {512, 512},       {513, 1024},           {4096, 4096},
                 {4097, 4608},   {8192, 8192},     {8193, 9216},          {16384, 16384},
                 {16385, 18432}, {1 << 20, 1 << 20}, {(16 << 20) + 1, 18 << 20}, {(30 << 20) + 1, 32 << 20}};
    sv_allocator *base = NULL, *tracked = NULL, *made = NULL;

    cr_assert_eq(sv_allocator_host(0, &base), SV_OK);
    cr_assert_eq(sv_allocator_tracked(base, NULL, 0, &tracked), SV_OK);
    cr_assert_eq(sv_allocator_cached(tracked, 0, &made), SV_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t live = -1;
        void *pointer = NULL;

        cr_assert_eq(sv_allocator_allocate(made, cases[i].nbytes, 0, 0, &pointer), SV_OK);
        cr_expect(sv_allocator_stats(tracked, SV_STAT_LIVE_BYTES, &live) == SV_OK && live == cases[i].size,
                  "%lld bytes: %lld", (long long)cases[i].nbytes, (long long)live);
        cr_expect_eq(sv_allocator_free(made, pointer, cases[i].nbytes, 0, 0), SV_OK);
    }
    cr_expect_neq(sv_allocator_allocate(made, INT64_MAX, 0, 0, &(void *){NULL}), SV_OK);
    sv_allocator_release(base);
    sv_allocator_release(tracked);
    sv_allocator_release(made);
    end();
}

/* --- the order of streams ---------------------------------------------------------- */

Test(cached_cuda, in_the_steady_state_no_driver_is_called)
{
    /* Whether a stream is captured has to be asked, of any but the legacy default stream. */
    const struct {
        cudaStream_t stream;
        int calls;
    } cases[] = {{NULL, 0}, {cudaStreamLegacy, 0}, {a, ROUNDS}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_allocator *made = device_cache(INT64_MAX);

        sv_buffer_release(buffer_on(made, cases[i].stream));
        fake_reset();
        for (int round = 0; round < ROUNDS; round++) {
            sv_buffer *buffer = buffer_on(made, cases[i].stream);

            cr_expect_eq(sv_buffer_record_use(buffer, (uintptr_t)cases[i].stream), SV_OK);
            sv_buffer_release(buffer);
        }
        cr_expect_eq(fake_calls(), cases[i].calls, "row %zu: %d calls: %s", i, fake_calls(), fake_log());
        cr_expect_eq(fake_count(FAKE_CALL(is_capturing)), cases[i].calls);
        sv_allocator_release(made);
    }
    end();
}

Test(cached_cuda, which_stream_gets_a_block_and_what_it_waits_for)
{
    const struct {
        cudaStream_t freed_on, wanted_on;
        bool same;
        int waits;
    } cases[] = {
        {NULL, NULL, true, 0},
        {NULL, cudaStreamLegacy, true, 0},
        {a, a, true, 0},
        {a, b, false, 0},
        {a, NULL, false, 0},
        {NULL, a, true, 1},
        {cudaStreamPerThread, a, true, 1},
        {cudaStreamPerThread, cudaStreamPerThread, true, 0},
        {cudaStreamPerThread, NULL, true, 0},
        {NULL, cudaStreamPerThread, true, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_allocator *made = device_cache(INT64_MAX);

        cr_expect_eq(comes_back(made, cases[i].freed_on, cases[i].wanted_on), cases[i].same, "row %zu", i);
        cr_expect_eq(fake_count(FAKE_CALL(wait)), cases[i].waits, "row %zu: %s", i, fake_log());
        cr_expect_str_eq(fake_text(), "", "row %zu", i);
        sv_allocator_release(made);
        cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK);
    }
    end();
}

Test(cached_cuda, recorded_work_of_other_streams_comes_first)
{
    sv_allocator *made = device_cache(INT64_MAX);
    sv_buffer *buffer = buffer_on(made, a);
    const void *before = sv_buffer_data(buffer);

    write_on(buffer, b);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)b), SV_OK);
    fake_reset();
    sv_buffer_release(buffer);
    cr_expect_eq(fake_calls(), 0, "%s", fake_log());
    cr_expect_eq(svi_deferred_count(), 0);
    buffer = buffer_on(made, a);
    cr_expect_eq(sv_buffer_data(buffer), before);
    write_on(buffer, a);
    sv_buffer_release(buffer);
    sv_allocator_release(made);
    end();
}

Test(cached_cuda, a_stream_may_end_before_its_memory_is_freed)
{
    const cudaStream_t gone = fake_new_stream(0, cudaStreamNonBlocking);
    sv_allocator *made = device_cache(INT64_MAX);
    sv_buffer *buffer = buffer_on(made, gone);

    write_on(buffer, gone);
    write_on(buffer, gone);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)gone), SV_OK);
    fake_end_stream(gone);
    sv_buffer_release(buffer);
    sv_buffer_release(buffer_on(made, a));
    sv_allocator_release(made);
    end();
}

/* Its own stream's work needs an event only now. */
Test(cached_cuda, closed_on_another_stream_it_has_work_on_its_own)
{
    sv_allocator *made = device_cache(INT64_MAX);
    sv_buffer *buffer = buffer_on(made, a);
    const void *before = sv_buffer_data(buffer);

    write_on(buffer, a);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)a), SV_OK);
    cr_assert_eq(sv_buffer_close(buffer, (uintptr_t)b), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
    buffer = buffer_on(made, b);
    cr_expect_eq(sv_buffer_data(buffer), before);
    write_on(buffer, b);
    sv_buffer_release(buffer);
    sv_allocator_release(made);
    end();
}

Test(cached_cuda, zeros_are_written_again)
{
    static const char zeros[NBYTES];
    sv_allocator *made = device_cache(INT64_MAX);
    sv_buffer *buffer = buffer_on(made, a);
    char bytes[NBYTES];

    write_on(buffer, a);
    sv_buffer_release(buffer);
    cr_assert_eq(sv_buffer_new(made, NBYTES, 0, SV_BUFFER_ZERO, (uintptr_t)a, &buffer), SV_OK);
    fake_read(bytes, sv_buffer_data(buffer), NBYTES);
    cr_expect_eq(memcmp(bytes, zeros, NBYTES), 0);
    sv_buffer_release(buffer);
    sv_allocator_release(made);
    end();
}

/* The graph runs on another stream than the work before the capture, in no order with it. */
Test(cached_cuda, a_captured_stream_gets_memory_that_has_nothing_to_do)
{
    const cudaStream_t streams[] = {a, NULL};

    for (int i = 0; i < 2; i++) {
        sv_allocator *made = device_cache(INT64_MAX);
        sv_buffer *buffer = buffer_on(made, streams[i]);
        struct fake_graph *graph = NULL;

        write_on(buffer, streams[i]);
        sv_buffer_release(buffer);
        cr_assert_eq(fake_begin_capture(a, cudaStreamCaptureModeGlobal), cudaSuccess);
        buffer = buffer_on(made, a);
        write_on(buffer, a);
        cr_assert_eq(fake_end_capture(a, &graph), cudaSuccess);
        cr_expect_str_eq(fake_graph_text(graph), "a fill; ", "%s", fake_graph_text(graph));
        if (i == 0)
            fake_launch_graph(graph, b);
        fake_end_graph(graph);
        cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)b), SV_OK);
        sv_buffer_release(buffer);
        sv_allocator_release(made);
        cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK);
        cr_expect_str_eq(fake_text(), "", "round %d", i);
    }
    end();
}

/* A release during a capture calls nothing, and does not harm it. */
Test(cached_cuda, a_release_during_a_capture_keeps_the_block_for_later)
{
    sv_allocator *made = device_cache(INT64_MAX);
    sv_buffer *buffer = buffer_on(made, a);
    const void *before = sv_buffer_data(buffer);

    write_on(buffer, a);
    cr_assert_eq(fake_begin_capture(a, cudaStreamCaptureModeGlobal), cudaSuccess);
    fake_reset();
    sv_buffer_release(buffer);
    cr_expect_eq(fake_calls(), 0);
    cr_expect_eq(svi_deferred_count(), 0);
    cr_assert_eq(fake_end_capture(a, NULL), cudaSuccess);
    buffer = buffer_on(made, a);
    cr_expect_eq(sv_buffer_data(buffer), before);
    write_on(buffer, a);
    sv_buffer_release(buffer);
    sv_allocator_release(made);
    end();
}

/* --- other memory --------------------------------------------------------------------- */

Test(cached_cuda, pinned_memory_is_kept_when_its_work_is_done)
{
    sv_allocator *made = pinned_cache();
    sv_buffer *buffer = buffer_on(made, a);
    const void *before = sv_buffer_data(buffer);

    sv_buffer_release(buffer);
    fake_reset();
    buffer = buffer_on(made, b);
    cr_expect_eq(sv_buffer_data(buffer), before);
    cr_expect_eq(fake_calls(), 0, "%s", fake_log());
    write_on(buffer, b);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)b), SV_OK);
    sv_buffer_release(buffer);
    cr_expect_eq(svi_deferred_count(), 1);
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK);
    cr_expect_eq(svi_deferred_count(), 0);
    sv_allocator_release(made);
    end();
}

Test(cached_cuda, wrappers_inside_and_around)
{
    sv_allocator *base = NULL, *guarded = NULL, *inside = NULL, *made = NULL, *around = NULL;
    int64_t value = -1;
    void *pointer = NULL, *again = NULL;

    cr_assert_eq(sv_allocator_host(SV_ALLOCATOR_GUARD, &guarded), SV_OK);
    cr_assert_eq(sv_allocator_limited(guarded, 2 * CLASS, &base), SV_OK);
    cr_assert_eq(sv_allocator_tracked(base, "inside", SV_ALLOCATOR_BLOCKS, &inside), SV_OK);
    cr_assert_eq(sv_allocator_cached(inside, INT64_MAX, &made), SV_OK);
    cr_assert_eq(sv_allocator_tracked(made, "around", SV_ALLOCATOR_BLOCKS, &around), SV_OK);
    cr_assert_eq(sv_allocator_allocate(around, NBYTES, 0, 0, &pointer), SV_OK);
    cr_assert_eq(sv_allocator_free(around, pointer, NBYTES, 0, 0), SV_OK);
    cr_expect(sv_allocator_stats(around, SV_STAT_LIVE_BYTES, &value) == SV_OK && value == 0);
    cr_expect(sv_allocator_stats(inside, SV_STAT_LIVE_BYTES, &value) == SV_OK && value == CLASS);
    cr_expect(sv_allocator_stats(around, SV_STAT_CACHED_BYTES, &value) == SV_OK && value == CLASS);
    cr_expect(sv_allocator_stats(around, SV_STAT_CACHED_COUNT, &value) == SV_OK && value == 1);
    cr_expect_eq(sv_allocator_stats(inside, SV_STAT_CACHED_COUNT, &value), SV_ERROR_STATE);
    cr_expect_eq(sv_allocator_free(around, pointer, NBYTES, 0, 0), SV_ERROR_STATE, "freed twice");
    cr_assert_eq(sv_allocator_allocate(around, CLASS, 0, 0, &again), SV_OK);
    cr_expect_eq(again, pointer);
    cr_assert_eq(sv_allocator_free(around, again, CLASS, 0, 0), SV_OK);
    /* More than the limit leaves beside what is kept, which is freed for it. */
    cr_assert_eq(sv_allocator_allocate(around, 2 * CLASS, 0, 0, &pointer), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_free(around, pointer, 2 * CLASS, 0, 0), SV_OK);
    sv_allocator_release(guarded);
    sv_allocator_release(base);
    sv_allocator_release(made);
    sv_allocator_release(around);
    cr_expect(sv_allocator_stats(inside, SV_STAT_LIVE_BYTES, &value) == SV_OK && value == 0, "it ended at once");
    sv_allocator_release(inside);
    end();
}

/* Each block is an allocation of the driver by itself. */
Test(cached_cuda, other_processes_can_open_it)
{
    sv_allocator *made = device_cache(INT64_MAX), *pinned = pinned_cache();
    sv_buffer *buffer = buffer_on(made, a), *of_host = buffer_on(pinned, a);
    unsigned char blob[SV_IPC_NBYTES];
    sv_buffer *again = NULL;
    size_t length = 0;

    cr_assert_eq(sv_buffer_export_ipc(buffer, sizeof blob, blob, &length), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_buffer_import_ipc(blob, length, 0, &again), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_data(again), sv_buffer_data(buffer));
    sv_buffer_release(again);
    cr_expect_eq(sv_buffer_export_ipc(of_host, sizeof blob, blob, &length), SV_ERROR_DEVICE);
    sv_buffer_release(buffer);
    sv_buffer_release(buffer_on(made, a));
    cr_expect_neq(sv_buffer_import_ipc(blob, length, 0, &again), SV_OK, "the memory is another's");
    sv_buffer_release(of_host);
    sv_allocator_release(made);
    sv_allocator_release(pinned);
    end();
}

/* --- how much is kept, and how long ------------------------------------------------------ */

Test(cached_cuda, beyond_the_threshold_a_free_waits_for_its_turn)
{
    sv_allocator *made = device_cache(CLASS);
    sv_buffer *first = buffer_on(made, a), *second = buffer_on(made, a);

    write_on(first, a);
    write_on(second, a);
    sv_buffer_release(first);
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_CACHED_BYTES), CLASS);
    fake_reset();
    sv_buffer_release(second);
    cr_expect_eq(fake_count(FAKE_CALL(release)), 0, "a release does not wait");
    cr_expect_eq(svi_deferred_count(), 1);
    first = buffer_on(made, a);
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_CACHED_BYTES), 0);
    cr_expect_eq(svi_deferred_count(), 0);
    sv_buffer_release(first);
    sv_allocator_release(made);
    end();
}

Test(cached_cuda, what_is_kept_is_counted_and_collected)
{
    sv_allocator *made = device_cache(INT64_MAX);

    sv_buffer_release(buffer_on(made, a));
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_CACHED_BYTES), CLASS);
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_CACHED_COUNT), 1);
    cr_expect_eq(count_of(SV_MEMORY_PINNED, SV_STAT_CACHED_COUNT), 0);
    cr_expect_eq(count_of(SV_MEMORY_UNKNOWN, SV_STAT_CACHED_COUNT), 1);
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_LIVE_BYTES), 0);
    cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_CACHED_BYTES), 0);
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_CACHED_COUNT), 0);
    sv_allocator_release(made);
    end();
}

/* The last buffer's release neither waits nor frees. */
Test(cached_cuda, it_ends_with_the_last_that_came_from_it)
{
    sv_allocator *made = device_cache(INT64_MAX);
    sv_buffer *buffer = buffer_on(made, a);
    int64_t left = -1;

    sv_allocator_release(made);
    fake_reset();
    sv_buffer_release(buffer);
    cr_expect_eq(fake_calls(), 0);
    cr_expect_eq(svi_deferred_count(), 1);
    cr_expect_eq(sv_memory_collect(0, &left), SV_OK);
    cr_expect_eq(left, 0);
    cr_expect_eq(fake_live_memory(), 0);
    end();
}

Test(cached_cuda, want_of_memory_empties_all_caches_of_the_device, .init = NULL)
{
    sv_allocator *first, *second, *plain = NULL;
    sv_buffer *buffer = NULL, *other = NULL;

    fake_start_with(&(struct fake_settings){.policy = FAKE_LAZY, .device_memory = 1 << 20});
    a = fake_new_stream(0, cudaStreamNonBlocking);
    b = fake_new_stream(0, cudaStreamNonBlocking);
    first = device_cache(INT64_MAX);
    second = device_cache(INT64_MAX);
    cr_assert_eq(sv_buffer_new(first, 600 << 10, 0, 0, (uintptr_t)a, &buffer), SV_OK);
    sv_buffer_release(buffer);
    cr_assert_eq(sv_buffer_new(second, 600 << 10, 0, 0, (uintptr_t)b, &buffer), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_new(second, 600 << 10, 0, 0, (uintptr_t)b, &other), SV_ERROR_MEMORY);
    sv_buffer_release(buffer);
    cr_assert_eq(sv_allocator_device(0, &plain), SV_OK);
    cr_assert_eq(sv_buffer_new(plain, 900 << 10, 0, 0, 0, &buffer), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
    sv_allocator_release(plain);
    sv_allocator_release(first);
    sv_allocator_release(second);
    end();
}

Test(cached_cuda, a_child_gets_none_of_its_parents_blocks)
{
    sv_allocator *made = device_cache(INT64_MAX);
    sv_buffer *buffer = buffer_on(made, a), *kept = buffer_on(made, a);
    int result = -1;
    pid_t child;

    sv_buffer_release(kept);
    child = fork();
    if (child == 0) {
        sv_buffer *mine = NULL;
        const sv_status status = sv_buffer_new(made, NBYTES, 0, 0, (uintptr_t)a, &mine);

        sv_buffer_release(buffer);
        _exit(status == SV_ERROR_FORKED && mine == NULL && sv_memory_collect(0, NULL) == SV_OK ? 0 : 1);
    }
    cr_assert(waitpid(child, &result, 0) == child && WIFEXITED(result));
    cr_expect_eq(WEXITSTATUS(result), 0);
    sv_buffer_release(buffer);
    cr_expect_eq(count_of(SV_MEMORY_DEVICE, SV_STAT_CACHED_COUNT), 2);
    sv_allocator_release(made);
    end();
}

/* --- every call fails once ------------------------------------------------------------------ */

static struct {
    sv_allocator *made;
    sv_buffer *buffer;
    int64_t lost;
} trial;

static void prepare(void *with)
{
    (void)with;
    a = fake_new_stream(0, cudaStreamNonBlocking);
    b = fake_new_stream(0, cudaStreamNonBlocking);
    trial.lost = count_of(SV_MEMORY_DEVICE, SV_STAT_LOST_COUNT);
    trial.made = device_cache(INT64_MAX);
}

static sv_status have_on(cudaStream_t stream)
{
    return sv_buffer_new(trial.made, NBYTES, 0, 0, (uintptr_t)stream, &trial.buffer);
}

static sv_status give_up(cudaStream_t used_on)
{
    const sv_status status = sv_buffer_record_use(trial.buffer, (uintptr_t)used_on);

    sv_buffer_release(trial.buffer);
    trial.buffer = NULL;
    return status;
}

static sv_status run(void *with)
{
    const cudaStream_t streams[] = {NULL, a, a, b};

    (void)with;
    for (int i = 0; i < 4; i++) {
        SVI_TRY(have_on(streams[i]));
        SVI_TRY(give_up(i == 1 ? b : streams[i]));
    }
    return sv_memory_collect(SV_COLLECT_WAIT, NULL);
}

static void clean(void *with, sv_status status)
{
    (void)with, (void)status;
    sv_buffer_release(trial.buffer);
    trial.buffer = NULL;
    sv_allocator_release(trial.made);
    (void)sv_memory_collect(SV_COLLECT_WAIT, NULL);
    (void)svi_failure_tell();
    fake_end_stream(a);
    fake_end_stream(b);
}

static int64_t count_lost(void *with)
{
    (void)with;
    return count_of(SV_MEMORY_DEVICE, SV_STAT_LOST_COUNT) - trial.lost;
}

Test(cached_cuda, each_call_of_the_driver_may_fail, .init = NULL)
{
    const struct fake_trial all = {prepare, run, clean, NULL, count_lost, "end_event", 0, false};
    int rounds = 0;

    cr_expect_str_eq(fake_fail_each(&all, &(struct fake_settings){.policy = FAKE_LAZY}, &rounds), "");
    cr_expect_gt(rounds, 10);
}
