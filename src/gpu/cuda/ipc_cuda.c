/* Device memory of other processes, by the runtime's handles, which are for allocations that are not from a pool. */
#include <string.h>

#include "gpu/cuda/driver.h"
#include "backend/memory.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/ipc_cuda.h"

enum { ADDRESS_RANGE_SINCE = 4000 };

_Static_assert(sizeof(cudaIpcMemHandle_t) == SVI_IPC_HANDLE, "a handle of libsv holds one of the runtime");
_Static_assert(sizeof(((struct cudaDeviceProp *)0)->uuid) == SVI_UUID, "a UUID is what the runtime says it is");

sv_status svi_cuda_identify(int32_t device_id, unsigned char uuid[SVI_UUID])
{
    struct svi_gpu_scope scope;
    struct cudaDeviceProp properties;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope));
    error = svi_cuda_api.properties(&properties, device_id);
    SVI_TRY(svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking which device it is")));
    memcpy(uuid, &properties.uuid, SVI_UUID);
    return SV_OK;
}

sv_status svi_cuda_ipc_export(int32_t device_id, void *base, unsigned char handle[SVI_IPC_HANDLE])
{
    struct svi_gpu_scope scope;
    cudaIpcMemHandle_t made;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(device_id, &scope));
    error = svi_cuda_api.ipc_get(&made, base);
    SVI_TRY(svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "sharing device memory")));
    memcpy(handle, &made, SVI_IPC_HANDLE);
    return SV_OK;
}

/* The driver can have opened more than the allocation, before and behind it: small ones lie together. */
static sv_status find_end(void *opened, int64_t *nbytes)
{
    svi_cuda_address_range *ask =
        (svi_cuda_address_range *)svi_cuda_driver("cuMemGetAddressRange", ADDRESS_RANGE_SINCE);
    const svi_cuda_address address = (uintptr_t)opened;
    svi_cuda_address base = 0;
    size_t size = 0;
    int error;

    if (ask == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED, "the driver does not tell how large memory of another process is");
    error = ask(&base, &size, address);
    if (error != 0)
        return svi_cuda_fail_driver(error, "asking how large memory of another process is");
    *nbytes = (int64_t)(base + size - address);
    return SV_OK;
}

/* From another device of this process, it is read by way of peer access, which the runtime enables where it can. */
sv_status svi_cuda_ipc_open(int32_t device_id, const unsigned char handle[SVI_IPC_HANDLE], void **base, int64_t *nbytes)
{
    struct svi_gpu_scope scope;
    cudaIpcMemHandle_t given;
    void *opened = NULL;
    cudaError_t error;
    sv_status status;

    memcpy(&given, handle, SVI_IPC_HANDLE);
    SVI_TRY(svi_cuda_begin(device_id, &scope));
    error = svi_cuda_api.ipc_open(&opened, given, cudaIpcMemLazyEnablePeerAccess);
    status =
        error == cudaSuccess ? find_end(opened, nbytes) : svi_cuda_fail(error, "opening memory of another process");
    status = svi_cuda_end(&scope, status);
    if (status == SV_OK)
        *base = opened;
    else if (error == cudaSuccess)
        (void)svi_cuda_ipc_close(device_id, opened);
    return status;
}

sv_status svi_cuda_ipc_close(int32_t device_id, void *base)
{
    struct svi_gpu_scope scope;
    sv_status status = svi_cuda_begin(device_id, &scope);

    if (status == SV_OK) {
        cudaError_t error = svi_cuda_api.ipc_close(base);

        status = error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "closing memory of another process");
        status = svi_cuda_end(&scope, status);
    }
    return svi_cuda_freed(status);
}
