/* Prefetch, discard and advise: what the driver is asked, over the fake runtime. */
#include <criterion/criterion.h>
#include <string.h>

#include "memory/buffer.h"
#include "fake/fake.h"

enum { NBYTES = 1000, MANY = 20 };

static sv_allocator *managed, *device;
static sv_buffer *buffers[MANY];
static sv_buffer *on_host, *on_device, *empty;

static sv_buffer *make(const sv_allocator *allocator, int64_t nbytes)
{
    sv_buffer *b = NULL;

    cr_assert_eq(sv_buffer_new(allocator, nbytes, 0, 0, 0, &b), SV_OK, "%s", sv_last_message());
    return b;
}

static void begin(void)
{
    cr_assert_eq(sv_allocator_managed(1, &managed), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_device(1, &device), SV_OK, "%s", sv_last_message());
    for (int i = 0; i < MANY; i++)
        buffers[i] = make(managed, NBYTES);
    on_host = make(NULL, NBYTES);
    on_device = make(device, NBYTES);
    empty = make(managed, 0);
    fake_reset();
}

static void end(void)
{
    for (int i = 0; i < MANY; i++) {
        cr_expect_eq(sv_buffer_exports(buffers[i]), 0);
        sv_buffer_release(buffers[i]);
    }
    sv_buffer_release(on_host);
    sv_buffer_release(on_device);
    sv_buffer_release(empty);
    sv_allocator_release(device);
    sv_allocator_release(managed);
    svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
    cr_expect_eq(svi_failure_tell(), SV_OK);
}

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
    begin();
}

static void finish(void)
{
    end();
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

TestSuite(buffer_hint, .init = start);

/* --- the calls under one signature ------------------------------------------ */

typedef sv_status hint(int64_t count, sv_buffer *const *all, uint32_t flags, uintptr_t stream);

static sv_status prefetch(int64_t count, sv_buffer *const *all, uint32_t flags, uintptr_t stream)
{
    return sv_buffer_prefetch(count, all, SV_DEVICE_CUDA, 0, flags, stream);
}

static sv_status prefetch_to_host(int64_t count, sv_buffer *const *all, uint32_t flags, uintptr_t stream)
{
    return sv_buffer_prefetch(count, all, SV_DEVICE_CPU, 0, flags, stream);
}

static sv_status discard(int64_t count, sv_buffer *const *all, uint32_t flags, uintptr_t stream)
{
    return sv_buffer_discard(count, all, SV_DEVICE_CUDA, 0, flags, stream);
}

static sv_status discard_to_host(int64_t count, sv_buffer *const *all, uint32_t flags, uintptr_t stream)
{
    return sv_buffer_discard(count, all, SV_DEVICE_CPU, 0, flags, stream);
}

static sv_status advise(int64_t count, sv_buffer *const *all, uint32_t flags, uintptr_t stream)
{
    (void)stream;
    return sv_buffer_advise(count, all, SV_ADVICE_PREFER, SV_DEVICE_CUDA, 0, flags);
}

static const struct {
    hint *call;
    int one, many; /* the driver's calls */
    bool is_batch;
} hints[] = {
    {prefetch, FAKE_CALL(prefetch), FAKE_PREFETCH_BATCH, true},
    {prefetch_to_host, FAKE_CALL(prefetch), FAKE_PREFETCH_BATCH, true},
    {discard, FAKE_DISCARD_TO_BATCH, FAKE_DISCARD_TO_BATCH, true},
    {discard_to_host, FAKE_DISCARD_TO_BATCH, FAKE_DISCARD_TO_BATCH, true},
    {advise, FAKE_CALL(advise), FAKE_CALL(advise), false},
};

enum { HINTS = sizeof hints / sizeof *hints };

static int asked(int i)
{
    return fake_count(hints[i].one) + (hints[i].many != hints[i].one ? fake_count(hints[i].many) : 0);
}

/* --- what has an effect ------------------------------------------------------------- */

Test(buffer_hint, many_buffers_take_one_call)
{
    cudaStream_t stream = fake_new_stream(1, cudaStreamNonBlocking);

    for (int i = 0; i < HINTS; i++) {
        static const int64_t counts[] = {0, 1, 2, MANY};

        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            const int64_t n = counts[j];

            fake_reset();
            cr_expect_eq(hints[i].call(n, n == 0 ? NULL : buffers, SV_BUFFER_STRICT, (uintptr_t)stream), SV_OK,
                         "row %d, %d: %s", i, (int)n, sv_last_message());
            cr_expect_eq(fake_count(n > 1 ? hints[i].many : hints[i].one), n == 0 ? 0 : hints[i].is_batch ? 1 : (int)n,
                         "row %d, %d", i, (int)n);
            cr_expect_eq(asked(i), n == 0 ? 0 : hints[i].is_batch ? 1 : (int)n);
        }
    }
    fake_end_stream(stream);
    finish();
}

Test(buffer_hint, a_slice_is_a_part)
{
    cudaStream_t stream = fake_new_stream(1, cudaStreamNonBlocking);
    sv_buffer *slice = NULL;

    cr_assert_eq(sv_buffer_slice(buffers[0], 100, 50, 0, &slice), SV_OK);
    cr_expect_eq(sv_buffer_prefetch(1, &slice, SV_DEVICE_CUDA, 0, 0, (uintptr_t)stream), SV_OK);
    cr_expect_not_null(strstr(fake_log(), "prefetch 50 to 0"), "%s", fake_log());
    fake_reset();
    cr_expect_eq(sv_buffer_advise(1, &slice, SV_ADVICE_READ_MOSTLY, 77, -3, 0), SV_OK, "the place is not read: %s",
                 sv_last_message());
    cr_expect_not_null(strstr(fake_log(), "advise 1 50"), "%s", fake_log());
    sv_buffer_release(slice);
    fake_end_stream(stream);
    finish();
}

/* --- what is written later ----------------------------------------------------------- */

/* By the host or by a device, which both read it; also when it was discarded before, and where no driver can. */
Test(buffer_hint, nothing_is_lost_after_a_discard)
{
    static hint *const ways[] = {discard, discard_to_host};

    finish();
    for (int i = 0; i < 2 * 2 * FAKE_POLICIES; i++) {
        const struct fake_settings settings = {
            .policy = i % FAKE_POLICIES, .seed = (unsigned)i, .driver = i < 2 * FAKE_POLICIES ? 0 : 12090};
        hint *const way = ways[i / FAKE_POLICIES % 2];
        cudaStream_t stream;

        fake_start_with(&settings);
        begin();
        stream = fake_new_stream(1, cudaStreamNonBlocking);
        for (char byte = 1; byte < 4; byte++) {
            char *bytes = sv_buffer_data(buffers[0]), found[NBYTES];

            cr_assert_eq(way(2, buffers, 0, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
            cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
            memset(bytes, byte, NBYTES / 2);
            cr_assert_eq(svi_cuda_api.set(bytes + NBYTES / 2, byte, NBYTES / 2, stream), cudaSuccess);
            cr_assert_eq(svi_cuda_api.copy(found, bytes, NBYTES, cudaMemcpyDefault, stream), cudaSuccess);
            cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
            for (int at = 0; at < NBYTES; at++)
                cr_assert(found[at] == byte && bytes[at] == byte, "round %d, byte %d", i, at);
        }
        fake_end_stream(stream);
        finish();
    }
}

/* --- what has none ------------------------------------------------------------------- */

Test(buffer_hint, other_memory_is_left_out)
{
    cudaStream_t stream = fake_new_stream(1, cudaStreamNonBlocking);
    sv_buffer *const cases[][3] = {
        {on_host, on_host, on_host}, {on_device, on_host, empty}, {empty, empty, empty}, {on_host, buffers[0], empty}};

    for (int i = 0; i < HINTS; i++)
        for (int j = 0; j < 4; j++) {
            const bool strict_error = j != 2;

            fake_reset();
            cr_expect_eq(hints[i].call(3, cases[j], 0, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
            cr_expect_eq(asked(i), j == 3);
            fake_reset();
            cr_expect_eq(hints[i].call(3, cases[j], SV_BUFFER_STRICT, (uintptr_t)stream),
                         strict_error ? SV_ERROR_DEVICE : SV_OK, "row %d, case %d: %s", i, j, sv_last_message());
            if (strict_error)
                cr_expect_not_null(strstr(sv_last_message(), "buffer 0 is"), "%s", sv_last_message());
            cr_expect_eq(asked(i), 0);
        }
    cr_expect_eq(sv_buffer_exports(on_host) + sv_buffer_exports(on_device) + sv_buffer_exports(empty), 0);
    fake_end_stream(stream);
    finish();
}

/* A device that moves managed memory only as a whole. */
Test(buffer_hint, a_device_that_cannot)
{
    fake_set_attribute(-1, cudaDevAttrConcurrentManagedAccess, 0);
    for (int i = 0; i < HINTS; i++) {
        cr_expect_eq(hints[i].call(2, buffers, 0, 0), SV_OK, "row %d: %s", i, sv_last_message());
        cr_expect_eq(hints[i].call(2, buffers, SV_BUFFER_STRICT, 0), SV_ERROR_UNSUPPORTED, "row %d", i);
        cr_expect_eq(asked(i), 0);
    }
    fake_set_attribute(-1, cudaDevAttrConcurrentManagedAccess, 1);
    finish();
}

/* The driver's calls for many are none then: what is prefetched is so one by one, and nothing is discarded. */
Test(buffer_hint, another_device_that_cannot)
{
    cudaStream_t stream = fake_new_stream(1, cudaStreamNonBlocking);

    fake_set_attribute(0, cudaDevAttrConcurrentManagedAccess, 0);
    cr_expect_eq(sv_buffer_prefetch(2, buffers, SV_DEVICE_CUDA, 1, SV_BUFFER_STRICT, (uintptr_t)stream), SV_OK, "%s",
                 sv_last_message());
    cr_expect(fake_count(FAKE_PREFETCH_BATCH) == 0 && fake_count(FAKE_CALL(prefetch)) == 2);
    for (int strict = 0; strict < 2; strict++)
        cr_expect_eq(sv_buffer_discard(2, buffers, SV_DEVICE_CUDA, 1, strict ? SV_BUFFER_STRICT : 0,
                                       (uintptr_t)stream),
                     strict ? SV_ERROR_UNSUPPORTED : SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_count(FAKE_DISCARD_TO_BATCH), 0);
    fake_set_attribute(0, cudaDevAttrConcurrentManagedAccess, 1);
    fake_end_stream(stream);
    finish();
}

/* --- what is refused ------------------------------------------------------------------- */

Test(buffer_hint, places)
{
    static const struct {
        int32_t type, id;
        sv_status status;
    } cases[] = {
        {SV_DEVICE_CUDA, 1, SV_OK},
        {SV_DEVICE_CPU, 0, SV_OK},
        {SV_DEVICE_CUDA, 2, SV_ERROR_DEVICE},
        {SV_DEVICE_CUDA, -1, SV_ERROR_DEVICE},
        {SV_DEVICE_CPU, 1, SV_ERROR_DEVICE},
        {SV_DEVICE_CUDA_HOST, 0, SV_ERROR_DEVICE},
        {SV_DEVICE_CUDA_MANAGED, 0, SV_ERROR_DEVICE},
        {0, 0, SV_ERROR_DEVICE},
        {9999, 0, SV_ERROR_DEVICE},
    };
    static const int32_t advices[] = {SV_ADVICE_PREFER, SV_ADVICE_ACCESSED_BY, SV_ADVICE_NOT_ACCESSED_BY};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(sv_buffer_prefetch(1, buffers, cases[i].type, cases[i].id, 0, 0), cases[i].status, "row %zu: %s",
                     i, sv_last_message());
        cr_expect_eq(sv_buffer_discard(1, buffers, cases[i].type, cases[i].id, 0, 0), cases[i].status, "row %zu: %s",
                     i, sv_last_message());
        for (int j = 0; j < 3; j++)
            cr_expect_eq(sv_buffer_advise(1, buffers, advices[j], cases[i].type, cases[i].id, 0), cases[i].status,
                         "row %zu, advice %d: %s", i, advices[j], sv_last_message());
    }
    for (int32_t advice = -1; advice < 9; advice++)
        cr_expect_eq(sv_buffer_advise(1, buffers, advice, SV_DEVICE_CUDA, 0, 0),
                     advice >= 1 && advice <= 6 ? SV_OK : SV_ERROR_INVALID, "advice %d", advice);
    finish();
}

Test(buffer_hint, arrays_are_checked_whole)
{
    sv_buffer *closed = make(managed, NBYTES), *read_only = NULL;
    sv_buffer *const with_null[] = {buffers[0], NULL}, *const with_closed[] = {buffers[0], closed};

    cr_assert_eq(sv_buffer_close(closed, 0), SV_OK);
    cr_assert_eq(sv_buffer_slice(buffers[1], 0, 8, SV_READ_ONLY, &read_only), SV_OK);
    for (int i = 0; i < HINTS; i++) {
        fake_reset();
        cr_expect_eq(hints[i].call(-1, buffers, 0, 0), SV_ERROR_INVALID);
        cr_expect_eq(hints[i].call(1, NULL, 0, 0), SV_ERROR_NULL);
        cr_expect_eq(hints[i].call(1, buffers, SV_BUFFER_ZERO, 0), SV_ERROR_INVALID);
        cr_expect_eq(hints[i].call(2, with_null, 0, 0), SV_ERROR_NULL);
        cr_expect_not_null(strstr(sv_last_message(), "buffer 1 of 2 is NULL"), "%s", sv_last_message());
        cr_expect_eq(hints[i].call(2, with_closed, 0, 0), SV_ERROR_STATE);
        cr_expect_eq(asked(i), 0);
    }
    cr_expect_eq(discard(1, &read_only, 0, 0), SV_ERROR_READ_ONLY);
    cr_expect_eq(sv_buffer_prefetch(1, &read_only, SV_DEVICE_CUDA, 0, 0, 0), SV_OK, "%s", sv_last_message());
    sv_buffer_release(read_only);
    sv_buffer_release(closed);
    finish();
}

/* A hint is no work that a graph could do again. */
Test(buffer_hint, not_while_a_stream_is_captured)
{
    cudaStream_t stream = fake_new_stream(1, cudaStreamNonBlocking);

    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    for (int i = 0; i < HINTS; i++)
        cr_expect_eq(hints[i].call(2, buffers, 0, (uintptr_t)stream), hints[i].is_batch ? SV_ERROR_STATE : SV_OK,
                     "row %d: %s", i, sv_last_message());
    cr_expect_eq(fake_end_capture(stream, NULL), cudaSuccess, "the capture stays valid");
    fake_end_stream(stream);
    finish();
}

/* --- failure ------------------------------------------------------------------------------ */

static cudaStream_t trial_stream;

static void prepare(void *with)
{
    (void)with;
    begin();
    trial_stream = fake_new_stream(1, cudaStreamNonBlocking);
}

static sv_status run(void *with)
{
    const int i = *(const int *)with;

    return hints[i].call(MANY, buffers, SV_BUFFER_STRICT, (uintptr_t)trial_stream);
}

static void clean(void *with, sv_status status)
{
    (void)with, (void)status;
    end();
    fake_end_stream(trial_stream);
}

Test(buffer_hint_failures, each_call_fails_once)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY};

    for (int i = 0; i < HINTS; i++) {
        struct fake_trial trial = {
            .prepare = prepare, .run = run, .clean = clean, .with = &i, .silent = "driver_entry"};
        int rounds = 0;
        const char *wrong = fake_fail_each(&trial, &settings, &rounds);

        cr_expect_str_eq(wrong, "", "row %d: %s", i, wrong);
        cr_expect_geq(rounds, 4, "%d", rounds);
    }
}
