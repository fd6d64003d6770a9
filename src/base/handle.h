/*
 * The head of every handle: a tag for its type, and a reference count. With --enable-checks every public function
 * checks that a handle is alive and of the right type before it reads it.
 */
#ifndef SVI_HANDLE_H
#define SVI_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

enum {
    SVI_TAG_LAYOUT = 0x53564c31,
    SVI_TAG_BUILDER = 0x53564231,
    SVI_TAG_VIEW = 0x53565631,
    SVI_TAG_PLAN = 0x53565031,
    SVI_TAG_ALLOCATOR = 0x53564131,
    SVI_TAG_BUFFER = 0x53564d31,
    SVI_TAG_DEAD = 0x5356dead
};

struct svi_handle {
    uint32_t tag;
    atomic_int_least64_t references;
#ifdef SVI_CHECKS
    struct svi_handle *next; /* the next live handle of a bucket: see handle.c */
#endif
};

#ifdef SVI_CHECKS
/* Enters a handle into the table of live handles. */
void svi_handle_born(struct svi_handle *handle);

/* Removes a handle from the table. */
void svi_handle_dead(struct svi_handle *handle);

/* The tag of a live handle. SVI_TAG_DEAD: it is not alive, and was not read. */
uint32_t svi_handle_tag(const struct svi_handle *handle);
#endif

static inline void svi_handle_init(struct svi_handle *handle, uint32_t tag)
{
    handle->tag = tag;
    atomic_init(&handle->references, 1);
#ifdef SVI_CHECKS
    svi_handle_born(handle);
#endif
}

static inline void svi_handle_retain(const struct svi_handle *handle)
{
    atomic_fetch_add_explicit(&((struct svi_handle *)handle)->references, 1, memory_order_relaxed);
}

static inline int64_t svi_handle_count(const struct svi_handle *handle)
{
    return atomic_load_explicit(&((struct svi_handle *)handle)->references, memory_order_acquire);
}

/* Drops a reference. True: it was the last one, and the caller frees. A sole owner skips the atomic decrement. */
static inline bool svi_handle_drop(struct svi_handle *handle)
{
    if (atomic_load_explicit(&handle->references, memory_order_acquire) != 1 &&
        atomic_fetch_sub_explicit(&handle->references, 1, memory_order_acq_rel) != 1)
        return false;
#ifdef SVI_CHECKS
    svi_handle_dead(handle);
#endif
    handle->tag = SVI_TAG_DEAD;
    return true;
}

/* Whether handle is not NULL and, with --enable-checks, alive and of this type. */
static inline bool svi_handle_is(const struct svi_handle *handle, uint32_t tag)
{
#ifdef SVI_CHECKS
    return handle != NULL && svi_handle_tag(handle) == tag;
#else
    (void)tag;
    return handle != NULL;
#endif
}

static inline sv_status svi_handle_check(const struct svi_handle *handle, uint32_t tag, const char *name)
{
    if (svi_handle_is(handle, tag))
        return SV_OK;
    if (handle == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL", name);
#ifdef SVI_CHECKS
    if (svi_handle_tag(handle) != SVI_TAG_DEAD)
        return svi_fail(SV_ERROR_STATE, "%s is a handle of another type", name);
#endif
    return svi_fail(SV_ERROR_STATE, "%s is no live handle of this library", name);
}

#endif
