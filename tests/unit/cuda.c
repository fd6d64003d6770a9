/* The CUDA backend over a runtime made of host memory: every state, every failing call, every index of the kernel. */
#include <criterion/criterion.h>
#include <stdio.h>
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
    int loads, launches, copies, waits;
    int events; /* that are not ended */
    int64_t word; /* of the last launch */
    cudaStream_t stream;
    char log[512]; /* what was done with streams: each step after the device it was done on */
} fake;

static cudaError_t answer(void)
{
    if (++fake.calls != fake.fail_at)
        return cudaSuccess;
    fake.pending = fake.failure;
    return fake.failure;
}

static void note(const char *step, uintptr_t what)
{
    const size_t length = strlen(fake.log);

    snprintf(fake.log + length, sizeof fake.log - length, "%d:%s %lu; ", fake.current, step, (unsigned long)what);
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

/* As cudaMemcpy2DAsync(), whose pitches are never less than the width. */
static cudaError_t copy_pitched(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = answer();

    cr_assert(dst_pitch >= width && src_pitch >= width && height > 0 && kind == cudaMemcpyDefault);
    cr_assert(height == 1 || (dst_pitch <= INT32_MAX && src_pitch <= INT32_MAX));
    if (error != cudaSuccess)
        return error;
    fake.copies++;
    fake.stream = stream;
    for (size_t row = 0; row < height; row++)
        memcpy((char *)dst + row * dst_pitch, (const char *)src + row * src_pitch, width);
    return cudaSuccess;
}

static cudaError_t copy_run(void *dst, const void *src, size_t nbytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_pitched(dst, nbytes, src, nbytes, nbytes, 1, kind, stream);
}

static cudaError_t synchronize(cudaStream_t stream)
{
    fake.waits++;
    note("synchronize", (uintptr_t)stream);
    return answer();
}

/* Streams from 100 on belong to device 1, from 200 on to device 2, and so on. */
static cudaError_t stream_device(cudaStream_t stream, int *device)
{
    *device = (int)((uintptr_t)stream / 100);
    return answer();
}

static cudaError_t new_event(cudaEvent_t *event, unsigned flags)
{
    cudaError_t error = answer();

    cr_assert_eq(flags, cudaEventDisableTiming);
    if (error == cudaSuccess) {
        *event = (cudaEvent_t)(uintptr_t)(7 + fake.events++);
        note("event", (uintptr_t)*event);
    }
    return error;
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream)
{
    cr_assert_not_null(event);
    note("record", (uintptr_t)stream);
    return answer();
}

static cudaError_t wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cr_assert_not_null(event);
    cr_assert_eq(flags, 0);
    note("wait", (uintptr_t)stream);
    return answer();
}

static cudaError_t end_event(cudaEvent_t event)
{
    fake.events--;
    note("end", (uintptr_t)event);
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
        .copy = copy_run,
        .copy_rows = copy_pitched,
        .synchronize = synchronize,
        .stream_device = stream_device,
        .new_event = new_event,
        .record = record,
        .wait = wait_event,
        .end_event = end_event,
        .last_error = last_error,
        .error_name = cudaGetErrorName,
        .error_text = cudaGetErrorString,
    };
}

TestSuite(cuda, .init = start);

static const struct svi_device first = {SV_DEVICE_CUDA, 0}, second = {SV_DEVICE_CUDA, 1}, host = {SV_DEVICE_CPU, 0};

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

Test(cuda, reaches_one_device_and_the_host)
{
    const struct svi_device managed = {SV_DEVICE_CUDA_MANAGED, 0}, pinned = {SV_DEVICE_CUDA_HOST, 0},
                            rocm = {SV_DEVICE_ROCM_HOST, 0};

    cr_assert(svi_cuda.reaches(first, first) && svi_cuda.reaches(first, managed) && svi_cuda.reaches(managed, first));
    cr_assert(svi_cuda.reaches(first, host) && svi_cuda.reaches(host, second) && svi_cuda.reaches(pinned, first) &&
              svi_cuda.reaches(second, managed));
    cr_assert(!svi_cuda.reaches(first, second) && !svi_cuda.reaches(first, rocm) && !svi_cuda.reaches(host, host) &&
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

/* By the public way, which sees two names of one stream. 1 is cudaStreamLegacy, 2 cudaStreamPerThread. */
Test(cuda, a_stream_waits_for_another)
{
    static const struct {
        const char *name;
        int32_t type, id;
        uintptr_t stream, other;
        const char *log;
    } cases[] = {
        {"default streams", SV_DEVICE_CUDA, 0, 2, 1, "0:event 7; 0:record 1; 0:wait 2; 0:end 7; "},
        {"0 is 1", SV_DEVICE_CUDA, 0, 2, 0, "0:event 7; 0:record 1; 0:wait 2; 0:end 7; "},
        {"of another device", SV_DEVICE_CUDA, 1, 1, 2, "1:event 7; 1:record 2; 1:wait 1; 0:end 7; "},
        {"handles tell their device", SV_DEVICE_CUDA, 0, 110, 120, "1:event 7; 1:record 120; 1:wait 110; 0:end 7; "},
        {"two devices", SV_DEVICE_CUDA, 0, 110, 220, "2:event 7; 2:record 220; 1:wait 110; 0:end 7; "},
        {"a default stream for a handle", SV_DEVICE_CUDA, 2, 1, 110, "1:event 7; 1:record 110; 2:wait 1; 0:end 7; "},
        {"managed memory", SV_DEVICE_CUDA_MANAGED, 0, 10, 1, "0:event 7; 0:record 1; 0:wait 10; 0:end 7; "},
        {"pinned memory", SV_DEVICE_CUDA_HOST, 0, 10, 1, "0:event 7; 0:record 1; 0:wait 10; 0:end 7; "},
        {"itself", SV_DEVICE_CUDA, 0, 110, 110, ""},
        {"itself by another name", SV_DEVICE_CUDA, 0, 0, 1, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake.log[0] = '\0';
        cr_expect_eq(sv_stream_wait(cases[i].type, cases[i].id, cases[i].stream, cases[i].other), SV_OK, "%s: %s",
                     cases[i].name, sv_last_message());
        cr_expect_str_eq(fake.log, cases[i].log, "%s: %s", cases[i].name, fake.log);
        cr_expect_eq(fake.current, 0, "%s", cases[i].name);
        cr_expect_eq(fake.waits, 0, "%s", cases[i].name);
        cr_expect_eq(fake.events, 0, "%s", cases[i].name);
    }
}

Test(cuda, the_host_waits_for_a_stream)
{
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 1, 0), SV_OK);
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, 110), SV_OK);
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA_MANAGED, 0, 2), SV_OK);
    cr_expect_str_eq(fake.log, "1:synchronize 1; 1:synchronize 110; 0:synchronize 2; ");
    cr_expect_eq(fake.current, 0);
}

/* Each call of the runtime fails in turn: no event stays, no error is left pending, the first failure is told. */
Test(cuda, every_call_about_streams_can_fail)
{
    for (int which = 0; which < 2; which++) {
        int fail_at = 0, failed = 0;
        bool reached;

        do {
            sv_status status;

            fake.calls = fake.current = 0;
            fake.fail_at = ++fail_at;
            status = which == 0 ? sv_stream_wait(SV_DEVICE_CUDA, 0, 110, 220) : sv_stream_synchronize(SV_DEVICE_CUDA, 0, 110);
            reached = fake.calls >= fail_at;
            cr_expect_eq(fake.pending, cudaSuccess, "call %d", fail_at);
            cr_expect_eq(fake.events, 0, "call %d", fail_at);
            cr_expect(status == SV_OK || status == SV_ERROR_CUDA, "call %d: %d", fail_at, (int)status);
            if (status != SV_OK)
                cr_expect_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"), "%s", sv_last_message());
            failed += status != SV_OK;
        } while (reached);
        cr_expect_eq(failed, which == 0 ? fail_at - 2 : fail_at - 1, "ending an event alone may fail unnoticed");
        cr_expect_eq(fail_at, which == 0 ? 13 : 6, "%d", fail_at);
    }
}

Test(cuda, without_a_driver_streams_say_so)
{
    fake.counting = cudaErrorInsufficientDriver;
    fake.driver = 0;
    cr_expect_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, 1, 1), SV_OK);
    cr_expect_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, 1, 2), SV_ERROR_DEVICE);
    cr_expect_str_eq(sv_last_message(), "CUDA: no driver is installed (libsv was built with runtime 13.0)");
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, 1), SV_ERROR_DEVICE);
    cr_expect_eq(fake.calls, 0);
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
    int copies;       /* of rows, between host and device */
    struct svi_plan plan; /* nbytes is filled in */
} rows[] = {
    {"one element", 4, 0, 1, {.item = 4}},
    {"odd item", 1, 0, 1, {.ndim = 1, .item = 3, .shape = {5}, .dst = {7}, .src = {3}}},
    {"bytes in a run", 16, 0, 1, {.ndim = 1, .item = 1, .shape = {4096}, .dst = {1}, .src = {1}}},
    {"run at an odd address", 1, 1, 1, {.ndim = 1, .item = 1, .shape = {4096}, .dst = {1}, .src = {1}}},
    {"run at an even address", 2, 6, 1, {.ndim = 1, .item = 4, .shape = {33}, .dst = {4}, .src = {4}}},
    {"rows", 8, 0, 1, {.ndim = 2, .item = 8, .shape = {5, 3}, .dst = {24, 8}, .src = {40, 8}}},
    {"transpose", 4, 0, 7, {.ndim = 2, .item = 4, .shape = {7, 5}, .dst = {20, 4}, .src = {4, 28}}},
    {"reversed", 2, 0, 20, {.ndim = 1, .item = 2, .src_offset = 38, .shape = {20}, .dst = {2}, .src = {-2}}},
    {"broadcast", 16, 0, 6, {.ndim = 2, .item = 16, .shape = {6, 4}, .dst = {64, 16}, .src = {0, 32}}},
    {"four axes, offsets", 4, 0, 120, {.ndim = 4, .item = 12, .dst_offset = 4, .src_offset = 1000, .shape = {2, 3, 4, 5},
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

/* To the host and from it; ordinary memory may be freed on return, pinned memory not before the stream is done. */
Test(cuda, rows_go_between_host_and_device)
{
    enum { SIZE = 8192 };
    static char from[SIZE], to[SIZE], expected[SIZE];
    const struct svi_device pinned = {SV_DEVICE_CUDA_HOST, 0};

    for (size_t i = 0; i < SIZE; i++)
        from[i] = (char)(i * 7 + i / 256);
    for (size_t i = 0; i < 3 * sizeof rows / sizeof *rows; i++) {
        const size_t row = i / 3;
        struct svi_plan plan = rows[row].plan;
        const struct svi_device dst = i % 3 == 0 ? second : i % 3 == 1 ? host : pinned, src = i % 3 == 0 ? host : second;

        plan.nbytes = plan.item;
        for (int32_t axis = 0; axis < plan.ndim; axis++)
            plan.nbytes *= plan.shape[axis];
        fake.copies = fake.waits = 0;
        memset(to, 0x55, SIZE);
        memset(expected, 0x55, SIZE);
        expected_copy(&plan, 0, expected + plan.dst_offset, from + plan.src_offset);
        cr_assert_eq(svi_cuda.copy(&plan, dst, to, src, from, 2, false), SV_OK, "%s", rows[row].name);
        cr_assert_eq(memcmp(to, expected, SIZE), 0, "%s", rows[row].name);
        cr_assert_eq(fake.copies, rows[row].copies, "%s: %d", rows[row].name, fake.copies);
        cr_assert_eq(fake.waits, i % 3 < 2, "%s: %d", rows[row].name, fake.waits);
        cr_assert_eq(fake.stream, cudaStreamPerThread, "%s", rows[row].name);
        cr_assert(fake.current == 0 && fake.launches == 0);
    }
}

Test(cuda, every_call_between_host_and_device_can_fail)
{
    const struct svi_plan plan = {.kind = SVI_CLASS_STRIDED, .ndim = 1, .item = 1, .nbytes = 3, .shape = {3}, .dst = {2},
                                  .src = {-2}, .src_offset = 4};
    char from[8] = "abcdefg", to[8] = "";
    int fail_at = 0;
    sv_status status;

    do {
        fake.calls = fake.current = 0;
        fake.fail_at = ++fail_at;
        status = svi_cuda.copy(&plan, host, to, second, from, 0, true);
        cr_assert_eq(fake.pending, cudaSuccess, "call %d", fail_at);
        if (status != SV_OK) {
            cr_assert_eq(status, SV_ERROR_CUDA, "call %d", fail_at);
            cr_assert_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"));
        }
    } while (status != SV_OK);
    cr_assert_eq(fail_at, 8, "device, device, three rows, the wait, and the device again: %d", fail_at);
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
