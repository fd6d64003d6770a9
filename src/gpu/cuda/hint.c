/*
 * Where managed memory is to lie. One call for many parts where the driver has one, since each call costs microseconds;
 * drivers before 13.0 are told about each part.
 */
#include "base/alloc.h"
#include "gpu/cuda/driver.h"
#include "backend/memory.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/event.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/hint.h"
#include "gpu/cuda/property.h"

enum { BATCHES_SINCE = 13000 };

static struct cudaMemLocation location_of(struct svi_device device)
{
    return svi_is_cpu(device) ? (struct cudaMemLocation){.type = cudaMemLocationTypeHost}
                              : (struct cudaMemLocation){.type = cudaMemLocationTypeDevice, .id = device.id};
}

static sv_status check_movable(int32_t device_id)
{
    int64_t has = 0;

    SVI_TRY(svi_cuda_property(device_id, SV_PROPERTY_CONCURRENT_MANAGED, &has));
    if (has)
        return SV_OK;
    return svi_fail(SV_ERROR_UNSUPPORTED, "device %d moves managed memory only as a whole", (int)device_id);
}

/* The driver's calls for many are errors where one device of the machine cannot. */
static sv_status check_all_supported(void)
{
    for (int32_t id = 0; id < svi_cuda_find()->count; id++)
        SVI_TRY(check_movable(id));
    return SV_OK;
}

/* The driver's form of a number of spans: addresses, then sizes, in one allocation. */
static sv_status write_arrays(int64_t count, const struct svi_span *spans, svi_cuda_address **pointers, size_t **sizes)
{
    svi_cuda_address *both = svi_malloc((size_t)count * (sizeof **pointers + sizeof **sizes));

    if (both == NULL)
        return SV_ERROR_MEMORY;
    *pointers = both;
    *sizes = (size_t *)(both + count);
    for (int64_t i = 0; i < count; i++) {
        (*pointers)[i] = (svi_cuda_address)(uintptr_t)spans[i].pointer;
        (*sizes)[i] = (size_t)spans[i].nbytes;
    }
    return SV_OK;
}

/* One call of the driver for all, which go to one place. doing: "prefetching managed memory". */
static sv_status call_all(svi_cuda_place_batch *call, const char *doing, int64_t count, const struct svi_span *spans,
                          struct cudaMemLocation to, cudaStream_t stream)
{
    svi_cuda_address *pointers;
    size_t *sizes, first = 0;
    int error;

    SVI_TRY(write_arrays(count, spans, &pointers, &sizes));
    error = call(pointers, sizes, (size_t)count, &to, &first, 1, 0, stream);
    svi_free(pointers);
    return error == 0 ? SV_OK : svi_cuda_fail_driver(error, doing);
}

/* The device that a default stream is of: the one that the memory goes to, else the current one. */
static sv_status find_hint_device(uintptr_t stream, struct svi_device given, int *out)
{
    cudaError_t error;

    if (stream > 2 || !svi_is_cpu(given))
        return svi_cuda_device_of(stream, given, out);
    error = svi_cuda_api.get_device(out);
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking for the current device");
}

/* --- prefetch --------------------------------------------------------------- */

static sv_status prefetch_each(int64_t count, const struct svi_span *spans, struct cudaMemLocation to,
                               cudaStream_t stream)
{
    for (int64_t i = 0; i < count; i++) {
        cudaError_t error = svi_cuda_api.prefetch(spans[i].pointer, (size_t)spans[i].nbytes, to, 0, stream);

        if (error != cudaSuccess)
            return svi_cuda_fail(error, "prefetching managed memory");
    }
    return SV_OK;
}

/* The driver's call for many takes every stream but the legacy one. */
static sv_status prefetch_spans(int64_t count, const struct svi_span *spans, struct cudaMemLocation to,
                                cudaStream_t stream)
{
    svi_cuda_place_batch *call = NULL;
    sv_status status = SV_ERROR_UNSUPPORTED;

    if (count > 1 && stream != cudaStreamLegacy)
        call = (svi_cuda_place_batch *)svi_cuda_driver("cuMemPrefetchBatchAsync", BATCHES_SINCE);
    if (call != NULL)
        status = check_all_supported();
    if (call != NULL && status == SV_OK)
        status = call_all(call, "prefetching managed memory", count, spans, to, stream);
    if (status != SV_ERROR_UNSUPPORTED)
        return status;
    return prefetch_each(count, spans, to, stream);
}

sv_status svi_cuda_prefetch(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream)
{
    struct svi_gpu_scope scope;
    int where;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(find_hint_device(stream, to, &where));
    SVI_TRY(check_movable(svi_is_cpu(to) ? where : to.id));
    SVI_TRY(svi_cuda_begin_live(where, svi_cuda_stream(stream), "prefetching", &scope));
    return svi_cuda_end(&scope, prefetch_spans(count, spans, location_of(to), svi_cuda_stream(stream)));
}

/* --- discard ---------------------------------------------------------------- */

/*
 * After cuMemDiscardBatchAsync() alone bytes that are written later can be lost, whoever writes them, until the pages
 * are prefetched (measured on an H200, driver 580.159). So the driver is never asked to discard without a prefetch.
 */
static sv_status find_discard(cudaStream_t stream, svi_cuda_place_batch **out)
{
    *out = (svi_cuda_place_batch *)svi_cuda_driver("cuMemDiscardAndPrefetchBatchAsync", BATCHES_SINCE);
    if (*out == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED, "the driver cannot discard memory: it is older than 13.0");
    if (stream == cudaStreamLegacy)
        return svi_fail(SV_ERROR_UNSUPPORTED, "the driver discards memory on every stream but the legacy default one");
    return SV_OK;
}

sv_status svi_cuda_discard(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream)
{
    struct svi_gpu_scope scope;
    svi_cuda_place_batch *call;
    int where;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(find_hint_device(stream, to, &where));
    SVI_TRY(check_movable(svi_is_cpu(to) ? where : to.id)); /* named first: it is the one that was asked for */
    SVI_TRY(check_all_supported());
    SVI_TRY(find_discard(svi_cuda_stream(stream), &call));
    SVI_TRY(svi_cuda_begin_live(where, svi_cuda_stream(stream), "discarding", &scope));
    return svi_cuda_end(
        &scope, call_all(call, "discarding managed memory", count, spans, location_of(to), svi_cuda_stream(stream)));
}

/* --- advise ----------------------------------------------------------------- */

/* Places that an advice is not about are not looked at. */
sv_status svi_cuda_advise(struct svi_span span, int32_t advice, struct svi_device about)
{
    static const enum cudaMemoryAdvise advices[] = {
        [SV_ADVICE_READ_MOSTLY] = cudaMemAdviseSetReadMostly,
        [SV_ADVICE_NOT_READ_MOSTLY] = cudaMemAdviseUnsetReadMostly,
        [SV_ADVICE_PREFER] = cudaMemAdviseSetPreferredLocation,
        [SV_ADVICE_NOT_PREFER] = cudaMemAdviseUnsetPreferredLocation,
        [SV_ADVICE_ACCESSED_BY] = cudaMemAdviseSetAccessedBy,
        [SV_ADVICE_NOT_ACCESSED_BY] = cudaMemAdviseUnsetAccessedBy,
    };
    struct svi_gpu_scope scope;
    cudaError_t error;

    if (!svi_is_cpu(about))
        SVI_TRY(check_movable(about.id));
    SVI_TRY(svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope));
    error = svi_cuda_api.advise(span.pointer, (size_t)span.nbytes, advices[advice], location_of(about));
    return svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "advising on managed memory"));
}
