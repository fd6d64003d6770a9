/*
 * What the driver says of an address. The runtime's answer tells four kinds of memory apart; whether the memory is from
 * a pool, and where that lies, only the driver tells.
 */
#include "gpu/cuda/driver.h"
#include "backend/memory.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/pointer_cuda.h"

enum { POOL_OF_POINTER = 17 /* CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE */, POINTER_ATTRIBUTE_SINCE = 4000 };

static void describe_pointer(sv_memory kind, int device, void *device_address, void *host_address,
                             struct svi_pointer *out)
{
    const int32_t type = svi_family_device_type(kind == SV_MEMORY_HOST ? SVI_FAMILY_HOST : SVI_FAMILY_CUDA, kind);

    *out = (struct svi_pointer){
        .kind = kind,
        .traits = svi_devices[type].traits,
        .device = {type, kind == SV_MEMORY_HOST || device < 0 ? 0 : device},
        .device_address = device_address,
        .host_address = host_address,
    };
}

/* --- ordinary memory -------------------------------------------------------- */

/* Every device, since ordinary memory is of none. */
static sv_status find_pageable_access(bool *out)
{
    const int32_t count = svi_cuda_find()->count;

    *out = count > 0;
    for (int32_t id = 0; id < count && *out; id++) {
        int has = 0;
        cudaError_t error = svi_cuda_api.attribute(&has, cudaDevAttrPageableMemoryAccess, id);

        if (error != cudaSuccess)
            return svi_cuda_fail(error, "asking whether a device reads pageable memory");
        *out = has != 0;
    }
    return SV_OK;
}

static sv_status describe_host(void *pointer, struct svi_pointer *out)
{
    bool has_access;

    SVI_TRY(find_pageable_access(&has_access));
    describe_pointer(SV_MEMORY_HOST, 0, has_access ? pointer : NULL, pointer, out);
    if (has_access)
        out->traits |= SV_TRAIT_CUDA;
    return SV_OK;
}

/* --- pools ------------------------------------------------------------------ */

static cudaMemPool_t pool_of(void *pointer)
{
    svi_cuda_pointer_attribute *ask =
        (svi_cuda_pointer_attribute *)svi_cuda_driver("cuPointerGetAttribute", POINTER_ATTRIBUTE_SINCE);
    cudaMemPool_t pool = NULL;

    if (ask == NULL || ask(&pool, POOL_OF_POINTER, (svi_cuda_address)(uintptr_t)pointer) != 0)
        return NULL;
    return pool;
}

static bool is_host_pool(cudaMemPool_t pool)
{
    struct cudaMemLocation host = {.type = cudaMemLocationTypeHost};
    enum cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;

    if (svi_cuda_api.pool_access(&access, pool, &host) == cudaSuccess)
        return access == cudaMemAccessFlagsProtReadWrite;
    svi_cuda_api.last_error();
    return false;
}

/* Memory of a pool that lies on the host may look like a device's. */
static void consider_pool(void *pointer, struct svi_pointer *out)
{
    cudaMemPool_t pool = pool_of(pointer);

    if (pool == NULL)
        return;
    if (out->kind == SV_MEMORY_DEVICE && is_host_pool(pool))
        describe_pointer(SV_MEMORY_PINNED, out->device.id, out->device_address, pointer, out);
    out->traits |= SV_TRAIT_ORDERED;
}

/* --- all -------------------------------------------------------------------- */

static sv_status describe_any(const struct cudaPointerAttributes *found, void *pointer, struct svi_pointer *out)
{
    switch (found->type) {
    case cudaMemoryTypeHost:
        describe_pointer(SV_MEMORY_PINNED, found->device, found->devicePointer, found->hostPointer, out);
        if (found->devicePointer != found->hostPointer) /* allocated as such, it has one address for all */
            out->traits |= SV_TRAIT_REGISTERED;
        break;
    case cudaMemoryTypeDevice:
        describe_pointer(SV_MEMORY_DEVICE, found->device, found->devicePointer, NULL, out);
        break;
    case cudaMemoryTypeManaged:
        describe_pointer(SV_MEMORY_MANAGED, found->device, found->devicePointer, found->hostPointer, out);
        break;
    default: return describe_host(pointer, out);
    }
    consider_pool(pointer, out);
    return SV_OK;
}

static sv_status ask_cuda_pointer(void *pointer, struct svi_pointer *out)
{
    struct cudaPointerAttributes found = {.type = cudaMemoryTypeUnregistered};
    cudaError_t error = svi_cuda_api.pointer(&found, pointer);

    if (error == cudaErrorInvalidValue) { /* of ordinary memory, by old runtimes */
        svi_cuda_api.last_error();
        return describe_host(pointer, out);
    }
    if (error != cudaSuccess)
        return svi_cuda_fail(error, "asking what kind of memory an address is");
    return describe_any(&found, pointer, out);
}

/* Where no device is ready, there is no memory that a driver knows. */
sv_status svi_cuda_query(const void *pointer, struct svi_pointer *out)
{
    void *address = (void *)(uintptr_t)pointer;
    struct svi_gpu_scope scope;
    struct svi_pointer found;

    if (svi_cuda_find()->state != SV_STATE_READY && !svi_cuda_is_forked()) {
        describe_pointer(SV_MEMORY_HOST, 0, NULL, address, out);
        return SV_OK;
    }
    SVI_TRY(svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope));
    SVI_TRY(svi_cuda_end(&scope, ask_cuda_pointer(address, &found)));
    *out = found;
    return SV_OK;
}
