/* The CUDA backend over a runtime made of host memory: every state, every failing call, every index of the kernel. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/api.h"
#include "cuda/strided.h"

static struct {
    cudaError_t counting; /* what device_count answers */
    int driver, devices, current;
    int calls, fail_at; /* call number fail_at fails with failure; 0: none */
    cudaError_t failure, pending;
    int loads, launches, waits;
    int64_t word; /* of the last launch */
    cudaStream_t stream;
} fake;

static cudaError_t answer(void)
{
    if (++fake.calls != fake.fail_at)
        return cudaSuccess;
    fake.pending = fake.failure;
    return fake.failure;
}

static cudaError_t driver_version(int *version)
{
    *version = fake.driver;
    return cudaSuccess;
}

static cudaError_t runtime_version(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

static cudaError_t device_count(int *count)
{
    if (fake.counting == cudaSuccess)
        *count = fake.devices;
    fake.pending = fake.counting;
    return fake.counting;
}

static cudaError_t get_device(int *device)
{
    *device = fake.current;
    return answer();
}

static cudaError_t set_device(int device)
{
    cudaError_t error = answer();

    if (error == cudaSuccess)
        fake.current = device;
    return error;
}

static cudaError_t load(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options, void **jit_values,
                        unsigned jit_count, enum cudaLibraryOption *options, void **values, unsigned count)
{
    const uint32_t magic = 0xba55ed50; /* how a fatbin begins */

    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    cr_assert_eq(memcmp(code, &magic, sizeof magic), 0);
    fake.loads++;
    *library = (cudaLibrary_t)(uintptr_t)64;
    return answer();
}

static cudaError_t get_kernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    (void)library;
    *kernel = (cudaKernel_t)(uintptr_t)atoi(strrchr(name, '_') + 1);
    return answer();
}

/* Runs the kernel's threads one after another. */
static cudaError_t launch(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
{
    const struct svi_plan *plan = arguments[0];
    char *dst = *(char **)arguments[1];
    const char *src = *(const char **)arguments[2];
    const int64_t word = (int64_t)(uintptr_t)kernel, step = (int64_t)config->gridDim.x * config->blockDim.x;
    cudaError_t error = answer();

    if (error != cudaSuccess)
        return error;
    fake.launches++;
    fake.word = word;
    fake.stream = config->stream;
    for (int64_t thread = 0; thread < step; thread++)
        for (int64_t index = thread; index < plan->nbytes / word; index += step) {
            int64_t to, from;

            svi_strided_locate(plan, word, index, &to, &from);
            cr_assert_eq(((uintptr_t)dst + (uintptr_t)to) % (uintptr_t)word, 0);
            cr_assert_eq(((uintptr_t)src + (uintptr_t)from) % (uintptr_t)word, 0);
            memcpy(dst + to, src + from, (size_t)word);
        }
    return cudaSuccess;
}

static cudaError_t synchronize(cudaStream_t stream)
{
    (void)stream;
    fake.waits++;
    return answer();
}

static cudaError_t last_error(void)
{
    cudaError_t error = fake.pending;

    fake.pending = cudaSuccess;
    return error;
}

static void start(void)
{
    fake.driver = 13000;
    fake.devices = 2;
    fake.failure = cudaErrorUnknown;
    svi_cuda_api = (struct svi_cuda_api){
        .driver_version = driver_version,
        .runtime_version = runtime_version,
        .device_count = device_count,
        .get_device = get_device,
        .set_device = set_device,
        .load = load,
        .get_kernel = get_kernel,
        .launch = launch,
        .synchronize = synchronize,
        .last_error = last_error,
        .error_name = cudaGetErrorName,
        .error_text = cudaGetErrorString,
    };
}

TestSuite(cuda, .init = start);

static const struct svi_device first = {SV_DEVICE_CUDA, 0}, second = {SV_DEVICE_CUDA, 1};

static const struct svi_plan sixteen_bytes = {.kind = SVI_CLASS_CONTIGUOUS, .ndim = 1, .item = 1, .nbytes = 16,
                                              .shape = {16}, .dst = {1}, .src = {1}};

static sv_status copy_sixteen(struct svi_device device, bool blocking)
{
    static _Alignas(16) char from[16] = "fifteen letters", to[16];

    return svi_cuda.copy(&sixteen_bytes, device, to, device, from, 0, blocking);
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
              count == (state == SV_DEVICE_READY ? devices : 0) && fake.pending == cudaSuccess &&
              (copy_sixteen(first, true) == SV_OK) == (state == SV_DEVICE_READY) ? 0 : 1);
    }
    waitpid(child, &ended, 0);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "not: %s", text);
}

Test(cuda, states_are_told_apart)
{
    expect_state(cudaErrorInsufficientDriver, 0, 0, SV_DEVICE_NO_DRIVER,
                 "no driver is installed (libsv was built with runtime 13.0)");
    expect_state(cudaErrorInsufficientDriver, 12020, 0, SV_DEVICE_DRIVER_TOO_OLD,
                 "the driver, 12.2, is too old (libsv was built with runtime 13.0)");
    expect_state(cudaErrorNoDevice, 13000, 0, SV_DEVICE_NONE,
                 "driver 13.0 finds no device (libsv was built with runtime 13.0)");
    expect_state(cudaErrorStubLibrary, 0, 0, SV_DEVICE_STUB,
                 "the toolkit's stub library stands in the driver's place (libsv was built with runtime 13.0)");
    expect_state(cudaErrorUnknown, 13000, 0, SV_DEVICE_BROKEN,
                 "the driver fails with cudaErrorUnknown (999), unknown error (libsv was built with runtime 13.0)");
    expect_state(cudaSuccess, 13000, 1, SV_DEVICE_READY, "1 device, driver 13.0 (libsv was built with runtime 13.0)");
    expect_state(cudaSuccess, 13010, 8, SV_DEVICE_READY, "8 devices, driver 13.1 (libsv was built with runtime 13.0)");
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
              svi_cuda.probe(SV_DEVICE_CUDA, &count, detail) == SV_DEVICE_BROKEN && count == 0 ? 0 : 1);
    }
    waitpid(child, &ended, 0);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

Test(cuda, reaches_one_device_only)
{
    const struct svi_device managed = {SV_DEVICE_CUDA_MANAGED, 0}, pinned = {SV_DEVICE_CUDA_HOST, 0},
                            host = {SV_DEVICE_CPU, 0};

    cr_assert(svi_cuda.reaches(first, first) && svi_cuda.reaches(first, managed) && svi_cuda.reaches(managed, first));
    cr_assert(!svi_cuda.reaches(first, second) && !svi_cuda.reaches(first, host) && !svi_cuda.reaches(pinned, first));
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

/* Element by element, as the plan says. */
static void expected_copy(const struct svi_plan *plan, int32_t axis, char *dst, const char *src)
{
    if (axis == plan->ndim) {
        memcpy(dst, src, (size_t)plan->item);
        return;
    }
    for (int64_t i = 0; i < plan->shape[axis]; i++)
        expected_copy(plan, axis + 1, dst + i * plan->dst[axis], src + i * plan->src[axis]);
}

static const struct {
    const char *name;
    int64_t word;
    int64_t misalign; /* of both addresses */
    struct svi_plan plan; /* nbytes is filled in */
} rows[] = {
    {"one element", 4, 0, {.item = 4}},
    {"odd item", 1, 0, {.ndim = 1, .item = 3, .shape = {5}, .dst = {7}, .src = {3}}},
    {"bytes in a run", 16, 0, {.ndim = 1, .item = 1, .shape = {4096}, .dst = {1}, .src = {1}}},
    {"run at an odd address", 1, 1, {.ndim = 1, .item = 1, .shape = {4096}, .dst = {1}, .src = {1}}},
    {"run at an even address", 2, 6, {.ndim = 1, .item = 4, .shape = {33}, .dst = {4}, .src = {4}}},
    {"rows", 8, 0, {.ndim = 2, .item = 8, .shape = {5, 3}, .dst = {24, 8}, .src = {40, 8}}},
    {"transpose", 4, 0, {.ndim = 2, .item = 4, .shape = {7, 5}, .dst = {20, 4}, .src = {4, 28}}},
    {"reversed", 2, 0, {.ndim = 1, .item = 2, .src_offset = 38, .shape = {20}, .dst = {2}, .src = {-2}}},
    {"broadcast", 16, 0, {.ndim = 2, .item = 16, .shape = {6, 4}, .dst = {64, 16}, .src = {0, 32}}},
    {"four axes, offsets", 4, 0, {.ndim = 4, .item = 12, .dst_offset = 4, .src_offset = 1000, .shape = {2, 3, 4, 5},
                                  .dst = {720, 240, 60, 12}, .src = {-480, 160, -40, 8}}},
};

Test(cuda, every_word_is_moved_to_its_place)
{
    enum { SIZE = 8192 };
    static _Alignas(16) char from[SIZE], to[SIZE], expected[SIZE];

    for (size_t i = 0; i < SIZE; i++)
        from[i] = (char)(i * 7 + i / 256);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct svi_plan plan = rows[row].plan;
        const int64_t at = rows[row].misalign;

        plan.nbytes = plan.item;
        for (int32_t axis = 0; axis < plan.ndim; axis++)
            plan.nbytes *= plan.shape[axis];
        memset(to, 0x55, SIZE);
        memset(expected, 0x55, SIZE);
        expected_copy(&plan, 0, expected + at + plan.dst_offset, from + at + plan.src_offset);
        cr_assert_eq(svi_cuda.copy(&plan, first, to + at, first, from + at, 2, false), SV_OK);
        cr_assert_eq(memcmp(to, expected, SIZE), 0, "%s", rows[row].name);
        cr_assert_eq(fake.word, rows[row].word, "%s: %d", rows[row].name, (int)fake.word);
        cr_assert_eq(fake.stream, cudaStreamPerThread, "%s", rows[row].name);
    }
}

/* More words than one launch has threads, and offsets that 32 bits do not hold. */
Test(cuda, index_arithmetic_is_64_bit)
{
    const struct svi_plan plan = {.ndim = 2, .item = 8, .nbytes = INT64_C(3) << 40, .shape = {INT64_C(3) << 20, 1 << 17},
                                  .dst = {INT64_C(1) << 20, 8}, .src = {8, INT64_C(3) << 23}};
    int64_t to, from;

    svi_strided_locate(&plan, 8, plan.nbytes / 8 - 1, &to, &from);
    cr_assert_eq(to, (INT64_C(3) << 40) - 8);
    cr_assert_eq(from, (INT64_C(3) << 40) - 8);
}
