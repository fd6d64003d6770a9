/* From the runtime's errors to libsv's. */
#include <stdio.h>

#include "gpu/cuda/api.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/find.h"

static sv_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation: return SV_ERROR_MEMORY;
    case cudaErrorDevicesUnavailable:
    case cudaErrorInsufficientDriver:
    case cudaErrorInvalidDevice:
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary: return SV_ERROR_DEVICE;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorNotSupported:
    case cudaErrorCallRequiresNewerDriver: return SV_ERROR_UNSUPPORTED;
    case cudaErrorHostMemoryAlreadyRegistered: return SV_ERROR_BLOCKED;
    case cudaErrorCudartUnloading:
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureInvalidated:
    case cudaErrorStreamCaptureMerge:
    case cudaErrorStreamCaptureUnmatched:
    case cudaErrorStreamCaptureUnjoined:
    case cudaErrorStreamCaptureIsolation:
    case cudaErrorStreamCaptureImplicit:
    case cudaErrorStreamCaptureWrongThread:
    case cudaErrorCapturedEvent: return SV_ERROR_STATE;
    default: return SV_ERROR_CUDA;
    }
}

static sv_status fail_by_error(cudaError_t error, const char *what)
{
    if (error == cudaErrorCudartUnloading)
        svi_cuda_set_gone();
    return svi_fail(status_of(error), "%s: %s (%d), %s", what, svi_cuda_api.error_name(error), (int)error,
                    svi_cuda_api.error_text(error));
}

sv_status svi_cuda_fail(cudaError_t error, const char *what)
{
    svi_cuda_api.last_error();
    return fail_by_error(error, what);
}

sv_status svi_cuda_fail_to_allocate(cudaError_t error, int64_t nbytes, const char *memory)
{
    char what[96];

    snprintf(what, sizeof what, "allocating %lld bytes of %s", (long long)nbytes, memory);
    return svi_cuda_fail(error, what);
}

sv_status svi_cuda_fail_driver(int error, const char *what)
{
    return fail_by_error((cudaError_t)error, what);
}
