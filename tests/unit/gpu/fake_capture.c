/* The fake runtime's own tests: captures, failures by order, and what fake_fail_each() finds. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake/fake.h"

static cudaStream_t captured, joined, blocking;
static cudaEvent_t event;
static char *memory;

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
    captured = fake_new_stream(0, cudaStreamNonBlocking);
    joined = fake_new_stream(0, cudaStreamNonBlocking);
    blocking = fake_new_stream(0, cudaStreamDefault);
    memory = fake_allocate(cudaMemoryTypeDevice, 0, 4096);
    cr_assert_eq(svi_cuda_api.new_event(&event, cudaEventDisableTiming), cudaSuccess);
}

static const char *end(void)
{
    svi_cuda_api.last_error();
    svi_cuda_api.end_event(event);
    fake_free(memory);
    fake_end_stream(captured);
    fake_end_stream(joined);
    fake_end_stream(blocking);
    return fake_end();
}

TestSuite(fake_capture, .init = start);

/* --- what ends a capture ---------------------------------------------------------------- */

enum call { QUERY_STREAM, WAIT_STREAM, WAIT_OTHER, QUERY_EVENT, ALLOCATE, RELEASE, COPY_PAGEABLE, USE_LEGACY, SET };

static cudaError_t make(enum call call)
{
    static char pageable[8];
    void *out = NULL;

    switch (call) {
    case QUERY_STREAM:
        return svi_cuda_api.stream_query(captured);
    case WAIT_STREAM:
        return svi_cuda_api.synchronize(captured);
    case WAIT_OTHER:
        return svi_cuda_api.synchronize(joined);
    case QUERY_EVENT:
        svi_cuda_api.record(event, captured);
        return svi_cuda_api.event_query(event);
    case ALLOCATE: {
        const cudaError_t error = svi_cuda_api.allocate(&out, 8);

        if (error == cudaSuccess)
            fake_free(out);
        return error;
    }
    case RELEASE:
        return svi_cuda_api.release(NULL);
    case COPY_PAGEABLE:
        return svi_cuda_api.copy(memory, pageable, 8, cudaMemcpyDefault, captured);
    case USE_LEGACY:
        return svi_cuda_api.set(memory, 0, 8, cudaStreamLegacy);
    default:
        return svi_cuda_api.set(memory, 0, 8, captured);
    }
}

enum { GLOBAL = cudaStreamCaptureModeGlobal, LOCAL = cudaStreamCaptureModeThreadLocal,
       RELAXED = cudaStreamCaptureModeRelaxed };

/* The mode of the capture, and that of the thread that calls. */
static const struct {
    enum call call;
    int capture, thread;
    cudaError_t error;
} rows[] = {
    {SET, GLOBAL, GLOBAL, cudaSuccess},
    {QUERY_STREAM, GLOBAL, GLOBAL, cudaErrorStreamCaptureUnsupported},
    {WAIT_STREAM, RELAXED, RELAXED, cudaErrorStreamCaptureUnsupported},
    {WAIT_OTHER, GLOBAL, GLOBAL, cudaErrorStreamCaptureUnsupported},
    {WAIT_OTHER, GLOBAL, RELAXED, cudaSuccess},
    {QUERY_EVENT, RELAXED, GLOBAL, cudaErrorCapturedEvent},
    {ALLOCATE, GLOBAL, GLOBAL, cudaErrorStreamCaptureUnsupported},
    {ALLOCATE, LOCAL, GLOBAL, cudaErrorStreamCaptureUnsupported},
    {ALLOCATE, RELAXED, GLOBAL, cudaSuccess},
    {ALLOCATE, GLOBAL, RELAXED, cudaSuccess},
    {RELEASE, GLOBAL, LOCAL, cudaErrorStreamCaptureUnsupported},
    {COPY_PAGEABLE, RELAXED, RELAXED, cudaErrorStreamCaptureUnsupported},
    {USE_LEGACY, GLOBAL, GLOBAL, cudaSuccess}, /* the captured stream is not a blocking one */
};

Test(fake_capture, what_ends_a_capture)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum cudaStreamCaptureMode mode = (enum cudaStreamCaptureMode)rows[i].thread;
        enum cudaStreamCaptureStatus status;
        cudaError_t error;

        start();
        cr_assert_eq(fake_begin_capture(captured, (enum cudaStreamCaptureMode)rows[i].capture), cudaSuccess);
        svi_cuda_api.exchange_capture_mode(&mode);
        error = make(rows[i].call);
        cr_expect_eq(error, rows[i].error, "row %zu: %d", i, (int)error);
        cr_expect_eq(svi_cuda_api.is_capturing(captured, &status), cudaSuccess);
        cr_expect_eq(status, error == cudaSuccess ? cudaStreamCaptureStatusActive
                                                  : cudaStreamCaptureStatusInvalidated, "row %zu", i);
        svi_cuda_api.exchange_capture_mode(&mode);
        cr_expect_eq((int)mode, rows[i].thread);
        cr_expect_eq(fake_end_capture(captured, NULL),
                     error == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated, "row %zu", i);
        cr_expect_str_eq(end(), "", "row %zu", i);
    }
}

Test(fake_capture, the_legacy_stream_is_barred_by_blocking_captures)
{
    enum cudaStreamCaptureStatus status;

    cr_assert_eq(fake_begin_capture(cudaStreamLegacy, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
    cr_assert_eq(fake_begin_capture(blocking, cudaStreamCaptureModeRelaxed), cudaSuccess);
    cr_expect_eq(svi_cuda_api.is_capturing(cudaStreamLegacy, &status), cudaErrorStreamCaptureImplicit);
    cr_expect_eq(svi_cuda_api.record(event, cudaStreamLegacy), cudaErrorStreamCaptureImplicit);
    cr_expect_eq(fake_end_capture(blocking, NULL), cudaErrorStreamCaptureInvalidated);
    cr_expect_str_eq(end(), "");
}

/* --- nodes ------------------------------------------------------------------------------------- */

Test(fake_capture, streams_join_and_have_to_come_back)
{
    for (int comes_back = 0; comes_back < 2; comes_back++) {
        struct fake_graph *graph = NULL;
        char bytes[2] = "";

        start();
        fake_begin_capture(captured, cudaStreamCaptureModeGlobal);
        svi_cuda_api.set(memory, 1, 100, captured);
        svi_cuda_api.record(event, captured);
        cr_expect_eq(svi_cuda_api.wait(joined, event, 0), cudaSuccess);
        svi_cuda_api.copy(memory + 200, memory, 100, cudaMemcpyDefault, joined);
        svi_cuda_api.record(event, joined);
        if (comes_back)
            cr_expect_eq(svi_cuda_api.wait(captured, event, 0), cudaSuccess);
        cr_expect_eq(fake_end_capture(captured, &graph), comes_back ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
        fake_read(bytes, memory + 200, 1);
        cr_expect_neq(bytes[0], 1, "nothing is done in a capture");
        if (graph != NULL) {
            cr_expect_str_eq(fake_graph_text(graph), "a fill; a copy; ");
            fake_launch_graph(graph, captured);
            fake_read(bytes, memory + 200, 1);
            cr_expect_eq(bytes[0], 1);
            fake_end_graph(graph);
        }
        cr_expect_str_eq(end(), "");
    }
}

Test(fake_capture, events_from_outside_end_it)
{
    svi_cuda_api.record(event, joined);
    fake_begin_capture(captured, cudaStreamCaptureModeGlobal);
    cr_expect_eq(svi_cuda_api.wait(captured, event, 0), cudaErrorStreamCaptureIsolation);
    cr_expect_eq(fake_end_capture(captured, NULL), cudaErrorStreamCaptureInvalidated);
    cr_expect_str_eq(end(), "");
}

Test(fake_capture, a_capture_that_does_not_end_is_told)
{
    fake_begin_capture(captured, cudaStreamCaptureModeGlobal);
    cr_expect_not_null(strstr(fake_end(), "a capture has not ended\n"));
}

/* --- failures ------------------------------------------------------------------------------------ */

Test(fake_capture, a_call_fails_by_its_number)
{
    fake_reset();
    fake_fail(2, cudaErrorMemoryAllocation);
    cr_expect_eq(svi_cuda_api.set(memory, 0, 8, captured), cudaSuccess);
    cr_expect_eq(svi_cuda_api.set(memory, 0, 8, captured), cudaErrorMemoryAllocation);
    cr_expect_eq(svi_cuda_api.set(memory, 0, 8, captured), cudaSuccess);
    cr_expect_eq(fake_unfinished(), 2, "what fails does nothing");
    cr_expect_eq(fake_count(FAKE_CALL(set)), 3);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorMemoryAllocation);
    cr_expect_eq(svi_cuda_api.last_error(), cudaSuccess);
    cr_expect_str_eq(fake_log(), "0:set 8 s1; 0:set 8 s1; 0:set 8 s1; ");
    fake_fail_call(FAKE_CALL(record), 2, cudaErrorUnknown);
    cr_expect_eq(svi_cuda_api.record(event, captured), cudaSuccess);
    cr_expect_eq(svi_cuda_api.synchronize(captured), cudaSuccess);
    cr_expect_eq(svi_cuda_api.record(event, captured), cudaErrorUnknown);
    cr_expect(fake_seen_failing(FAKE_CALL(record)) && !fake_seen_failing(FAKE_CALL(wait)));
    cr_expect_str_eq(end(), "");
}

Test(fake_capture, some_errors_stay)
{
    fake_break(cudaErrorIllegalAddress);
    cr_expect_eq(svi_cuda_api.synchronize(captured), cudaErrorIllegalAddress);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorIllegalAddress);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorIllegalAddress);
    fake_break(cudaSuccess);
    svi_cuda_api.last_error();
    cr_expect_str_eq(end(), "");
}

/* A process that was forked may not call, and one that exits cannot. */
Test(fake_capture, forked_and_unloaded)
{
    pid_t child = fork();
    int ended = 0;

    if (child == 0)
        _exit(svi_cuda_api.synchronize(captured) == cudaErrorInitializationError && fake_faults() == 1 ? 0 : 1);
    waitpid(child, &ended, 0);
    cr_expect(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    cr_expect_str_eq(end(), "");
    cr_expect_eq(svi_cuda_api.synchronize(captured), cudaErrorCudartUnloading);
}

/* --- fake_fail_each ------------------------------------------------------------------------------- */

enum flaw { NONE, LEAKS, KEEPS_DEVICE, KEEPS_ERROR, TELLS_NOBODY, FLAWS };

static void *allocated;

/* Allocates on the other device. */
static sv_status allocate_there(void *with)
{
    const enum flaw flaw = *(const enum flaw *)with;
    void *made = NULL;
    cudaError_t error = svi_cuda_api.set_device(1);

    allocated = NULL;
    if (error == cudaSuccess) {
        error = svi_cuda_api.allocate(&made, 8);
        if (error == cudaSuccess || flaw != KEEPS_DEVICE) {
            const cudaError_t back = svi_cuda_api.set_device(0);

            if (error == cudaSuccess && back != cudaSuccess && flaw != LEAKS)
                svi_cuda_api.release(made);
            error = error == cudaSuccess ? back : error;
        }
    }
    if (error == cudaSuccess)
        allocated = made;
    else if (flaw != KEEPS_ERROR)
        svi_cuda_api.last_error();
    return error == cudaSuccess || flaw == TELLS_NOBODY ? SV_OK : SV_ERROR_CUDA;
}

static void clean(void *with, sv_status status)
{
    (void)with, (void)status;
    if (allocated != NULL)
        svi_cuda_api.release(allocated);
}

Test(fake_capture, fail_each_finds_what_is_wrong)
{
    static const char *const texts[FLAWS] = {"", "device memory is alive", "the thread has another device",
                                             "its error is left pending", "nobody is told"};
    const struct fake_settings settings = {.policy = FAKE_LAZY};

    for (enum flaw flaw = NONE; flaw < FLAWS; flaw++) {
        const struct fake_trial trial = {.run = allocate_there, .clean = clean, .with = &flaw};
        int rounds = 0;
        const char *said = fake_fail_each(&trial, &settings, &rounds);

        if (flaw == NONE)
            cr_expect(*said == '\0' && rounds == 3, "%d rounds: %s", rounds, said);
        else
            cr_expect_not_null(strstr(said, texts[flaw]), "not \"%s\": %s", texts[flaw], said);
    }
}
