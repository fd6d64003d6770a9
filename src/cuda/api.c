#include "cuda/api.h"

/* Version 13 of the runtime gave the names of these two to functions with another signature. */
#if CUDART_VERSION >= 13000
#define PREFETCH cudaMemPrefetchAsync
#define ADVISE cudaMemAdvise
#else
#define PREFETCH cudaMemPrefetchAsync_v2
#define ADVISE cudaMemAdvise_v2
#endif

struct svi_cuda_api svi_cuda_api = {
    .driver_version = cudaDriverGetVersion,
    .runtime_version = cudaRuntimeGetVersion,
    .device_count = cudaGetDeviceCount,
    .get_device = cudaGetDevice,
    .set_device = cudaSetDevice,
    .attribute = cudaDeviceGetAttribute,
    .properties = cudaGetDeviceProperties,
    .memory_info = cudaMemGetInfo,
    .can_access_peer = cudaDeviceCanAccessPeer,
    .enable_peer = cudaDeviceEnablePeerAccess,
    .driver_entry = cudaGetDriverEntryPointByVersion,
    .load = cudaLibraryLoadData,
    .get_kernel = cudaLibraryGetKernel,
    .launch = cudaLaunchKernelExC,
    .copy = cudaMemcpyAsync,
    .copy_rows = cudaMemcpy2DAsync,
    .copy_planes = cudaMemcpy3DAsync,
    .copy_peer = cudaMemcpyPeerAsync,
    .set = cudaMemsetAsync,
    .allocate = cudaMalloc,
    .release = cudaFree,
    .allocate_managed = cudaMallocManaged,
    .allocate_host = cudaHostAlloc,
    .release_host = cudaFreeHost,
    .register_host = cudaHostRegister,
    .unregister_host = cudaHostUnregister,
    .pointer = cudaPointerGetAttributes,
    .prefetch = PREFETCH,
    .advise = ADVISE,
    .default_pool = cudaDeviceGetDefaultMemPool,
    .new_pool = cudaMemPoolCreate,
    .end_pool = cudaMemPoolDestroy,
    .set_pool = cudaMemPoolSetAttribute,
    .get_pool = cudaMemPoolGetAttribute,
    .pool_access = cudaMemPoolGetAccess,
    .set_pool_access = cudaMemPoolSetAccess,
    .allocate_from_pool = cudaMallocFromPoolAsync,
    .release_async = cudaFreeAsync,
    .ipc_get = cudaIpcGetMemHandle,
    .ipc_open = cudaIpcOpenMemHandle,
    .ipc_close = cudaIpcCloseMemHandle,
    .synchronize = cudaStreamSynchronize,
    .stream_query = cudaStreamQuery,
    .stream_device = cudaStreamGetDevice,
    .is_capturing = cudaStreamIsCapturing,
    .exchange_capture_mode = cudaThreadExchangeStreamCaptureMode,
    .new_event = cudaEventCreateWithFlags,
    .record = cudaEventRecord,
    .wait = cudaStreamWaitEvent,
    .event_query = cudaEventQuery,
    .event_synchronize = cudaEventSynchronize,
    .end_event = cudaEventDestroy,
    .last_error = cudaGetLastError,
    .error_name = cudaGetErrorName,
    .error_text = cudaGetErrorString,
};
