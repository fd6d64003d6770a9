/* What the CUDA backend does for memory: each operation, each call of it failing once, captures, forks, and exit. */
#include <sys/wait.h>
#include <unistd.h>

#include "unit/gpu/cuda_operations.h"
#include "gpu/cuda/cuda.h"

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
}

TestSuite(cuda_memory, .init = start);

static void expect_silence(void)
{
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

static enum cudaStreamCaptureMode capture_mode(void)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;

    svi_cuda_api.exchange_capture_mode(&mode);
    return mode;
}

static void make(size_t i)
{
    cr_assert(operations[i].first == NULL || operations[i].first() == SV_OK, "%s: %s", operations[i].name,
              sv_last_message());
    cr_assert(operations[i].second == NULL || operations[i].second() == SV_OK, "%s: %s", operations[i].name,
              sv_last_message());
    fake_reset();
}

/* The same in the opposite order. What the call that frees was asked to free is freed, or given up. */
static void unmake(size_t i)
{
    const bool freed = operations[i].frees != NONE && fake_count(operations[i].frees) > 0;

    fake_reset();
    if (has.mapping != NULL)
        cr_expect_eq(ipc_close(), SV_OK, "%s", sv_last_message());
    if (has.event != NULL && !freed)
        end_event();
    if (has.in_order != NULL && !(freed && operations[i].run == free_in_order))
        cr_expect_eq(free_in_order(), SV_OK, "%s", sv_last_message());
    if (has.pool != 0 && !(freed && operations[i].run == end_pool))
        cr_expect_eq(end_pool(), SV_OK, "%s", sv_last_message());
    if (has.locked != NULL && !freed)
        cr_expect_eq(withdraw(), SV_OK, "%s", sv_last_message());
    if (has.block != NULL && !freed)
        cr_expect_eq(free_block(), SV_OK, "%s", sv_last_message());
    has.mapping = has.event = has.in_order = has.block = NULL;
    has.locked = NULL;
    has.pool = 0;
}

Test(cuda_memory, each_operation_is_done_on_its_device)
{
    start_operations();
    for (size_t i = 0; i < OPERATIONS; i++) {
        make(i);
        cr_expect_eq(operations[i].run(), SV_OK, "%s: %s", operations[i].name, sv_last_message());
        cr_expect_str_eq(fake_log(), operations[i].log, "%s: %s", operations[i].name, fake_log());
        cr_expect_eq(fake_current(), 0, "%s", operations[i].name);
        cr_expect_eq(fake_pending(), cudaSuccess, "%s", operations[i].name);
        unmake(i);
        cr_expect_eq(capture_mode(), cudaStreamCaptureModeGlobal, "%s", operations[i].name);
    }
    end_operations();
    expect_silence();
}

/* --- failures ---------------------------------------------------------------------- */

/* Without these the operation goes on in another way, or there is nobody to tell. */
static bool may_fail_silently(int call)
{
    return call == FAKE_CALL(driver_entry) || call == FAKE_CALL(pool_access) || call == FAKE_CALL(end_event) ||
           call == FAKE_POINTER_ATTRIBUTE;
}

/* A failure to put the device or the mode back is the one that leaves them changed. */
static void check_failure(size_t i, int call, int nth, sv_status status)
{
    const char *name = operations[i].name, *failed = fake_call_name(call);

    cr_expect_eq(fake_pending(), cudaSuccess, "%s: %s %d leaves an error pending", name, failed, nth);
    cr_expect(fake_current() == 0 || call == FAKE_CALL(set_device), "%s: %s %d leaves a device", name, failed, nth);
    if (status == SV_OK)
        cr_expect(may_fail_silently(call), "%s: %s %d fails unnoticed", name, failed, nth);
    else
        cr_expect(status == SV_ERROR_CUDA || call == FAKE_CALL(driver_entry), "%s: %s %d: %s", name, failed, nth,
                  sv_last_message());
    fake_set_current(0);
    cr_expect(capture_mode() == cudaStreamCaptureModeGlobal || call == FAKE_CALL(exchange_capture_mode),
              "%s: %s %d leaves a mode", name, failed, nth);
}

/* Frees in the order of a stream are done at some time. */
static void finish(void)
{
    fake_set_current(DEVICE);
    svi_cuda_api.synchronize(cudaStreamPerThread);
    svi_cuda_api.synchronize((cudaStream_t)has.stream);
    fake_set_current(0);
}

/* Fails the nth use of a call by the operation; false: there is none. */
static bool fail_one(size_t i, int call, int nth)
{
    int before, events;
    sv_status status;
    bool used;

    make(i);
    before = fake_live_memory();
    events = fake_live_events();
    fake_fail_call(call, nth, cudaErrorUnknown);
    status = operations[i].run();
    used = fake_count(call) >= nth;
    if (used)
        check_failure(i, call, nth, status);
    if (used && status != SV_OK && operations[i].frees == NONE) {
        finish();
        cr_expect(fake_live_memory() <= before && fake_live_events() <= events, "%s: %s %d loses what was made",
                  operations[i].name, fake_call_name(call), nth);
    }
    unmake(i);
    return used;
}

/* Of every call that the operations make, each use has failed once, and nothing was lost; pools are counted at the end. */
Test(cuda_memory, every_call_can_fail)
{
    static int used[FAKE_ALL_CALLS];
    int calls = 0;

    start_operations();
    for (size_t i = 0; i < OPERATIONS; i++)
        for (int call = 0; call < FAKE_ALL_CALLS; call++) {
            if (call == FAKE_CALL(last_error) || call == FAKE_CALL(error_name) || call == FAKE_CALL(error_text))
                continue;
            for (int nth = 1; fail_one(i, call, nth); nth++)
                used[call]++;
        }
    for (int call = 0; call < FAKE_ALL_CALLS; call++) {
        cr_expect(used[call] == 0 || fake_seen_failing(call), "%s", fake_call_name(call));
        calls += used[call] > 0;
    }
    cr_expect_eq(calls, 42, "%d", calls);
    end_operations();
    expect_silence();
}

/* A failure that was not libsv's is still there for the caller after calls that succeed. */
Test(cuda_memory, errors_of_others_stay_pending)
{
    int device;

    start_operations();
    for (size_t i = 0; i < OPERATIONS; i++) {
        make(i);
        fake_fail_call(FAKE_CALL(get_device), 1, cudaErrorInvalidConfiguration);
        svi_cuda_api.get_device(&device);
        cr_expect_eq(operations[i].run(), SV_OK, "%s: %s", operations[i].name, sv_last_message());
        cr_expect(fake_pending() == cudaErrorInvalidConfiguration || operations[i].run == is_done, "%s",
                  operations[i].name);
        svi_cuda_api.last_error();
        unmake(i);
    }
    end_operations();
    expect_silence();
}

Test(cuda_memory, out_of_memory_says_how_much_there_is)
{
    void *block = NULL;

    cr_expect_eq(OPS->allocate(SV_MEMORY_DEVICE, DEVICE, (int64_t)1 << 40, &block), SV_ERROR_MEMORY);
    cr_expect_str_eq(sv_last_message(), "allocating 1099511627776 bytes of device memory, of which device 1 has "
                                        "268435456 free: cudaErrorMemoryAllocation (2), out of memory");
    cr_expect_eq(OPS->allocate(SV_MEMORY_PINNED, 0, (int64_t)1 << 40, &block), SV_ERROR_MEMORY);
    cr_expect_str_eq(sv_last_message(), "allocating 1099511627776 bytes of pinned memory: cudaErrorMemoryAllocation "
                                        "(2), out of memory");
    fake_fail_call(FAKE_CALL(memory_info), 1, cudaErrorUnknown);
    cr_expect_eq(OPS->allocate(SV_MEMORY_DEVICE, DEVICE, (int64_t)1 << 40, &block), SV_ERROR_MEMORY);
    cr_expect_str_eq(sv_last_message(), "allocating 1099511627776 bytes of device memory: cudaErrorMemoryAllocation "
                                        "(2), out of memory");
    cr_expect_null(block);
    expect_silence();
}

Test(cuda_memory, pools_say_how_much_was_asked_for)
{
    start_operations();
    cr_assert_eq(new_device_pool(), SV_OK);
    fake_fail_call(FAKE_CALL(allocate_from_pool), 1, cudaErrorMemoryAllocation);
    cr_expect_eq(allocate_in_order(), SV_ERROR_MEMORY);
    cr_expect_str_eq(sv_last_message(), "allocating 64 bytes of memory of a pool: cudaErrorMemoryAllocation (2), out of "
                                        "memory");
    cr_expect_eq(end_pool(), SV_OK);
    end_operations();
    expect_silence();
}

/* --- captures ------------------------------------------------------------------------ */

static sv_status synchronize(void)
{
    return sv_stream_synchronize(SV_DEVICE_CUDA, DEVICE, has.stream);
}

/* What would end the capture, or make memory a part of the graph, does nothing to the stream. */
Test(cuda_memory, a_captured_stream_is_left_alone)
{
    static const struct {
        sv_status (*run)(void);
        const char *words;
    } cases[] = {
        {record_use, "recording a use: not on a stream that is being captured"},
        {order, "waiting for an earlier use: not on a stream that is being captured"},
        {allocate_in_order, "allocating from a pool: not on a stream that is being captured"},
        {free_in_order, "freeing memory of a pool: not on a stream that is being captured"},
        {prefetch_all, "prefetching: not on a stream that is being captured"},
        {discard, "discarding: not on a stream that is being captured"},
        {synchronize, "waiting for a stream: not on a stream that is being captured"},
    };

    start_operations();
    cr_assert(new_device_pool() == SV_OK && allocate_in_order() == SV_OK && record_use() == SV_OK);
    cr_assert_eq(fake_begin_capture((cudaStream_t)has.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    fake_reset();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(cases[i].run(), SV_ERROR_STATE, "%s", cases[i].words);
        cr_expect_str_eq(sv_last_message(), cases[i].words);
        cr_expect(fake_current() == 0 && fake_pending() == cudaSuccess, "%s", cases[i].words);
    }
    cr_expect_str_eq(fake_log(), "", "%s", fake_log());
    cr_expect_eq(fake_end_capture((cudaStream_t)has.stream, NULL), cudaSuccess);
    end_event();
    cr_expect(free_in_order() == SV_OK && end_pool() == SV_OK);
    end_operations();
    expect_silence();
}

/* While a stream that waits for the legacy one is captured, the legacy one cannot be used. */
Test(cuda_memory, the_legacy_stream_is_left_alone)
{
    static const struct {
        sv_status (*run)(void);
        const char *name;
    } cases[] = {{record_use, "record"}, {order, "order"}, {allocate_in_order, "allocate"},
                 {free_in_order, "free"}, {set, "set"}, {prefetch_one, "prefetch"}};
    cudaStream_t blocking;
    uintptr_t stream;

    start_operations();
    stream = has.stream;
    blocking = fake_new_stream(DEVICE, cudaStreamDefault);
    cr_assert(new_device_pool() == SV_OK && allocate_in_order() == SV_OK && record_use() == SV_OK &&
              allocate_device() == SV_OK);
    cr_assert_eq(fake_begin_capture(blocking, cudaStreamCaptureModeGlobal), cudaSuccess);
    fake_reset();
    for (uintptr_t name = 0; name < 2; name++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            has.stream = name;
            cr_expect_eq(cases[i].run(), SV_ERROR_STATE, "%s", cases[i].name);
            cr_expect_str_eq(sv_last_message(), "the legacy default stream cannot be used while a stream is captured "
                                                "that it waits for");
        }
    cr_expect_str_eq(fake_log(), "", "%s", fake_log());
    cr_expect_eq(fake_end_capture(blocking, NULL), cudaSuccess);
    has.stream = stream;
    cr_expect(free_in_order() == SV_OK && end_pool() == SV_OK && free_block() == SV_OK);
    end_event();
    fake_end_stream(blocking);
    end_operations();
    expect_silence();
}

/* What is on no stream, or on another, is done at once, and the capture stays valid; setting memory becomes a node. */
Test(cuda_memory, what_a_capture_allows_is_done)
{
    struct fake_graph *graph = NULL;
    char *block = fake_allocate(cudaMemoryTypeDevice, DEVICE, BYTES);
    cudaStream_t captured;

    start_operations();
    captured = fake_new_stream(DEVICE, cudaStreamNonBlocking);
    cr_assert_eq(fake_begin_capture(captured, cudaStreamCaptureModeGlobal), cudaSuccess);
    for (size_t i = 0; i < OPERATIONS; i++) {
        make(i);
        cr_expect_eq(operations[i].run(), SV_OK, "%s: %s", operations[i].name, sv_last_message());
        unmake(i);
    }
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, DEVICE, has.stream), SV_OK, "%s", sv_last_message());
    cr_expect_eq(OPS->set(DEVICE, block, 7, BYTES, (uintptr_t)captured), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_end_capture(captured, &graph), cudaSuccess);
    cr_expect_str_eq(fake_graph_text(graph), "a fill; ", "%s", fake_graph_text(graph));
    fake_end_graph(graph);
    fake_end_stream(captured);
    fake_free(block);
    end_operations();
    expect_silence();
}

/* The first copy loads the kernels, which no stream orders. */
Test(cuda_memory, kernels_are_loaded_in_a_capture)
{
    static const struct svi_plan plan = {.kind = SVI_CLASS_STRIDED, .ndim = 1, .item = 1, .src_item = 1,
                                         .nbytes = BYTES / 2, .shape = {BYTES / 2}, .dst = {2}, .src = {2}};
    char *block = fake_allocate(cudaMemoryTypeDevice, DEVICE, 2 * BYTES);
    struct svi_request request = {.plan = &plan, .dst_device = {SV_DEVICE_CUDA, DEVICE}, .dst = block,
                                  .src_device = {SV_DEVICE_CUDA, DEVICE}, .src = block + BYTES};
    struct fake_graph *graph = NULL;

    start_operations();
    request.stream = has.stream;
    cr_assert_eq(fake_begin_capture((cudaStream_t)has.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(svi_cuda.copy(&request), SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_count(FAKE_CALL(load)), 1);
    cr_assert_eq(fake_end_capture((cudaStream_t)has.stream, &graph), cudaSuccess);
    cr_expect_str_eq(fake_graph_text(graph), "a kernel; ", "%s", fake_graph_text(graph));
    fake_end_graph(graph);
    fake_free(block);
    end_operations();
    expect_silence();
}

/* --- forks, and the end of the process ------------------------------------------------- */

/* It ends with status 0 if it is content. */
static void in_child(void (*check)(void))
{
    pid_t child = fork();
    int ended = 0;

    if (child == 0) {
        check();
        _exit(0);
    }
    waitpid(child, &ended, 0);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "%d", ended);
}

static size_t current;

/* The fake runtime takes a call in a process that was forked for a fault. */
static void expect_forked(void)
{
    int64_t value = 5;

    if (operations[current].run() != (operations[current].run == end_event ? SV_OK : SV_ERROR_FORKED))
        _exit(1);
    if (OPS->property(0, SV_PROPERTY_POOLS, &value) != SV_ERROR_FORKED || value != 5)
        _exit(2);
    if (fake_calls() != 0 || fake_faults() != 0)
        _exit(3);
}

Test(cuda_memory, a_forked_process_does_nothing)
{
    start_operations();
    for (current = 0; current < OPERATIONS; current++) {
        make(current);
        in_child(expect_forked);
        cr_expect_eq(operations[current].run(), SV_OK, "the parent's %s", operations[current].name);
        unmake(current);
    }
    end_operations();
    expect_silence();
}

static void check_at_exit(void)
{
    const bool nothing_to_do = operations[current].frees != NONE;
    int64_t value = 5;

    fake_reset();
    if (operations[current].run() != (nothing_to_do ? SV_OK : SV_ERROR_STATE))
        _exit(1);
    if (OPS->property(0, SV_PROPERTY_POOLS, &value) != SV_ERROR_STATE || value != 5)
        _exit(2);
    _exit(fake_calls() == 0 ? 0 : 3);
}

static void exit_with_something(void)
{
    if (atexit(check_at_exit) != 0) /* before libsv does, so that it is called after */
        _exit(5);
    start();
    start_operations();
    make(current);
    exit(4);
}

Test(cuda_memory, at_exit_everything_is_given_up)
{
    for (current = 0; current < OPERATIONS; current++)
        in_child(exit_with_something);
}

/* The runtime may be gone first, as where another library has been told to clean up. */
Test(cuda_memory, an_unloaded_runtime_is_given_up)
{
    start_operations();
    cr_assert_eq(allocate_device(), SV_OK);
    fake_unload();
    fake_reset();
    cr_expect_eq(free_block(), SV_OK);
    cr_expect_eq(query_host(), SV_ERROR_STATE);
    cr_expect_str_eq(sv_last_message(), "CUDA: this process is exiting");
    cr_expect_eq(fake_count(FAKE_CALL(release)), 0);
    cr_expect_eq(fake_calls(), 0);
}
