/* What the runtime says of an address. */
#include "fake/runtime.h"

static void of_pageable(struct cudaPointerAttributes *a, const void *pointer)
{
    const bool hmm = fake.attributes[fake_thread()->device][cudaDevAttrPageableMemoryAccess] != 0;

    a->type = cudaMemoryTypeUnregistered;
    a->device = cudaInvalidDeviceId;
    a->devicePointer = hmm ? (void *)pointer : NULL;
    a->hostPointer = (void *)pointer; /* it does not look whether there is such memory */
}

static bool is_pool_of_host(const struct fake_region *r)
{
    return r->pool != NULL && r->pool->properties.location.type != cudaMemLocationTypeDevice;
}

static bool is_hosts(const struct fake_region *r)
{
    if (is_pool_of_host(r))
        return !fake.settings.vague_pools;
    if (r->pool != NULL)
        return r->pool->access[FAKE_DEVICES] != cudaMemAccessFlagsProtNone;
    return r->kind == HELD_PINNED || r->kind == HELD_REGISTERED || r->kind == HELD_MANAGED;
}

static enum cudaMemoryType type_of(const struct fake_region *r)
{
    if (r->kind == HELD_MANAGED)
        return cudaMemoryTypeManaged;
    if (is_pool_of_host(r))
        return fake.settings.vague_pools ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
    if (r->kind == HELD_PINNED || r->kind == HELD_REGISTERED || (r->whose != NULL && !r->imported))
        return cudaMemoryTypeHost;
    return cudaMemoryTypeDevice;
}

static void of_region(struct cudaPointerAttributes *a, const struct fake_region *r, const void *pointer)
{
    const ptrdiff_t at = (const char *)pointer - r->at;
    const struct fake_region *alias = r->alias;

    a->type = type_of(r);
    a->device = r->device;
    a->devicePointer = alias != NULL ? alias->at + at : (void *)pointer;
    a->hostPointer = r->whose != NULL && !r->imported ? r->whose->at + at : is_hosts(r) ? (void *)pointer : NULL;
}

cudaError_t cuda_pointer(struct cudaPointerAttributes *attributes, const void *pointer)
{
    cudaError_t error = ASK(pointer);
    const struct fake_region *r;

    if (error != cudaSuccess)
        return fake_leave(error);
    if (pointer == NULL)
        return fake_leave(cudaErrorInvalidValue);
    *attributes = (struct cudaPointerAttributes){0};
    r = fake_find(pointer);
    if (r == NULL)
        of_pageable(attributes, pointer);
    else
        of_region(attributes, r, pointer);
    return fake_leave(cudaSuccess);
}
