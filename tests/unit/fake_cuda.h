/*
 * A CUDA runtime made of host memory: its calls are counted, and fail when they are told to. Device, pinned and managed
 * memory is malloc's; what is live is counted, so that a test sees what was lost.
 */
#ifndef SVI_TEST_FAKE_CUDA_H
#define SVI_TEST_FAKE_CUDA_H

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/api.h"
#include "cuda/strided.h"

/* Entries of the table, which are known by their place in it. */
enum { ENTRIES = sizeof(struct svi_cuda_api) / sizeof(void (*)(void)) };

static struct {
    cudaError_t counting; /* what device_count answers */
    int driver, devices, current;
    int counted; /* calls of device_count */
    int calls, fail_at; /* call number fail_at fails with failure; 0: none */
    size_t failing; /* the entry that did */
    int called[ENTRIES], failed[ENTRIES]; /* how often each entry was called, and told to fail */
    cudaError_t failure, pending;
    int loads, launches, copies, waits;
    int peers; /* copies that were told both devices */
    int events; /* that are not ended */
    int64_t word; /* of the last launch */
    cudaStream_t stream;
    char log[2048]; /* what was done with streams and memory: each step after the device it was done on */

    int blocks, locked, pools, mappings; /* that are not ended */
    enum cudaStreamCaptureMode mode; /* of the thread */
    uintptr_t captured; /* a blocking stream that is being captured; 0: none */
    struct cudaPointerAttributes attributes; /* of every address */
    cudaMemPool_t pool_of_pointer;
    enum cudaMemAccessFlags host_access; /* of pools */
    int has[256]; /* attributes of devices */
    bool is_driver_old; /* it has no newer functions */
    int driver_failure; /* what these answer */
    bool not_ready; /* events have not come */
} fake;

#define ENTRY(member) (offsetof(struct svi_cuda_api, member) / sizeof(void (*)(void)))
#define answer(member) answer_as(ENTRY(member))

static cudaError_t answer_as(size_t entry)
{
    fake.called[entry]++;
    if (++fake.calls != fake.fail_at)
        return cudaSuccess;
    fake.failed[entry]++;
    fake.failing = entry;
    fake.pending = fake.failure;
    return fake.failure;
}

/* An error that is the caller's fault or the fake's state, not one that was ordered. */
static cudaError_t refuse(cudaError_t error)
{
    fake.pending = error;
    return error;
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
    fake.counted++;
    if (fake.counting == cudaSuccess)
        *count = fake.devices;
    fake.pending = fake.counting;
    return fake.counting;
}

static cudaError_t get_device(int *device)
{
    *device = fake.current;
    return answer(get_device);
}

static cudaError_t set_device(int device)
{
    cudaError_t error = answer(set_device);

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
    return answer(load);
}

static cudaError_t get_kernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    (void)library;
    *kernel = (cudaKernel_t)(uintptr_t)atoi(strrchr(name, '_') + 1);
    return answer(get_kernel);
}

/* Runs the kernel's threads one after another. */
static cudaError_t launch(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
{
    const struct svi_plan *plan = arguments[0];
    char *dst = *(char **)arguments[1];
    const char *src = *(const char **)arguments[2];
    const int64_t word = (int64_t)(uintptr_t)kernel, step = (int64_t)config->gridDim.x * config->blockDim.x;
    cudaError_t error = answer(launch);

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
    cudaError_t error = answer(copy_rows);

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
    return answer(synchronize);
}

/* Streams from 100 on belong to device 1, from 200 on to device 2, and so on. */
static cudaError_t stream_device(cudaStream_t stream, int *device)
{
    *device = (int)((uintptr_t)stream / 100);
    return answer(stream_device);
}

static cudaError_t new_event(cudaEvent_t *event, unsigned flags)
{
    cudaError_t error = answer(new_event);

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
    return answer(record);
}

static cudaError_t wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cr_assert_not_null(event);
    cr_assert_eq(flags, 0);
    note("wait", (uintptr_t)stream);
    return answer(wait);
}

static cudaError_t end_event(cudaEvent_t event)
{
    fake.events--;
    note("end", (uintptr_t)event);
    return answer(end_event);
}

/* --- memory ------------------------------------------------------------------ */

/* What no stream puts in order would end a capture, unless the thread's mode is relaxed. */
static cudaError_t answer_relaxed_as(size_t entry)
{
    cr_assert_eq(fake.mode, cudaStreamCaptureModeRelaxed, "entry %zu of the table", entry);
    return answer_as(entry);
}

#define answer_relaxed(member) answer_relaxed_as(ENTRY(member))

static cudaError_t allocate_block(cudaError_t error, const char *what, size_t nbytes, void **pointer)
{
    if (error != cudaSuccess)
        return error;
    note(what, nbytes);
    *pointer = malloc(nbytes);
    fake.blocks++;
    return cudaSuccess;
}

static cudaError_t free_block(cudaError_t error, const char *what, void *pointer)
{
    cr_assert_not_null(pointer);
    if (error != cudaSuccess)
        return error;
    note(what, 0);
    free(pointer);
    fake.blocks--;
    return cudaSuccess;
}

static cudaError_t allocate_device(void **pointer, size_t nbytes)
{
    return allocate_block(answer_relaxed(allocate), "allocate", nbytes, pointer);
}

static cudaError_t release_device(void *pointer)
{
    return free_block(answer_relaxed(release), "release", pointer);
}

static cudaError_t allocate_managed(void **pointer, size_t nbytes, unsigned flags)
{
    cr_assert_eq(flags, cudaMemAttachGlobal);
    return allocate_block(answer_relaxed(allocate_managed), "managed", nbytes, pointer);
}

static cudaError_t allocate_host(void **pointer, size_t nbytes, unsigned flags)
{
    cr_assert_eq(flags, cudaHostAllocPortable | cudaHostAllocMapped);
    return allocate_block(answer_relaxed(allocate_host), "pinned", nbytes, pointer);
}

static cudaError_t release_host(void *pointer)
{
    return free_block(answer_relaxed(release_host), "release pinned", pointer);
}

static cudaError_t register_host(void *pages, size_t nbytes, unsigned flags)
{
    cudaError_t error = answer_relaxed(register_host);

    cr_assert(pages != NULL && nbytes > 0 && flags == (cudaHostRegisterPortable | cudaHostRegisterMapped));
    if (error == cudaSuccess && fake.locked > 0)
        return refuse(cudaErrorHostMemoryAlreadyRegistered);
    fake.locked += error == cudaSuccess;
    return error;
}

static cudaError_t unregister_host(void *pages)
{
    cudaError_t error = answer_relaxed(unregister_host);

    cr_assert_not_null(pages);
    fake.locked -= error == cudaSuccess;
    return error;
}

static cudaError_t pointer_attributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    (void)pointer;
    *attributes = fake.attributes;
    return answer(pointer);
}

static cudaError_t memory_info(size_t *left, size_t *total)
{
    *left = 1000u + (unsigned)fake.current;
    *total = 2000u + (unsigned)fake.current;
    return answer(memory_info);
}

static cudaError_t device_attribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    cudaError_t error = answer(attribute);

    if (error != cudaSuccess)
        return error;
    if (device < 0 || device >= fake.devices)
        return refuse(cudaErrorInvalidDevice);
    *value = fake.has[attribute];
    return *value < 0 ? refuse(cudaErrorInvalidValue) : cudaSuccess;
}

static cudaError_t device_properties(struct cudaDeviceProp *properties, int device)
{
    memset(properties, 0, sizeof *properties);
    memset(&properties->uuid, 16 + device, sizeof properties->uuid);
    properties->totalGlobalMem = 2000u + (unsigned)device;
    return answer(properties);
}

static cudaError_t set_memory(void *pointer, int byte, size_t nbytes, cudaStream_t stream)
{
    cudaError_t error = answer(set);

    note("set", (uintptr_t)stream);
    if (error == cudaSuccess)
        memset(pointer, byte, nbytes);
    return error;
}

static cudaError_t prefetch_memory(const void *pointer, size_t nbytes, struct cudaMemLocation place, unsigned flags,
                                   cudaStream_t stream)
{
    char what[64];

    cr_assert(pointer != NULL && flags == 0);
    snprintf(what, sizeof what, "prefetch %zu to %d:%d on", nbytes, (int)place.type, place.id);
    note(what, (uintptr_t)stream);
    return answer(prefetch);
}

static cudaError_t advise_memory(const void *pointer, size_t nbytes, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation place)
{
    char what[64];

    cr_assert_not_null(pointer);
    snprintf(what, sizeof what, "advise %zu about %d:%d", nbytes, (int)place.type, place.id);
    note(what, (uintptr_t)advice);
    return answer(advise);
}

/* --- pools, and memory of other processes -------------------------------------- */

static cudaError_t new_pool(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    char what[64];
    cudaError_t error = answer(new_pool);

    if (error != cudaSuccess)
        return error;
    snprintf(what, sizeof what, "pool %d at %d:%d up to", (int)properties->allocType, (int)properties->location.type,
             properties->location.id);
    note(what, properties->maxSize);
    *pool = (cudaMemPool_t)(uintptr_t)4096;
    fake.pools++;
    return cudaSuccess;
}

static cudaError_t end_pool(cudaMemPool_t pool)
{
    cudaError_t error = answer(end_pool);

    cr_assert_not_null(pool);
    fake.pools -= error == cudaSuccess;
    return error;
}

static cudaError_t default_pool(cudaMemPool_t *pool, int device)
{
    *pool = (cudaMemPool_t)(uintptr_t)(4096 + device);
    return answer(default_pool);
}

static cudaError_t set_pool(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    cr_assert_not_null(pool);
    cr_assert_eq(attribute, cudaMemPoolAttrReleaseThreshold);
    note("threshold", *(uint64_t *)value);
    return answer(set_pool);
}

static cudaError_t pool_access(enum cudaMemAccessFlags *access, cudaMemPool_t pool, struct cudaMemLocation *place)
{
    cr_assert(pool != NULL && place->type == cudaMemLocationTypeHost);
    *access = fake.host_access;
    return answer(pool_access);
}

static cudaError_t set_pool_access(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count)
{
    cr_assert(pool != NULL && count == 1 && access->location.type == cudaMemLocationTypeDevice &&
              access->flags == cudaMemAccessFlagsProtReadWrite);
    note("access of", (uintptr_t)access->location.id);
    return answer(set_pool_access);
}

static cudaError_t allocate_from_pool(void **pointer, size_t nbytes, cudaMemPool_t pool, cudaStream_t stream)
{
    cr_assert_not_null(pool);
    note("on", (uintptr_t)stream);
    return allocate_block(answer(allocate_from_pool), "from pool", nbytes, pointer);
}

static cudaError_t release_async(void *pointer, cudaStream_t stream)
{
    note("on", (uintptr_t)stream);
    return free_block(answer(release_async), "free in order", pointer);
}

static cudaError_t ipc_get(cudaIpcMemHandle_t *handle, void *pointer)
{
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &pointer, sizeof pointer);
    return answer(ipc_get);
}

static cudaError_t ipc_open(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    cudaError_t error = answer(ipc_open);

    cr_assert_eq(flags, cudaIpcMemLazyEnablePeerAccess);
    memcpy(pointer, &handle, sizeof *pointer);
    fake.mappings += error == cudaSuccess;
    return error;
}

static cudaError_t ipc_close(void *pointer)
{
    cudaError_t error = answer(ipc_close);

    cr_assert_not_null(pointer);
    fake.mappings -= error == cudaSuccess;
    return error;
}

/* --- captures, events, functions of the driver ---------------------------------- */

static cudaError_t exchange_capture_mode(enum cudaStreamCaptureMode *mode)
{
    const enum cudaStreamCaptureMode before = fake.mode;
    cudaError_t error = answer(exchange_capture_mode);

    if (error != cudaSuccess)
        return error;
    fake.mode = *mode;
    *mode = before;
    return cudaSuccess;
}

static cudaError_t is_capturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    cudaError_t error = answer(is_capturing);

    if (error != cudaSuccess)
        return error;
    if (fake.captured != 0 && stream == cudaStreamLegacy)
        return refuse(cudaErrorStreamCaptureImplicit);
    *status = fake.captured != 0 && fake.captured == (uintptr_t)stream ? cudaStreamCaptureStatusActive
                                                                       : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

static cudaError_t event_query(cudaEvent_t event)
{
    cudaError_t error = answer_relaxed(event_query);

    cr_assert_not_null(event);
    return error == cudaSuccess && fake.not_ready ? refuse(cudaErrorNotReady) : error;
}

static cudaError_t event_synchronize(cudaEvent_t event)
{
    note("wait for event", (uintptr_t)event);
    return answer_relaxed(event_synchronize);
}

static int driver_pool_of(void *data, int attribute, unsigned long long pointer)
{
    cr_assert(attribute == 17 && pointer != 0);
    memcpy(data, &fake.pool_of_pointer, sizeof fake.pool_of_pointer);
    return fake.driver_failure;
}

static int driver_default_pool(cudaMemPool_t *pool, struct cudaMemLocation *place, int type)
{
    *pool = (cudaMemPool_t)(uintptr_t)(8192 + 256 * type + 16 * (int)place->type + place->id);
    return fake.driver_failure;
}

static int driver_prefetch(unsigned long long *pointers, size_t *sizes, size_t count, struct cudaMemLocation *places,
                           size_t *first_of_place, size_t places_count, unsigned long long flags, cudaStream_t stream)
{
    char what[64];

    cr_assert(places_count == 1 && *first_of_place == 0 && flags == 0 && stream != cudaStreamLegacy);
    cr_assert(pointers[0] != 0 && pointers[count - 1] != 0);
    snprintf(what, sizeof what, "prefetch all %zu, last %zu, to %d:%d on", count, sizes[count - 1],
             (int)places->type, places->id);
    note(what, (uintptr_t)stream);
    return fake.driver_failure;
}

static int driver_discard(unsigned long long *pointers, size_t *sizes, size_t count, unsigned long long flags,
                          cudaStream_t stream)
{
    char what[64];

    cr_assert(flags == 0 && stream != cudaStreamLegacy && pointers[count - 1] != 0);
    snprintf(what, sizeof what, "discard %zu, last %zu, on", count, sizes[count - 1]);
    note(what, (uintptr_t)stream);
    return fake.driver_failure;
}

static cudaError_t driver_entry(const char *name, void **entry, unsigned version, unsigned long long flags,
                                enum cudaDriverEntryPointQueryResult *found)
{
    static const struct {
        const char *name;
        unsigned since;
        void (*function)(void);
    } functions[] = {
        {"cuPointerGetAttribute", 4000, (void (*)(void))driver_pool_of},
        {"cuMemGetDefaultMemPool", 13000, (void (*)(void))driver_default_pool},
        {"cuMemPrefetchBatchAsync", 13000, (void (*)(void))driver_prefetch},
        {"cuMemDiscardBatchAsync", 13000, (void (*)(void))driver_discard},
    };
    cudaError_t error = answer(driver_entry);

    cr_assert_eq(flags, cudaEnableDefault);
    *found = cudaDriverEntryPointSymbolNotFound;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && error == cudaSuccess; i++)
        if (strcmp(name, functions[i].name) == 0) {
            cr_assert_eq(version, functions[i].since, "%s", name);
            *found = fake.is_driver_old && version >= 13000 ? cudaDriverEntryPointVersionNotSufficent
                                                            : cudaDriverEntryPointSuccess;
            memcpy(entry, &functions[i].function, sizeof *entry);
        }
    return error;
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
    for (size_t i = 0; i < sizeof fake.has / sizeof *fake.has; i++)
        fake.has[i] = 1;
    fake.has[cudaDevAttrPageableMemoryAccess] = 0;
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
        .copy_peer = copy_peer,
        .synchronize = synchronize,
        .stream_device = stream_device,
        .new_event = new_event,
        .record = record,
        .wait = wait_event,
        .end_event = end_event,
        .attribute = device_attribute,
        .properties = device_properties,
        .memory_info = memory_info,
        .driver_entry = driver_entry,
        .set = set_memory,
        .allocate = allocate_device,
        .release = release_device,
        .allocate_managed = allocate_managed,
        .allocate_host = allocate_host,
        .release_host = release_host,
        .register_host = register_host,
        .unregister_host = unregister_host,
        .pointer = pointer_attributes,
        .prefetch = prefetch_memory,
        .advise = advise_memory,
        .default_pool = default_pool,
        .new_pool = new_pool,
        .end_pool = end_pool,
        .set_pool = set_pool,
        .pool_access = pool_access,
        .set_pool_access = set_pool_access,
        .allocate_from_pool = allocate_from_pool,
        .release_async = release_async,
        .ipc_get = ipc_get,
        .ipc_open = ipc_open,
        .ipc_close = ipc_close,
        .is_capturing = is_capturing,
        .exchange_capture_mode = exchange_capture_mode,
        .event_query = event_query,
        .event_synchronize = event_synchronize,
        .last_error = last_error,
        .error_name = cudaGetErrorName,
        .error_text = cudaGetErrorString,
    };
}

static const struct svi_device first = {SV_DEVICE_CUDA, 0}, second = {SV_DEVICE_CUDA, 1}, host = {SV_DEVICE_CPU, 0};

#endif
