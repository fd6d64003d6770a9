/*
 * Functions of the driver that are looked up by name: those that newer drivers have alone, and what only the driver
 * tells of an address. They count as calls, after those of the table. They leave no error pending in the runtime.
 */
#include <cuda.h>
#include <string.h>

#include "fake/runtime.h"

static CUresult leave(cudaError_t error)
{
    fake_unlock();
    return (CUresult)error; /* the numbers of errors are the same */
}

/* --- pools ------------------------------------------------------------------------------ */

static CUresult pointer_attribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    cudaError_t error = fake_ask(FAKE_POINTER_ATTRIBUTE);
    const struct fake_region *r = error == cudaSuccess ? fake_find((void *)(uintptr_t)pointer) : NULL;

    if (error == cudaSuccess && (r == NULL || attribute != CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *(void **)data = r->pool;
    return leave(error);
}

/* What was opened for another process begins before the memory that was shared: small allocations lie together. */
static CUresult address_range(CUdeviceptr *base, size_t *nbytes, CUdeviceptr pointer)
{
    cudaError_t error = fake_ask(FAKE_ADDRESS_RANGE);
    const struct fake_region *r = error == cudaSuccess ? fake_find((void *)(uintptr_t)pointer) : NULL;

    if (error == cudaSuccess && (r == NULL || r->kind == HELD_REGISTERED))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const size_t before = r->imported ? (size_t)(r->at - r->map) : 0;

        *base = (CUdeviceptr)((uintptr_t)r->at - before);
        *nbytes = r->nbytes + before;
    }
    return leave(error);
}

#if CUDART_VERSION >= 13000
static CUresult default_pool(CUmemoryPool *out, CUmemLocation *place, CUmemAllocationType type)
{
    cudaError_t error = fake_ask(FAKE_DEFAULT_POOL);

    if (error == cudaSuccess)
        error = fake_default_pool((void **)out, place->type == CU_MEM_LOCATION_TYPE_DEVICE, place->id,
                                  type == CU_MEM_ALLOCATION_TYPE_MANAGED);
    return leave(error);
}

/* --- batches ------------------------------------------------------------------------------ */

/* Each goes to its place. They take no legacy stream, and all devices have to move pages one by one. */
static cudaError_t place_all(CUdeviceptr *pointers, size_t *sizes, size_t count, CUmemLocation *places,
                             size_t *first_of_place, size_t places_count, unsigned long long flags, CUstream stream,
                             bool discard)
{
    cudaError_t error = cudaSuccess;
    size_t place = 0;

    if (count == 0 || places_count == 0 || first_of_place[0] != 0 || flags != 0 || stream == NULL ||
        stream == cudaStreamLegacy)
        return cudaErrorInvalidValue;
    if (!fake_all_move_pages())
        return cudaErrorInvalidDevice;
    for (size_t i = 0; error == cudaSuccess && i < count; i++) {
        void *pointer = (void *)(uintptr_t)pointers[i];
        int device;

        while (place + 1 < places_count && first_of_place[place + 1] <= i)
            place++;
        device = places[place].type == CU_MEM_LOCATION_TYPE_DEVICE ? places[place].id : -1;
        error = discard ? fake_discard_to(pointer, sizes[i], device, stream)
                        : fake_prefetch(pointer, sizes[i], device, stream);
    }
    return error;
}

static CUresult prefetch_batch(CUdeviceptr *pointers, size_t *sizes, size_t count, CUmemLocation *places,
                               size_t *first_of_place, size_t places_count, unsigned long long flags, CUstream stream)
{
    cudaError_t error = fake_enter(FAKE_PREFETCH_BATCH, "%zu %s", count, fake_stream_name(stream));

    if (error == cudaSuccess)
        error = place_all(pointers, sizes, count, places, first_of_place, places_count, flags, stream, false);
    return leave(error);
}

static CUresult discard_to_batch(CUdeviceptr *pointers, size_t *sizes, size_t count, CUmemLocation *places,
                                 size_t *first_of_place, size_t places_count, unsigned long long flags,
                                 CUstream stream)
{
    cudaError_t error = fake_enter(FAKE_DISCARD_TO_BATCH, "%zu to %d %s", count,
                                   places[0].type == CU_MEM_LOCATION_TYPE_DEVICE ? places[0].id : -1,
                                   fake_stream_name(stream));

    if (error == cudaSuccess)
        error = place_all(pointers, sizes, count, places, first_of_place, places_count, flags, stream, true);
    return leave(error);
}

static CUresult discard_batch(CUdeviceptr *pointers, size_t *sizes, size_t count, unsigned long long flags,
                              CUstream stream)
{
    cudaError_t error = fake_enter(FAKE_DISCARD_BATCH, "%zu %s", count, fake_stream_name(stream));

    if (error == cudaSuccess && (count == 0 || flags != 0 || stream == NULL || stream == cudaStreamLegacy))
        error = cudaErrorInvalidValue;
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        error = fake_discard((void *)(uintptr_t)pointers[i], sizes[i], stream);
    return leave(error);
}
#endif

/* --- contexts: one of each device, whose handle is 1 + its number ------------------------------ */

/* The two questions about a captured stream that leave the capture valid. */
static CUresult stream_context(CUstream stream, CUcontext *out)
{
    cudaError_t error = fake_ask(FAKE_STREAM_CONTEXT);
    const struct fake_stream *s = error == cudaSuccess ? fake_find_stream(stream) : NULL;

    if (error == cudaSuccess && s == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        *out = (CUcontext)(uintptr_t)(1 + s->device);
    return leave(error);
}

static CUresult capture_info(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *capture)
{
    cudaError_t error = fake_ask(FAKE_CAPTURE_INFO);
    const struct fake_stream *s = error == cudaSuccess ? fake_find_stream(stream) : NULL;

    if (error == cudaSuccess && s == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        *status = s->capture == NULL ? CU_STREAM_CAPTURE_STATUS_NONE : CU_STREAM_CAPTURE_STATUS_ACTIVE;
        *capture = (cuuint64_t)(uintptr_t)s->capture;
    }
    return leave(error);
}

static CUresult push_context(CUcontext context)
{
    const cudaError_t error = fake_ask(FAKE_CONTEXT);

    if (error == cudaSuccess)
        fake_thread()->pushed = (int)(uintptr_t)context;
    return leave(error);
}

static CUresult pop_context(CUcontext *out)
{
    const cudaError_t error = fake_ask(FAKE_CONTEXT);

    if (error == cudaSuccess) {
        *out = (CUcontext)(uintptr_t)fake_thread()->pushed;
        fake_thread()->pushed = 0;
    }
    return leave(error);
}

static CUresult context_device(CUdevice *out)
{
    const cudaError_t error = fake_ask(FAKE_CONTEXT);

    if (error == cudaSuccess)
        *out = fake_thread()->pushed - 1;
    return leave(error);
}

/* --- by name -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int since;
    void *entry;
} entries[] = {
    {"cuPointerGetAttribute", 4000, (void *)pointer_attribute},
    {"cuMemGetAddressRange", 3020, (void *)address_range},
#if CUDART_VERSION >= 13000
    {"cuMemGetDefaultMemPool", 13000, (void *)default_pool},
    {"cuMemPrefetchBatchAsync", 13000, (void *)prefetch_batch},
    {"cuMemDiscardBatchAsync", 13000, (void *)discard_batch},
    {"cuMemDiscardAndPrefetchBatchAsync", 13000, (void *)discard_to_batch},
#endif
    {"cuStreamGetCtx", 9020, (void *)stream_context},
    {"cuStreamGetCaptureInfo", 10010, (void *)capture_info},
    {"cuCtxPushCurrent", 4000, (void *)push_context},
    {"cuCtxPopCurrent", 4000, (void *)pop_context},
    {"cuCtxGetDevice", 2000, (void *)context_device},
};

/* A version that is later than the driver's is an error, as is one of before the function came. */
static void *find(const char *name, int version)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].name, name) == 0 && entries[i].since <= version && version <= fake.settings.driver)
            return entries[i].entry;
    return NULL;
}

cudaError_t cuda_driver_entry(const char *name, void **entry, unsigned version, unsigned long long flags,
                              enum cudaDriverEntryPointQueryResult *found)
{
    cudaError_t error = ASK(driver_entry);

    if (error == cudaSuccess && flags != cudaEnableDefault)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return fake_leave(error);
    *entry = find(name, (int)version);
    *found = *entry == NULL ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
    return fake_leave(cudaSuccess);
}
