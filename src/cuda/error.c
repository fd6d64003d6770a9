#include "cuda/api.h"

static sv_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation:
        return SV_ERROR_MEMORY;
    case cudaErrorDevicesUnavailable:
    case cudaErrorInsufficientDriver:
    case cudaErrorInvalidDevice:
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
        return SV_ERROR_DEVICE;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorNotSupported:
        return SV_ERROR_UNSUPPORTED;
    default:
        return SV_ERROR_CUDA;
    }
}

sv_status svi_cuda_fail(cudaError_t error, const char *what)
{
    svi_cuda_api.last_error();
    return svi_fail(status_of(error), "%s: %s (%d), %s", what, svi_cuda_api.error_name(error), (int)error,
                    svi_cuda_api.error_text(error));
}
