/*
 * The table of live handles, for builds with --enable-checks. A released handle must not be read, since its memory may
 * be unmapped, so the table has the addresses of live handles. A released handle is recognized until a new handle of
 * the same type gets its address.
 */
#include "base/handle.h"

#ifdef SVI_CHECKS

#include "base/lock.h"

enum { BUCKET_BITS = 14 };

static struct svi_handle *buckets[1 << BUCKET_BITS];

static struct svi_handle **bucket_of_handle(const struct svi_handle *handle)
{
    return &buckets[(uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BUCKET_BITS)];
}

void svi_handle_born(struct svi_handle *handle)
{
    struct svi_handle **bucket = bucket_of_handle(handle);

    svi_lock(SVI_LOCK_HANDLES);
    handle->next = *bucket;
    *bucket = handle;
    svi_unlock(SVI_LOCK_HANDLES);
}

void svi_handle_dead(struct svi_handle *handle)
{
    struct svi_handle **at = bucket_of_handle(handle);

    svi_lock(SVI_LOCK_HANDLES);
    while (*at != NULL && *at != handle)
        at = &(*at)->next;
    if (*at != NULL)
        *at = handle->next;
    svi_unlock(SVI_LOCK_HANDLES);
}

uint32_t svi_handle_tag(const struct svi_handle *handle)
{
    const struct svi_handle *at;
    uint32_t tag;

    svi_lock(SVI_LOCK_HANDLES);
    for (at = *bucket_of_handle(handle); at != NULL && at != handle;)
        at = at->next;
    tag = at == NULL ? SVI_TAG_DEAD : at->tag;
    svi_unlock(SVI_LOCK_HANDLES);
    return tag;
}

#endif
