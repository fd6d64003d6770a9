/*
 * Memory of other processes. A handle is opened at another address with the same bytes. The process that made a handle
 * cannot open it, as with the runtime, unless a test says that it is to count as another one.
 */
#include <string.h>

#include "fake/runtime.h"

static const char magic[8] = "fakeipc";
static bool is_another;

struct handle {
    char magic[8];
    void *at;
    size_t nbytes;
};

_Static_assert(sizeof(struct handle) <= sizeof(cudaIpcMemHandle_t), "a handle has room");

void fake_be_another_process(bool another)
{
    is_another = another;
}

/* Of memory that allocate gave, and not of pools. */
cudaError_t cuda_ipc_get(cudaIpcMemHandle_t *out, void *pointer)
{
    cudaError_t error = ENTER(ipc_get, "%s", "");
    const struct fake_region *r;
    struct handle handle;

    if (error != cudaSuccess)
        return fake_leave(error);
    r = fake_find(pointer);
    if (r == NULL || r->kind != HELD_DEVICE || r->pool != NULL || r->freeing)
        return fake_leave(cudaErrorInvalidValue);
    memset(out, 0, sizeof *out);
    memcpy(handle.magic, magic, sizeof magic);
    handle.at = r->at;
    handle.nbytes = r->nbytes;
    memcpy(out, &handle, sizeof handle);
    return fake_leave(cudaSuccess);
}

static cudaError_t import(void **out, const cudaIpcMemHandle_t *from, unsigned flags)
{
    struct fake_region *r, *whose;
    struct handle handle;

    memcpy(&handle, from, sizeof handle);
    if (memcmp(handle.magic, magic, sizeof magic) != 0 || flags != cudaIpcMemLazyEnablePeerAccess)
        return cudaErrorInvalidValue;
    if (!is_another)
        return cudaErrorDeviceUninitialized;
    whose = fake_find(handle.at);
    if (whose == NULL || whose->at != handle.at || whose->nbytes != handle.nbytes)
        return cudaErrorMapBufferObjectFailed;
    r = fake_new_region(HELD_ALIAS, whose->nbytes);
    if (r == NULL)
        return cudaErrorMemoryAllocation;
    r->whose = whose;
    r->imported = true;
    fake_protect(r, 0, r->npages);
    *out = r->at;
    return cudaSuccess;
}

cudaError_t cuda_ipc_open(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    cudaError_t error = ENTER(ipc_open, "%s", "");

    return fake_leave(error == cudaSuccess ? import(pointer, &handle, flags) : error);
}

/* Waits for the device, as a release does. */
cudaError_t cuda_ipc_close(void *pointer)
{
    cudaError_t error = ENTER(ipc_close, "%s", "");
    struct fake_region *r = fake_find(pointer);

    if (error != cudaSuccess) {
        if (r != NULL)
            r->excused = true;
        return fake_leave(error);
    }
    if (r == NULL || !r->imported || r->at != pointer) {
        fake_fault("memory is closed that was not opened");
        return fake_leave(cudaErrorInvalidValue);
    }
    fake_perform_all(r->device);
    fake_learn_all(r->device);
    fake_end_region(r);
    return fake_leave(cudaSuccess);
}
