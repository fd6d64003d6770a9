/* The CUDA backend over a fake runtime: every state, every failing call. */
#include <sys/wait.h>
#include <unistd.h>

#include "unit/fake_cuda.h"

TestSuite(cuda, .init = start);

static const struct svi_plan sixteen_bytes = {.kind = SVI_CLASS_CONTIGUOUS, .ndim = 1, .item = 1, .nbytes = 16,
                                              .shape = {16}, .dst = {1}, .src = {1}};

static sv_status copy_sixteen(struct svi_device device, bool blocking)
{
    static _Alignas(16) char from[16] = "fifteen letters", to[16];

    const struct svi_request request = {&sixteen_bytes, device, to, device, from, 0, blocking ? SV_COPY_BLOCKING : 0};

    return svi_cuda.copy(&request);
}

/* The state is found once in a process, so each row has a process of its own. */
static void expect_state(cudaError_t error, int driver, int devices, sv_device_state state, const char *text)
{
    pid_t child = fork();
    int ended = 0;

    if (child == 0) {
        char detail[SVI_DETAIL];
        int32_t count = -1;

        fake.counting = error;
        fake.driver = driver;
        fake.devices = devices;
        _exit(svi_cuda.probe(SV_DEVICE_CUDA, &count, detail) == state && strcmp(detail, text) == 0 &&
              count == (state == SV_STATE_READY ? devices : 0) && fake.pending == cudaSuccess &&
              (copy_sixteen(first, true) == SV_OK) == (state == SV_STATE_READY) ? 0 : 1);
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
    expect_state(cudaErrorStubLibrary, 0, 0, SV_STATE_STUB_DRIVER,
                 "the toolkit's stub library stands in the driver's place (libsv was built with runtime 13.0)");
    expect_state(cudaErrorUnknown, 13000, 0, SV_STATE_BROKEN,
                 "the driver fails with cudaErrorUnknown (999), unknown error (libsv was built with runtime 13.0)");
    expect_state(cudaSuccess, 13000, 1, SV_STATE_READY, "1 device, driver 13.0 (libsv was built with runtime 13.0)");
    expect_state(cudaSuccess, 13010, 8, SV_STATE_READY, "8 devices, driver 13.1 (libsv was built with runtime 13.0)");
}

Test(cuda, without_a_driver_a_copy_says_so)
{
    fake.counting = cudaErrorInsufficientDriver;
    fake.driver = 0;
    cr_assert_eq(copy_sixteen(first, true), SV_ERROR_DEVICE);
    cr_assert_str_eq(sv_last_message(), "CUDA: no driver is installed (libsv was built with runtime 13.0)");
    cr_assert_eq(fake.calls, 0);
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
              svi_cuda.probe(SV_DEVICE_CUDA, &count, detail) == SV_STATE_BROKEN && count == 0 ? 0 : 1);
    }
    waitpid(child, &ended, 0);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

Test(cuda, reaches_one_device_and_the_host)
{
    const struct svi_device managed = {SV_DEVICE_CUDA_MANAGED, 0}, pinned = {SV_DEVICE_CUDA_HOST, 0},
                            rocm = {SV_DEVICE_ROCM_HOST, 0};

    cr_assert(svi_cuda.reaches(first, first) && svi_cuda.reaches(first, managed) && svi_cuda.reaches(managed, first));
    cr_assert(svi_cuda.reaches(first, host) && svi_cuda.reaches(host, second) && svi_cuda.reaches(pinned, first) &&
              svi_cuda.reaches(second, managed));
    cr_assert(svi_cuda.reaches(first, second) && svi_cuda.reaches(second, first));
    cr_assert(!svi_cuda.reaches(first, rocm) && !svi_cuda.reaches(rocm, first) && !svi_cuda.reaches(host, host) &&
              !svi_cuda.reaches(pinned, host));
}

Test(cuda, device_and_stream_of_the_caller)
{
    cr_assert_eq(copy_sixteen(second, false), SV_OK);
    cr_assert_eq(fake.current, 0);
    cr_assert_eq(fake.waits, 0);
    cr_assert_eq(fake.stream, cudaStreamLegacy);
    cr_assert_eq(copy_sixteen(second, true), SV_OK);
    cr_assert_eq(fake.waits, 1);
    cr_assert_eq(fake.loads, 1);
    cr_assert_eq(fake.launches, 2);
}

/* Each call of the runtime fails in turn: an error each time, none left pending, the device as it was. */
Test(cuda, every_call_can_fail)
{
    int fail_at = 0;
    sv_status status;

    do {
        fake.calls = 0;
        fake.fail_at = ++fail_at;
        status = copy_sixteen(second, true);
        cr_assert_eq(fake.pending, cudaSuccess, "call %d", fail_at);
        if (status != SV_OK) {
            cr_assert_eq(status, SV_ERROR_CUDA, "call %d", fail_at);
            cr_assert_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"));
        }
        if (fake.current != 0) /* giving it back is the call that failed */
            cr_assert_eq(fake.calls, fail_at, "call %d", fail_at);
        fake.current = 0;
    } while (status != SV_OK);
    cr_assert_gt(fail_at, 5);
}

Test(cuda, errors_have_their_status)
{
    cr_assert_eq(svi_cuda_fail(cudaErrorMemoryAllocation, "x"), SV_ERROR_MEMORY);
    cr_assert_str_eq(sv_last_message(), "x: cudaErrorMemoryAllocation (2), out of memory");
    cr_assert_eq(svi_cuda_fail(cudaErrorInvalidDevice, "x"), SV_ERROR_DEVICE);
    cr_assert_eq(svi_cuda_fail(cudaErrorNoKernelImageForDevice, "x"), SV_ERROR_UNSUPPORTED);
    cr_assert_eq(svi_cuda_fail(cudaErrorIllegalAddress, "x"), SV_ERROR_CUDA);
}
