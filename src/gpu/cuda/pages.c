/* Page-locking of host memory that was allocated without the runtime. */
#include <stdio.h>

#include "backend/memory.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/pages.h"

enum { WORDS = 120 };

static sv_status fail_enroll(cudaError_t error, const void *pages, int64_t nbytes)
{
    char what[WORDS];

    snprintf(what, sizeof what, "page-locking %lld bytes at %p%s", (long long)nbytes, pages,
             error == cudaErrorHostMemoryAlreadyRegistered ? ", of which some are page-locked already" : "");
    return svi_cuda_fail(error, what);
}

/* The address for devices is asked for: where a device cannot use the host's own, it is another one. */
static sv_status lock_host_pages(void *pages, int64_t nbytes, void **device_address)
{
    struct cudaPointerAttributes attributes;
    cudaError_t error =
        svi_cuda_api.register_host(pages, (size_t)nbytes, cudaHostRegisterPortable | cudaHostRegisterMapped);

    if (error != cudaSuccess)
        return fail_enroll(error, pages, nbytes);
    error = svi_cuda_api.pointer(&attributes, pages);
    if (error == cudaSuccess) {
        *device_address = attributes.devicePointer;
        return SV_OK;
    }
    if (svi_cuda_api.unregister_host(pages) != cudaSuccess)
        svi_cuda_api.last_error();
    return svi_cuda_fail(error, "asking for the device's address of page-locked memory");
}

sv_status svi_cuda_enroll(void *pages, int64_t nbytes, void **device_address)
{
    struct svi_gpu_scope scope;
    void *address = NULL;
    sv_status locked, status;

    SVI_TRY(svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope));
    locked = lock_host_pages(pages, nbytes, &address);
    status = svi_cuda_end(&scope, locked);
    if (status == SV_OK)
        *device_address = address;
    else if (locked == SV_OK)
        (void)svi_cuda_withdraw(pages);
    return status;
}

sv_status svi_cuda_withdraw(void *pages)
{
    struct svi_gpu_scope scope;
    sv_status status = svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope);

    if (status == SV_OK) {
        cudaError_t error = svi_cuda_api.unregister_host(pages);

        status = svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "unlocking pages"));
    }
    return svi_cuda_freed(status);
}
