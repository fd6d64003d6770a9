/*
 * The CUDA runtime as libsv uses it. The backend calls it through this table
 * alone, so that a test can put another runtime in its place. No other header
 * of libsv includes CUDA's.
 */
#ifndef SVI_CUDA_API_H
#define SVI_CUDA_API_H

#include <cuda_runtime_api.h>

#include "backend/backend.h"

struct svi_cuda_api {
    /* devices */
    cudaError_t (*driver_version)(int *version);
    cudaError_t (*runtime_version)(int *version);
    cudaError_t (*device_count)(int *count);
    cudaError_t (*get_device)(int *device);
    cudaError_t (*set_device)(int device);
    cudaError_t (*attribute)(int *value, enum cudaDeviceAttr attribute, int device);
    cudaError_t (*properties)(struct cudaDeviceProp *properties, int device);
    cudaError_t (*memory_info)(size_t *free, size_t *total);
    cudaError_t (*can_access_peer)(int *can, int device, int peer);
    cudaError_t (*enable_peer)(int peer, unsigned flags);
    cudaError_t (*driver_entry)(const char *name, void **entry, unsigned version, unsigned long long flags,
                                enum cudaDriverEntryPointQueryResult *found);

    /* kernels */
    cudaError_t (*load)(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options, void **jit_values,
                        unsigned jit_count, enum cudaLibraryOption *options, void **values, unsigned count);
    cudaError_t (*get_kernel)(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
    cudaError_t (*launch)(const cudaLaunchConfig_t *config, const void *kernel, void **arguments);

    /* copies */
    cudaError_t (*copy)(void *dst, const void *src, size_t nbytes, enum cudaMemcpyKind kind, cudaStream_t stream);
    cudaError_t (*copy_rows)(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
    cudaError_t (*copy_planes)(const struct cudaMemcpy3DParms *planes, cudaStream_t stream);
    cudaError_t (*copy_peer)(void *dst, int dst_device, const void *src, int src_device, size_t nbytes,
                             cudaStream_t stream);
    cudaError_t (*set)(void *pointer, int byte, size_t nbytes, cudaStream_t stream);

    /* memory */
    cudaError_t (*allocate)(void **pointer, size_t nbytes);
    cudaError_t (*release)(void *pointer);
    cudaError_t (*allocate_managed)(void **pointer, size_t nbytes, unsigned flags);
    cudaError_t (*allocate_host)(void **pointer, size_t nbytes, unsigned flags);
    cudaError_t (*release_host)(void *pointer);
    cudaError_t (*register_host)(void *pages, size_t nbytes, unsigned flags);
    cudaError_t (*unregister_host)(void *pages);
    cudaError_t (*pointer)(struct cudaPointerAttributes *attributes, const void *pointer);
    cudaError_t (*prefetch)(const void *pointer, size_t nbytes, struct cudaMemLocation place, unsigned flags,
                            cudaStream_t stream);
    cudaError_t (*advise)(const void *pointer, size_t nbytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation place);

    /* pools */
    cudaError_t (*default_pool)(cudaMemPool_t *pool, int device);
    cudaError_t (*new_pool)(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties);
    cudaError_t (*end_pool)(cudaMemPool_t pool);
    cudaError_t (*set_pool)(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
    cudaError_t (*get_pool)(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
    cudaError_t (*pool_access)(enum cudaMemAccessFlags *access, cudaMemPool_t pool, struct cudaMemLocation *place);
    cudaError_t (*set_pool_access)(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count);
    cudaError_t (*allocate_from_pool)(void **pointer, size_t nbytes, cudaMemPool_t pool, cudaStream_t stream);
    cudaError_t (*release_async)(void *pointer, cudaStream_t stream);

    /* sharing with other processes */
    cudaError_t (*ipc_get)(cudaIpcMemHandle_t *handle, void *pointer);
    cudaError_t (*ipc_open)(void **pointer, cudaIpcMemHandle_t handle, unsigned flags);
    cudaError_t (*ipc_close)(void *pointer);

    /* streams and events */
    cudaError_t (*new_stream)(cudaStream_t *stream, unsigned flags);
    cudaError_t (*end_stream)(cudaStream_t stream);
    cudaError_t (*synchronize)(cudaStream_t stream);
    cudaError_t (*synchronize_device)(void); /* the current one */
    cudaError_t (*stream_query)(cudaStream_t stream);
    cudaError_t (*stream_device)(cudaStream_t stream, int *device);
    cudaError_t (*is_capturing)(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
    cudaError_t (*exchange_capture_mode)(enum cudaStreamCaptureMode *mode);
    cudaError_t (*new_event)(cudaEvent_t *event, unsigned flags);
    cudaError_t (*record)(cudaEvent_t event, cudaStream_t stream);
    cudaError_t (*wait)(cudaStream_t stream, cudaEvent_t event, unsigned flags);
    cudaError_t (*event_query)(cudaEvent_t event);
    cudaError_t (*event_synchronize)(cudaEvent_t event);
    cudaError_t (*end_event)(cudaEvent_t event);

    /* errors */
    cudaError_t (*last_error)(void);
    const char *(*error_name)(cudaError_t error);
    const char *(*error_text)(cudaError_t error);
};

extern struct svi_cuda_api svi_cuda_api;

static inline cudaStream_t svi_cuda_stream(uintptr_t stream)
{
    return stream == 0 ? cudaStreamLegacy : (cudaStream_t)stream;
}

/* What the first call in this process found. */
struct svi_cuda_found {
    sv_device_state state;
    int32_t count;
    char text[SVI_DETAIL];
};

#endif
