/*
 * Sizes, kinds and streams of buffers over the fake runtime: what arrives, that everything is in order however late
 * streams do their work, and each call failing once.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "memory/deferred.h"
#include "fake/fake.h"
#include "memory/storage.h"
#include "support/rounds.h"
#include "sv.h"

enum { NBYTES = 300, SEEDS = 2 };

/* --- kinds ------------------------------------------------------------------- */

enum { HOST, PINNED, DEVICE, OTHER, MANAGED, POOL, OTHER_POOL, FIRST_OF_13, PINNED_POOL = FIRST_OF_13, MANAGED_POOL };

#if CUDART_VERSION >= 13000
enum { KINDS = MANAGED_POOL + 1 };
#else
enum { KINDS = FIRST_OF_13 };
#endif

static const char *const names[] = {"host", "pinned", "device", "other device", "managed", "pool", "other pool",
                                    "pinned pool", "managed pool"};

static sv_status make_allocator(int kind, sv_allocator **out)
{
    switch (kind) {
    case HOST:
        return sv_allocator_host(0, out);
    case PINNED:
        return sv_allocator_pinned(out);
    case DEVICE:
        return sv_allocator_device(0, out);
    case OTHER:
        return sv_allocator_device(1, out);
    case MANAGED:
        return sv_allocator_managed(0, out);
    case POOL:
        return sv_allocator_pool_view(SV_MEMORY_DEVICE, 0, 0, out);
    case OTHER_POOL:
        return sv_allocator_pool_view(SV_MEMORY_DEVICE, 1, 0, out);
    case PINNED_POOL:
        return sv_allocator_pool_view(SV_MEMORY_PINNED, 0, 0, out);
    default:
        return sv_allocator_pool_view(SV_MEMORY_MANAGED, 0, 0, out);
    }
}

static sv_allocator *allocators[KINDS];
static cudaStream_t streams[2][2]; /* of each device */
static char pattern[2 * NBYTES];

static void begin(enum fake_policy policy, unsigned seed)
{
    sv_device_state state = SV_STATE_BROKEN;

    fake_start(policy, seed);
    cr_assert(sv_device_probe(SV_DEVICE_CUDA, &state, NULL) == SV_OK && state == SV_STATE_READY);
    for (int i = 0; i < KINDS; i++)
        cr_assert_eq(make_allocator(i, &allocators[i]), SV_OK, "%s: %s", names[i], sv_last_message());
    for (int device = 0; device < 2; device++)
        for (int i = 0; i < 2; i++)
            streams[device][i] = fake_new_stream(device, cudaStreamNonBlocking);
    for (int i = 0; i < 2 * NBYTES; i++)
        pattern[i] = (char)(i % 127 + 1);
}

/* What was deferred is freed here, however much of it there is. */
static const char *end(void)
{
    svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
    cr_assert_eq(svi_failure_tell(), SV_OK, "%s", sv_last_message());
    cr_assert_eq(svi_deferred_count(), 0);
    for (int i = 0; i < KINDS; i++)
        sv_allocator_release(allocators[i]);
    for (int device = 0; device < 2; device++)
        for (int i = 0; i < 2; i++)
            fake_end_stream(streams[device][i]);
    return fake_end();
}

static uintptr_t stream_of(int kind, int which)
{
    return (uintptr_t)streams[kind == OTHER || kind == OTHER_POOL][which];
}

static sv_buffer *make(int kind, uintptr_t stream)
{
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_buffer_new(allocators[kind], NBYTES, 0, 0, stream, &buffer), SV_OK, "%s: %s", names[kind],
                 sv_last_message());
    cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, stream), SV_OK);
    fake_write(sv_buffer_data(buffer), pattern, NBYTES);
    return buffer;
}

static void expect(const sv_buffer *buffer, int64_t kept, bool zeros, const char *what)
{
    char found[2 * NBYTES];
    const int64_t nbytes = sv_buffer_nbytes(buffer);

    fake_read(found, sv_buffer_data(buffer), (size_t)nbytes);
    cr_assert_eq(memcmp(found, pattern, (size_t)kept), 0, "%s", what);
    for (int64_t i = kept; zeros && i < nbytes; i++)
        cr_assert_eq(found[i], 0, "%s, byte %d", what, (int)i);
}

/* --- sizes --------------------------------------------------------------------- */

static void change_sizes(int kind)
{
    const uintptr_t first = stream_of(kind, 0), second = stream_of(kind, 1);
    sv_buffer *buffer = make(kind, first);

    cr_assert_eq(sv_buffer_resize(buffer, 2 * NBYTES, SV_BUFFER_ZERO, second), SV_OK, "%s", sv_last_message());
    cr_expect(sv_buffer_stream(buffer) == second && sv_buffer_capacity(buffer) == 2 * NBYTES);
    cr_expect_eq(sv_buffer_kind(buffer), sv_allocator_kind(allocators[kind]));
    expect(buffer, NBYTES, true, names[kind]);
    cr_assert_eq(sv_buffer_resize(buffer, 100, 0, second), SV_OK);
    cr_assert_eq(sv_buffer_resize(buffer, 200, SV_BUFFER_ZERO, first), SV_OK, "%s", sv_last_message());
    expect(buffer, 100, true, names[kind]);
    cr_assert_eq(sv_buffer_shrink(buffer, second), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_capacity(buffer), 200);
    expect(buffer, 100, true, names[kind]);
    cr_assert_eq(sv_buffer_reserve(buffer, NBYTES, first), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_nbytes(buffer), 200);
    expect(buffer, 100, true, names[kind]);
    cr_assert_eq(sv_buffer_resize(buffer, 2 * NBYTES, SV_BUFFER_DISCARD, second), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
}

Test(buffer_size_cuda, sizes_of_each_kind)
{
    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES * SEEDS); round++) {
        begin((enum fake_policy)(round % FAKE_POLICIES), (unsigned)round);
        for (int kind = 0; kind < KINDS; kind++) {
            fake_set_current(kind % 2);
            change_sizes(kind);
            cr_expect_eq(fake_current(), kind % 2, "%s", names[kind]);
        }
        fake_set_current(0);
        cr_assert_str_eq(end(), "");
    }
}

/* --- migration ------------------------------------------------------------------- */

/* Between devices on a stream of either; else on one of the device that there is. */
static int side_of_stream(int to, int from, int64_t round)
{
    const bool to_device = to == DEVICE || to == OTHER || to == POOL || to == OTHER_POOL;
    const bool from_device = from == DEVICE || from == OTHER || from == POOL || from == OTHER_POOL;

    return to_device && (!from_device || round % 2 == 0) ? to : from;
}

static void migrate(int to, int from, uintptr_t stream, uint32_t flags)
{
    char what[80];
    sv_buffer *buffer = make(from, stream > 2 ? stream_of(from, 1) : stream);

    snprintf(what, sizeof what, "%s to %s", names[from], names[to]);
    cr_assert_eq(sv_buffer_migrate(buffer, allocators[to], flags, stream), SV_OK, "%s: %s", what, sv_last_message());
    cr_expect_eq(sv_buffer_allocator(buffer), allocators[to], "%s", what);
    cr_expect_eq(sv_buffer_kind(buffer), sv_allocator_kind(allocators[to]), "%s", what);
    cr_expect_eq(sv_buffer_device_id(buffer), sv_allocator_device_id(allocators[to]), "%s", what);
    cr_expect_eq(sv_buffer_traits(buffer), sv_allocator_traits(allocators[to]), "%s", what);
    cr_expect_eq(sv_buffer_host_data(buffer) != NULL, (sv_buffer_traits(buffer) & SV_TRAIT_HOST) != 0, "%s", what);
    cr_expect_eq((uintptr_t)sv_buffer_data(buffer) % (uintptr_t)sv_buffer_alignment(buffer), 0, "%s", what);
    if (!(flags & SV_BUFFER_DISCARD))
        expect(buffer, NBYTES, false, what);
    sv_buffer_release(buffer);
}

Test(buffer_size_cuda, from_each_kind_to_each)
{
    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES * SEEDS); round++) {
        begin((enum fake_policy)(round % FAKE_POLICIES), (unsigned)round);
        for (int pair = 0; pair < KINDS * KINDS; pair++) {
            const int to = pair % KINDS, from = pair / KINDS;

            migrate(to, from, stream_of(side_of_stream(to, from, round), 0), 0);
            migrate(to, from, 0, 0);
            migrate(to, from, stream_of(to, 0), SV_BUFFER_DISCARD);
        }
        cr_assert_str_eq(end(), "");
    }
}

static void count(void *ctx)
{
    ++*(int *)ctx;
}

/* They are the caller's again when no recorded work uses them any more. */
Test(buffer_size_cuda, registered_pages_are_left)
{
    static _Alignas(4096) char pages[4096];
    sv_buffer *buffer = NULL;
    int released = 0;

    begin(FAKE_LAZY, 1);
    memcpy(pages, pattern, NBYTES);
    cr_assert_eq(sv_buffer_register(pages, NBYTES, 0, count, &released, &buffer), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_resize(buffer, NBYTES + 1, 0, 0), SV_ERROR_UNSUPPORTED);
    cr_assert_eq(sv_buffer_migrate(buffer, allocators[DEVICE], 0, stream_of(DEVICE, 0)), SV_OK, "%s",
                 sv_last_message());
    cr_expect_eq(released, 0, "the copy is not done");
    expect(buffer, NBYTES, false, "registered pages");
    sv_buffer_release(buffer);
    cr_assert_str_eq(end(), "");
    cr_expect_eq(released, 1);
}

/* --- work of others ---------------------------------------------------------------- */

/* A slow writer on a stream of its own, which ends at once. */
static void write_elsewhere(const sv_buffer *buffer, int kind, int byte)
{
    const int device = kind == OTHER || kind == OTHER_POOL;
    cudaStream_t stream = fake_new_stream(device, cudaStreamNonBlocking);

    cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, device, (uintptr_t)stream, SV_DEVICE_CUDA, device,
                                sv_buffer_stream(buffer)), SV_OK);
    fake_set_current(device);
    cr_assert_eq(svi_cuda_api.set(sv_buffer_data(buffer), byte, (size_t)sv_buffer_nbytes(buffer), stream),
                 cudaSuccess);
    fake_set_current(0);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    fake_end_stream(stream);
}

static void expect_byte(const sv_buffer *buffer, int byte, const char *what)
{
    char found[NBYTES];

    fake_read(found, sv_buffer_data(buffer), NBYTES);
    for (int i = 0; i < NBYTES; i++)
        cr_assert_eq(found[i], byte, "%s, byte %d", what, i);
}

enum { RELEASE, RESIZE, ZERO_WITHIN, MIGRATE, DISCARD, CLOSE, SET_STREAM, WAYS };

static void do_one(sv_buffer *buffer, int kind, int way)
{
    const uintptr_t other = stream_of(kind, 1);

    switch (way) {
    case RESIZE:
        cr_assert_eq(sv_buffer_resize(buffer, 2 * NBYTES, 0, other), SV_OK, "%s", sv_last_message());
        expect_byte(buffer, 5, names[kind]);
        break;
    case ZERO_WITHIN:
        cr_assert_eq(sv_buffer_resize(buffer, NBYTES, SV_BUFFER_ZERO | SV_BUFFER_DISCARD, other), SV_OK, "%s",
                     sv_last_message());
        expect_byte(buffer, 0, names[kind]);
        break;
    case MIGRATE:
        cr_assert_eq(sv_buffer_migrate(buffer, allocators[HOST], 0, other), SV_OK, "%s", sv_last_message());
        expect_byte(buffer, 5, names[kind]);
        break;
    case DISCARD:
        cr_assert_eq(sv_buffer_migrate(buffer, allocators[PINNED], SV_BUFFER_DISCARD, other), SV_OK);
        break;
    case CLOSE:
        cr_assert_eq(sv_buffer_close(buffer, sv_buffer_stream(buffer)), SV_OK, "%s", sv_last_message());
        break;
    case SET_STREAM:
        cr_assert_eq(sv_buffer_set_stream(buffer, other), SV_OK, "%s", sv_last_message());
        cr_expect_eq(sv_buffer_stream(buffer), other);
        break;
    default:
        break;
    }
}

Test(buffer_size_cuda, recorded_work_comes_first)
{
    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES * SEEDS); round++) {
        begin((enum fake_policy)(round % FAKE_POLICIES), (unsigned)round);
        for (int kind = PINNED; kind < KINDS; kind++)
            for (int way = 0; way < WAYS; way++) {
                sv_buffer *buffer = make(kind, stream_of(kind, 0)), *slice = NULL;

                cr_assert_eq(sv_buffer_slice(buffer, 8, 16, 0, &slice), SV_OK);
                write_elsewhere(buffer, kind, 4);
                cr_assert_eq(sv_buffer_record_use(slice, stream_of(kind, 0)), SV_OK);
                sv_buffer_release(slice);
                cr_assert_eq(sv_buffer_set_stream(buffer, stream_of(kind, 0)), SV_OK);
                svi_cuda_api.synchronize(NULL);
                sv_buffer_release(buffer);

                buffer = make(kind, stream_of(kind, 0));
                write_elsewhere(buffer, kind, 5);
                do_one(buffer, kind, way);
                sv_buffer_release(buffer);
            }
        cr_assert_str_eq(end(), "");
    }
}

/* A release waits for nothing, and memory that a device may still use stays until it is done. */
Test(buffer_size_cuda, a_release_with_work_pending_is_deferred)
{
    sv_buffer *buffer;

    begin(FAKE_LAZY, 1);
    for (int kind = PINNED; kind <= MANAGED; kind++) {
        buffer = make(kind, 0);
        write_elsewhere(buffer, kind, 5);
        fake_reset();
        sv_buffer_release(buffer);
        cr_expect_eq(svi_deferred_count(), kind - PINNED + 1, "%s", names[kind]);
        cr_expect_eq(fake_count(FAKE_CALL(release)) + fake_count(FAKE_CALL(release_host)), 0, "%s", names[kind]);
        cr_expect_eq(fake_count(FAKE_CALL(event_synchronize)) + fake_count(FAKE_CALL(synchronize)), 0);
    }
    cr_assert_str_eq(end(), "");
}

/* --- each call fails ------------------------------------------------------------------ */

static struct trial {
    int kind, to;
    sv_buffer *buffer;
    const void *data;
} trial;

static void prepare(void *with)
{
    struct trial *t = with;

    for (int i = 0; i < KINDS; i++)
        cr_assert_eq(make_allocator(i, &allocators[i]), SV_OK);
    t->buffer = make(t->kind, 0);
    write_elsewhere(t->buffer, t->kind, 5);
    t->data = sv_buffer_data(t->buffer);
}

/* A failure that is told by the call changes nothing; what a late free meets is told afterwards. */
static sv_status told_late(sv_status status)
{
    svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
    return status == SV_OK ? svi_failure_tell() : status;
}

static sv_status check_unchanged(const struct trial *t, sv_status status)
{
    if (status != SV_OK)
        cr_expect(sv_buffer_data(t->buffer) == t->data && sv_buffer_nbytes(t->buffer) == NBYTES &&
                      sv_buffer_capacity(t->buffer) == NBYTES &&
                      sv_buffer_allocator(t->buffer) == allocators[t->kind],
                  "%s to %s: %s", names[t->kind], names[t->to], sv_last_message());
    return status;
}

static sv_status run_resize(void *with)
{
    const struct trial *t = with;

    return told_late(check_unchanged(t, sv_buffer_resize(t->buffer, 2 * NBYTES, SV_BUFFER_ZERO, 0)));
}

static sv_status run_migrate(void *with)
{
    const struct trial *t = with;

    return told_late(check_unchanged(t, sv_buffer_migrate(t->buffer, allocators[t->to], 0, 0)));
}

static sv_status run_streams(void *with)
{
    const struct trial *t = with;
    sv_status status = sv_buffer_record_use(t->buffer, 0);

    if (status == SV_OK)
        status = sv_buffer_set_stream(t->buffer, 2);
    return status;
}

static void clean(void *with, sv_status status)
{
    struct trial *t = with;

    (void)status;
    sv_buffer_release(t->buffer);
    (void)sv_memory_collect(SV_COLLECT_WAIT, NULL); /* the memory of the ring, too */
    cr_expect_eq(svi_deferred_count(), 0);
    for (int device = 0; device < 2; device++) /* frees in order are done */
        for (uintptr_t stream = 0; stream <= 2; stream += 2)
            cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, device, stream), SV_OK);
    for (int i = 0; i < KINDS; i++)
        sv_allocator_release(allocators[i]);
}

static int64_t lost_before;

static int64_t lost(void *with)
{
    int64_t now = 0;

    (void)with;
    cr_expect_eq(sv_memory_stats(SV_MEMORY_UNKNOWN, SV_STAT_LOST_COUNT, &now), SV_OK);
    now -= lost_before;
    lost_before += now;
    return now;
}

static void fail_each(sv_status (*run)(void *), int kind, int to, int least)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY, .seed = 1};
    const struct fake_trial each = {.prepare = prepare, .run = run, .clean = clean, .with = &trial, .lost = lost,
                                    .silent = "end_event event_query"};
    int rounds = 0;
    const char *wrong;

    trial = (struct trial){.kind = kind, .to = to};
    wrong = fake_fail_each(&each, &settings, &rounds);
    cr_expect_str_eq(wrong, "", "%s to %s: %s", names[kind], names[to], wrong);
    cr_expect_geq(rounds, least, "%s to %s: %d", names[kind], names[to], rounds);
}

Test(buffer_size_cuda, each_call_of_a_resize_fails_once)
{
    for (int kind = PINNED; kind < KINDS; kind++)
        fail_each(run_resize, kind, kind, 3);
}

Test(buffer_size_cuda, each_call_of_a_migration_fails_once)
{
    for (int pair = 0; pair < KINDS * KINDS; pair++)
        if (pair / KINDS != HOST && pair / KINDS != pair % KINDS)
            fail_each(run_migrate, pair / KINDS, pair % KINDS, 2);
}

Test(buffer_size_cuda, each_call_for_a_stream_fails_once)
{
    for (int kind = PINNED; kind < KINDS; kind++)
        fail_each(run_streams, kind, kind, 2);
}

/* In a capture there is no memory to be had in order, nor an event of now. */
Test(buffer_size_cuda, a_capture_is_left_as_it_is)
{
    struct fake_graph *graph = NULL;

    begin(FAKE_LAZY, 1);
    for (int kind = PINNED; kind < KINDS; kind++) {
        const uintptr_t stream = stream_of(kind, 0), captured = stream_of(kind, 1);
        sv_buffer *buffer = make(kind, stream);
        const void *before = sv_buffer_data(buffer);

        cr_assert_eq(fake_begin_capture((cudaStream_t)captured, cudaStreamCaptureModeGlobal), cudaSuccess);
        cr_expect_eq(sv_buffer_record_use(buffer, captured), SV_ERROR_STATE, "%s", names[kind]);
        if (sv_buffer_traits(buffer) & SV_TRAIT_ORDERED) {
            cr_expect_eq(sv_buffer_resize(buffer, 2 * NBYTES, 0, captured), SV_ERROR_STATE, "%s", names[kind]);
            cr_expect_eq(sv_buffer_set_stream(buffer, captured), SV_ERROR_STATE, "%s", names[kind]);
        }
        cr_expect(sv_buffer_data(buffer) == before && sv_buffer_stream(buffer) == stream, "%s", names[kind]);
        cr_assert_eq(fake_end_capture((cudaStream_t)captured, &graph), cudaSuccess, "%s", names[kind]);
        cr_expect_str_eq(fake_graph_text(graph), "");
        fake_end_graph(graph);
        expect(buffer, NBYTES, false, names[kind]);
        sv_buffer_release(buffer);
    }
    cr_assert_str_eq(end(), "");
}
