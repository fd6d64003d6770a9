/* The order of streams, by events: those that live for one call, and those that buffers keep. */
#include "gpu/cuda/driver.h"
#include "backend/memory.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/event.h"
#include "gpu/cuda/find.h"

enum {
    CONTEXTS_SINCE = 4000,
    STREAM_CONTEXT_SINCE = 9020,
    CAPTURE_INFO_SINCE = 10010,
    LAST_LEGACY = 1, /* 0 and 1: the legacy default stream */
    LAST_DEFAULT = 2
};

/* --- order ---------------------------------------------------------------- */

/* The number of the device that the current context is of. */
static int device_of_context(void *context, int *out)
{
    svi_cuda_push_context *push = (svi_cuda_push_context *)svi_cuda_driver("cuCtxPushCurrent", CONTEXTS_SINCE);
    svi_cuda_pop_context *pop = (svi_cuda_pop_context *)svi_cuda_driver("cuCtxPopCurrent", CONTEXTS_SINCE);
    svi_cuda_context_device *ask = (svi_cuda_context_device *)svi_cuda_driver("cuCtxGetDevice", CONTEXTS_SINCE);
    int error = push == NULL || pop == NULL || ask == NULL ? cudaErrorNotSupported : push(context), popped;

    if (error != 0)
        return error;
    error = ask(out);
    popped = pop(&context);
    return error != 0 ? error : popped;
}

/* A question to the runtime about a captured stream ends the capture. The driver tells the stream's context. */
static sv_status device_of_captured(cudaStream_t stream, int *out)
{
    svi_cuda_stream_context *ask = (svi_cuda_stream_context *)svi_cuda_driver("cuStreamGetCtx", STREAM_CONTEXT_SINCE);
    void *context = NULL;
    int error = ask == NULL ? cudaErrorNotSupported : ask(stream, &context);

    if (error == 0)
        error = device_of_context(context, out);
    return error == 0 ? SV_OK : svi_cuda_fail_driver(error, "asking for the device of a captured stream");
}

/* Of a stream that is not a default one. */
static sv_status find_stream_device(uintptr_t stream, bool *is_captured, int *out)
{
    cudaError_t error;

    SVI_TRY(svi_cuda_is_captured(svi_cuda_stream(stream), is_captured));
    if (*is_captured)
        return device_of_captured(svi_cuda_stream(stream), out);
    error = svi_cuda_api.stream_device(svi_cuda_stream(stream), out);
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking for the device of a stream");
}

sv_status svi_cuda_device_of(uintptr_t stream, struct svi_device given, int *out)
{
    bool is_captured = false;

    *out = given.id;
    return stream <= LAST_DEFAULT ? SV_OK : find_stream_device(stream, &is_captured, out);
}

struct found {
    int device;
    bool is_captured;
    unsigned long long capture; /* which one */
};

static sv_status find_capture(uintptr_t stream, struct found *out)
{
    svi_cuda_capture_info *ask;
    int state, error;

    if (!out->is_captured)
        return SV_OK;
    ask = (svi_cuda_capture_info *)svi_cuda_driver("cuStreamGetCaptureInfo", CAPTURE_INFO_SINCE);
    error = ask == NULL ? cudaErrorNotSupported : ask(svi_cuda_stream(stream), &state, &out->capture);
    return error == 0 ? SV_OK : svi_cuda_fail_driver(error, "asking which capture a stream is in");
}

static sv_status find_current(uintptr_t stream, struct found *out)
{
    SVI_TRY(svi_cuda_is_captured(svi_cuda_stream(stream), &out->is_captured));
    return find_capture(stream, out);
}

/* A default stream is asked while its device is the current one. */
static sv_status inspect_stream(uintptr_t stream, struct svi_device given, struct found *out)
{
    int before;

    *out = (struct found){.device = given.id};
    if (stream > LAST_DEFAULT) {
        SVI_TRY(find_stream_device(stream, &out->is_captured, &out->device));
        return find_capture(stream, out);
    }
    SVI_TRY(svi_cuda_enter(given.id, &before));
    return svi_cuda_leave(given.id, before, find_current(stream, out));
}

/* Does not wait for it. */
static void destroy_event(cudaEvent_t event)
{
    if (event != NULL && svi_cuda_api.end_event(event) != cudaSuccess)
        svi_cuda_api.last_error();
}

/* An event that has come when all is done that the stream holds. It is of the device that is current. */
static sv_status record_new_event(cudaStream_t stream, cudaEvent_t *out)
{
    cudaEvent_t event;
    cudaError_t error = svi_cuda_api.new_event(&event, cudaEventDisableTiming);

    if (error != cudaSuccess)
        return svi_cuda_fail(error, "making an event");
    error = svi_cuda_api.record(event, stream);
    if (error == cudaSuccess) {
        *out = event;
        return SV_OK;
    }
    destroy_event(event);
    return svi_cuda_fail(error, "recording a stream");
}

static sv_status let_stream_wait(cudaStream_t stream, cudaEvent_t event)
{
    cudaError_t error = svi_cuda_api.wait(stream, event, 0);

    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "letting a stream wait");
}

static sv_status wait_on(int device, cudaStream_t stream, cudaEvent_t event)
{
    int before;

    SVI_TRY(svi_cuda_enter(device, &before));
    return svi_cuda_leave(device, before, let_stream_wait(stream, event));
}

/* What the runtime would refuse, and end the capture. Other streams join the capture by waiting for a stream of it. */
static sv_status check_recordable(uintptr_t stream, const struct found *own, const struct found *other)
{
    if (own->is_captured && !other->is_captured)
        return svi_fail(SV_ERROR_STATE, "letting a stream wait: it is being captured, and the work that it would wait "
                                        "for is not, so that no graph can hold the wait");
    if (own->is_captured && own->capture != other->capture)
        return svi_fail(SV_ERROR_STATE, "letting a stream wait: it is being captured into another graph than the work "
                                        "that it would wait for");
    if (other->is_captured && stream <= LAST_LEGACY)
        return svi_fail(SV_ERROR_STATE, "letting a stream wait: the legacy default stream cannot wait for one that is "
                                        "being captured");
    return SV_OK;
}

sv_status svi_cuda_wait(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other)
{
    struct found first, second;
    cudaEvent_t event = NULL;
    sv_status status;
    int before;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(inspect_stream(other, other_device, &first));
    SVI_TRY(inspect_stream(stream, device, &second));
    SVI_TRY(check_recordable(stream, &second, &first));
    SVI_TRY(svi_cuda_enter(first.device, &before));
    status = svi_cuda_leave(first.device, before, record_new_event(svi_cuda_stream(other), &event));
    if (status == SV_OK)
        status = wait_on(second.device, svi_cuda_stream(stream), event);
    destroy_event(event);
    return status;
}

static sv_status synchronize_stream(cudaStream_t stream)
{
    cudaError_t error;

    SVI_TRY(svi_cuda_check_live(stream, "waiting for a stream"));
    error = svi_cuda_api.synchronize(stream);
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "waiting for a stream");
}

sv_status svi_cuda_synchronize(struct svi_device device, uintptr_t stream)
{
    struct svi_gpu_scope scope;
    int where;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_device_of(stream, device, &where));
    SVI_TRY(svi_cuda_begin(where, &scope));
    return svi_cuda_end(&scope, synchronize_stream(svi_cuda_stream(stream)));
}

/* The legacy default stream cannot be captured, and is not asked: the question could end another's capture. */
sv_status svi_cuda_query_stream(struct svi_device device, uintptr_t stream, int32_t *device_id, bool *is_captured)
{
    struct found found = {.device = device.id};

    SVI_TRY(svi_cuda_check_ready());
    if (stream > LAST_LEGACY)
        SVI_TRY(inspect_stream(stream, device, &found));
    *device_id = found.device;
    *is_captured = found.is_captured;
    return SV_OK;
}

/* One question to the runtime for a stream that is no default one, and none for the legacy default stream. */
sv_status svi_cuda_stream_is_captured(int32_t device_id, uintptr_t stream, bool *is_captured)
{
    int before;

    *is_captured = false;
    SVI_TRY(svi_cuda_check_ready());
    if (stream <= LAST_LEGACY)
        return SV_OK;
    if (stream > LAST_DEFAULT)
        return svi_cuda_is_captured(svi_cuda_stream(stream), is_captured);
    SVI_TRY(svi_cuda_enter(device_id, &before));
    return svi_cuda_leave(device_id, before, svi_cuda_is_captured(svi_cuda_stream(stream), is_captured));
}

/* While a kernel runs on a device without concurrent managed access, whichever memory it uses, the host must not touch
 * managed memory. */
static sv_status make_idle(int device)
{
    struct svi_gpu_scope scope;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(device, &scope));
    error = svi_cuda_api.synchronize_device();
    return svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "waiting for a device"));
}

sv_status svi_cuda_await_managed(struct svi_device device, uintptr_t stream)
{
    SVI_TRY(svi_cuda_synchronize(device, stream));
    for (int id = 0; id < svi_cuda_find()->count; id++) {
        int is_concurrent = 1;
        const cudaError_t error = svi_cuda_api.attribute(&is_concurrent, cudaDevAttrConcurrentManagedAccess, id);

        if (error != cudaSuccess)
            return svi_cuda_fail(error, "asking for concurrent managed access");
        if (!is_concurrent)
            SVI_TRY(make_idle(id));
    }
    return SV_OK;
}

/* --- events that buffers keep ---------------------------------------------- */

/* Waiting for a stream as it is now. In a capture there is no such thing: the event would be a node of the graph. */
sv_status svi_cuda_record(int32_t device_id, uintptr_t stream, void **event)
{
    struct svi_gpu_scope scope;
    cudaEvent_t made = NULL;
    sv_status status;
    int where;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_device_of(stream, (struct svi_device){SV_DEVICE_CUDA, device_id}, &where));
    SVI_TRY(svi_cuda_begin_live(where, svi_cuda_stream(stream), "recording a use", &scope));
    status = svi_cuda_end(&scope, record_new_event(svi_cuda_stream(stream), &made));
    if (status == SV_OK)
        *event = made;
    else
        destroy_event(made);
    return status;
}

sv_status svi_cuda_event_is_done(void *event, bool *done)
{
    struct svi_gpu_scope scope;
    cudaError_t error;
    sv_status status = SV_OK;

    SVI_TRY(svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope));
    error = svi_cuda_api.event_query(event);
    if (error == cudaErrorNotReady)
        svi_cuda_api.last_error();
    else if (error != cudaSuccess)
        status = svi_cuda_fail(error, "asking for the work before an event");
    SVI_TRY(svi_cuda_end(&scope, status));
    *done = error == cudaSuccess;
    return SV_OK;
}

sv_status svi_cuda_event_wait(void *event)
{
    struct svi_gpu_scope scope;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope));
    error = svi_cuda_api.event_synchronize(event);
    return svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "waiting for an event"));
}

sv_status svi_cuda_event_order(int32_t device_id, uintptr_t stream, void *event)
{
    struct svi_gpu_scope scope;
    int where;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_device_of(stream, (struct svi_device){SV_DEVICE_CUDA, device_id}, &where));
    SVI_TRY(svi_cuda_begin_live(where, svi_cuda_stream(stream), "waiting for an earlier use", &scope));
    return svi_cuda_end(&scope, let_stream_wait(svi_cuda_stream(stream), event));
}

void svi_cuda_event_end(void *event)
{
    if (!svi_cuda_is_forked() && !svi_cuda_is_gone())
        destroy_event(event);
}
