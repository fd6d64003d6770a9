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
    .copy = cudaMemcpyAsync,
    .copy_rows = cudaMemcpy2DAsync,
    .synchronize = cudaStreamSynchronize,
    .stream_device = cudaStreamGetDevice,
    .new_event = cudaEventCreateWithFlags,
    .record = cudaEventRecord,
    .wait = cudaStreamWaitEvent,
    .end_event = cudaEventDestroy,
    .last_error = cudaGetLastError,
    .error_name = cudaGetErrorName,
    .error_text = cudaGetErrorString,
};
