#include <criterion/criterion.h>
#include <string.h>

#include "fake/fake.h"
#include "sv.h"
#include "gpu/cuda/event.h"
#include "gpu/cuda/find.h"

static uintptr_t streams[4]; /* what the cases call 10, 110, 120 and 220: the hundreds are the device */

static uintptr_t stream_of(uintptr_t name)
{
    return name <= 2 ? name : streams[name == 10 ? 0 : name == 110 ? 1 : name == 120 ? 2 : 3];
}

static void begin(cudaError_t counting)
{
    static const int devices[] = {0, 1, 1, 2};
    const struct fake_settings settings = {.policy = FAKE_LAZY, .devices = 3, .counting = counting,
                                           .driver = counting == cudaSuccess ? 0 : FAKE_NO_DRIVER};

    fake_start_with(&settings);
    for (int i = 0; i < 4; i++)
        streams[i] = (uintptr_t)fake_new_stream(devices[i], cudaStreamNonBlocking);
}

static void start(void)
{
    begin(cudaSuccess);
}

static void end(void)
{
    for (int i = 0; i < 4; i++)
        fake_end_stream((cudaStream_t)streams[i]);
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

TestSuite(cuda_stream, .init = start);

/* By the public way, which sees two names of one stream. 1 is cudaStreamLegacy, 2 cudaStreamPerThread. */
Test(cuda_stream, a_stream_waits_for_another)
{
    static const struct {
        const char *name;
        int32_t type, id;
        uintptr_t stream;
        int32_t other_type, other_id;
        uintptr_t other;
        const char *log;
    } cases[] = {
        {"default streams", SV_DEVICE_CUDA, 0, 2, SV_DEVICE_CUDA, 0, 1, "0:new_event ; 0:record legacy; 0:wait thread; 0:end_event ; "},
        {"0 is 1", SV_DEVICE_CUDA, 0, 2, SV_DEVICE_CUDA, 0, 0, "0:new_event ; 0:record legacy; 0:wait thread; 0:end_event ; "},
        {"of another device", SV_DEVICE_CUDA, 1, 1, SV_DEVICE_CUDA, 1, 2, "1:new_event ; 1:record thread; 1:wait legacy; 0:end_event ; "},
        {"handles tell their device", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 0, 120, "1:new_event ; 1:record s3; 1:wait s2; 0:end_event ; "},
        {"two devices", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 0, 220, "2:new_event ; 2:record s4; 1:wait s2; 0:end_event ; "},
        {"a default stream for a handle", SV_DEVICE_CUDA, 2, 1, SV_DEVICE_CUDA, 2, 110, "1:new_event ; 1:record s2; 2:wait legacy; 0:end_event ; "},
        {"managed memory", SV_DEVICE_CUDA_MANAGED, 0, 10, SV_DEVICE_CUDA_MANAGED, 0, 1, "0:new_event ; 0:record legacy; 0:wait s1; 0:end_event ; "},
        {"pinned memory", SV_DEVICE_CUDA_HOST, 0, 10, SV_DEVICE_CUDA_HOST, 0, 1, "0:new_event ; 0:record legacy; 0:wait s1; 0:end_event ; "},
        {"default streams of two devices", SV_DEVICE_CUDA, 2, 1, SV_DEVICE_CUDA, 1, 1,
         "1:new_event ; 1:record legacy; 2:wait legacy; 0:end_event ; "},
        {"a thread's default streams of two devices", SV_DEVICE_CUDA, 0, 2, SV_DEVICE_CUDA_MANAGED, 2, 2,
         "2:new_event ; 2:record thread; 0:wait thread; 0:end_event ; "},
        {"a handle for a default stream", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 2, 1,
         "2:new_event ; 2:record legacy; 1:wait s2; 0:end_event ; "},
        {"the host's work is done", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CPU, 0, 1, ""},
        {"a handle is the same on any device", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 2, 110, ""},
        {"a default stream is the same for any memory", SV_DEVICE_CUDA, 1, 1, SV_DEVICE_CUDA_HOST, 1, 0, ""},
        {"itself", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 0, 110, ""},
        {"itself by another name", SV_DEVICE_CUDA, 0, 0, SV_DEVICE_CUDA, 0, 1, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake_reset();
        cr_expect_eq(sv_stream_wait(cases[i].type, cases[i].id, stream_of(cases[i].stream), cases[i].other_type,
                                    cases[i].other_id, stream_of(cases[i].other)),
                     SV_OK, "%s: %s", cases[i].name, sv_last_message());
        cr_expect_str_eq(fake_log(), cases[i].log, "%s: %s", cases[i].name, fake_log());
        cr_expect_eq(fake_current(), 0, "%s", cases[i].name);
        cr_expect_eq(fake_live_events(), 0, "%s", cases[i].name);
    }
    end();
}

Test(cuda_stream, the_host_waits_for_a_stream)
{
    cr_expect_eq(svi_cuda_check_ready(), SV_OK);
    fake_reset();
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 1, 0), SV_OK);
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, stream_of(110)), SV_OK);
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA_MANAGED, 0, 2), SV_OK);
    cr_expect_str_eq(fake_log(), "1:synchronize legacy; 1:synchronize s2; 0:synchronize thread; ");
    cr_expect_eq(fake_current(), 0);
    end();
}

static uintptr_t capture_stream(uintptr_t name, const cudaStream_t made[2])
{
    return name == 11 || name == 12 ? (uintptr_t)made[name - 11] : stream_of(name);
}

/* Stream 10 is captured, and 11 has joined it: of the same device and not blocking. What no graph can hold is refused
 * before it touches a stream. */
Test(cuda_stream, waits_that_a_capture_cannot_hold)
{
    static const struct {
        const char *name;
        uintptr_t stream, other; /* 11: joined; 12: of another capture; 0 to 2: default ones of device 0 */
        sv_status status;
    } cases[] = {
        {"for the legacy stream", 10, 1, SV_ERROR_STATE},
        {"for the legacy stream by its other name", 10, 0, SV_ERROR_STATE},
        {"for a thread's stream", 10, 2, SV_ERROR_STATE},
        {"for another device", 10, 110, SV_ERROR_STATE},
        {"of one that joined", 11, 1, SV_ERROR_STATE},
        {"of the legacy stream", 1, 10, SV_ERROR_STATE},
        {"of the legacy stream by its other name", 0, 11, SV_ERROR_STATE},
        {"for another capture", 10, 12, SV_ERROR_STATE},
        {"of another capture", 12, 11, SV_ERROR_STATE},
        {"within it", 11, 10, SV_OK},
        {"within it the other way", 10, 11, SV_OK},
        {"outside of it", 110, 120, SV_OK},
        {"default streams outside of it", 2, 1, SV_OK},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cudaStream_t joined = fake_new_stream(0, cudaStreamNonBlocking);
        cudaStream_t other = fake_new_stream(0, cudaStreamNonBlocking);
        const cudaStream_t made[] = {joined, other};
        const uintptr_t one = capture_stream(cases[i].stream, made), two = capture_stream(cases[i].other, made);

        cr_assert_eq(fake_begin_capture((cudaStream_t)streams[0], cudaStreamCaptureModeGlobal), cudaSuccess);
        cr_assert_eq(fake_begin_capture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
        cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, (uintptr_t)joined, SV_DEVICE_CUDA, 0, streams[0]), SV_OK, "%s",
                     sv_last_message());
        fake_reset();
        cr_expect_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, one, SV_DEVICE_CUDA, 0, two), cases[i].status, "%s: %s",
                     cases[i].name, sv_last_message());
        if (cases[i].status != SV_OK)
            cr_expect_str_eq(fake_log(), "", "%s", cases[i].name);
        cr_expect_eq(fake_current(), 0, "%s", cases[i].name);
        cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, streams[0], SV_DEVICE_CUDA, 0, (uintptr_t)joined), SV_OK);
        cr_expect_eq(fake_end_capture((cudaStream_t)streams[0], NULL), cudaSuccess, "%s", cases[i].name);
        cr_expect_eq(fake_end_capture(other, NULL), cudaSuccess, "%s", cases[i].name);
        fake_end_stream(joined);
        fake_end_stream(other);
    }
    end();
}

/* Stream 10 is captured, and 11 has joined it; the question harms nothing. */
Test(cuda_stream, whose_streams_are_and_which_are_captured)
{
    static const struct {
        const char *name;
        uintptr_t stream;
        int32_t device, owner, captured; /* the device that is given; the answers */
    } cases[] = {
        {"captured", 10, 0, 0, 1},
        {"captured, asked for another device", 10, 1, 0, 1},
        {"joined", 11, 0, 0, 1},
        {"of another device", 110, 1, 1, 0},
        {"of another device, asked for the first", 110, 0, 1, 0},
        {"legacy", 1, 0, 0, 0},
        {"legacy of another device", 1, 1, 1, 0},
        {"legacy by its other name", 0, 0, 0, 0},
        {"of the thread", 2, 0, 0, 0},
        {"of the thread on another device", 2, 1, 1, 0},
    };
    static const enum cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                                       cudaStreamCaptureModeRelaxed};

    for (size_t i = 0; i < sizeof cases / sizeof *cases * 3; i++) {
        const enum cudaStreamCaptureMode mode = modes[i % 3];
        cudaStream_t joined = fake_new_stream(0, cudaStreamNonBlocking);
        const cudaStream_t made[] = {joined, joined};
        int32_t owner = 7, captured = 7;

        cr_assert_eq(fake_begin_capture((cudaStream_t)streams[0], mode), cudaSuccess);
        cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, (uintptr_t)joined, SV_DEVICE_CUDA, 0, streams[0]), SV_OK);
        fake_reset();
        cr_expect_eq(sv_stream_query(SV_DEVICE_CUDA, cases[i / 3].device, capture_stream(cases[i / 3].stream, made),
                                     &owner, &captured), SV_OK, "%s: %s", cases[i / 3].name, sv_last_message());
        cr_expect_eq(owner, cases[i / 3].owner, "%s", cases[i / 3].name);
        cr_expect_eq(captured, cases[i / 3].captured, "%s", cases[i / 3].name);
        cr_expect_str_eq(fake_log(), "", "%s", cases[i / 3].name);
        cr_expect_eq(fake_current(), 0, "%s", cases[i / 3].name);
        cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, streams[0], SV_DEVICE_CUDA, 0, (uintptr_t)joined), SV_OK);
        cr_expect_eq(fake_end_capture((cudaStream_t)streams[0], NULL), cudaSuccess, "%s", cases[i / 3].name);
        fake_end_stream(joined);
    }
    end();
}

static void prepare_captured(void *with)
{
    cudaStream_t *made = with;

    made[0] = fake_new_stream(0, cudaStreamNonBlocking);
    made[1] = fake_new_stream(0, cudaStreamNonBlocking);
    fake_begin_capture(made[0], cudaStreamCaptureModeRelaxed);
    svi_cuda_wait((struct svi_device){SV_DEVICE_CUDA, 0}, (uintptr_t)made[1],
                  (struct svi_device){SV_DEVICE_CUDA, 0}, (uintptr_t)made[0]);
}

static sv_status wait_in_capture(void *with)
{
    cudaStream_t *made = with;

    return sv_stream_wait(SV_DEVICE_CUDA, 0, (uintptr_t)made[0], SV_DEVICE_CUDA, 0, (uintptr_t)made[1]);
}

static void end_captured(void *with, sv_status status)
{
    cudaStream_t *made = with;

    (void)status;
    fake_end_capture(made[0], NULL);
    svi_cuda_api.last_error();
    fake_end_stream(made[0]);
    fake_end_stream(made[1]);
}

static void prepare(void *with)
{
    (void)with;
    for (int i = 0; i < 4; i++)
        streams[i] = (uintptr_t)fake_new_stream((i + 1) / 2, cudaStreamNonBlocking);
}

static void clean(void *with, sv_status status)
{
    (void)with;
    if (status != SV_OK)
        cr_expect_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"), "%s", sv_last_message());
    for (int i = 0; i < 4; i++)
        fake_end_stream((cudaStream_t)streams[i]);
}

static sv_status wait_for_another(void *with)
{
    (void)with;
    return sv_stream_wait(SV_DEVICE_CUDA, 0, stream_of(110), SV_DEVICE_CUDA, 0, stream_of(220));
}

static sv_status wait_as_host(void *with)
{
    (void)with;
    return sv_stream_synchronize(SV_DEVICE_CUDA, 0, stream_of(110));
}

/* Each call of the runtime fails in turn: no event stays, no error is left pending, the first failure is told. */
Test(cuda_stream, every_call_about_streams_can_fail)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY, .devices = 3};
    const struct fake_trial waits = {.prepare = prepare, .run = wait_for_another, .clean = clean,
                                     .silent = "end_event"};
    const struct fake_trial synchronizes = {.prepare = prepare, .run = wait_as_host, .clean = clean};
    cudaStream_t made[2];
    const struct fake_trial captured = {.prepare = prepare_captured, .run = wait_in_capture, .clean = end_captured,
                                        .with = made, .silent = "end_event"};
    int rounds = 0;

    cr_expect_str_eq(fake_fail_each(&waits, &settings, &rounds), "");
    cr_expect_eq(rounds, 14, "%d", rounds);
    cr_expect_str_eq(fake_fail_each(&synchronizes, &settings, &rounds), "");
    cr_expect_eq(rounds, 9, "%d", rounds);
    cr_expect_str_eq(fake_fail_each(&captured, &settings, &rounds), "");
    cr_expect(fake_seen_failing(FAKE_CAPTURE_INFO));
}

Test(cuda_stream, without_a_driver_streams_say_so)
{
    begin(cudaErrorInsufficientDriver);
    cr_expect_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, 1, SV_DEVICE_CUDA, 0, 1), SV_OK);
    cr_expect_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, 1, SV_DEVICE_CUDA, 0, 2), SV_ERROR_DEVICE);
    cr_expect_str_eq(sv_last_message(), "CUDA: no driver is installed (libsv was built with runtime 13.0)");
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, 1), SV_ERROR_DEVICE);
    cr_expect_eq(fake_count(FAKE_CALL(new_event)) + fake_count(FAKE_CALL(synchronize)), 0);
}
