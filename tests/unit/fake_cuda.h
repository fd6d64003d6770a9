/* A CUDA runtime made of host memory: its calls are counted, and fail when they are told to. */
#ifndef SVI_TEST_FAKE_CUDA_H
#define SVI_TEST_FAKE_CUDA_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/api.h"
#include "cuda/strided.h"

static struct {
    cudaError_t counting; /* what device_count answers */
    int driver, devices, current;
    int calls, fail_at; /* call number fail_at fails with failure; 0: none */
    cudaError_t failure, pending;
    int loads, launches, copies, waits;
    int peers; /* copies that were told both devices */
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

static enum cudaStreamCaptureMode capture_mode; /* of the thread */

static cudaError_t exchange_capture_mode(enum cudaStreamCaptureMode *mode)
{
    const enum cudaStreamCaptureMode before = capture_mode;
    cudaError_t error = answer();

    if (error != cudaSuccess)
        return error;
    capture_mode = *mode;
    *mode = before;
    return cudaSuccess;
}

static cudaError_t load(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options, void **jit_values,
                        unsigned jit_count, enum cudaLibraryOption *options, void **values, unsigned count)
{
    const uint32_t magic = 0xba55ed50; /* how a fatbin begins */

    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    cr_assert_eq(memcmp(code, &magic, sizeof magic), 0);
    cr_assert_eq(capture_mode, cudaStreamCaptureModeRelaxed);
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
static cudaError_t copy_pitched(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
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

static cudaError_t copy_peer(void *dst, int dst_device, const void *src, int src_device, size_t nbytes,
                             cudaStream_t stream)
{
    cr_assert(dst_device < fake.devices && src_device < fake.devices && dst_device != src_device);
    fake.peers++;
    note("peer", (uintptr_t)(10 * dst_device + src_device));
    return copy_run(dst, src, nbytes, cudaMemcpyDefault, stream);
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

/* No stream is captured. */
static cudaError_t is_capturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    (void)stream;
    *status = cudaStreamCaptureStatusNone;
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
        .is_capturing = is_capturing,
        .exchange_capture_mode = exchange_capture_mode,
        .load = load,
        .get_kernel = get_kernel,
        .launch = launch,
        .copy = copy_run,
        .copy_rows = copy_pitched,
        .copy_peer = copy_peer,
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

static const struct svi_device first = {SV_DEVICE_CUDA, 0}, second = {SV_DEVICE_CUDA, 1}, host = {SV_DEVICE_CPU, 0};

#endif
