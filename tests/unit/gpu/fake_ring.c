/*
 * A ring of page-locked chunks, by which pageable memory goes to a device and is transposed there, and back: what a
 * pipeline of two streams looks like, and twelve ways to get it wrong. Each is to be found; a right one is not.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/fake.h"

enum { ROWS = 256, COLUMNS = 96, PITCH = 128, CHUNK_ROWS = 16, SLOTS = 3, CHUNK = CHUNK_ROWS * COLUMNS, SLOT = 4096 };

enum bug {
    NO_BUG,
    NO_REUSE_WAIT,
    RING_FREED_EARLY,
    NO_KERNEL_WAIT,
    NO_SCRATCH_WAIT,
    FREED_ON_OTHER_STREAM,
    RECORDED_EARLY,
    NO_CALLER_WAIT,
    EVENT_REUSED,
    NO_LEGACY_JOIN,
    SCATTERED_EARLY,
    RUN_IN_CAPTURE,
    BUGS
};

static const char *const bugs[BUGS] = {
    "none",
    "a chunk is written again before its DMA is done",
    "the ring is freed before the last DMA",
    "the kernel does not wait for the DMA",
    "scratch is overwritten before the kernel read it",
    "scratch is freed on another stream",
    "an event is recorded before the copy",
    "the DMA does not wait for the stream-ordered allocation",
    "an event is recorded by somebody else meanwhile",
    "the legacy stream is trusted to wait for a non-blocking one",
    "a chunk is scattered before its DMA is done",
    "a captured stream is used as if it were not",
};

/* --- kernels ------------------------------------------------------------------------ */

struct taken {
    int first; /* row of the chunk */
    char *dst;
    const char *src;
};

static void *take(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                  void *with)
{
    struct taken *t = malloc(sizeof *t);
    const bool there = strcmp(name, "turn") == 0;

    (void)config;
    *t = (struct taken){*(int *)arguments[0], *(char **)arguments[1], *(const char **)arguments[2]};
    for (int c = 0; c < COLUMNS; c++)
        touched(with, there ? t->dst + c * ROWS + t->first : t->src + c * ROWS + t->first, CHUNK_ROWS, there);
    touched(with, there ? t->src : t->dst, CHUNK, !there);
    return t;
}

/* Rows become columns, or columns rows. */
static cudaError_t run(const char *name, const cudaLaunchConfig_t *config, void *taken)
{
    const struct taken *t = taken;

    (void)config;
    for (int i = 0; i < CHUNK_ROWS; i++)
        for (int c = 0; c < COLUMNS; c++)
            if (strcmp(name, "turn") == 0)
                t->dst[c * ROWS + t->first + i] = t->src[i * COLUMNS + c];
            else
                t->dst[i * COLUMNS + c] = t->src[c * ROWS + t->first + i];
    return cudaSuccess;
}

static const char *const kernels[] = {"turn", "turn_back", NULL};
static const struct fake_kernels turning = {take, run, kernels, NULL};

static cudaError_t turn(const char *name, int first, char *dst, const char *src, cudaStream_t stream)
{
    const uint32_t fatbin[4] = {0xba55ed50};
    void *arguments[] = {&first, &dst, &src};
    cudaLaunchConfig_t config = {.blockDim = {256, 1, 1}, .gridDim = {1, 1, 1}, .stream = stream};
    cudaLibrary_t library;
    cudaKernel_t kernel;
    cudaError_t error = svi_cuda_api.load(&library, fatbin, NULL, NULL, 0, NULL, NULL, 0);

    if (error == cudaSuccess)
        error = svi_cuda_api.get_kernel(&kernel, library, name);
    return error == cudaSuccess ? svi_cuda_api.launch(&config, (const void *)kernel, arguments) : error;
}

/* --- the pipeline ---------------------------------------------------------------------- */

struct ring {
    enum bug bug;
    cudaStream_t dma, caller, other;
    char *pinned, *scratch;
    cudaEvent_t begun, filled[SLOTS], empty[SLOTS];
    int lost;
};

#define TRY(call)                                                                                                    \
    do {                                                                                                             \
        const cudaError_t error_ = svi_cuda_api.call;                                                                \
        if (error_ != cudaSuccess)                                                                                   \
            return error_;                                                                                           \
    } while (0)

static cudaError_t begin_ring(struct ring *r)
{
    cudaMemPool_t pool;

    TRY(allocate_host((void **)&r->pinned, SLOTS * SLOT, cudaHostAllocPortable));
    TRY(default_pool(&pool, 0));
    TRY(allocate_from_pool((void **)&r->scratch, SLOTS * SLOT, pool, r->caller));
    TRY(new_event(&r->begun, cudaEventDisableTiming));
    for (int s = 0; s < SLOTS; s++) {
        TRY(new_event(&r->filled[s], cudaEventDisableTiming));
        TRY(new_event(&r->empty[s], cudaEventDisableTiming));
    }
    TRY(record(r->begun, r->caller)); /* scratch is the caller's stream's until then */
    if (r->bug != NO_CALLER_WAIT && r->bug != NO_LEGACY_JOIN)
        TRY(wait(r->dma, r->begun, 0));
    return cudaSuccess;
}

/* Marks what the DMA stream was given for this slot. */
static cudaError_t mark(struct ring *r, int s)
{
    TRY(record(r->filled[s], r->dma));
    if (r->bug == EVENT_REUSED)
        TRY(record(r->filled[s], r->other));
    return cudaSuccess;
}

static cudaError_t send_chunk(struct ring *r, int k, const char *host, char *device)
{
    const int s = k % SLOTS;
    char *chunk = r->pinned + s * SLOT, *there = r->scratch + s * SLOT;

    if (k >= SLOTS && r->bug != NO_REUSE_WAIT)
        TRY(event_synchronize(r->filled[s])); /* the host may write the chunk again */
    for (int i = 0; i < CHUNK_ROWS; i++)
        memcpy(chunk + i * COLUMNS, host + (k * CHUNK_ROWS + i) * PITCH, COLUMNS);
    if (k >= SLOTS && r->bug != NO_SCRATCH_WAIT)
        TRY(wait(r->dma, r->empty[s], 0));
    if (r->bug == RECORDED_EARLY)
        TRY(record(r->filled[s], r->dma));
    TRY(copy(there, chunk, CHUNK, cudaMemcpyDefault, r->dma));
    if (r->bug != RECORDED_EARLY) {
        const cudaError_t error = mark(r, s);

        if (error != cudaSuccess)
            return error;
    }
    if (r->bug != NO_KERNEL_WAIT && r->bug != NO_LEGACY_JOIN)
        TRY(wait(r->caller, r->filled[s], 0));
    if (turn("turn", k * CHUNK_ROWS, device, there, r->caller) != cudaSuccess)
        return cudaErrorUnknown;
    TRY(record(r->empty[s], r->caller));
    return cudaSuccess;
}

static cudaError_t scatter(struct ring *r, int k, char *host)
{
    const int s = k % SLOTS;

    if (r->bug != SCATTERED_EARLY)
        TRY(event_synchronize(r->filled[s]));
    for (int i = 0; i < CHUNK_ROWS; i++)
        memcpy(host + (k * CHUNK_ROWS + i) * PITCH, r->pinned + s * SLOT + i * COLUMNS, COLUMNS);
    return cudaSuccess;
}

/* The way back: a kernel, the DMA, and the host when it has come. */
static cudaError_t fetch_chunk(struct ring *r, int k, char *host, char *device)
{
    const int s = k % SLOTS;

    if (k >= SLOTS) {
        const cudaError_t error = scatter(r, k - SLOTS, host);

        if (error != cudaSuccess)
            return error;
        TRY(wait(r->caller, r->filled[s], 0));
    }
    if (turn("turn_back", k * CHUNK_ROWS, r->scratch + s * SLOT, device, r->caller) != cudaSuccess)
        return cudaErrorUnknown;
    TRY(record(r->empty[s], r->caller));
    TRY(wait(r->dma, r->empty[s], 0));
    TRY(copy(r->pinned + s * SLOT, r->scratch + s * SLOT, CHUNK, cudaMemcpyDefault, r->dma));
    TRY(record(r->filled[s], r->dma));
    return cudaSuccess;
}

static cudaError_t move(struct ring *r, char *host, char *device, bool back)
{
    enum { CHUNKS = ROWS / CHUNK_ROWS };
    cudaError_t error = begin_ring(r);

    for (int k = 0; k < CHUNKS && error == cudaSuccess; k++)
        error = back ? fetch_chunk(r, k, host, device) : send_chunk(r, k, host, device);
    for (int k = CHUNKS - SLOTS; k < CHUNKS && error == cudaSuccess && back; k++)
        error = scatter(r, k, host);
    if (error == cudaSuccess && back) { /* scratch is freed on the caller's stream */
        TRY(record(r->begun, r->dma));
        TRY(wait(r->caller, r->begun, 0));
    }
    return error;
}

/* If the wait before a free fails, the memory is given up and never freed. */
static void end_ring(struct ring *r, bool failed)
{
    const bool waits = r->bug != RING_FREED_EARLY;
    bool idle = !waits || svi_cuda_api.synchronize(r->dma) == cudaSuccess;

    if (failed) /* whatever is missing of the order between the two */
        idle = svi_cuda_api.synchronize(r->caller) == cudaSuccess && idle;
    if (r->scratch != NULL && idle)
        svi_cuda_api.release_async(r->scratch, r->bug == FREED_ON_OTHER_STREAM ? r->dma : r->caller);
    if (r->pinned != NULL && idle)
        svi_cuda_api.release_host(r->pinned);
    r->lost = idle ? 0 : (r->scratch != NULL) + (r->pinned != NULL);
    for (int s = 0; s < SLOTS; s++) {
        if (r->filled[s] != NULL)
            svi_cuda_api.end_event(r->filled[s]);
        if (r->empty[s] != NULL)
            svi_cuda_api.end_event(r->empty[s]);
    }
    if (r->begun != NULL)
        svi_cuda_api.end_event(r->begun);
    svi_cuda_api.last_error();
}

/* Refuses a stream that is captured, before anything is done. */
static cudaError_t go(struct ring *r, char *host, char *device, bool back)
{
    enum cudaStreamCaptureStatus captured = cudaStreamCaptureStatusNone;
    cudaError_t error = cudaSuccess;

    if (r->bug != RUN_IN_CAPTURE)
        error = svi_cuda_api.is_capturing(r->caller, &captured);
    if (error == cudaSuccess && captured != cudaStreamCaptureStatusNone)
        return cudaErrorStreamCaptureUnsupported;
    if (error == cudaSuccess)
        error = move(r, host, device, back);
    end_ring(r, error != cudaSuccess);
    return error;
}

/* --- one run ------------------------------------------------------------------------------- */

struct world {
    struct ring ring;
    char *device;
    char host[ROWS * PITCH], back[ROWS * PITCH];
    bool blocking; /* the DMA stream joins the legacy one */
};

static void begin(void *with)
{
    struct world *w = with;
    const bool legacy = w->ring.bug == NO_LEGACY_JOIN;

    fake_use_kernels(&turning);
    w->ring = (struct ring){.bug = w->ring.bug};
    w->ring.dma = fake_new_stream(0, w->blocking ? cudaStreamDefault : cudaStreamNonBlocking);
    w->ring.other = fake_new_stream(0, cudaStreamNonBlocking);
    w->ring.caller = legacy ? cudaStreamLegacy : fake_new_stream(0, cudaStreamDefault);
    w->device = fake_allocate(cudaMemoryTypeDevice, 0, ROWS * COLUMNS);
    for (size_t i = 0; i < sizeof w->host; i++)
        w->host[i] = (char)(i * 7 + i / 251);
    memset(w->back, 0, sizeof w->back);
}

static void finish(void *with, sv_status status)
{
    struct world *w = with;

    (void)status;
    fake_free(w->device);
    fake_end_stream(w->ring.dma);
    fake_end_stream(w->ring.other);
    if (w->ring.caller != cudaStreamLegacy)
        fake_end_stream(w->ring.caller);
    fake_use_kernels(NULL);
}

static sv_status send(void *with)
{
    struct world *w = with;
    char pageable[sizeof w->host]; /* may be gone when the call returns */
    cudaError_t error;

    memcpy(pageable, w->host, sizeof pageable);
    error = go(&w->ring, pageable, w->device, false);
    memset(pageable, 0, sizeof pageable);
    return error == cudaSuccess ? SV_OK : SV_ERROR_CUDA;
}

static sv_status fetch(void *with)
{
    struct world *w = with;

    return go(&w->ring, w->back, w->device, true) == cudaSuccess ? SV_OK : SV_ERROR_CUDA;
}

static bool came_back(const struct world *w)
{
    for (int i = 0; i < ROWS; i++)
        if (memcmp(w->host + i * PITCH, w->back + i * PITCH, COLUMNS) != 0)
            return false;
    return true;
}

static struct world world;

/* What fake_end() says of a round trip with the bug; same: the bytes are right at the end. */
static const char *round_trip(enum bug bug, enum fake_policy policy, unsigned seed, bool *same)
{
    cudaError_t captured = cudaSuccess;

    fake_start(policy, seed);
    world.ring.bug = bug;
    begin(&world);
    if (bug == RUN_IN_CAPTURE)
        fake_begin_capture(world.ring.caller, cudaStreamCaptureModeThreadLocal);
    send(&world);
    if (bug == RUN_IN_CAPTURE)
        captured = fake_end_capture(world.ring.caller, NULL);
    else {
        const struct ring streams = world.ring;

        world.ring = (struct ring){.bug = bug, .dma = streams.dma, .other = streams.other, .caller = streams.caller};
        fetch(&world);
    }
    finish(&world, SV_OK);
    *same = came_back(&world);
    fake_end();
    return captured != cudaSuccess ? "the capture is lost" : fake_text();
}

/* --- tests ------------------------------------------------------------------------------------ */

enum { SEEDS = 20 };

Test(fake_ring, a_right_pipeline_is_silent)
{
    for (int policy = FAKE_EAGER; policy < FAKE_POLICIES; policy++)
        for (unsigned seed = 1; seed <= SEEDS; seed++) {
            bool same;
            const char *said = round_trip(NO_BUG, (enum fake_policy)policy, seed, &same);

            cr_expect_str_eq(said, "", "policy %d, seed %u: %s", policy, seed, said);
            cr_expect(same, "policy %d, seed %u: other bytes", policy, seed);
        }
}

/* In a capture it says so and does nothing. */
Test(fake_ring, a_right_pipeline_leaves_a_capture_alone)
{
    struct fake_graph *graph = NULL;

    fake_start(FAKE_LAZY, 1);
    world.ring.bug = NO_BUG;
    begin(&world);
    fake_begin_capture(world.ring.caller, cudaStreamCaptureModeGlobal);
    cr_expect_eq(send(&world), SV_ERROR_CUDA);
    cr_expect_eq(fake_end_capture(world.ring.caller, &graph), cudaSuccess);
    cr_assert_not_null(graph);
    cr_expect_str_eq(fake_graph_text(graph), "");
    fake_end_graph(graph);
    finish(&world, SV_OK);
    cr_expect_str_eq(fake_end(), "");
}

Test(fake_ring, every_planted_bug_is_found)
{
    for (enum bug bug = NO_BUG + 1; bug < BUGS; bug++) {
        int differ = 0;

        if (!fake_protects() && (bug == NO_REUSE_WAIT || bug == SCATTERED_EARLY))
            fake_start(FAKE_LAZY, 1);
        for (int policy = FAKE_EAGER; policy < FAKE_POLICIES; policy++) {
            int found = 0;

            for (unsigned seed = 1; seed <= SEEDS; seed++) {
                bool same;

                found += *round_trip(bug, (enum fake_policy)policy, seed, &same) != '\0';
                differ += !same;
            }
            if (!fake_protects() && (bug == NO_REUSE_WAIT || bug == SCATTERED_EARLY))
                continue; /* accesses of the host are not seen here */
            cr_expect_eq(found, SEEDS, "policy %d finds it in %d runs of %d: %s", policy, found, SEEDS, bugs[bug]);
        }
        printf("# %s: the bytes differ in %d of %d runs\n", bugs[bug], differ, 3 * SEEDS);
    }
}

/* The same without the events is right where the DMA stream is a blocking one: the legacy stream joins it. */
Test(fake_ring, the_legacy_stream_joins_blocking_streams)
{
    bool same;

    world.blocking = true;
    cr_expect_str_eq(round_trip(NO_LEGACY_JOIN, FAKE_LAZY, 1, &same), "");
    cr_expect(same);
}

static int64_t lost(void *with)
{
    const struct world *w = with;

    return w->ring.lost;
}

Test(fake_ring, each_call_can_fail)
{
    struct fake_trial trial = {begin, send, finish, &world, lost, "synchronize release_async release_host end_event",
                               cudaSuccess, false};

    for (int way = 0; way < 4; way++) {
        const struct fake_settings settings = {.policy = FAKE_LAZY};
        int rounds = 0;
        const char *wrong;

        trial.run = way % 2 == 0 ? send : fetch;
        trial.stays = way / 2 == 1;
        wrong = fake_fail_each(&trial, &settings, &rounds);
        cr_expect_str_eq(wrong, "", "%s%s: %s", way % 2 == 0 ? "to the device" : "from the device",
                         trial.stays ? ", and all after it" : "", wrong);
        cr_expect_gt(rounds, 120, "%d", rounds);
    }
    cr_expect_str_eq(fake_never_failed(), "driver_version runtime_version device_count ", "%s", fake_never_failed());
}
