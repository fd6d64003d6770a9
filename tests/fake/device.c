/* Devices: how many, what they can do, whose memory they reach. */
#include <stdio.h>
#include <string.h>

#include "fake/runtime.h"

/* --- attributes ---------------------------------------------------------------------- */

/* A discrete GPU on Linux, without HMM. */
static const struct {
    enum cudaDeviceAttr attribute;
    int value;
} discrete[] = {
    {cudaDevAttrMaxThreadsPerBlock, 1024},
    {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMultiProcessorCount, 8},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, cudaMemHandleTypePosixFileDescriptor},
    {cudaDevAttrIpcEventSupport, 1},
    {cudaDevAttrL2CacheSize, 50 << 20},
    {cudaDevAttrHostNumaId, 0},
#if CUDART_VERSION >= 12090
    {cudaDevAttrHostNumaMemoryPoolsSupported, 1},
#endif
#if CUDART_VERSION >= 13000
    {cudaDevAttrHostMemoryPoolsSupported, 1},
#endif
};

void fake_start_devices(void)
{
    memset(fake.attributes, 0, sizeof fake.attributes);
    for (int device = 0; device < FAKE_DEVICES; device++) {
        for (size_t i = 0; i < sizeof discrete / sizeof *discrete; i++)
            fake.attributes[device][discrete[i].attribute] = discrete[i].value;
        for (int peer = 0; peer < FAKE_DEVICES; peer++)
            fake.peers[device][peer] = device != peer;
    }
}

void fake_set_attribute(int device, enum cudaDeviceAttr attribute, int value)
{
    fake_lock();
    for (int i = 0; i < FAKE_DEVICES; i++)
        if (device < 0 || device == i)
            fake.attributes[i][attribute] = value;
    fake_unlock();
}

void fake_set_peer(int device, int peer, bool can)
{
    fake.peers[device][peer] = can;
}

static bool is_device(int device)
{
    return device >= 0 && device < fake.settings.devices;
}

cudaError_t cuda_attribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    cudaError_t error = ASK(attribute);

    if (error == cudaSuccess && !is_device(device))
        error = cudaErrorInvalidDevice;
    else if (error == cudaSuccess && ((int)attribute <= 0 || attribute >= cudaDevAttrMax))
        error = cudaErrorInvalidValue;
    else if (error == cudaSuccess)
        *value = fake.attributes[device][attribute];
    return fake_leave(error);
}

cudaError_t cuda_properties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error = ASK(properties);

    if (error == cudaSuccess && !is_device(device))
        error = cudaErrorInvalidDevice;
    if (error != cudaSuccess)
        return fake_leave(error);
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "a fake device, number %d", device);
    memset(properties->uuid.bytes, 0x10 + device, sizeof properties->uuid.bytes);
    properties->totalGlobalMem = fake.settings.device_memory;
    properties->major = fake.attributes[device][cudaDevAttrComputeCapabilityMajor];
    properties->minor = fake.attributes[device][cudaDevAttrComputeCapabilityMinor];
    properties->multiProcessorCount = fake.attributes[device][cudaDevAttrMultiProcessorCount];
    properties->integrated = fake.attributes[device][cudaDevAttrIntegrated];
    properties->pciBusID = device + 1;
    return fake_leave(cudaSuccess);
}

/* --- versions, count, the current one ---------------------------------------------------- */

cudaError_t cuda_driver_version(int *version)
{
    cudaError_t error = ASK(driver_version);

    if (error == cudaSuccess)
        *version = fake.settings.driver == FAKE_NO_DRIVER ? 0 : fake.settings.driver;
    return fake_leave(error);
}

cudaError_t cuda_runtime_version(int *version)
{
    cudaError_t error = ASK(runtime_version);

    if (error == cudaSuccess)
        *version = fake.settings.runtime;
    return fake_leave(error);
}

cudaError_t cuda_device_count(int *count)
{
    cudaError_t error = ASK(device_count);

    if (error == cudaSuccess)
        *count = fake.settings.devices;
    return fake_leave(error);
}

cudaError_t cuda_get_device(int *device)
{
    cudaError_t error = ASK(get_device);

    if (error == cudaSuccess)
        *device = fake_thread()->device;
    return fake_leave(error);
}

cudaError_t cuda_set_device(int device)
{
    cudaError_t error = ASK(set_device);

    if (error == cudaSuccess && !is_device(device))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        fake_thread()->device = device;
    return fake_leave(error);
}

cudaError_t cuda_memory_info(size_t *free, size_t *total)
{
    cudaError_t error = ASK(memory_info);

    if (error == cudaSuccess) {
        *total = fake.settings.device_memory;
        *free = *total - fake.used[fake_thread()->device];
    }
    return fake_leave(error);
}

/* --- peers ---------------------------------------------------------------------------------- */

cudaError_t cuda_can_access_peer(int *can, int device, int peer)
{
    cudaError_t error = ASK(can_access_peer);

    if (error == cudaSuccess && !(is_device(device) && is_device(peer)))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        *can = fake.peers[device][peer];
    return fake_leave(error);
}

cudaError_t cuda_enable_peer(int peer, unsigned flags)
{
    cudaError_t error = ENTER(enable_peer, "%d", peer);
    const int device = fake_thread()->device;

    if (error != cudaSuccess)
        return fake_leave(error);
    if (!is_device(peer) || peer == device)
        return fake_leave(cudaErrorInvalidDevice);
    if (flags != 0)
        return fake_leave(cudaErrorInvalidValue);
    if (!fake.peers[device][peer])
        return fake_leave(cudaErrorPeerAccessUnsupported);
    if (fake.enabled[device][peer])
        return fake_leave(cudaErrorPeerAccessAlreadyEnabled);
    fake.enabled[device][peer] = true;
    return fake_leave(cudaSuccess);
}
