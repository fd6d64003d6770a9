/* Hints for managed memory: prefetch, advise, discard. */
#include <string.h>

#include "fake/runtime.h"

static bool is_place(const struct cudaMemLocation *place)
{
    return place->type == cudaMemLocationTypeDevice ? place->id >= 0 && place->id < fake.settings.devices
                                                    : place->type != cudaMemLocationTypeInvalid;
}

/* Memory that is managed, or any of the host's that devices read by its page tables. */
static cudaError_t check(const void *pointer, size_t nbytes)
{
    const struct fake_region *r = fake_find(pointer);

    if (nbytes == 0)
        return cudaErrorInvalidValue;
    if (r == NULL)
        return fake.attributes[fake_thread()->device][cudaDevAttrPageableMemoryAccess] != 0 ? cudaSuccess
                                                                                             : cudaErrorInvalidValue;
    return r->kind == HELD_MANAGED ? fake_check(pointer, nbytes) : cudaErrorInvalidValue;
}

static bool moves_pages(int device)
{
    return device < 0 || (device < fake.settings.devices &&
                          fake.attributes[device][cudaDevAttrConcurrentManagedAccess] != 0);
}

/* Moving pages is no access that another one could run into. */
cudaError_t fake_prefetch(const void *pointer, size_t nbytes, int device, cudaStream_t stream)
{
    struct fake_stream *s = fake_find_stream(stream);
    cudaError_t error = check(pointer, nbytes);

    if (s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return error;
    if (!moves_pages(device))
        return cudaErrorInvalidDevice;
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return cudaErrorStreamCaptureImplicit;
    return fake_give(fake_new_operation(s, "a prefetch"));
}

static void spoil(struct fake_operation *o)
{
    memset(fake_bytes(o->dst), 0xa5, o->nbytes);
}

/* As a write of what nobody knows. */
cudaError_t fake_discard(void *pointer, size_t nbytes, cudaStream_t stream)
{
    struct fake_stream *s = fake_find_stream(stream);
    cudaError_t error = check(pointer, nbytes);
    struct fake_operation *o;

    if (s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return error;
    if (!moves_pages(s->device))
        return cudaErrorNotSupported;
    o = fake_new_operation(s, "a discard");
    o->dst = pointer;
    o->nbytes = nbytes;
    o->run = spoil;
    fake_touch(o, pointer, nbytes, true);
    return fake_give(o);
}

cudaError_t cuda_prefetch(const void *pointer, size_t nbytes, struct cudaMemLocation place, unsigned flags,
                          cudaStream_t stream)
{
    cudaError_t error = ENTER(prefetch, "%zu to %d %s", nbytes,
                              place.type == cudaMemLocationTypeDevice ? place.id : -1, fake_stream_name(stream));

    if (error == cudaSuccess && (flags != 0 || !is_place(&place)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = fake_prefetch(pointer, nbytes, place.type == cudaMemLocationTypeDevice ? place.id : -1, stream);
    return fake_leave(error);
}

cudaError_t cuda_advise(const void *pointer, size_t nbytes, enum cudaMemoryAdvise advice, struct cudaMemLocation place)
{
    cudaError_t error = ENTER(advise, "%d %zu", (int)advice, nbytes);

    if (error == cudaSuccess)
        error = check(pointer, nbytes);
    if (error == cudaSuccess && ((int)advice < 1 || (int)advice > 6 || !is_place(&place)))
        error = cudaErrorInvalidValue;
    return fake_leave(error);
}
