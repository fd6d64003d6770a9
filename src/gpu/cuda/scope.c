/* The thread's device and capture mode, changed for the time of a call. */
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/find.h"

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

static sv_status select_device(int device, struct svi_gpu_scope *scope)
{
    scope->device = device;
    return device == SVI_GPU_ANY_DEVICE ? SV_OK : svi_cuda_enter(device, &scope->before);
}

static sv_status restore_device(const struct svi_gpu_scope *scope, sv_status status)
{
    return scope->device == SVI_GPU_ANY_DEVICE ? status : svi_cuda_leave(scope->device, scope->before, status);
}

/* --- the thread's capture mode -------------------------------------------- */

static sv_status relax_capture(struct svi_gpu_scope *scope)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaError_t error = svi_cuda_api.exchange_capture_mode(&mode);

    scope->mode = (int)mode;
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "relaxing the capture mode");
}

static sv_status restore_capture(const struct svi_gpu_scope *scope, sv_status status)
{
    enum cudaStreamCaptureMode mode = (enum cudaStreamCaptureMode)scope->mode;
    cudaError_t error = svi_cuda_api.exchange_capture_mode(&mode);

    if (error == cudaSuccess)
        return status;
    if (status == SV_OK)
        return svi_cuda_fail(error, "restoring the capture mode");
    svi_cuda_api.last_error();
    return status;
}

/* --- both ------------------------------------------------------------------ */

/* The mode first: selecting a device may open it, which allocates. */
sv_status svi_cuda_begin(int device, struct svi_gpu_scope *scope)
{
    sv_status status;

    SVI_TRY(svi_cuda_check_ready());
    scope->is_relaxed = true;
    SVI_TRY(relax_capture(scope));
    status = select_device(device, scope);
    return status == SV_OK ? SV_OK : restore_capture(scope, status);
}

sv_status svi_cuda_end(const struct svi_gpu_scope *scope, sv_status status)
{
    status = restore_device(scope, status);
    return scope->is_relaxed ? restore_capture(scope, status) : status;
}

sv_status svi_cuda_is_captured(cudaStream_t stream, bool *is_captured)
{
    enum cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
    cudaError_t error = svi_cuda_api.is_capturing(stream, &state);

    if (error == cudaErrorStreamCaptureImplicit) {
        svi_cuda_api.last_error();
        return svi_fail(SV_ERROR_STATE, "the legacy default stream cannot be used while a stream is captured that it "
                                        "waits for");
    }
    *is_captured = state != cudaStreamCaptureStatusNone;
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking whether a stream is captured");
}

sv_status svi_cuda_check_live(cudaStream_t stream, const char *what)
{
    bool is_captured = false;

    SVI_TRY(svi_cuda_is_captured(stream, &is_captured));
    if (is_captured && what != NULL)
        return svi_fail(SV_ERROR_STATE, "%s: not on a stream that is being captured", what);
    return SV_OK;
}

sv_status svi_cuda_begin_live(int device, cudaStream_t stream, const char *what, struct svi_gpu_scope *scope)
{
    sv_status status;

    SVI_TRY(svi_cuda_check_ready());
    scope->is_relaxed = false;
    SVI_TRY(select_device(device, scope));
    status = svi_cuda_check_live(stream, what);
    return status == SV_OK ? SV_OK : restore_device(scope, status);
}

sv_status svi_cuda_begin_on(int device, cudaStream_t stream, struct svi_gpu_scope *scope)
{
    return svi_cuda_begin_live(device, stream, NULL, scope);
}
