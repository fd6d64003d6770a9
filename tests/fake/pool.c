/* Pools: memory that is allocated and freed in the order of a stream, which counts as writing all of it. */
#include <stdlib.h>
#include <string.h>

#include "fake/runtime.h"

/* --- pools ---------------------------------------------------------------------------------- */

static enum fake_kind kind_of(const struct fake_pool *p)
{
#if CUDART_VERSION >= 13000
    if (p->properties.allocType == cudaMemAllocationTypeManaged)
        return HELD_MANAGED;
#endif
    return p->properties.location.type == cudaMemLocationTypeDevice ? HELD_DEVICE : HELD_PINNED;
}

static struct fake_pool *new_pool(const struct cudaMemPoolProps *properties)
{
    struct fake_pool *p = calloc(1, sizeof *p);
    const bool hosts = properties->location.type != cudaMemLocationTypeDevice;

    p->properties = *properties;
    p->device = hosts ? fake_thread()->device : properties->location.id;
    p->most = properties->maxSize;
    for (int device = 0; device < FAKE_DEVICES; device++) /* of the host's no device's, until it is given access */
        p->access[device] = kind_of(p) == HELD_MANAGED || (!hosts && device == p->device)
                                ? cudaMemAccessFlagsProtReadWrite
                                : cudaMemAccessFlagsProtNone;
    p->access[FAKE_DEVICES] = hosts || kind_of(p) == HELD_MANAGED ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    p->reuse[0] = p->reuse[1] = p->reuse[2] = 1;
    p->next = fake.pools;
    fake.pools = p;
    return p;
}

/* Each device has one for its memory and one for managed memory, the host has one. */
void fake_start_pools(void)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned};

    properties.location.type = cudaMemLocationTypeHost;
    new_pool(&properties)->by_default = true;
    properties.location.type = cudaMemLocationTypeDevice;
    for (int device = 0; device < fake.settings.devices; device++) {
        properties.location.id = device;
        new_pool(&properties)->by_default = true;
    }
#if CUDART_VERSION >= 13000
    properties.allocType = cudaMemAllocationTypeManaged;
    for (int device = 0; device < fake.settings.devices; device++) {
        properties.location.id = device;
        new_pool(&properties)->by_default = true;
    }
#endif
}

void fake_end_pools(void)
{
    while (fake.pools != NULL) {
        struct fake_pool *p = fake.pools;

        if (!p->by_default && !p->excused)
            fake_fault("a pool of device %d is alive", p->device);
        fake.pools = p->next;
        free(p);
    }
}

static struct fake_pool *find_pool(cudaMemPool_t handle)
{
    for (struct fake_pool *p = fake.pools; p != NULL; p = p->next)
        if (p == (struct fake_pool *)(void *)handle)
            return p;
    fake_fault("a pool is used that is not alive");
    return NULL;
}

static bool has_pools(int device)
{
    return fake.attributes[device][cudaDevAttrMemoryPoolsSupported] != 0;
}

static bool is_supported(const struct cudaMemPoolProps *p)
{
    const int device = p->location.type == cudaMemLocationTypeDevice ? p->location.id : fake_thread()->device;

    if (device < 0 || device >= fake.settings.devices || !has_pools(device))
        return false;
#if CUDART_VERSION >= 13000
    if (p->allocType == cudaMemAllocationTypeManaged)
        return fake.settings.driver >= 13000 && fake.attributes[device][cudaDevAttrConcurrentManagedAccess] != 0;
    if (p->location.type == cudaMemLocationTypeHost)
        return fake.attributes[device][cudaDevAttrHostMemoryPoolsSupported] != 0;
#endif
#if CUDART_VERSION >= 12090
    if (p->location.type == cudaMemLocationTypeHostNuma)
        return fake.attributes[device][cudaDevAttrHostNumaMemoryPoolsSupported] != 0;
#endif
    return p->location.type == cudaMemLocationTypeDevice;
}

static bool is_default(const struct fake_pool *p, const struct cudaMemPoolProps *wanted)
{
    return p->by_default && p->properties.allocType == wanted->allocType &&
           p->properties.location.type == wanted->location.type &&
           (wanted->location.type == cudaMemLocationTypeHost || p->device == wanted->location.id);
}

cudaError_t fake_default_pool(void **out, bool on_device, int device, bool managed)
{
    struct cudaMemPoolProps wanted = {.allocType = cudaMemAllocationTypePinned};

    wanted.location.type = on_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
    wanted.location.id = device;
#if CUDART_VERSION >= 13000
    if (managed)
        wanted.allocType = cudaMemAllocationTypeManaged;
#else
    (void)managed;
#endif
    if (on_device && (device < 0 || device >= fake.settings.devices))
        return cudaErrorInvalidDevice;
    if (!is_supported(&wanted))
        return cudaErrorNotSupported;
    for (struct fake_pool *p = fake.pools; p != NULL; p = p->next)
        if (is_default(p, &wanted))
            *out = p;
    return cudaSuccess;
}

cudaError_t cuda_default_pool(cudaMemPool_t *pool, int device)
{
    cudaError_t error = ASK(default_pool);

    return fake_leave(error == cudaSuccess ? fake_default_pool((void **)pool, true, device, false) : error);
}

cudaError_t cuda_new_pool(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    static const unsigned char zeros[sizeof properties->reserved];
    cudaError_t error = ENTER(new_pool, "%s", "");

    if (error == cudaSuccess && (memcmp(properties->reserved, zeros, sizeof zeros) != 0 ||
                                 properties->win32SecurityAttributes != NULL ||
                                 properties->allocType == cudaMemAllocationTypeInvalid))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !is_supported(properties))
        error = cudaErrorNotSupported;
    if (error == cudaSuccess)
        *pool = (cudaMemPool_t)(void *)new_pool(properties);
    return fake_leave(error);
}

/* Real pools stay until their last allocation is freed and all frees are done. libsv's own never end before all frees
 * have been asked for. */
cudaError_t cuda_end_pool(cudaMemPool_t handle)
{
    cudaError_t error = ENTER(end_pool, "%s", "");
    struct fake_pool *p = fake.unloading ? NULL : find_pool(handle);

    if (p == NULL)
        return fake_leave(error == cudaSuccess ? cudaErrorInvalidValue : error);
    if (error != cudaSuccess) {
        p->excused = true;
        return fake_leave(error);
    }
    if (p->by_default)
        return fake_leave(cudaErrorInvalidValue);
    for (struct fake_region *r = fake.regions; r != NULL; r = r->next)
        if (r->pool == p && !r->freeing && !r->excused)
            fake_fault("a pool is destroyed that %zu bytes come from", r->nbytes);
    for (struct fake_region *r = fake.regions; r != NULL; r = r->next)
        if (r->pool == p)
            r->pool = NULL;
    for (struct fake_pool **link = &fake.pools; *link != NULL; link = &(*link)->next)
        if (*link == p) {
            *link = p->next;
            free(p);
            break;
        }
    return fake_leave(cudaSuccess);
}

/* --- attributes --------------------------------------------------------------------------------- */

static uint64_t *number_of(struct fake_pool *p, enum cudaMemPoolAttr attribute)
{
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &p->threshold;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        return &p->used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        return &p->high;
    default:
        return NULL;
    }
}

/* The high marks can be set to 0 alone. */
cudaError_t cuda_set_pool(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t error = ASK(set_pool);
    struct fake_pool *p = error == cudaSuccess ? find_pool(handle) : NULL;
    uint64_t *number = p == NULL ? NULL : number_of(p, attribute);

    if (p == NULL)
        return fake_leave(error == cudaSuccess ? cudaErrorInvalidValue : error);
    if (number == &p->threshold)
        *number = *(uint64_t *)value;
    else if (number == &p->high && *(uint64_t *)value == 0)
        *number = p->used;
    else if (number == NULL && attribute >= cudaMemPoolReuseFollowEventDependencies &&
             attribute <= cudaMemPoolReuseAllowInternalDependencies)
        p->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *(int *)value;
    else
        return fake_leave(cudaErrorInvalidValue);
    return fake_leave(cudaSuccess);
}

cudaError_t cuda_get_pool(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t error = ASK(get_pool);
    struct fake_pool *p = error == cudaSuccess ? find_pool(handle) : NULL;
    const uint64_t *number = p == NULL ? NULL : number_of(p, attribute);

    if (p == NULL)
        return fake_leave(error == cudaSuccess ? cudaErrorInvalidValue : error);
    if (number != NULL)
        *(uint64_t *)value = *number;
    else if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
             attribute <= cudaMemPoolReuseAllowInternalDependencies)
        *(int *)value = p->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
    else
        return fake_leave(cudaErrorInvalidValue);
    return fake_leave(cudaSuccess);
}

/* The host's is behind those of the devices. */
static enum cudaMemAccessFlags *access_of(struct fake_pool *p, const struct cudaMemLocation *place)
{
    if (place->type != cudaMemLocationTypeDevice)
        return &p->access[FAKE_DEVICES];
    return place->id >= 0 && place->id < fake.settings.devices ? &p->access[place->id] : NULL;
}

cudaError_t cuda_pool_access(enum cudaMemAccessFlags *access, cudaMemPool_t handle, struct cudaMemLocation *place)
{
    cudaError_t error = ASK(pool_access);
    struct fake_pool *p = error == cudaSuccess ? find_pool(handle) : NULL;
    const enum cudaMemAccessFlags *found = p == NULL ? NULL : access_of(p, place);

    if (error == cudaSuccess && found == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *access = *found;
    return fake_leave(error);
}

cudaError_t cuda_set_pool_access(cudaMemPool_t handle, const struct cudaMemAccessDesc *access, size_t count)
{
    cudaError_t error = ENTER(set_pool_access, "%zu", count);
    struct fake_pool *p = error == cudaSuccess ? find_pool(handle) : NULL;

    if (error == cudaSuccess && p == NULL)
        error = cudaErrorInvalidValue;
    for (size_t i = 0; error == cudaSuccess && i < count; i++) {
        enum cudaMemAccessFlags *found = access_of(p, &access[i].location);

        if (found == NULL || access[i].location.type != cudaMemLocationTypeDevice)
            error = cudaErrorInvalidValue;
        else if (access[i].location.id != p->device && !fake.peers[access[i].location.id][p->device])
            error = cudaErrorInvalidDevice;
        else
            *found = access[i].flags;
    }
    return fake_leave(error);
}

/* --- allocation ------------------------------------------------------------------------------------- */

/* What it finds is as undefined as what a free leaves. */
static void spoil(struct fake_operation *o)
{
    memset(fake_bytes(o->dst), 0xa5, o->nbytes);
}

static struct fake_region *take(struct fake_pool *p, size_t nbytes)
{
    const int before = fake_thread()->device;
    struct fake_region *r;

    if (p->most != 0 && nbytes > p->most - p->used)
        return NULL;
    fake_thread()->device = p->device;
    r = fake_new_region(kind_of(p), nbytes);
    fake_thread()->device = before;
    if (r == NULL)
        return NULL;
    r->pool = p;
    p->used += nbytes;
    p->high = p->used > p->high ? p->used : p->high;
    return r;
}

/* The pool may be of another device than the stream. */
static cudaError_t allocate(void **out, size_t nbytes, struct fake_pool *p, struct fake_stream *s)
{
    struct fake_region *r;
    struct fake_operation *o;

    if (p == NULL || s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (nbytes == 0)
        return cudaErrorInvalidValue;
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return cudaErrorStreamCaptureImplicit;
    r = take(p, nbytes);
    if (r == NULL)
        return cudaErrorMemoryAllocation;
    r->captured = s->capture != NULL;
    fake_protect(r, 0, r->npages);
    o = fake_new_operation(s, "an allocation");
    o->dst = r->at;
    o->nbytes = nbytes;
    o->run = spoil;
    fake_touch(o, r->at, nbytes, true);
    *out = r->at;
    return fake_give(o);
}

cudaError_t cuda_allocate_from_pool(void **pointer, size_t nbytes, cudaMemPool_t pool, cudaStream_t stream)
{
    cudaError_t error = ENTER(allocate_from_pool, "%zu %s", nbytes, fake_stream_name(stream));

    if (error == cudaSuccess)
        error = allocate(pointer, nbytes, find_pool(pool), fake_find_stream(stream));
    return fake_leave(error);
}

static void end_memory(struct fake_operation *o)
{
    fake_end_region(o->region);
}

static cudaError_t release(struct fake_region *r, struct fake_stream *s)
{
    struct fake_operation *o;

    if (s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (r == NULL || r->pool == NULL) {
        fake_fault("a free in the order of a stream of what is not of a pool, or was freed");
        return cudaErrorInvalidValue;
    }
    if (r->freeing) {
        fake_fault("memory of a pool is freed twice");
        return cudaErrorInvalidValue;
    }
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return cudaErrorStreamCaptureImplicit;
    o = fake_new_operation(s, "a free");
    o->region = r;
    o->run = s->capture == NULL ? end_memory : NULL;
    fake_touch(o, r->at, r->nbytes, true);
    r->freeing = true;
    r->captured = s->capture != NULL;
    return fake_give(o);
}

cudaError_t cuda_release_async(void *pointer, cudaStream_t stream)
{
    cudaError_t error = ENTER(release_async, "%s", fake_stream_name(stream));
    struct fake_region *r = fake_find(pointer);

    if (error == cudaSuccess)
        error = release(r != NULL && r->at == pointer ? r : NULL, fake_find_stream(stream));
    if (error != cudaSuccess && r != NULL)
        r->excused = true;
    return fake_leave(error);
}
