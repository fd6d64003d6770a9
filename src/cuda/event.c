/* The order of streams, by events that live for one call. */
#include "cuda/api.h"

/* --- the thread's device -------------------------------------------------- */

sv_status svi_cuda_enter(int device, int *before)
{
    cudaError_t error = svi_cuda_api.get_device(before);

    if (error == cudaSuccess && *before != device)
        error = svi_cuda_api.set_device(device);
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "selecting the device");
}

sv_status svi_cuda_leave(int device, int before, sv_status status)
{
    cudaError_t error = before == device ? cudaSuccess : svi_cuda_api.set_device(before);

    if (error == cudaSuccess)
        return status;
    if (status == SV_OK)
        return svi_cuda_fail(error, "selecting the caller's device again");
    svi_cuda_api.last_error();
    return status;
}

/* --- order ---------------------------------------------------------------- */

sv_status svi_cuda_device_of(uintptr_t stream, struct svi_device given, int *out)
{
    cudaError_t error;

    *out = given.id;
    if (stream <= 2)
        return SV_OK;
    error = svi_cuda_api.stream_device(svi_cuda_stream(stream), out);
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking for the device of a stream");
}

/* Does not wait for it. */
static void end(cudaEvent_t event)
{
    if (event != NULL && svi_cuda_api.end_event(event) != cudaSuccess)
        svi_cuda_api.last_error();
}

/* An event that has come when all is done that the stream holds. It is of the device that is current. */
static sv_status record(cudaStream_t stream, cudaEvent_t *out)
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
    end(event);
    return svi_cuda_fail(error, "recording a stream");
}

static sv_status wait_for(cudaStream_t stream, cudaEvent_t event)
{
    cudaError_t error = svi_cuda_api.wait(stream, event, 0);

    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "letting a stream wait");
}

static sv_status wait_on(int device, cudaStream_t stream, cudaEvent_t event)
{
    int before;

    SVI_TRY(svi_cuda_enter(device, &before));
    return svi_cuda_leave(device, before, wait_for(stream, event));
}

sv_status svi_cuda_wait(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other)
{
    cudaEvent_t event = NULL;
    sv_status status;
    int first, second, before;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_device_of(other, other_device, &first));
    SVI_TRY(svi_cuda_device_of(stream, device, &second));
    SVI_TRY(svi_cuda_enter(first, &before));
    status = svi_cuda_leave(first, before, record(svi_cuda_stream(other), &event));
    if (status == SV_OK)
        status = wait_on(second, svi_cuda_stream(stream), event);
    end(event);
    return status;
}

sv_status svi_cuda_synchronize(struct svi_device device, uintptr_t stream)
{
    cudaError_t error;
    int where, before;

    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_device_of(stream, device, &where));
    SVI_TRY(svi_cuda_enter(where, &before));
    error = svi_cuda_api.synchronize(svi_cuda_stream(stream));
    return svi_cuda_leave(where, before, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "waiting for a stream"));
}
