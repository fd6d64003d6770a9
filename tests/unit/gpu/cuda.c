/* The CUDA backend over the fake runtime: every state, every failing call. */
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <string.h>

#include "fake/fake.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/cuda.h"

static const struct svi_device first = {SV_DEVICE_CUDA, 0}, second = {SV_DEVICE_CUDA, 1};

/* The texts tell versions, so these are not the toolkit's. */
static void start_as(cudaError_t counting, int driver, int devices)
{
    fake_start_with(&(struct fake_settings){.policy = FAKE_LAZY, .counting = counting, .devices = devices,
                                            .driver = driver == 0 ? FAKE_NO_DRIVER : driver, .runtime = 13000});
}

static void start(void)
{
    start_as(cudaSuccess, 13000, 2);
}

TestSuite(cuda, .init = start);

/* Not contiguous in name, so that a kernel copies them. */
static const struct svi_plan sixteen_bytes = {.kind = SVI_CLASS_ROWS, .ndim = 1, .item = 1, .src_item = 1, .nbytes = 16,
                                              .shape = {16}, .dst = {1}, .src = {1}};

static const char letters[16] = "fifteen letters";
static char *from, *to; /* on one device */

static void make_sides(struct svi_device device)
{
    from = fake_allocate(cudaMemoryTypeDevice, device.id, 16);
    to = fake_allocate(cudaMemoryTypeDevice, device.id, 16);
    fake_write(from, letters, 16);
}

static void free_sides(void)
{
    fake_free(from);
    fake_free(to);
}

static sv_status copy_between(struct svi_device device, bool blocking)
{
    const struct svi_request request = {&sixteen_bytes, device, to, device, from, 0, blocking ? SV_COPY_BLOCKING : 0, NULL, NULL};

    return svi_cuda.copy(&request);
}

/* SV_OK: the bytes have arrived, too. */
static sv_status copy_sixteen(struct svi_device device, bool blocking)
{
    char arrived[16];
    sv_status status;

    make_sides(device);
    status = copy_between(device, blocking);
    fake_read(arrived, to, 16);
    free_sides();
    return status == SV_OK && memcmp(arrived, letters, 16) != 0 ? SV_ERROR_STATE : status;
}

/* Calls of the runtime but those that look for devices. */
static int other_calls(void)
{
    return fake_calls() - fake_count(FAKE_CALL(driver_version)) - fake_count(FAKE_CALL(runtime_version)) -
           fake_count(FAKE_CALL(device_count));
}

/* The state is found once in a process, so each row has a process of its own. */
static void expect_state(cudaError_t error, int driver, int devices, sv_device_state state, const char *text)
{
    pid_t child = fork();
    int ended = 0;

    if (child == 0) {
        char detail[SVI_DETAIL];
        int32_t count = -1;

        start_as(error, driver, devices);
        _exit(svi_cuda.probe(SV_DEVICE_CUDA, &count, detail) == state && strcmp(detail, text) == 0 &&
              count == (state == SV_STATE_READY ? devices : 0) && fake_pending() == cudaSuccess &&
              (copy_sixteen(first, true) == SV_OK) == (state == SV_STATE_READY) && fake_faults() == 0 ? 0 : 1);
    }
    waitpid(child, &ended, 0);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "not: %s", text);
}

Test(cuda, states_are_told_apart)
{
    expect_state(cudaErrorInsufficientDriver, 0, 0, SV_STATE_NO_DRIVER,
                 "no driver is installed (libsv was built with runtime 13.0)");
    expect_state(cudaErrorInsufficientDriver, 12020, 0, SV_STATE_DRIVER_TOO_OLD,
                 "the driver, 12.2, is too old (libsv was built with runtime 13.0)");
    expect_state(cudaErrorNoDevice, 13000, 0, SV_STATE_NO_DEVICE,
                 "driver 13.0 finds no device (libsv was built with runtime 13.0)");
    expect_state(cudaSuccess, 13000, FAKE_NO_DEVICE, SV_STATE_NO_DEVICE,
                 "driver 13.0 finds no device (libsv was built with runtime 13.0)");
    expect_state(cudaErrorStubLibrary, 0, 0, SV_STATE_STUB_DRIVER,
                 "the toolkit's stub library stands in the driver's place (libsv was built with runtime 13.0)");
    expect_state(cudaErrorUnknown, 13000, 0, SV_STATE_BROKEN,
                 "the driver fails with cudaErrorUnknown (999), unknown error (libsv was built with runtime 13.0)");
    expect_state(cudaSuccess, 13000, 1, SV_STATE_READY, "1 device, driver 13.0 (libsv was built with runtime 13.0)");
    expect_state(cudaSuccess, 13010, 8, SV_STATE_READY, "8 devices, driver 13.1 (libsv was built with runtime 13.0)");
}

Test(cuda, without_a_driver_a_copy_says_so)
{
    start_as(cudaErrorInsufficientDriver, 0, 0);
    cr_assert_eq(copy_sixteen(first, true), SV_ERROR_DEVICE);
    cr_assert_str_eq(sv_last_message(), "CUDA: no driver is installed (libsv was built with runtime 13.0)");
    cr_assert_eq(other_calls(), 0);
}

Test(cuda, a_forked_process_is_refused)
{
    pid_t child;
    int ended = 0;

    cr_assert_eq(copy_sixteen(first, true), SV_OK);
    child = fork();
    if (child == 0) {
        char detail[SVI_DETAIL];
        int32_t count = -1;

        _exit(copy_sixteen(first, true) == SV_ERROR_FORKED &&
              svi_cuda.probe(SV_DEVICE_CUDA, &count, detail) == SV_STATE_BROKEN && count == 0 &&
              fake_faults() == 0 ? 0 : 1);
    }
    waitpid(child, &ended, 0);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

/* The first copy loads the kernels: with a capture mode that leaves the captures of other streams valid. */
Test(cuda, device_and_stream_of_the_caller)
{
    cudaStream_t captured = fake_new_stream(0, cudaStreamNonBlocking);

    cr_assert_eq(fake_begin_capture(captured, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_assert_eq(copy_sixteen(second, false), SV_OK);
    cr_assert_eq(fake_end_capture(captured, NULL), cudaSuccess);
    cr_assert_eq(fake_current(), 0);
    cr_assert_eq(fake_count(FAKE_CALL(synchronize)), 0);
    fake_end_stream(captured);
    cr_assert_not_null(strstr(fake_log(), "1:launch legacy; "), "%s", fake_log());
    cr_assert_eq(copy_sixteen(second, true), SV_OK);
    cr_assert_eq(fake_count(FAKE_CALL(synchronize)), 1);
    cr_assert_eq(fake_count(FAKE_CALL(load)), 1);
    cr_assert_eq(fake_count(FAKE_CALL(launch)), 2);
    cr_assert_str_eq(fake_end(), "");
}

/* Waiting for a stream that is not captured is not a part of any graph, and ends no capture, whichever its mode. */
Test(cuda, a_copy_that_waits_leaves_captures_of_others_valid)
{
    static const enum cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                                       cudaStreamCaptureModeRelaxed};
    cudaStream_t captured = fake_new_stream(0, cudaStreamNonBlocking);

    for (int i = 0; i < 3; i++) {
        cr_assert_eq(fake_begin_capture(captured, modes[i]), cudaSuccess);
        cr_expect_eq(copy_sixteen(second, true), SV_OK, "%s", sv_last_message());
        cr_expect_eq(fake_end_capture(captured, NULL), cudaSuccess, "mode %d", i);
    }
    fake_end_stream(captured);
    cr_assert_str_eq(fake_end(), "");
}

/* A copy on the legacy default stream would end the capture of a stream that it waits for, blocking or not. */
Test(cuda, the_legacy_stream_is_barred_by_a_capture)
{
    cudaStream_t captured = fake_new_stream(1, cudaStreamDefault);

    cr_assert_eq(fake_begin_capture(captured, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(copy_sixteen(second, false), SV_ERROR_STATE);
    cr_expect_eq(copy_sixteen(second, true), SV_ERROR_STATE);
    cr_expect_eq(fake_count(FAKE_CALL(launch)), 0);
    cr_expect_eq(fake_current(), 0);
    cr_assert_eq(fake_end_capture(captured, NULL), cudaSuccess);
    fake_end_stream(captured);
    cr_assert_str_eq(fake_end(), "");
}

static void prepare(void *round)
{
    ++*(int *)round;
    make_sides(second);
}

static sv_status copy_to_second(void *round)
{
    const sv_status status = copy_between(second, true);

    if (fake_current() != 0) /* giving it back is the call that failed */
        cr_expect_eq(fake_failed_call(), FAKE_CALL(set_device), "call %d", *(int *)round);
    return status;
}

static void clean(void *round, sv_status status)
{
    if (status != SV_OK) {
        cr_expect_eq(status, SV_ERROR_CUDA, "call %d", *(int *)round);
        cr_expect_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"), "%s", sv_last_message());
    }
    free_sides();
}

/* Each call of the runtime fails in turn: an error each time, none left pending, the device as it was. The first time
 * loads the kernels, the second has them. */
Test(cuda, every_call_can_fail)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY};
    int round = 0, rounds = 0;
    const struct fake_trial trial = {.prepare = prepare, .run = copy_to_second, .clean = clean, .with = &round};

    cr_assert_str_eq(fake_fail_each(&trial, &settings, &rounds), "");
    cr_assert_gt(rounds, 5, "device, device, the mode, library, kernel, the mode again: %d", rounds);
    round = 0;
    cr_assert_str_eq(fake_fail_each(&trial, &settings, &rounds), "");
    cr_assert_eq(rounds, 8, "the mode, device, device, capture, launch, the wait, the device and the mode again: %d",
                 rounds);
    cr_assert(fake_seen_failing(FAKE_CALL(load)) && fake_seen_failing(FAKE_CALL(get_kernel)) &&
              fake_seen_failing(FAKE_CALL(launch)) && fake_seen_failing(FAKE_CALL(synchronize)));
}

Test(cuda, errors_have_their_status)
{
    cr_assert_eq(svi_cuda_fail(cudaErrorMemoryAllocation, "x"), SV_ERROR_MEMORY);
    cr_assert_str_eq(sv_last_message(), "x: cudaErrorMemoryAllocation (2), out of memory");
    cr_assert_eq(svi_cuda_fail(cudaErrorInvalidDevice, "x"), SV_ERROR_DEVICE);
    cr_assert_eq(svi_cuda_fail(cudaErrorNoKernelImageForDevice, "x"), SV_ERROR_UNSUPPORTED);
    cr_assert_eq(svi_cuda_fail(cudaErrorIllegalAddress, "x"), SV_ERROR_CUDA);
}
