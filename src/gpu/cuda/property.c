/* Numbers that describe a device. */
#include "gpu/cuda/driver.h"
#include "backend/memory.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/property.h"

enum {
    HOST_POOLS = 144, /* cudaDevAttrHostMemoryPoolsSupported, since 13.0 */
    MANAGED_POOLS_SINCE = 13000
};

static cudaError_t ask_attribute(int attribute, int device, int64_t *value)
{
    int answer = 0;
    cudaError_t error = svi_cuda_api.attribute(&answer, (enum cudaDeviceAttr)attribute, device);

    *value = answer;
    return error;
}

/* One that came with a later driver than libsv needs: 0 where this driver does not know it. */
static cudaError_t ask_new(int attribute, int device, int64_t *value)
{
    cudaError_t error = ask_attribute(attribute, device, value);

    if (error != cudaErrorInvalidValue)
        return error;
    svi_cuda_api.last_error();
    *value = 0;
    return cudaSuccess;
}

/* No attribute tells: the driver's version does, and that pages move one by one. */
static cudaError_t ask_managed_pools(int device, int64_t *value)
{
    int version = 0;
    int64_t pools = 0, concurrent = 0;
    cudaError_t error = svi_cuda_api.driver_version(&version);

    if (error == cudaSuccess)
        error = ask_attribute(cudaDevAttrMemoryPoolsSupported, device, &pools);
    if (error == cudaSuccess)
        error = ask_attribute(cudaDevAttrConcurrentManagedAccess, device, &concurrent);
    *value = version >= MANAGED_POOLS_SINCE && CUDART_VERSION >= MANAGED_POOLS_SINCE && pools && concurrent;
    return error;
}

static cudaError_t ask_capability(int device, int64_t *value)
{
    int64_t major = 0, minor = 0;
    cudaError_t error = ask_attribute(cudaDevAttrComputeCapabilityMajor, device, &major);

    if (error == cudaSuccess)
        error = ask_attribute(cudaDevAttrComputeCapabilityMinor, device, &minor);
    *value = 10 * major + minor;
    return error;
}

/* What is free is told of the current device alone, which is opened by that; how much there is, of any. */
static cudaError_t ask_memory(int32_t property, int device, int64_t *value)
{
    struct cudaDeviceProp properties = {.totalGlobalMem = 0};
    size_t left = 0, total = 0;
    cudaError_t error;

    if (property == SV_PROPERTY_MEMORY_FREE)
        error = svi_cuda_api.memory_info(&left, &total);
    else
        error = svi_cuda_api.properties(&properties, device);
    *value = (int64_t)(property == SV_PROPERTY_MEMORY_FREE ? left : properties.totalGlobalMem);
    return error;
}

static cudaError_t find_property(int device, int32_t property, int64_t *value)
{
    switch (property) {
    case SV_PROPERTY_MEMORY_TOTAL:
    case SV_PROPERTY_MEMORY_FREE: return ask_memory(property, device, value);
    case SV_PROPERTY_PAGEABLE_ACCESS: return ask_attribute(cudaDevAttrPageableMemoryAccess, device, value);
    case SV_PROPERTY_CONCURRENT_MANAGED: return ask_attribute(cudaDevAttrConcurrentManagedAccess, device, value);
    case SV_PROPERTY_POOLS: return ask_attribute(cudaDevAttrMemoryPoolsSupported, device, value);
    case SV_PROPERTY_HOST_POOLS: return ask_new(HOST_POOLS, device, value);
    case SV_PROPERTY_MANAGED_POOLS: return ask_managed_pools(device, value);
    case SV_PROPERTY_IPC: return ask_new(cudaDevAttrIpcEventSupport, device, value);
    case SV_PROPERTY_COMPUTE_CAPABILITY: return ask_capability(device, value);
    default: return ask_attribute(cudaDevAttrMultiProcessorCount, device, value);
    }
}

sv_status svi_cuda_property(int32_t device_id, int32_t property, int64_t *value)
{
    const bool needs_device = property == SV_PROPERTY_MEMORY_FREE;
    struct svi_gpu_scope scope;
    int64_t answer = 0;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(needs_device ? device_id : SVI_GPU_ANY_DEVICE, &scope));
    error = find_property(device_id, property, &answer);
    SVI_TRY(svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking what a device has")));
    *value = answer;
    return SV_OK;
}
