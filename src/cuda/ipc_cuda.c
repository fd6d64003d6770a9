/* Device memory of other processes, by the runtime's handles, which are for allocations that are not from a pool. */
#include <string.h>

#include "cuda/operations.h"
#include "cuda/scope.h"

_Static_assert(sizeof(cudaIpcMemHandle_t) == SVI_IPC_HANDLE, "a handle of libsv holds one of the runtime");
_Static_assert(sizeof(((struct cudaDeviceProp *)0)->uuid) == SVI_UUID, "a UUID is what the runtime says it is");

sv_status svi_cuda_identify(int32_t device_id, unsigned char uuid[SVI_UUID])
{
    struct svi_cuda_scope scope;
    struct cudaDeviceProp properties;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(SVI_CUDA_ANY_DEVICE, &scope));
    error = svi_cuda_api.properties(&properties, device_id);
    SVI_TRY(svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking which device it is")));
    memcpy(uuid, &properties.uuid, SVI_UUID);
    return SV_OK;
}

sv_status svi_cuda_ipc_export(int32_t device_id, void *base, unsigned char handle[SVI_IPC_HANDLE])
{
    struct svi_cuda_scope scope;
    cudaIpcMemHandle_t made;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(device_id, &scope));
    error = svi_cuda_api.ipc_get(&made, base);
    SVI_TRY(svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "sharing device memory")));
    memcpy(handle, &made, SVI_IPC_HANDLE);
    return SV_OK;
}

/* From another device of this process, it is read by way of peer access, which the runtime enables where it can. */
sv_status svi_cuda_ipc_open(int32_t device_id, const unsigned char handle[SVI_IPC_HANDLE], void **base)
{
    struct svi_cuda_scope scope;
    cudaIpcMemHandle_t given;
    void *opened = NULL;
    cudaError_t error;
    sv_status status;

    memcpy(&given, handle, SVI_IPC_HANDLE);
    SVI_TRY(svi_cuda_begin(device_id, &scope));
    error = svi_cuda_api.ipc_open(&opened, given, cudaIpcMemLazyEnablePeerAccess);
    status = error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "opening memory of another process");
    status = svi_cuda_end(&scope, status);
    if (status == SV_OK)
        *base = opened;
    else if (error == cudaSuccess)
        (void)svi_cuda_ipc_close(device_id, opened);
    return status;
}

sv_status svi_cuda_ipc_close(int32_t device_id, void *base)
{
    struct svi_cuda_scope scope;
    sv_status status = svi_cuda_begin(device_id, &scope);

    if (status == SV_OK) {
        cudaError_t error = svi_cuda_api.ipc_close(base);

        status = error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "closing memory of another process");
        status = svi_cuda_end(&scope, status);
    }
    return svi_cuda_freed(status);
}
