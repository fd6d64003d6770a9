#include "cuda/api.h"

struct svi_cuda_api svi_cuda_api = {
    .driver_version = cudaDriverGetVersion,
    .runtime_version = cudaRuntimeGetVersion,
    .device_count = cudaGetDeviceCount,
    .get_device = cudaGetDevice,
    .set_device = cudaSetDevice,
    .load = cudaLibraryLoadData,
    .get_kernel = cudaLibraryGetKernel,
    .launch = cudaLaunchKernelExC,
    .synchronize = cudaStreamSynchronize,
    .last_error = cudaGetLastError,
    .error_name = cudaGetErrorName,
    .error_text = cudaGetErrorString,
};
