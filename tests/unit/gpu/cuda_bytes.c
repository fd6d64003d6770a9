/*
 * Runs of bytes between all kinds of memory, fills and overlapping copies of device memory, over the fake runtime: what
 * arrives, that everything is in order, and each call failing once.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "copy/bytes.h"
#include "fake/fake.h"
#include "sv.h"
#include "support/pairs.h"

enum { SIZE = 256, MOST = 96, SEEDS = 2 };

enum { CPU, PINNED, FIRST, SECOND, MANAGED, PLACES };

static const struct svi_device devices[PLACES] = {
    {SV_DEVICE_CPU, 0},  {SV_DEVICE_CUDA_HOST, 0},   {SV_DEVICE_CUDA, 0},
    {SV_DEVICE_CUDA, 1}, {SV_DEVICE_CUDA_MANAGED, 0}};

static char *memories[PLACES], ordinary[SIZE];
static cudaStream_t streams[2]; /* of the two devices */

/* Devices are looked for now, once in a process, so that the calls of that are not counted later. */
static void begin(enum fake_policy policy, unsigned seed)
{
    sv_device_state state = SV_STATE_BROKEN;

    fake_start(policy, seed);
    cr_assert(sv_device_probe(SV_DEVICE_CUDA, &state, NULL) == SV_OK && state == SV_STATE_READY);
    memories[CPU] = ordinary;
    memories[PINNED] = fake_allocate(cudaMemoryTypeHost, 0, SIZE);
    memories[FIRST] = fake_allocate(cudaMemoryTypeDevice, 0, SIZE);
    memories[SECOND] = fake_allocate(cudaMemoryTypeDevice, 1, SIZE);
    memories[MANAGED] = fake_allocate(cudaMemoryTypeManaged, 0, SIZE);
    for (int device = 0; device < 2; device++)
        streams[device] = fake_new_stream(device, cudaStreamNonBlocking);
}

static const char *end(void)
{
    for (int place = PINNED; place < PLACES; place++)
        fake_free(memories[place]);
    fake_end_stream(streams[0]);
    fake_end_stream(streams[1]);
    return fake_end();
}

/* Kernels run on streams of the device whose memory they touch. */
static cudaStream_t stream_for(int dst, int src)
{
    return streams[dst == SECOND || src == SECOND];
}

static void set_random(char *bytes)
{
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (char)test_random();
}

static void expect_bytes(int place, const char *expected, const char *what)
{
    char found[SIZE];

    fake_read(found, memories[place], SIZE);
    cr_assert_eq(memcmp(found, expected, SIZE), 0, "%s, memory %d", what, place);
}

/* Every kind of memory is copied to every other, by each executor, at any place. */
Test(cuda_bytes, all_pairs_of_memory)
{
    char from[SIZE], expected[SIZE];

    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES * SEEDS); round++) {
        begin(round % FAKE_POLICIES, (unsigned)round);
        for (int pair = 0; pair < PLACES * PLACES; pair++) {
            const int dst = pair % PLACES, src = pair / PLACES;
            const int64_t nbytes = test_between(1, MOST), to = test_between(0, MOST), at = test_between(0, MOST);
            const uint32_t flags = test_between(0, 1) ? SV_COPY_BLOCKING : 0;
            const cudaStream_t stream = stream_for(dst, src);

            if (dst == src)
                continue;
            set_random(from);
            set_random(expected);
            fake_write(memories[src], from, SIZE);
            fake_write(memories[dst], expected, SIZE);
            memcpy(expected + to, from + at, (size_t)nbytes);
            cr_assert_eq(svi_copy_bytes(devices[dst], memories[dst] + to, devices[src], memories[src] + at, nbytes,
                                        flags, (uintptr_t)stream),
                         SV_OK, "%s", sv_last_message());
            cr_assert(!(flags & SV_COPY_BLOCKING) || fake_unfinished() == 0, "from %d to %d", src, dst);
            cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
            expect_bytes(dst, expected, "copy");
        }
        cr_assert_str_eq(end(), "");
    }
}

/* Through every memory and back, without a wait of the caller: ordinary memory may be written again on return, and
 * the host reads managed memory when the device is done with it. */
Test(cuda_bytes, a_chain_of_copies_is_in_order)
{
    static const int chain[] = {CPU, FIRST, SECOND, FIRST, MANAGED, FIRST, MANAGED, CPU, FIRST, PINNED, FIRST, CPU};
    char expected[SIZE];

    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES * SEEDS); round++) {
        begin(round % FAKE_POLICIES, (unsigned)round);
        set_random(ordinary);
        memcpy(expected, ordinary, SIZE);
        for (size_t i = 1; i < sizeof chain / sizeof *chain; i++) {
            const int dst = chain[i], src = chain[i - 1];

            cr_assert_eq(svi_copy_bytes(devices[dst], memories[dst], devices[src], memories[src], SIZE, 0,
                                        (uintptr_t)streams[0]),
                         SV_OK, "%s", sv_last_message());
            if (src == CPU)
                memset(ordinary, 0, SIZE);
        }
        cr_assert_eq(memcmp(ordinary, expected, SIZE), 0);
        cr_assert_str_eq(end(), "");
    }
}

/* As memmove(): forwards, backwards, onto itself; with a temporary of the device's pool, or without pools. */
Test(cuda_bytes, both_sides_may_be_one_memory)
{
    static const int places[] = {FIRST, SECOND, MANAGED, PINNED};
    char expected[SIZE];

    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES * SEEDS * 4); round++) {
        const int place = places[round % 4];
        const cudaStream_t stream = stream_for(place, place);
        const int64_t nbytes = test_between(1, MOST), at = test_between(0, 90), to = test_between(0, 90);

        begin(round % FAKE_POLICIES, (unsigned)round);
        if (place == SECOND)
            fake_set_attribute(1, cudaDevAttrMemoryPoolsSupported, 0);
        set_random(expected);
        fake_write(memories[place], expected, SIZE);
        memmove(expected + to, expected + at, (size_t)nbytes);
        fake_reset();
        cr_assert_eq(svi_copy_bytes(devices[place], memories[place] + to, devices[place], memories[place] + at,
                                    nbytes, 0, (uintptr_t)stream),
                     SV_OK, "%s", sv_last_message());
        if (place == FIRST)
            cr_assert_eq(fake_count(FAKE_CALL(synchronize)), 0);
        cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
        expect_bytes(place, expected, "move");
        cr_assert_str_eq(end(), "");
    }
}

Test(cuda_bytes, fills_are_in_order)
{
    char item[16], expected[SIZE];

    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES * PLACES * 5); round++) {
        const int place = round % PLACES, itemsize = 1 << round / PLACES % 5;
        const cudaStream_t stream = stream_for(place, place);
        const int64_t count = test_between(1, MOST / itemsize), to = test_between(0, MOST);
        const bool blocking = test_between(0, 1);

        begin(round % FAKE_POLICIES, (unsigned)round);
        for (int i = 0; i < itemsize; i++)
            item[i] = (char)test_between(0, round % 3);
        set_random(expected);
        fake_write(memories[place], expected, SIZE);
        for (int64_t i = 0; i < count; i++)
            memcpy(expected + to + i * itemsize, item, (size_t)itemsize);
        fake_reset();
        cr_assert_eq(svi_fill_bytes(devices[place], memories[place] + to, count * itemsize, item, itemsize,
                                    (uintptr_t)stream, blocking),
                     SV_OK, "%s", sv_last_message());
        memset(item, 0x55, sizeof item);
        if (place == FIRST || place == SECOND)
            cr_assert_eq(fake_count(FAKE_CALL(synchronize)), blocking);
        cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
        expect_bytes(place, expected, "fill");
        cr_assert_str_eq(end(), "");
    }
}

/* Rows of five elements, twenty bytes apart, without a wait: one launch. */
Test(cuda_bytes, strided_views_are_filled)
{
    const int64_t shape[2] = {5, 7}, strides[2] = {2, 20};
    sv_layout *layout = NULL;

    cr_assert_eq(sv_layout_new_bytes(2, shape, strides, 2, &layout), SV_OK);
    for (int64_t round = test_first_round(); test_round(round, FAKE_POLICIES); round++) {
        char expected[SIZE];
        sv_view *view = NULL;

        begin(round, 1);
        set_random(expected);
        fake_write(memories[SECOND], expected, SIZE);
        for (int64_t i = 0; i < shape[0] * shape[1]; i++)
            memcpy(expected + i % shape[0] * strides[0] + i / shape[0] * strides[1], "xy", 2);
        cr_assert_eq(sv_view_new(layout, SV_INT16, memories[SECOND], 0, SIZE, SV_DEVICE_CUDA, 1, 0, NULL, NULL, &view),
                     SV_OK, "%s", sv_last_message());
        fake_reset();
        cr_assert_eq(sv_fill(view, "xy", 2, 0, (uintptr_t)streams[1]), SV_OK, "%s", sv_last_message());
        cr_expect_eq(fake_count(FAKE_CALL(launch)), 1);
        cr_expect_eq(fake_count(FAKE_CALL(set)) + fake_count(FAKE_CALL(copy)), 0);
        cr_expect_eq(fake_count(FAKE_CALL(synchronize)), 0);
        expect_bytes(SECOND, expected, "sv_fill");
        sv_view_release(view);
        cr_assert_str_eq(end(), "");
    }
    sv_layout_release(layout);
}

/* --- every call fails --------------------------------------------------------- */

static sv_status device_to_device(void)
{
    return svi_copy_bytes(devices[SECOND], memories[SECOND], devices[FIRST], memories[FIRST], MOST, 0,
                          (uintptr_t)streams[0]);
}

static sv_status move_within_device(void)
{
    return svi_copy_bytes(devices[FIRST], memories[FIRST], devices[FIRST], memories[FIRST] + 1, MOST, 0,
                          (uintptr_t)streams[0]);
}

static sv_status move_managed(void)
{
    return svi_copy_bytes(devices[MANAGED], memories[MANAGED], devices[MANAGED], memories[MANAGED] + 1, MOST, 0,
                          (uintptr_t)streams[0]);
}

static sv_status from_device(void)
{
    return svi_copy_bytes(devices[CPU], memories[CPU], devices[SECOND], memories[SECOND], MOST, 0, 2);
}

static sv_status fill_device(void)
{
    return svi_fill_bytes(devices[SECOND], memories[SECOND], MOST - MOST % 4, "aabb", 4, 2, true);
}

static sv_status fill_managed(void)
{
    return svi_fill_bytes(devices[MANAGED], memories[MANAGED], MOST, "a", 1, (uintptr_t)streams[0], false);
}

static const struct {
    const char *name;
    sv_status (*call)(void);
} calls[] = {
    {"device to device", device_to_device}, {"move within a device", move_within_device},
    {"move of managed memory", move_managed}, {"device to host", from_device},
    {"fill of a device", fill_device},      {"fill of managed memory", fill_managed},
};

/* The call that does it may have been the one that failed. */
static void restore_capture_mode(void)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;

    cr_assert_eq(svi_cuda_api.exchange_capture_mode(&mode), cudaSuccess);
}

/* Then what fails is giving back the temporary. */
static bool has_copied_twice(void)
{
    return fake_count(FAKE_CALL(launch)) + fake_count(FAKE_CALL(copy)) == 2 && strstr(sv_last_message(), "launching") == NULL;
}

/* Nothing is lost but what cannot be given back, no error stays, and the thread's device is the one it was. */
Test(cuda_bytes, every_call_can_fail)
{
    static const char lost[] = "device memory is alive: 96 bytes of device 0\n";

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        sv_status status = SV_ERROR_CUDA;
        const char *faults;
        bool has_failed_to_free;
        int nth = 0;

        while (status != SV_OK) {
            begin(nth % FAKE_POLICIES, (unsigned)nth);
            fake_fail(++nth, cudaErrorUnknown);
            status = calls[i].call();
            cr_assert(status == SV_OK || status == SV_ERROR_CUDA, "%s, call %d: %s", calls[i].name, nth,
                      sv_last_message());
            cr_assert_eq(fake_pending(), cudaSuccess, "%s, call %d", calls[i].name, nth);
            cr_assert(fake_current() == 0 || strstr(sv_last_message(), "the caller's device again") != NULL,
                      "%s, call %d", calls[i].name, nth);
            fake_set_current(0);
            fake_fail(0, cudaSuccess);
            restore_capture_mode();
            has_failed_to_free = has_copied_twice() && status != SV_OK;
            faults = end();
            cr_assert(*faults == '\0' || (has_failed_to_free && strcmp(faults, lost) == 0), "%s, call %d: %s",
                      calls[i].name, nth, faults);
        }
        cr_assert_gt(nth, 2, "%s", calls[i].name);
    }
}

/* --- captures ------------------------------------------------------------------ */

/* Fills and copies of device memory are recorded; what needs a temporary is refused and leaves the capture valid. */
Test(cuda_bytes, captured)
{
    struct fake_graph *graph = NULL;
    char found[8];

    begin(FAKE_LAZY, 1);
    fake_write(memories[FIRST], "unchanged", 10);
    cr_assert_eq(fake_begin_capture(streams[0], cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(svi_fill_bytes(devices[FIRST], memories[FIRST], 8, "ab", 2, (uintptr_t)streams[0], false), SV_OK, "%s",
                 sv_last_message());
    cr_expect_eq(move_within_device(), SV_ERROR_STATE, "%s", sv_last_message());
    cr_expect_eq(device_to_device(), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_end_capture(streams[0], &graph), cudaSuccess);
    fake_read(found, memories[FIRST], 8);
    cr_expect_eq(memcmp(found, "unchange", 8), 0);
    fake_launch_graph(graph, streams[0]);
    cr_assert_eq(svi_cuda_api.synchronize(streams[0]), cudaSuccess);
    fake_read(found, memories[SECOND], 8);
    cr_expect_eq(memcmp(found, "abababab", 8), 0);
    fake_end_graph(graph);
    cr_expect_str_eq(end(), "");
}
